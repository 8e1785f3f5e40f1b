"""
Tests of ruling values out: a text has to say why one of two does not count.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import Instance, OtherSpan, TaskDocument, ValueSpan
from surefoot.forms.letters.verifying import verify
from surefoot.forms.letters.writing import KINDS, LEVELS, Level, Sort, write_document
from surefoot.forms.specification import Field, Form, Kind, Page
from surefoot.forms.values.making import make_instance

CREW = Field(id="crew", kind=Kind.NUMBER, label={"en": "Crew"}, fill="number.count")
LEAVES = Field(id="leaves", kind=Kind.DATE, label={"en": "Departure"}, fill="date.future")
SHIP = Field(id="ship", kind=Kind.STRING, label={"en": "Ship"}, fill="name.area")


def doubts(field: Field, gold: str, text: str) -> list[str]:
    """Return why a text of one field is doubted: [right] and <wrong> values are marked."""
    bare, spans, others = "", [], []
    for piece in text.replace("]", "[").replace("<", "[<").replace(">", "[").split("["):
        start, wrong = len(bare), piece.startswith("<")
        bare += piece.removeprefix("<")
        if wrong:
            others.append(OtherSpan(field.id, start, len(bare)))
        elif f"[{piece}]" in text:
            spans.append(ValueSpan(field.id, start, len(bare), "reworded"))
    pages = (Page(title={"en": "Sea"}, fields=(field,)),)
    form = Form(id="sea", code="X", domain="Travel", title={"en": "Sea"}, pages=pages)
    document = TaskDocument("letter", "derived", bare, tuple(spans), tuple(others))
    return [
        item.why for item in verify(form, Instance("sea", 1, 0, 0, {field.id: gold}), document)
    ]


@pytest.mark.parametrize(
    ("field", "gold", "text"),
    [
        (SHIP, "Half Moon", "The ship is <Old Tub> or [Half Moon]. Please take the latter."),
        (CREW, "12", "The crew is <30> or [12]. The smaller figure has turned out to be right."),
        (
            LEAVES,
            "2026-05-17",
            "Departure on [17 May 2026] or <1 June 2027>. The earlier, please.",
        ),
        (SHIP, "Half Moon", "The ship is <Old Tub>. All is well. Not <Old Tub>, but [Half Moon]."),
        (SHIP, "Half Moon", "Until the spring it was <Old Tub>. Since then it is [Half Moon]."),
        (SHIP, "Half Moon", "My sister has <Old Tub>. Our ship is [Half Moon]."),
        (SHIP, "Half Moon", "applies: ship [Half Moon]\ndoes not apply: ship <Old Tub>"),
        (SHIP, "Half Moon", "2020 to the present: [Half Moon]\n2011 to 2020: <Old Tub>"),
    ],
)
def test_each_way_of_ruling_a_value_out_is_read(field: Field, gold: str, text: str) -> None:
    """Choice, correction, what was, somebody else's, struck out and former years count."""
    assert doubts(field, gold, text) == []


@pytest.mark.parametrize(
    ("field", "gold", "text"),
    [
        (SHIP, "Half Moon", "The ship is <Old Tub> or [Half Moon]. Please take the former."),
        (SHIP, "Half Moon", "The ship is <Old Tub> or [Half Moon]. Please take it."),
        (SHIP, "Half Moon", "The ship is <Old Tub> or [Half Moon]. The former, or the latter."),
        (CREW, "12", "The crew is <30> or [12]. The larger figure has turned out to be right."),
        (LEAVES, "2026-05-17", "Departure on [17 May 2026] or <1 June 2027>. The later of these."),
        (SHIP, "Half Moon", "Not <Old Tub>, but [Half Moon]."),
        (SHIP, "Half Moon", "The ship is <Old Tub>. It is well. Not <New Tub>, but [Half Moon]."),
        (SHIP, "Half Moon", "The ship is <Old Tub>. All is well. Not [Half Moon], but <Old Tub>."),
        (SHIP, "Half Moon", "Until the spring it was [Half Moon]. Since then it is <Old Tub>."),
        (SHIP, "Half Moon", "The ship has <Old Tub>. Our ship is [Half Moon]."),
        (SHIP, "Half Moon", "applies: ship [Half Moon]\napplies: ship <Old Tub>"),
        (SHIP, "Half Moon", "2020 to the present: <Old Tub>\n2011 to 2020: [Half Moon]"),
    ],
)
def test_a_paper_that_chooses_the_wrong_value_or_none_is_refused(
    field: Field, gold: str, text: str
) -> None:
    """The other choice, none, two, and a correction of nothing leave the wrong value standing."""
    assert "stray" in doubts(field, gold, text)


def test_a_value_that_does_not_count_is_never_the_right_one() -> None:
    """Whoever rules the right value out beside itself is doubted."""
    text = "My sister has <Half Moon>. Our ship is [Half Moon]."
    assert doubts(SHIP, "Half Moon", text) == ["repeated"]


FORMS = list(catalogue().values())


@given(
    form=st.sampled_from(FORMS),
    kind=st.sampled_from(KINDS),
    level=st.sampled_from(LEVELS),
    seed=st.integers(0, 10**6),
)
def test_every_genre_is_proven_and_its_rivals_stand_only_by_what_rules_them_out(
    form: Form, kind: Sort, level: Level, seed: int
) -> None:
    """Papers of any seed are proven; with a value and its rival exchanged they are refused."""
    instance = make_instance(form, seed=seed, index=0)
    document = write_document(form, instance, kind=kind, level=level, seed=seed)
    assert verify(form, instance, document) == ()
    for other in document.others:
        mine = next(item for item in document.spans if item.field == other.field)
        spans = [item for item in document.spans if item is not mine]
        spans.append(ValueSpan(mine.field, other.start, other.end, "reworded"))
        others = [item for item in document.others if item is not other]
        others.append(OtherSpan(mine.field, mine.start, mine.end))
        swapped = msgspec.structs.replace(document, spans=tuple(spans), others=tuple(others))
        assert {other.field} <= {item.field for item in verify(form, instance, swapped)}
