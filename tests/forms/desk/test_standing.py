"""
How a run stands follows from the server's record alone, field by field.
"""

from __future__ import annotations

from typing import Final

import pytest

from surefoot.forms.desk.standing import FieldStanding, FormStanding, stand
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.record import FieldEvent, RefusedValue, RunRecord, Submission
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import Constraint, Field, Form, Kind, Option, Page

COLOURS: Final = (
    Option("red", {"en": "Red", "fr": "Rouge"}),
    Option("blue", {"en": "Blue", "fr": "Bleu"}),
)
FORM: Final = Form(
    "small",
    "Z1",
    "tests",
    {"en": "Small"},
    (
        Page(
            {"en": "One"},
            (
                Field("name", Kind.STRING, {"en": "Name", "fr": "Nom"}, "person.full_name"),
                Field("town", Kind.STRING, {"en": "Town", "fr": "Ville"}, "address.city"),
                Field("colour", Kind.RADIO, {"en": "Colour"}, "option", options=COLOURS),
                Field("start", Kind.DATE, {"en": "Start"}, "date.past", required=False),
            ),
        ),
        Page(
            {"en": "Two"},
            (
                Field("end", Kind.DATE, {"en": "End"}, "date.future"),
                Field("cv", Kind.FILE, {"en": "CV"}, "file.cv", accepts=(".pdf",)),
                Field("news", Kind.CHECKBOX, {"en": "News"}, "flag", required=False),
            ),
        ),
    ),
    constraints=(Constraint("after", ("end", "start")),),
)
INSTANCE: Final = Instance(
    "small",
    1,
    0,
    0,
    {
        "name": "Ada Byron",
        "town": "Oslo",
        "colour": "blue",
        "end": "2026-05-04",
        "cv": FileValue("ada.pdf", "ab" * 32),
        "news": False,
    },
)


def standing(
    *changes: tuple[str, str],
    refused: tuple[RefusedValue, ...] = (),
    sent: dict[str, tuple[str, ...]] | None = None,
    language: str = "en",
) -> FormStanding:
    """Judge a record of changes, refusals and one submission."""
    events = tuple(
        FieldEvent(number, FORM.page_of(name), name, "input", value, number)
        for number, (name, value) in enumerate(changes, 1)
    )
    submissions = () if sent is None else (Submission(1, sent, {}, ""),)
    look = Rendering(language=language)
    return stand(FORM, INSTANCE, RunRecord("t", "small", look, 0, 0, events, refused, submissions))


def row(found: FormStanding, name: str) -> FieldStanding:
    """Return the row of a field."""
    return next(item for item in found.rows if item.score.field == name)


@pytest.mark.parametrize(
    ("changes", "name", "state"),
    [
        ([], "name", "empty"),
        ([("name", "Ada")], "name", "wrong"),
        ([("name", "Ada Byron")], "name", "right"),
        ([("name", "Ada Byron"), ("name", "")], "name", "lost"),
        ([("town", "Ada Byron")], "name", "strayed"),
        ([("town", "Ada Byron")], "town", "wrong"),
        ([("colour", "blue")], "colour", "right"),
        ([("colour", "blue"), ("colour", "red")], "colour", "wrong"),
        ([("cv", "ada.pdf")], "cv", "right"),
        ([("cv", f'{{"name": "ada.pdf", "sha256": "{"ab" * 32}"}}')], "cv", "right"),
        ([("cv", f'{{"name": "ada.pdf", "sha256": "{"cd" * 32}"}}')], "cv", "wrong"),
        ([], "news", "spare"),
        ([("news", "yes")], "news", "extra"),
        ([("news", "yes"), ("news", "")], "news", "spare"),
        ([("start", "2026-01-01")], "start", "extra"),
    ],
)
def test_a_field_stands_as_its_changes_left_it(
    changes: list[tuple[str, str]], name: str, state: str
) -> None:
    """Each way in which a field can be left has a state of its own."""
    assert row(standing(*changes), name).state == state


def test_a_run_has_begun_with_whatever_was_entered() -> None:
    """Nothing right is needed: a wrong value counts, one that was taken back, a refusal."""
    missing = RefusedValue(1, "name", "missing", "")
    begun = [
        standing(),
        standing(("name", "Ada")),
        standing(("name", "Ada Byron"), ("name", "")),
        standing(refused=(missing,)),
    ]
    assert [item.begun for item in begun] == [False, True, True, True]


def test_what_was_accepted_is_sent() -> None:
    """The accepted form decides, not what the controls held before."""
    sent: dict[str, tuple[str, ...]] = {
        "name": ("Ada Byron",),
        "town": ("Rome",),
        "colour": ("blue",),
    }
    found = standing(("town", "Oslo"), sent=sent)

    states = {item.score.field: item.state for item in found.rows}
    assert (states["name"], states["town"], states["colour"]) == ("sent", "wrong", "sent")
    assert (found.score.accepted, found.score.right) == (True, False)
    assert [found.count(literal) for literal in ("typed", "in_field", "submitted")] == [3, 2, 2]
    assert found.asked == 5


def test_a_page_without_events_counts_by_its_posts() -> None:
    """Where no script told of changes, what was posted stands for them; "" is nothing."""
    drafts = {"name": "Ada Byron", "town": "", "colour": "red"}
    kept = RunRecord("t", "small", Rendering(), 0, 0, drafts={**drafts})
    found = stand(FORM, INSTANCE, kept)

    states = [item.state for item in found.rows[:3]]
    assert states == ["right", "empty", "wrong"]
    assert [item.there for item in found.rows[:3]] == ["Ada Byron", "", "Red"]


def test_a_page_opened_anew_holds_nothing_right() -> None:
    """What was typed and is gone from the page is lost, no longer right and not sent yet."""
    typed = FieldEvent(1, 0, "name", "change", "Ada Byron", 5)
    reset = FieldEvent(2, 0, "name", "reset", "", 0)
    rows = [
        stand(FORM, INSTANCE, RunRecord("t", "small", Rendering(), 0, 1, events)).rows[0]
        for events in ((typed,), (typed, reset))
    ]
    assert [(row.state, row.there) for row in rows] == [("right", "Ada Byron"), ("lost", "")]


def test_refusals_and_corrections_stand_with_their_field() -> None:
    """A refusal is told as the page told it, and a correction belongs to the field changed."""
    refused = (
        RefusedValue(1, "end", "rule-after", "2026-01-01"),
        RefusedValue(1, "name", "missing", ""),
        RefusedValue(2, "name", "missing", ""),
    )
    changes = [("name", "A"), ("town", "Oslo"), ("name", "Ada Byron")]
    found = standing(*changes, refused=refused)

    assert [len(item.refusals) for item in found.rows] == [2, 0, 0, 0, 1, 0, 0]
    assert "Start" in row(found, "end").refusals[0]
    assert [item.corrections for item in found.rows] == [1, 0, 0, 0, 0, 0, 0]
    assert (found.score.refusals, found.score.corrections) == (3, 1)


def test_words_are_those_of_the_page() -> None:
    """Labels and options are told in the language of the run, a stray by where it is."""
    found = standing(("town", "Ada Byron"), ("colour", "red"), language="fr")

    assert row(found, "name").stands_in == ("Ville",)
    assert (row(found, "name").label, row(found, "name").gloss) == ("Nom", "Name")
    assert (row(found, "colour").there, row(found, "colour").wanted) == ("Rouge", "Bleu")
    assert (row(found, "cv").wanted, row(found, "news").wanted) == ("ada.pdf", "")
