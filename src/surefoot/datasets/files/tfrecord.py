"""
TFRecord files of ``tf.train.Example`` messages, read without TensorFlow.

A file is a row of records: the length in eight bytes, little-endian, its checksum in four,
the data, the data's checksum in four. A checksum is CRC-32C (the Castagnoli polynomial),
rotated right by 15 bits and added to a constant. The data is a protocol buffer: a map from
names to lists of bytes, of floats, or of integers.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError

MOST_BYTES: Final = 64 * 2**20
POLYNOMIAL: Final = 0x82F63B78  # Castagnoli's, bits reversed
MASK: Final = 0xA282EAD8
WORD: Final = 0xFFFFFFFF
HEAD: Final = struct.Struct("<QI")
FOOT: Final = struct.Struct("<I")
VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5  # the wire types that are in use
BYTES, FLOATS, INTEGERS = 1, 2, 3  # the fields of a feature
_WIDTHS: Final = {FIXED64: 8, FIXED32: 4}
_VARINT_BITS: Final = 64
_SIGN: Final = 1 << 63

T = TypeVar("T")
Field: TypeAlias = tuple[int, int, bytes, int]  # number, wire type, its bytes, its integer
Values: TypeAlias = tuple[bytes, ...] | tuple[float, ...] | tuple[int, ...]


def _table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        rest = value
        for _ in range(8):
            rest = rest >> 1 ^ (POLYNOMIAL if rest & 1 else 0)
        table.append(rest)
    return tuple(table)


TABLE: Final = _table()


class TfRecord(msgspec.Struct, frozen=True):
    """Hold one record's data, its file's name and number there, and whether it is whole."""

    data: bytes
    file: str
    number: int
    whole: bool = True


class Example(msgspec.Struct, frozen=True):
    """Hold the features of one example by name."""

    features: dict[str, Values]

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of UTF-8 texts; raises RecordError "malformed" for anything else."""
        values = self._values(name)
        try:
            return tuple(_is(value, bytes, name).decode() for value in values)
        except UnicodeDecodeError as error:
            raise RecordError("malformed", f"UTF-8 in {name}", found=error) from error

    def floats(self, name: str) -> tuple[float, ...]:
        """Return a list of floats; raises RecordError "malformed" for anything else."""
        return tuple(_is(value, float, name) for value in self._values(name))

    def integers(self, name: str) -> tuple[int, ...]:
        """Return a list of integers; raises RecordError "malformed" for anything else."""
        return tuple(_is(value, int, name) for value in self._values(name))

    def _values(self, name: str) -> Values:
        if name not in self.features:
            raise RecordError("malformed", f"the feature {name}", found="none")
        return self.features[name]


def crc32c(data: bytes) -> int:
    """
    Return the CRC-32C of bytes (RFC 3720, appendix B.4).

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    rest = WORD
    for byte in data:
        rest = TABLE[(rest ^ byte) & 0xFF] ^ rest >> 8
    return rest ^ WORD


def tf_records(path: Path, *, most: int = MOST_BYTES) -> Iterator[TfRecord]:
    """
    Yield the records of a file; one whose data fails its checksum is yielded as not whole.

    Raises InvalidInputError for a file that cannot be read, is cut, or has a length that
    fails its checksum or is above ``most``: behind it nothing can be found any more.
    """
    try:
        with path.open("rb") as stream:
            for number in itertools.count(1):
                record = _next(stream, path.name, number, most)
                if record is None:
                    return
                yield record
    except OSError as error:
        raise InvalidInputError(f"a readable file at {path}", found=error) from error


def read_example(data: bytes) -> Example:
    """
    Read a ``tf.train.Example``; raises RecordError "malformed" or "duplicate-key".

    A feature without values is an empty list. Fields that are not known are passed over.

    >>> read_example(b"").features
    {}
    """
    found: dict[str, Values] = {}
    for features in _messages(data, 1):
        for entry in _messages(features, 1):
            names = list(_messages(entry, 1))
            try:
                name = names[-1].decode() if names else ""
            except UnicodeDecodeError as error:
                raise _malformed("UTF-8 in names", str(error)) from error
            if name in found:
                raise RecordError("duplicate-key", "each name once", found=f"'{name}' twice")
            found[name] = _feature(b"".join(_messages(entry, 2)))
    return Example(found)


def _next(stream: BinaryIO, name: str, number: int, most: int) -> TfRecord | None:
    head = stream.read(HEAD.size)
    if not head:
        return None
    if len(head) < HEAD.size:
        raise _broken(name, number, "the end of the file")
    length, checksum = HEAD.unpack(head)
    if checksum != _masked(head[: HEAD.size - FOOT.size]):
        raise _broken(name, number, "a length that fails its checksum")
    if length > most:
        raise _broken(name, number, f"a record of {length} bytes, over {most}")
    data = stream.read(length)
    foot = stream.read(FOOT.size)
    if len(data) < length or len(foot) < FOOT.size:
        raise _broken(name, number, "the end of the file")
    return TfRecord(data, name, number, FOOT.unpack(foot)[0] == _masked(data))


def _masked(data: bytes) -> int:
    plain = crc32c(data)
    return ((plain >> 15 | plain << 17) + MASK) & WORD


def _feature(data: bytes) -> Values:
    """Return the values of the one list that a feature holds."""
    lists = [(number, body) for number, wire, body, _ in _fields(data) if wire == DELIMITED]
    if not lists:
        return ()
    kind = lists[0][0]
    if len({number for number, _ in lists}) != 1 or kind not in (BYTES, FLOATS, INTEGERS):
        raise _malformed("a list of bytes, floats or integers", "something else")
    body = b"".join(item for _, item in lists)
    if kind == BYTES:
        return tuple(_messages(body, 1))
    return tuple(_floats(body)) if kind == FLOATS else tuple(_integers(body))


def _floats(data: bytes) -> Iterator[float]:
    for number, wire, body, _ in _fields(data):
        if number != 1 or wire not in (DELIMITED, FIXED32) or len(body) % FOOT.size:
            raise _malformed("a list of floats", "something else")
        yield from struct.unpack(f"<{len(body) // FOOT.size}f", body)


def _integers(data: bytes) -> Iterator[int]:
    for number, wire, body, value in _fields(data):
        if number != 1 or wire not in (DELIMITED, VARINT):
            raise _malformed("a list of integers", "something else")
        if wire == VARINT:
            yield _signed(value)
        at = 0
        while at < len(body):
            item, at = _varint(body, at)
            yield _signed(item)


def _messages(data: bytes, wanted: int) -> Iterator[bytes]:
    """Yield the bytes of every field of a number; raises RecordError where it is no bytes."""
    for number, wire, body, _ in _fields(data):
        if number != wanted:
            continue
        if wire != DELIMITED:
            raise _malformed(f"bytes in field {wanted}", f"wire type {wire}")
        yield body


def _fields(data: bytes) -> Iterator[Field]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire, length, value = key & 7, 0, 0
        if wire == VARINT:
            value, at = _varint(data, at)
        elif wire == DELIMITED:
            length, at = _varint(data, at)
        elif wire in _WIDTHS:
            length = _WIDTHS[wire]
        else:
            raise _malformed("a protocol buffer", f"wire type {wire}")
        if length > len(data) - at:
            raise _malformed("a whole protocol buffer", "the end of the record")
        yield key >> 3, wire, data[at : at + length], value
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < _VARINT_BITS:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        shift += 7
        if byte <= 0x7F:  # noqa: PLR2004 - the highest bit says that more follows
            return value & (1 << _VARINT_BITS) - 1, at
    raise _malformed("a whole protocol buffer", "an integer without end")


def _signed(value: int) -> int:
    return value - 2 * _SIGN if value & _SIGN else value


def _is(value: object, kind: type[T], name: str) -> T:
    if not isinstance(value, kind):
        raise _malformed(f"{kind.__name__} in {name}", type(value).__name__)
    return value


def _malformed(expected: str, found: str) -> RecordError:
    return RecordError("malformed", expected, found=found)


def _broken(name: str, number: int, found: str) -> InvalidInputError:
    return InvalidInputError(
        f"{name} to be a whole TFRecord file",
        found=f"{found} at record {number}",
        remedy="fetch the file again",
    )
