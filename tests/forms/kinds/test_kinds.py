"""The kinds of form fields: each is whole, and one more needs nothing but a record."""

from __future__ import annotations

from typing import Final

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.seeds import random_source
from surefoot.forms.driver.actions import Action, Press, Type
from surefoot.forms.driver.filling import fill_field
from surefoot.forms.driver.observation import LiveField
from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.kinds.number import NUMBER
from surefoot.forms.letters.proof.finding import occurs, read_phrase
from surefoot.forms.letters.surfaces import reworded
from surefoot.forms.renderers.plain import document
from surefoot.forms.rendering import PageState, Rendering
from surefoot.forms.scoring.attempt import Attempt
from surefoot.forms.scoring.fields import score_fields
from surefoot.forms.scoring.meaning import means
from surefoot.forms.scoring.paper import COLUMNS
from surefoot.forms.specification import KINDS, Field, FieldKind, Form, Holds, Kind, Option, Page
from surefoot.forms.values.constraints import broken, read_values
from surefoot.forms.values.making import make_instance
from surefoot.forms.values.normalise import normalise, raw_of

RIGHT: Final[dict[Holds, Value]] = {
    Holds.TEXT: "",
    Holds.NUMBER: "3",
    Holds.DATE: "2026-05-03",
    Holds.OPTION: "a",
    Holds.OPTIONS: ("a", "b"),
    Holds.TICK: True,
    Holds.FILE: FileValue("cv.pdf", "0" * 64),
}
TEXTS: Final = {
    "string": "Ana Lee",
    "description": "It works.\nStill.",
    "email": "ana@example.org",
    "telephone": "+12025550143",
    "url": "https://example.org/a",
    "password": "s3cret!",
}
WRONG: Final[dict[str, tuple[Value, str]]] = {
    "shortest": ("x", "too-short"),
    "longest": ("x" * 41, "too-long"),
    "lowest": ("0", "too-low"),
    "highest": ("9", "too-high"),
    "step": ("2.5", "off-step"),
    "earliest": ("2026-01-01", "too-early"),
    "latest": ("2027-01-01", "too-late"),
    "options": ("z", "not-an-option"),
    "accepts": (FileValue("cv.exe", "0" * 64), "wrong-type"),
}
LIMITS: Final[dict[str, object]] = {
    "shortest": 2,
    "longest": 40,
    "lowest": 1.0,
    "highest": 5.0,
    "step": 1.0,
    "earliest": "2026-02-01",
    "latest": "2026-12-31",
    "options": (Option("a", {"en": "Air"}), Option("b", {"en": "Boat"})),
    "accepts": (".pdf",),
}
RANGE: Final = msgspec.structs.replace(
    NUMBER, name="range", needs=("lowest", "highest", "step"), version=1
)
KNOWN: Final = [*KINDS.entries.values(), RANGE]


@pytest.fixture(autouse=True)
def with_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register a kind from elsewhere beside ours."""
    monkeypatch.setitem(KINDS.entries, "range", RANGE)


def field_of(kind: FieldKind, **limits: object) -> Field:
    """Return a field of a kind, with all the limits that it may state."""
    stated = {name: LIMITS[name] for name in kind.limits} | limits
    bare = Field("it", kind.name, {"en": "Grade of it"}, "number.count")
    return msgspec.structs.replace(bare, **stated)


def form_of(field: Field) -> Form:
    """Return a form of one field."""
    return Form("one", "Z1", "tests", {"en": "One"}, (Page({"en": "Page"}, (field,)),))


def right(kind: FieldKind) -> Value:
    """Return a value that a field of a kind takes."""
    return TEXTS[kind.name] if kind.holds is Holds.TEXT else RIGHT[kind.holds]


def test_all_kinds_with_a_name_of_ours_are_registered_under_it() -> None:
    """What Kind names is what the folder holds, and each of ours is drawn as itself."""
    ours = {name: kind for name, kind in KINDS.entries.items() if name != "range"}

    assert sorted(ours) == sorted(Kind)
    assert all(kind.widget == name for name, kind in ours.items())


@pytest.mark.parametrize("kind", KNOWN, ids=lambda kind: kind.name)
def test_a_kind_is_whole(kind: FieldKind) -> None:
    """A value survives the way through the page; it is drawn, read, spelt, found and scored."""
    field, value = field_of(kind), right(kind)
    form, instance = form_of(field), Instance("one", 1, 0, 0, {"it": value})
    raw = raw_of(value)
    texts = (raw,) if isinstance(raw, str) else tuple(raw)
    html = document(form, Rendering(), PageState("/r/T/", 0, {"it": value}))
    score = score_fields(form, instance, Attempt(held={"it": texts}, submitted={"it": texts}))[0]

    assert normalise(field, raw) == value
    assert read_values(form, {"it": raw}).broken == ()
    assert 'data-field="it"' in html
    assert 'data-control="it"' in html
    assert (kind.name, score.in_field, score.submitted) == (score.kind, True, True)
    assert (kind.column in COLUMNS) is (kind.holds is not Holds.FILE)
    assert (kind.say is not None) == (
        kind.holds in {Holds.NUMBER, Holds.DATE, Holds.OPTION} or kind.found_as is Kind.TELEPHONE
    )
    if kind.written and not kind.secret:
        said = reworded(field, value, random_source(1, "kinds"), "en").text
        assert read_phrase(field, said, value) == value
        assert occurs(field, value, f"They wrote {value} here")
        assert means(f"They wrote {value} here", field, value)


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        pytest.param(kind, limit, id=f"{kind.name}-{limit}")
        for kind in KNOWN
        for limit in kind.limits
    ],
)
def test_a_kind_is_held_to_every_limit_that_it_may_state(kind: FieldKind, limit: str) -> None:
    """What lies beyond a limit of a field is refused by the name of that limit."""
    value, reason = WRONG[limit]
    if kind.holds is Holds.TEXT and kind.name not in {"string", "description", "password"}:
        value = TEXTS[kind.name]
        limits = {"shortest": 39} if limit == "shortest" else {"shortest": 0, "longest": 3}
    else:
        limits = {}
    value = (str(value),) if kind.holds is Holds.OPTIONS else value
    field = field_of(kind, **limits)

    assert [breach.reason for breach in broken(form_of(field), {"it": value})] == [reason]


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        pytest.param(kind, limit, id=f"{kind.name}-{limit}")
        for kind in KNOWN
        for limit in LIMITS
        if limit not in kind.limits
    ],
)
def test_a_limit_that_a_kind_does_not_keep_is_refused(kind: FieldKind, limit: str) -> None:
    """No form can state a limit that would be lost in silence."""
    shown = {"options": "with 2 options", "accepts": "that accepts"}.get(limit, f"with {limit}")

    with pytest.raises(InvalidInputError, match=f"of kind {kind.name} {shown}"):
        form_of(field_of(kind, **{limit: LIMITS[limit]}))


@pytest.mark.parametrize("lost", ["lowest", "highest", "step"])
def test_a_kind_gets_the_limits_that_it_needs(lost: str) -> None:
    """A scale without an end or a step is refused."""
    with pytest.raises(InvalidInputError, match=f"of kind range without {lost}"):
        form_of(field_of(RANGE, **{lost: None}))


@pytest.mark.parametrize("lost", ["widget", "holds", "read", "rank", "column", "version", "name"])
def test_a_kind_that_leaves_something_out_is_none(lost: str) -> None:
    """What has no sensible default must be said."""
    parts = {
        name: getattr(NUMBER, name)
        for name in ("widget", "holds", "read", "rank", "column", "version", "name")
        if name != lost
    }

    with pytest.raises(TypeError, match=lost):
        FieldKind(**parts)


def test_a_kind_that_nobody_knows_is_refused_by_its_name() -> None:
    """A form says which kind of field is not installed, and what there is instead."""
    with pytest.raises(InvalidInputError, match=r"of kind 'numbr'; did you mean 'number'"):
        form_of(Field("it", "numbr", {"en": "It"}, "number.count"))


def test_a_scale_is_made_and_driven_as_its_widget_is() -> None:
    """Values are made within the scale, and typed where a number is."""
    field = field_of(RANGE)
    made = {make_instance(form_of(field), seed=seed, index=0).values["it"] for seed in range(40)}
    live = LiveField("it", Box(0, 0, 100, 20), (), "number", (), "")
    actions: tuple[Action, ...] = fill_field(field, live, "4")

    assert made == {"1", "2", "3", "4", "5"}
    assert actions[1:] == (Press("Control+a"), Type("4"))
