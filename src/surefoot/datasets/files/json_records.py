"""
The records of JSON files of any size, one at a time, each as its own bytes.

A file may be in UTF-8 or UTF-16, with a mark of its byte order or without, and an array may
stand as JSON Lines, or lines as an array: how a tool wrote the file says nothing of its records.

Only where a record begins and ends is found here; reading it is the standard library's
work. So a record that is no JSON, or nested without end, costs that record and no other,
and memory holds one record and one block of the file.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol, TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.files.pointers import HEAD, require_fetched

T = TypeVar("T")

MOST_BYTES: Final = 16 * 2**20
BLOCK: Final = 2**18
_QUOTED: Final = 200  # characters of a message that another library wrote
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["\[\]{}]', re.DOTALL)
_RECORD: Final = 2  # the depth inside a record, the array itself being the first
_DEEPER: Final = 3  # that of a record in an array that is a member of the file's object
_CLOSING: Final = {b"[": b"]", b"{": b"}"}
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_SECTION: Final = re.compile(rb'("(?:[^"\\]++|\\.)*+")\s*:\s*\[\s*\Z', re.DOTALL)
_MARK: Final = b"\xef\xbb\xbf"  # of UTF-8, which needs none
_KEYED: Final = re.compile(rb'\s*(,?)\s*("(?:[^"\\]++|\\.)*+")\s*:\s*', re.DOTALL)


class Entry(msgspec.Struct, frozen=True):
    """Hold the bytes of one record, the file's name, its number from 1, and its key."""

    data: bytes
    file: str
    number: int
    key: str = ""


def array_records(path: Path, *, most: int = MOST_BYTES) -> Iterator[Entry]:
    """
    Yield the records of a file that holds one JSON array, or an object on each line.

    Raises InvalidInputError for a file that cannot be read, is no whole JSON array, or has
    a record of more than ``most`` bytes; a record that is itself no JSON is yielded.
    """
    if _first_line(path, most).startswith(b"{"):
        yield from _lines(path, most)
        return
    for number, (gap, data) in enumerate(_values(path, b"[", most), start=1):
        if gap.strip() != (b"," if number > 1 else b""):
            raise _broken(path, number, "something else")
        yield Entry(data, path.name, number)


def map_records(path: Path, *, most: int = MOST_BYTES) -> Iterator[Entry]:
    """
    Yield the members of a file that holds one JSON object of objects, each with its key.

    Raises InvalidInputError as ``array_records`` does. A key that comes twice is yielded
    twice.
    """
    for number, (gap, data) in enumerate(_values(path, b"{", most), start=1):
        keyed = _KEYED.fullmatch(gap)
        if keyed is None or keyed[1] != (b"," if number > 1 else b""):
            raise _broken(path, number, "something else")
        try:
            key = str(json.loads(keyed[2]))
        except (ValueError, UnicodeDecodeError) as error:
            raise _broken(path, number, "a bad key") from error
        yield Entry(data, path.name, number, key)


def section_records(path: Path, *, most: int = MOST_BYTES) -> Iterator[Entry]:
    """
    Yield the records of all arrays that are members of a file's one JSON object.

    ``key`` is the array's name and ``number`` counts in it; records of anything else have
    the key "". Raises InvalidInputError as ``array_records`` does, and where no comma
    stands between two records.
    """
    key, number = "", 0
    for gap, data in _values(path, b"{", most, depth=_DEEPER):
        between = gap.strip()
        if between != b",":
            opened = _SECTION.search(gap)
            if opened is None and not between.endswith(b":"):
                raise _broken(path, number + 1, "something else")
            key, number = _text(opened[1], path) if opened else "", 0
        number += 1
        yield Entry(data, path.name, number, key)


def _text(quoted: bytes, path: Path) -> str:
    try:
        return str(json.loads(quoted))
    except (ValueError, UnicodeDecodeError) as error:
        raise _broken(path, 1, "a bad key") from error


def line_records(path: Path, *, most: int = MOST_BYTES) -> Iterator[Entry]:
    """
    Yield the lines of a JSON Lines file, empty ones left out but counted.

    A file that holds one array is read as such. Raises InvalidInputError for a file that cannot
    be read or a line of more than ``most`` bytes.
    """
    if _first_line(path, most).startswith(b"["):
        yield from array_records(path, most=most)
    else:
        yield from _lines(path, most)


def _lines(path: Path, most: int) -> Iterator[Entry]:
    number = 0
    with _opened(path) as stream:
        while line := stream.readline(most + 1):
            number += 1
            if len(line) > most:
                raise _too_long(path, number, most)
            if line.strip():
                yield Entry(line, path.name, number)


def _first_line(path: Path, most: int) -> bytes:
    """
    Return the first line that is not blank, b"" where it begins an object that goes on.

    Such a file is one object, and no line of it a record.
    """
    with _opened(path) as stream:
        while line := stream.readline(most + 1):
            if line := line.strip():
                break
    if line.startswith(b"{") and len(line) <= most and not _is_whole(line):
        return b""
    return line


def _is_whole(line: bytes) -> bool:
    depth = 0
    for token in _TOKEN.finditer(line):
        depth += (token[0] in _CLOSING) - (token[0] in _CLOSING.values())
    return depth == 0


def decode_record(data: bytes, kind: type[T]) -> T:
    """
    Read one record as a type; raises RecordError "malformed" or "duplicate-key".

    NaN, infinities, numbers of thousands of digits, endless nesting and halves of surrogate
    pairs are refused. A field that is null counts as absent.

    >>> decode_record(b'{"a": [1, 2]}', dict[str, list[int]])
    {'a': [1, 2]}
    """
    try:
        value = json.loads(data, object_pairs_hook=_unique, parse_constant=_no_constant)
        if _SURROGATE.search(data):
            json.dumps(value, ensure_ascii=False).encode()
        return msgspec.convert(without_nulls(value, kind), kind)
    except RecordError:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        found = str(error)[:_QUOTED]
        raise RecordError("malformed", "a record of the known fields", found=found) from error


def without_nulls(value: object, kind: object) -> object:
    """
    Return a record without its fields that are null, as tables write what is absent.

    >>> without_nulls({"id": 1, "size": {"width": None}}, Entry)
    {'id': 1, 'size': {}}
    """
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _told(value)
    return value


def _told(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {key: _told(field) for key, field in value.items() if field is not None}


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RecordError("duplicate-key", "each key once", found=f"'{twice}' twice")
    return found


def _no_constant(name: str) -> object:
    raise RecordError("malformed", "finite numbers", found=name)


class _Reads(Protocol):
    def read(self, size: int, /) -> bytes: ...

    def readline(self, size: int, /) -> bytes: ...


class _Recoded:
    """Read text of another encoding as UTF-8."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text

    def read(self, size: int) -> bytes:
        """Return the next so many characters."""
        return self._text.read(size).encode()

    def readline(self, size: int) -> bytes:
        """Return the next line, or so many characters of it."""
        return self._text.readline(size).encode()


class _Window:
    """
    Hold a stretch of a file, from the end of the last record on, and find brackets in it.

    ``start`` and ``at`` are where the last bracket begins and ends; what ``drop`` drops is
    cut off when more is read.
    """

    def __init__(self, stream: _Reads, path: Path, most: int) -> None:
        self._stream, self._path, self._most = stream, path, most
        self.held = b""
        self.begun = self.start = self.at = self.inner = 0
        self.number = 1

    def bracket(self) -> bytes:
        """Return the next bracket outside of strings; raises where the file ends first."""
        while True:
            token = _TOKEN.search(self.held, self.at)
            if token is None or token[0] == b'"':
                self.at = token.start() if token else len(self.held)
                self._read()
                continue
            self.start, self.at = token.span()
            if self.at - self.start == 1:
                return token[0]

    def blank(self) -> bool:
        """Tell whether only white space stands between the last record and the bracket."""
        return not self.held[self.begun : self.start].strip()

    def ends(self) -> bool:
        """Tell whether only white space follows the bracket."""
        rest = self.held[self.at :]
        while not rest.strip() and (block := self._stream.read(BLOCK)):
            rest = block
        return not rest.strip()

    def take(self) -> tuple[bytes, bytes]:
        """Return what stood before the record, and the record, and go on behind it."""
        pair = self.held[self.begun : self.inner], self.held[self.inner : self.at]
        self.begun = self.at
        self.number += 1
        return pair

    def _read(self) -> None:
        block = self._stream.read(BLOCK)
        if not block:
            raise _broken(self._path, self.number, "the end of the file")
        if len(self.held) - self.begun > self._most:
            raise _too_long(self._path, self.number, self._most)
        self.held = self.held[self.begun :] + block
        self.at -= self.begun
        self.inner -= self.begun
        self.begun = 0


def _values(
    path: Path, opening: bytes, most: int, depth: int = _RECORD
) -> Iterator[tuple[bytes, bytes]]:
    """Yield what stands before each object or array at a depth, and its own bytes."""
    with _opened(path) as stream:
        window = _Window(stream, path, most)
        if window.bracket() != opening or not window.blank():
            raise _broken(path, 1, "something else")
        window.begun = window.at
        inside = 1
        while inside:
            if window.bracket() in _CLOSING:
                inside += 1
                if inside == depth:
                    window.inner = window.start
                continue
            inside -= 1
            if inside == depth - 1:
                yield window.take()
        closed = window.held[window.start : window.at] == _CLOSING[opening]
        blank = depth > _RECORD or window.blank()
        if not (closed and blank and window.ends()):
            raise _broken(path, window.number, "something else")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[_Reads]:
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            require_fetched(head, path.name)
            encoding = json.detect_encoding(head)
            if encoding.startswith("utf-8"):
                stream.seek(len(_MARK) if head.startswith(_MARK) else 0)
                yield stream
            else:
                stream.seek(0)
                yield _Recoded(io.TextIOWrapper(stream, encoding, newline="\n"))
    except (OSError, UnicodeError) as error:
        raise InvalidInputError(f"a readable file at {path}", found=error) from error


def _broken(path: Path, number: int, found: str) -> InvalidInputError:
    return InvalidInputError(
        f"{path.name} to be one JSON array or object of records",
        found=f"{found} at record {number}",
        remedy="fetch the file again",
    )


def _too_long(path: Path, number: int, most: int) -> InvalidInputError:
    return InvalidInputError(
        f"records of at most {most:,} bytes", found=f"more in {path.name}, record {number}"
    )
