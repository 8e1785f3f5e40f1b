"""
Which episodes a run over forms consists of, and what names them.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.observation import FormView
from surefoot.run.forms.units import FormChoices, renderings_of, units_of


def test_renderings_are_all_combinations() -> None:
    """Every renderer meets every language; a theme goes to the renderers that have it."""
    found = renderings_of(["plain"], ["en", "th"], themes=["clear", "night"], seed=3)
    assert [(rendering.theme, rendering.language) for rendering in found] == [
        ("clear", "en"),
        ("clear", "th"),
        ("night", "en"),
        ("night", "th"),
    ]
    assert {rendering.seed for rendering in found} == {3}


def test_a_form_runs_either_way() -> None:
    """Each direction named is a rendering of its own."""
    found = renderings_of(["plain"], ["en"], directions=["", "rtl"])
    assert [rendering.direction for rendering in found] == ["", "rtl"]


def test_unknown_names_are_refused() -> None:
    """A renderer, language, theme or layout that nobody knows is named with the choices."""
    with pytest.raises(UnknownNameError):
        renderings_of(["plane"], ["en"])
    with pytest.raises(InvalidInputError, match=r"'loud'.*vintage"):
        renderings_of(["plain"], ["en"], themes=["loud"])
    with pytest.raises(InvalidInputError, match=r"'spiral'.*two-columns"):
        renderings_of(["plain"], ["en"], layouts=["spiral"])
    with pytest.raises(InvalidInputError, match="'xx'"):
        renderings_of(["plain"], ["xx"])


def test_lists_outside_of_the_page_need_hands_outside_of_the_browser() -> None:
    """The theme with native lists is refused with the remedy, unless X events are sent."""
    with pytest.raises(InvalidInputError, match=r"'native'.*--x11"):
        renderings_of(["plain"], ["en"], themes=["clear", "native"])
    found = renderings_of(["plain", "surveyjs"], ["en"], themes=["native"], hands="x11")
    assert [(rendering.renderer, rendering.theme) for rendering in found] == [("plain", "native")]


def test_every_unit_has_a_key_of_its_own() -> None:
    """Form, instance, rendering, view, agent and seed each make another unit."""
    choices = FormChoices(
        forms=(find_form("bug_report"), find_form("A15")),
        agents=("oracle", "null"),
        renderings=renderings_of(["plain"], ["en", "fr"]),
        instances=2,
        views=(FormView(), FormView(ruler=100)),
    )
    keys = [unit.key for unit in units_of(choices)]
    assert len(set(keys)) == len(keys) == 2 * 2 * 2 * 2 * 2
    other = msgspec.structs.replace(choices, seed=1)
    assert not set(keys) & {unit.key for unit in units_of(other)}
    outside = msgspec.structs.replace(choices, hands="x11")
    assert not set(keys) & {unit.key for unit in units_of(outside)}
    letter = {("bug_report", 0, "paraphrased"): "It broke."}
    said = msgspec.structs.replace(choices, letters=letter)
    assert len(set(keys) & {unit.key for unit in units_of(said)}) == len(keys) - 2 * 2 * 2
    assert "letters" in said.identity()
    assert "letters" not in choices.identity()
    plain = next(units_of(choices)).body["unit"]
    assert "text" not in msgspec.convert(plain, dict[str, object])
    assert (choices.identity()["hands"], outside.identity()["hands"]) == ("browser", "x11")
    assert keys == [unit.key for unit in units_of(choices)]
