"""
Which rows a sensitivity table has, and in which view each stands.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.score.outcomes import Record
from surefoot.score.sensitivity.table import AS_WRITTEN, REWORDED, read_sensitivity

RecordMaker = Callable[..., Record]


def changed(record: Record, wording: str, name: str = "save") -> Record:
    """Give a record's instruction another wording, and its expression a name."""
    model, question, answer = record
    words = msgspec.structs.replace(
        question.instruction, wording=wording, expression=Expression(name=name)
    )
    return model, msgspec.structs.replace(question, instruction=words), answer


def screen(name: str) -> Screen:
    """Return an empty desktop screen."""
    return Screen(
        id=name, page="p", source="", image="", width=9, height=9, scale=1.0,
        platform="desktop", locale="en", elements=(), site="calc", toolkit="gtk3",
    )  # fmt: skip


def views(records: list[Record]) -> list[tuple[str, str]]:
    """Return the view and the wording of each row."""
    table = read_sensitivity(records, {})
    column, wording = table.outcomes.variant, table.traits["wording"]
    return [
        (column.names[view], wording.names[words])
        for view, words in zip(column.codes, wording.codes, strict=True)
    ]


def test_rewordings_stand_beside_their_original(record: RecordMaker) -> None:
    """The reworded instruction stands in both views, its rewordings in theirs alone."""
    hit = record(Point(110, 110))
    rows = [changed(hit, ""), changed(hit, "spelling-swap"), changed(hit, "", name="send")]
    beside = "original" + REWORDED

    assert views(rows) == [
        ("original", AS_WRITTEN),
        (beside, "spelling-swap"),
        ("original", AS_WRITTEN),
        (beside, AS_WRITTEN),
    ]
    repeated = read_sensitivity(rows, {}).repeated.tolist()
    assert repeated == [False, False, False, True]


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


def test_a_writers_words_are_an_instruction_like_others(record: RecordMaker) -> None:
    """What a language model phrased stands in the picture's own view, by its name."""
    assert views([changed(record(None), "writer")]) == [("original", "writer")]


def test_traits_are_those_of_instruction_and_screen(record: RecordMaker) -> None:
    """Kind and specificity come from the words, toolkit and site from the screen."""
    model, question, answer = record(Box(0, 0, 2, 2), instruction="relational")
    lost: Question = msgspec.structs.replace(question, id="x", screen="gone")
    table = read_sensitivity(
        [(model, question, answer), (model, lost, None)], {"screen": screen("screen")}
    )

    told = {
        trait: [labels.names[code] for code in labels.codes]
        for trait, labels in table.traits.items()
    }
    assert told == {
        "kind": ["relational", "relational"],
        "specificity": ["high", "high"],
        "wording": [AS_WRITTEN, AS_WRITTEN],
        "toolkit": ["gtk3", ""],
        "platform": ["desktop", ""],
        "site": ["calc", ""],
    }


def test_nothing_is_an_empty_table() -> None:
    """Without records there are no rows and no values."""
    table = read_sensitivity([], {})

    assert len(table.outcomes) == 0
    assert {labels.names for labels in table.traits.values()} == {()}
