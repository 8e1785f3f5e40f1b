"""
A table of a folder, read record by record: as many as there are, in constant memory.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, lt
from pathlib import Path
from typing import TypeVar

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Asks, Question
from surefoot.core.screen import Screen
from surefoot.run.folders.folder import WRITERS, FolderKind, read_manifest
from surefoot.run.folders.lines import lines_digest, read_lines, read_parts, table_file
from surefoot.score.columns import PlacedAnswer


class PlacedScreen(msgspec.Struct, frozen=True, gc=False):
    """Read of a screen where it is."""

    id: str
    page: str
    site: str = ""


class NamedQuestion(msgspec.Struct, frozen=True, gc=False):
    """Read of a question its id, its pair, and what tells whether it is about one box."""

    id: str
    pair: str
    asks: Asks = "place"
    answerable: bool = True
    polygon: tuple[msgspec.Raw, ...] = ()
    boxes: tuple[msgspec.Raw, ...] = ()
    answers: tuple[msgspec.Raw, ...] = ()


class NamedAnswer(msgspec.Struct, frozen=True, gc=False):
    """Read of an answer the id of its question alone."""

    question: str


R = TypeVar(
    "R",
    bound=Answer | Question | Screen | PlacedScreen | NamedQuestion | NamedAnswer | PlacedAnswer,
)


def stream_table(
    folder: Path,
    name: str,
    record: type[R],
    *,
    kind: FolderKind,
    wanted: Container[str] | None = None,
) -> Iterator[R]:
    """
    Yield an exported table's records, the file checked against the manifest before the first.

    Where ids are ``wanted``, no other record is read further than its id. Raises
    InvalidInputError where the folder is not finished or the file is another, for a line that
    cannot be read, and where the ids do not ascend.
    """
    return (found for found, _ in stream_lines(folder, name, record, kind=kind, wanted=wanted))


def stream_lines(
    folder: Path,
    name: str,
    record: type[R],
    *,
    kind: FolderKind,
    wanted: Container[str] | None = None,
) -> Iterator[tuple[R, bytes]]:
    """Yield an exported table's records with their lines; raises as ``stream_table`` does."""
    return _records(_checked(folder, name, kind), record, wanted)


def stream_chunks(
    folder: Path, name: str, record: type[R], *, kind: FolderKind
) -> Iterator[tuple[Sequence[R], bytes]]:
    """
    Yield an exported table's records, many at once, and the bytes of their lines.

    It costs the least; ``split_lines`` returns the lines. Raises as ``stream_table`` does.
    """
    path = _checked(folder, name, kind)
    key, before, number = _key(record), "", 0
    decoder = msgspec.json.Decoder(record)
    for _, part in read_parts(path):
        count = part.count(b"\n") + (not part.endswith(b"\n"))
        try:
            found = decoder.decode_lines(part)
        except msgspec.MsgspecError:
            found = []
        names = [before, *map(attrgetter(key), found)]
        # A line that is wrong is found, and named, by reading them one by one.
        if len(found) != count or not all(map(lt, names, names[1:])):
            lines = split_lines(part)
            found = [item for item, _ in _read_each(path, record, lines, before, number)]
        yield found, part
        before, number = names[-1], number + count


def split_lines(part: bytes) -> list[bytes]:
    r"""
    Return lines, their ends with them.

    >>> split_lines(b'{"id":\r"a"}\n{"id":"b"}\n')
    [b'{"id":\r"a"}\n', b'{"id":"b"}\n']
    """
    return io.BytesIO(part).readlines()


def _checked(folder: Path, name: str, kind: FolderKind) -> Path:
    """Return a table's path; raises InvalidInputError where it is not as the manifest says."""
    path = folder / name
    expected = read_manifest(folder, kind).files.get(name)
    there = table_file(path).is_file()
    if expected is None or not there or lines_digest(path) != expected.sha256:
        raise InvalidInputError(
            f"{path} as manifest.json describes it",
            found="another file" if expected else "no word of it there",
            remedy=f"run `{WRITERS[kind]}` again to write it anew",
        )
    return path


def cluster_by_site(folder: Path, questions: Iterable[Question]) -> Iterator[Question]:
    """
    Yield questions of a BENCH with the sites of their screens as their clusters.

    So a folder that was built when pages were clusters is scored by sites. A question whose
    screen, or its site, the folder does not know keeps the cluster that it has.
    """
    return placed_by_site(site_places(folder), questions)


def site_places(folder: Path) -> Mapping[str, PlacedScreen]:
    """Return the page and the site of each screen of a BENCH that knows its site, by its id."""
    if "screens.jsonl" not in read_manifest(folder, "bench").files:
        return {}
    screens = stream_table(folder, "screens.jsonl", PlacedScreen, kind="bench")
    return {screen.id: screen for screen in screens if screen.site}


def placed_by_site(
    places: Mapping[str, PlacedScreen], questions: Iterable[Question]
) -> Iterator[Question]:
    """Yield questions with the sites of their screens as their clusters, where they are known."""
    for question in questions:
        place = places.get(question.screen)
        if place is None or question.cluster == place.site:
            yield question
        else:
            page = question.page or place.page
            yield msgspec.structs.replace(question, cluster=place.site, page=page)


def _key(record: type[R]) -> str:
    return "question" if issubclass(record, Answer | NamedAnswer | PlacedAnswer) else "id"


def _records(
    path: Path, record: type[R], wanted: Container[str] | None
) -> Iterator[tuple[R, bytes]]:
    key = _key(record)
    named = msgspec.json.Decoder(msgspec.defstruct("Named", [(key, str)]))

    def is_wanted(line: bytes) -> bool:
        return wanted is None or getattr(named.decode(line), key) in wanted

    chosen = None if wanted is None else is_wanted
    return _read_each(path, record, read_lines(path), is_wanted=chosen)


def _read_each(
    path: Path,
    record: type[R],
    lines: Iterable[bytes],
    before: str = "",
    number: int = 0,
    *,
    is_wanted: Callable[[bytes], bool] | None = None,
) -> Iterator[tuple[R, bytes]]:
    """Yield records with their lines, which come after an id and after a number of lines."""
    decoder, key = msgspec.json.Decoder(record), _key(record)
    for at, line in enumerate(lines, start=number + 1):
        try:
            if is_wanted is not None and not is_wanted(line):
                continue
            found = decoder.decode(line)
        except msgspec.MsgspecError:
            found = decode(line, record, what=f"{path}, line {at},")
        name = getattr(found, key)
        if name <= before:
            raise InvalidInputError(f"ascending ids in {path}", found=f"'{name}' in line {at}")
        before = name
        yield found, line
