"""
A table of a folder, read record by record: as many as there are, in constant memory.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.run.folders.folder import WRITERS, FolderKind, read_manifest
from surefoot.run.folders.lines import lines_digest, read_lines, table_file


class PlacedScreen(msgspec.Struct, frozen=True, gc=False):
    """Read of a screen where it is."""

    id: str
    page: str
    site: str = ""


class NamedQuestion(msgspec.Struct, frozen=True, gc=False):
    """Read of a question its id and its pair alone."""

    id: str
    pair: str


class NamedAnswer(msgspec.Struct, frozen=True, gc=False):
    """Read of an answer the id of its question alone."""

    question: str


R = TypeVar("R", bound=Answer | Question | Screen | PlacedScreen | NamedQuestion | NamedAnswer)


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
    path = folder / name
    expected = read_manifest(folder, kind).files.get(name)
    there = table_file(path).is_file()
    if expected is None or not there or lines_digest(path) != expected.sha256:
        raise InvalidInputError(
            f"{path} as manifest.json describes it",
            found="another file" if expected else "no word of it there",
            remedy=f"run `{WRITERS[kind]}` again to write it anew",
        )
    return _records(path, record, wanted)


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


def _records(
    path: Path, record: type[R], wanted: Container[str] | None
) -> Iterator[tuple[R, bytes]]:
    decoder, before = msgspec.json.Decoder(record), ""
    key = "question" if issubclass(record, Answer | NamedAnswer) else "id"
    named = msgspec.json.Decoder(msgspec.defstruct("Named", [(key, str)]))
    for number, line in enumerate(read_lines(path), start=1):
        try:
            if wanted is not None and getattr(named.decode(line), key) not in wanted:
                continue
            found = decoder.decode(line)
        except msgspec.MsgspecError:
            found = decode(line, record, what=f"{path}, line {number},")
        name = getattr(found, key)
        if name <= before:
            raise InvalidInputError(f"ascending ids in {path}", found=f"'{name}' in line {number}")
        before = name
        yield found, line
