"""
A record of a labelled set as a question and a screen, and the picture that it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from surefoot.capture.described.pairs import Picture
from surefoot.core.canonical import sha256
from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.datasets.files.boxes import check_inside
from surefoot.datasets.files.pictures import Pictures, picture_from
from surefoot.datasets.labelled import Record
from surefoot.run.imports.index import ImportIndex, Shot

DIGITS: Final = 9
NOWHERE: Final = Box(0.0, 0.0, 0.0, 0.0)


class Shots:
    """
    Find the pictures of each record, and store each picture once.

    One picture under two names is one screen where the set ``repeats`` pictures.
    """

    def __init__(
        self,
        pictures: Pictures | None,
        store: ObjectStore,
        index: ImportIndex,
        *,
        repeats: bool = False,
    ) -> None:
        self._pictures, self._store, self._index = pictures, store, index
        self._repeats = repeats

    def find(self, record: Record, number: int) -> tuple[tuple[Shot, bool], ...]:
        """
        Return a record's pictures in their order, and whether each is seen for the first time.

        Raises RecordError "duplicate-picture" where another name holds the same picture and
        the set repeats none, and as ``Pictures.read`` does.
        """
        found: list[tuple[Shot, bool]] = []
        for place, image in enumerate((record.image, *record.further), start=1):
            screen = numbered(number) if place == 1 else f"{numbered(number)}-{place:03d}"
            size = (record.width, record.height) if place == 1 else (0, 0)
            name = image if isinstance(image, str) else sha256(image)
            fresh = [shot for shot, is_new in found if is_new]
            found.append(self._find(image, Shot(name, screen, "", *size), record.id, fresh))
        return tuple(found)

    def _find(
        self, image: str | bytes, shot: Shot, record: str, fresh: Sequence[Shot]
    ) -> tuple[Shot, bool]:
        known = self._index.find(shot.name) or _first(fresh, lambda item: item.name == shot.name)
        if known is not None:
            return known, False
        picture = self._read(image, record)
        if picture is None:
            return shot, True
        sha = sha256(picture.png)
        same = self._index.find_same(sha) or _first(fresh, lambda item: item.sha == sha)
        if same is not None:
            if self._repeats:
                return same, False
            raise RecordError(
                "duplicate-picture",
                "each picture under one name",
                found=f"'{shot.name}', the same picture as '{same.name}'",
            )
        self._store.put(picture.png)
        return Shot(shot.name, shot.screen, sha, picture.width, picture.height), True

    def keep(self, shot: Shot) -> None:
        """Note a picture whose screen was written."""
        self._index.add(shot)

    def _read(self, image: str | bytes, record: str) -> Picture | None:
        if isinstance(image, bytes):
            return picture_from(image, f"the picture of {record}")
        return None if self._pictures is None else self._pictures.read(image)


def _first(shots: Iterable[Shot], fits: Callable[[Shot], bool]) -> Shot | None:
    return next((shot for shot in shots if fits(shot)), None)


def numbered(number: int) -> str:
    """
    Return a record's number as an id that sorts as the numbers do.

    >>> numbered(12)
    '000000012'
    """
    return f"{number:0{DIGITS}d}"


def question_of(record: Record, number: int, shot: Shot, *further: Shot) -> Question:
    """
    Return a record's question; raises RecordError where its places are not in the picture.

    ``further`` are the pictures after the first.
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
        further=tuple(
            ScreenImage(item.screen, item.sha, item.width, item.height) for item in further
        ),
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
