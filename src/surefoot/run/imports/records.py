"""
A record of a labelled set as a question and a screen, and the picture that it is about.
"""

from __future__ import annotations

from typing import Final

from surefoot.capture.described.pairs import Picture
from surefoot.core.canonical import sha256
from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.datasets.files.boxes import check_inside
from surefoot.datasets.files.pictures import Pictures, picture_from
from surefoot.datasets.labelled import Record
from surefoot.run.imports.index import ImportIndex, Shot

__all__ = ["Shots", "check_size", "numbered", "question_of", "screen_of"]

DIGITS: Final = 9
NOWHERE: Final = Box(0.0, 0.0, 0.0, 0.0)


class Shots:
    """Find the picture of each record, and store each picture once."""

    def __init__(self, pictures: Pictures | None, store: ObjectStore, index: ImportIndex) -> None:
        self._pictures, self._store, self._index = pictures, store, index

    def find(self, record: Record, number: int) -> tuple[Shot, bool]:
        """
        Return a record's picture, and whether this is the first record of it.

        Raises RecordError "duplicate-picture" where another name holds the same picture,
        and as ``Pictures.read`` does.
        """
        name = record.image if isinstance(record.image, str) else sha256(record.image)
        known = self._index.find(name)
        if known is not None:
            return known, False
        picture = self._read(record, name)
        shot = Shot(name, numbered(number), "", record.width, record.height)
        if picture is not None:
            self._once(name, sha256(picture.png))
            sha = self._store.put(picture.png)
            shot = Shot(name, numbered(number), sha, picture.width, picture.height)
        return shot, True

    def keep(self, shot: Shot) -> None:
        """Note a picture whose screen was written."""
        self._index.add(shot)

    def _read(self, record: Record, name: str) -> Picture | None:
        if isinstance(record.image, bytes):
            return picture_from(record.image, f"the picture of {record.id}")
        return None if self._pictures is None else self._pictures.read(name)

    def _once(self, name: str, sha: str) -> None:
        same = self._index.find_same(sha)
        if same is not None:
            raise RecordError(
                "duplicate-picture",
                "each picture under one name",
                found=f"'{name}', the same picture as '{same.name}'",
            )


def numbered(number: int) -> str:
    """
    Return a record's number as an id that sorts as the numbers do.

    >>> numbered(12)
    '000000012'
    """
    return f"{number:0{DIGITS}d}"


def question_of(record: Record, number: int, shot: Shot) -> Question:
    """
    Return a record's question; raises RecordError where its places are not in the picture.
    """
    truth = _truth(record)
    for box in (truth, *record.boxes) if shot.width else ():
        check_inside(box, (shot.width, shot.height), f"{box}")
    return Question(
        id=numbered(number),
        pair=record.pair or record.id,
        cluster=record.site or record.page or shot.name,
        cell=Cell(record.variant, record.kind),
        screen=shot.screen,
        image=shot.sha,
        width=shot.width,
        height=shot.height,
        instruction=_instruction(record),
        truth=truth,
        role=record.role,
        boxes=record.boxes[1:],
        polygon=record.polygon,
        answerable=record.answerable,
        answers=record.answers,
        split=record.split,
        platform=record.platform,
        system=record.system,
        facts=record.facts,
        asks=record.asks,
        options=record.options,
        page=record.page or shot.name,
    )


def screen_of(record: Record, shot: Shot, dataset: str) -> Screen:
    """Return the screen that a record shows, with the elements that the set tells of it."""
    return Screen(
        id=shot.screen,
        page=record.page or shot.name,
        source=record.source or f"{dataset}:{shot.name}",
        image=shot.sha,
        width=shot.width,
        height=shot.height,
        scale=1.0,
        platform=record.platform,
        locale=record.locale,
        elements=record.elements,
        variant=record.variant,
        site=record.site,
    )


def check_size(record: Record, shot: Shot) -> None:
    """Raise RecordError "wrong-size" where the picture is not of the size that was declared."""
    declared, found = (record.width, record.height), (shot.width, shot.height)
    if declared != found and record.width:
        raise RecordError(
            "wrong-size",
            f"a picture of {record.width} x {record.height}",
            found=f"{shot.width} x {shot.height} in '{shot.name}'",
        )


def _truth(record: Record) -> Box:
    if record.polygon:
        return Box.around(Box(point.x, point.y, point.x, point.y) for point in record.polygon)
    return record.boxes[0] if record.boxes else NOWHERE


def _instruction(record: Record) -> Instruction:
    return Instruction(
        text=record.text,
        language=record.language,
        kind="given",
        specificity="high",
        expression=Expression(),
        target=record.target,
        action=record.action,
        value=record.value,
    )
