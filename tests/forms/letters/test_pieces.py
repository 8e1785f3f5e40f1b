"""
Tests of letters for forms that the tables know nothing about.
"""

from __future__ import annotations

import pytest

from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.letters.verifying import verify, without
from surefoot.forms.letters.writing import KINDS, LEVELS, Level, Sort, write_document
from surefoot.forms.specification import Field, Form, Kind, Option, Page


def field_of(name: str, kind: Kind, label: str, *options: str) -> Field:
    """Make a field of a maker that no table lists, about a thing that none lists."""
    return Field(
        id=name,
        kind=kind,
        label={"en": label},
        fill="other.thing",
        about="expedition",
        options=tuple(
            Option(value=option.lower().replace(" ", "-"), label={"en": option})
            for option in options
        ),
        accepts=(".pdf",) if kind is Kind.FILE else (),
    )


FIELDS = (
    field_of("leader", Kind.STRING, "Name of the leader"),
    field_of("ship", Kind.STRING, "Ship"),
    field_of("radio", Kind.TELEPHONE, "Satellite telephone"),
    field_of("office", Kind.EMAIL, "E-mail address of the office"),
    field_of("site", Kind.URL, "Website (with https)"),
    field_of("code", Kind.PASSWORD, "Access code"),
    field_of("leaves", Kind.DATE, "Departure"),
    field_of("returns", Kind.DATE, "Return"),
    field_of("crew", Kind.NUMBER, "Crew (persons)"),
    field_of("cargo", Kind.NUMBER, "Cargo (tons)"),
    field_of("ocean", Kind.DROP_DOWN, "Which ocean?", "North Sea", "Red Sea", "Coral Sea"),
    field_of("hull", Kind.RADIO, "Type of hull", "Steel", "Wood"),
    field_of("gear", Kind.MULTI_CHOICE, "Gear on board", "Sonar", "Crane", "Divers"),
    field_of("insured", Kind.CHECKBOX, "I have insured the ship"),
    field_of("armed", Kind.CHECKBOX, "The crew will carry arms"),
    field_of("aims", Kind.DESCRIPTION, "Aims of the expedition"),
    field_of("chart", Kind.FILE, "Chart"),
)
VALUES: dict[str, Value] = {
    "leader": "Dr. Bo St. Claire",
    "ship": "Half Moon",
    "radio": "+442079460123",
    "office": "dock@example.org",
    "site": "https://www.example.org/sea",
    "code": "Tide & 7 Knots!",
    "leaves": "2026-01-31",
    "returns": "2026-03-01",
    "crew": "1",
    "cargo": "12.25",
    "ocean": "red-sea",
    "hull": "wood",
    "gear": ("crane", "sonar"),
    "insured": True,
    "armed": False,
    "aims": "We look for wrecks. Two are known; no. 3 is not.",
    "chart": FileValue("chart one.pdf", "0" * 64),
}
FORM = Form(
    id="expedition",
    code="X",
    domain="Travel",
    title={"en": "Expedition"},
    pages=(Page(title={"en": "Expedition"}, fields=FIELDS),),
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_form_of_somebody_else_is_said_and_proven_as_well(kind: Sort, level: Level) -> None:
    """Every kind of field without a sentence of its own is said by its label, and proven."""
    instance = Instance("expedition", 1, 0, 0, VALUES)
    document = write_document(FORM, instance, kind=kind, level=level, seed=1)
    assert verify(FORM, instance, document) == (), document.text
    for name in VALUES:
        doubts = verify(FORM, instance, without(document, name))
        assert [(doubt.field, doubt.why) for doubt in doubts] == [(name, "missing")]
