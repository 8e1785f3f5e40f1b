"""
From an episode and the server's record to what a score depends on, by hand-made episodes.
"""

from __future__ import annotations

from surefoot.core.geometry import Box
from surefoot.core.question import Unparsed
from surefoot.forms.driver.actions import Action, Click, NextPage, Press, Type, Upload
from surefoot.forms.driver.episode import Episode, EpisodeStep
from surefoot.forms.driver.executor import ExecutedAction, FieldChange
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.observation import LiveField
from surefoot.forms.instance import Instance
from surefoot.forms.record import FieldEvent, RunRecord
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.attempt import Attempt
from surefoot.forms.scoring.fields import score_fields
from surefoot.forms.scoring.trace import attempt_of
from surefoot.forms.specification import Field, Form, Kind, Option, Page

FORM = Form(
    "visit",
    "Z1",
    "tests",
    {"en": "Visit"},
    (
        Page(
            {"en": "You"},
            (
                Field("name", Kind.STRING, {"en": "Name"}, "person.full_name"),
                Field("town", Kind.STRING, {"en": "Town"}, "address.city"),
            ),
        ),
        Page({"en": "It"}, (Field("why", Kind.STRING, {"en": "Why"}, "text.comments"),)),
    ),
)
BOXES = {"name": Box(0, 0, 100, 20), "town": Box(0, 40, 100, 60)}


def did(
    action: Action, field: str, *changes: tuple[str, str], turned: bool = False, own: bool = True
) -> ExecutedAction:
    """Return the effect of an action on the first page."""
    noted = tuple(FieldChange(name, (), (text,) if text else ()) for name, text in changes)
    return ExecutedAction(action, 0, 1 if turned else 0, field=field, changes=noted, own=own)


def attempt(*effects: ExecutedAction, events: tuple[tuple[str, str], ...] = ()) -> Attempt:
    """Reduce an episode of one step, of which the server was told so much."""
    fields = tuple(LiveField(name, box, (), "text", (), "") for name, box in BOXES.items())
    step = EpisodeStep("0" * 64, 200, 100, 0, fields, {}, "said", (), effects)
    told = tuple(
        FieldEvent(number, 0, field, "change", value, number)
        for number, (field, value) in enumerate(events, 1)
    )
    record = RunRecord("0" * 32, "visit", Rendering(), 0, 0, events=told)
    return attempt_of(FORM, Episode("x", "finished", (step,), 1.0), record)


def test_what_was_typed_and_what_was_picked_are_told_apart() -> None:
    """Text before Enter, and what a click is said to be at, chooses; all else is only typed."""
    read: tuple[Action | Unparsed, ...] = (
        *(Type("Fall"), Press("Enter"), Type("Ann"), Unparsed("?"), Type("Oslo\n")),
        *(Click(1, 2, content="Grants"), Click(3, 4), Upload(5, 6, "cv.pdf"), Type("end")),
    )
    step = EpisodeStep("0" * 64, 200, 100, 0, (), {}, "said", read, ())
    record = RunRecord("0" * 32, "visit", Rendering(), 0, 0)

    found = attempt_of(FORM, Episode("x", "finished", (step,), 1.0), record)

    assert found.written == ("Fall", "Ann", "Oslo\n", "cv.pdf", "end")
    assert found.picked == ("Fall", "Oslo\n", "Grants")


def test_what_is_typed_in_pieces_is_one_passage() -> None:
    """Only a click or another action begins a new text; what a click tells is one of its own."""
    read: tuple[Action | Unparsed, ...] = (
        *(Click(1, 2), Type("We build"), Press("Enter"), Type("maps. "), Unparsed("?")),
        *(Type("Daily.\n"), Click(3, 4, content="Grants"), Press("Tab"), Type(" ")),
        *(Click(5, 6, content="Ann"), Type("Ann"), Click(5, 7), Type("Ann"), Click(5, 8)),
    )
    first = EpisodeStep("0" * 64, 200, 100, 0, (), {}, "said", read, ())
    second = EpisodeStep("0" * 64, 200, 100, 0, (), {}, "said", (Type("end"),), ())
    record = RunRecord("0" * 32, "visit", Rendering(), 0, 0)

    found = attempt_of(FORM, Episode("x", "finished", (first, second), 1.0), record)

    assert found.passages == ("We build\nmaps. Daily.", "Grants", "Ann", "Ann", "end")


def test_a_choice_that_is_clicked_beside_its_box_is_mentioned() -> None:
    """A line of the paper's prompts names what it clicks, so that a miss is a miss of place."""
    options = (Option("f25", {"en": "Fall 2025"}), Option("s26", {"en": "Spring 2026"}))
    term = Field("term", Kind.DROP_DOWN, {"en": "Term"}, "option", options=options)
    form = Form("course", "Z4", "tests", {"en": "Course"}, (Page({"en": "One"}, (term,)),))
    instance = Instance("course", 1, 0, 0, {"term": "f25"})
    record = RunRecord("0" * 32, "course", Rendering(), 0, 0)

    def judged(reply: str) -> tuple[bool | None, bool | None, bool | None]:
        read = tuple(ACTION_LANGUAGES.get("paper").read(reply))
        step = EpisodeStep("0" * 64, 200, 100, 0, (), {}, reply, read, ())
        found = attempt_of(form, Episode("x", "finished", (step,), 1.0), record)
        (one,) = score_fields(form, instance, found)
        return one.mentioned, one.by_meaning, one.clicked

    assert judged("[A15][7,9][click][Fall 2025]") == (True, True, False)
    assert judged("[A15][7,9][click][Fall]") == (False, True, False)
    assert judged("[A15][7,9][click][Spring 2026]") == (False, False, False)
    assert judged("Click(7, 9)") == (False, False, False)


def test_what_turned_the_page_is_taken_from_the_server() -> None:
    """Text that ends in Enter is gone with its page before the driver looks at it."""
    typed = (
        did(Type("Ann"), "name", ("name", "Ann")),
        did(Type(" Lee\n"), "name", turned=True),
    )
    found = attempt(*typed, events=(("name", "Ann Lee"),))
    assert found.held == {"name": ("Ann Lee",)}
    assert ("name", ("Ann",)) in found.ever
    assert ("name", ("Ann Lee",)) in found.ever
    assert attempt(*typed).held == {"name": ("Ann",)}


def test_what_the_driver_saw_last_counts() -> None:
    """A change that the driver sees outweighs an event, which may have come before it."""
    seen = did(Type("Rome"), "town", ("town", "Rome"), ("name", ""))
    turn = did(NextPage(), "", turned=True)
    found = attempt(seen, turn, events=(("town", "Ro"), ("name", "Ann")))
    assert found.held == {"town": ("Rome",), "name": ()}


def test_only_an_agents_own_clicks_are_clicks() -> None:
    """Clicks and uploads tell what they hit and how far it was; the driver's own do not."""
    found = attempt(
        did(Click(50, 25), ""),
        did(Upload(50, 50, "a.pdf"), "town"),
        did(Click(50, 10), "name", own=False),
        did(Type("x"), "name"),
    )
    assert [click.field for click in found.clicks] == ["", "town"]
    assert [click.distances for click in found.clicks] == [
        {"name": 5.0, "town": 15.0},
        {"name": 30.0, "town": 0.0},
    ]
