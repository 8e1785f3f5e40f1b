"""
Which rows a table of scatter has, and in which view each stands.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from surefoot.core.geometry import Point
from surefoot.core.instruction import Expression
from surefoot.core.perturbation import REWORDED
from surefoot.core.screen import Screen
from surefoot.score.outcomes import Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.scatter import AS_WRITTEN, SCATTER

RecordMaker = Callable[..., Record]


def changed(record: Record, wording: str, name: str = "save") -> Record:
    """Give a record's instruction another wording, and its expression a name."""
    model, question, answer = record
    words = msgspec.structs.replace(
        question.instruction, wording=wording, expression=Expression(name=name)
    )
    fresh = msgspec.structs.replace(
        question, instruction=words, id=f"{question.id}/{name}/{wording}"
    )
    moved = None if answer is None else msgspec.structs.replace(answer, question=fresh.id)
    return model, fresh, moved


def views(records: list[Record]) -> list[tuple[str, str]]:
    """Return the view and the wording of each row."""
    table = tabulate_for(SCATTER, by_model(records))
    column, wording = table.variant, table.traits["wording"]
    return [
        (column.names[view], wording.names[words])
        for view, words in zip(column.codes, wording.codes, strict=True)
    ]


def test_rewordings_stand_beside_their_original(record: RecordMaker) -> None:
    """The reworded instruction stands in both views, its rewordings in theirs alone."""
    hit = record(Point(110, 110))
    rows = [changed(hit, ""), changed(hit, "spelling-swap"), changed(hit, "", name="send")]
    beside = "original" + REWORDED

    assert sorted(views(rows)) == sorted(
        [
            ("original", AS_WRITTEN),
            (beside, "spelling-swap"),
            ("original", AS_WRITTEN),
            (beside, AS_WRITTEN),
        ]
    )


def test_rewordings_keep_to_their_element_and_view(record: RecordMaker) -> None:
    """The same expression of another element, view or mode is not their original."""
    other = [
        changed(record(None, **given), "")
        for given in ({"pair": "b"}, {"variant": "crop"}, {"reasoning": True})
    ]
    rows = [changed(record(None), "synonym"), *other]

    assert views(rows) == [
        ("crop", AS_WRITTEN),
        ("original+reworded", "synonym"),
        ("original", AS_WRITTEN),
        ("original", AS_WRITTEN),
    ]


def test_traits_are_the_instructions_and_the_screens(record: RecordMaker) -> None:
    """Kind and specificity come from the words, toolkit and platform from the screen."""
    shown = Screen(
        id="screen", page="p", source="", image="", width=9, height=9, scale=1.0,
        platform="desktop", locale="en", elements=(), site="calc", toolkit="gtk3",
    )  # fmt: skip
    table = tabulate_for(SCATTER, by_model([changed(record(None), "writer")]), {"screen": shown})
    told = {name: labels.names[labels.codes[0]] for name, labels in table.traits.items()}

    assert told["kind"] == "direct"
    assert (told["toolkit"], told["platform"]) == ("gtk3", "desktop")
    assert views([changed(record(None), "writer")]) == [("original", "writer")]
