"""
Dates in every language, renderer and library of widgets: typed, sent, and read by the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from surefoot.core.geometry import Box
from surefoot.forms.driver.filling import first_segment
from surefoot.forms.rendering import RENDERERS, PageState, Rendering

if TYPE_CHECKING:
    from tests.forms.renderers.conftest import Site

pytestmark = pytest.mark.browser
KEYS: Final = {
    "en": "03142026",
    "zh": "20260314",
    "fr": "14032026",
    "ru": "14032026",
    "ja": "20260314",
    "th": "14032026",
    "ar": "14032026",
}
STOOD: Final = {"date": "2001-11-22"}


@pytest.mark.parametrize("language", KEYS)
def test_each_order_is_its_languages_own(site: Site, language: str) -> None:
    """Over a date that stood there the right keys send theirs, and another order another day."""
    sent = {}
    for keys in dict.fromkeys(KEYS.values()):
        _type(site, Rendering(language=language, theme="enterprise"), keys)
        with site.page.expect_navigation():
            site.page.keyboard.press("Enter")
        sent[keys] = site.posted_texts("date")[0]

    right = sent.pop(KEYS[language])
    assert right == "2026-03-14"
    assert right not in sent.values()


@pytest.mark.skipif(bool(RENDERERS.get("rjsf").missing()), reason="the scripts were not built")
@pytest.mark.parametrize("language", ["fr", "ar", "ja"])
@pytest.mark.parametrize(
    ("renderer", "theme"),
    [
        ("surveyjs", "default-light"),
        ("rjsf", "core"),
        ("rjsf", "antd"),
        pytest.param("rjsf", "bootstrap", marks=pytest.mark.long),
        pytest.param("rjsf", "mui", marks=pytest.mark.long),
    ],
)
def test_libraries_keep_to_it(site: Site, renderer: str, theme: str, language: str) -> None:
    """A field that a script draws takes the same keys."""
    _type(site, Rendering(renderer, theme, language=language), KEYS[language])
    site.page.keyboard.press("Tab")
    site.click("[data-action=next]")
    site.page.wait_for_selector("[data-page='1']")
    site.click("[data-action=submit]")
    site.page.wait_for_selector("[data-state=done]")

    assert site.submitted["date"] == "2026-03-14"


def test_a_comma_is_no_thousand_where_it_is_a_point(site: Site) -> None:
    """A number typed as French writes it is that number, and English keys mean it as well."""
    sent = []
    for keys in ("1250,5", "1250.5"):
        site.show(Rendering(language="fr"), PageState("/r/T/"))
        site.click("[data-control=number]")
        site.page.keyboard.type(keys)
        with site.page.expect_navigation():
            site.page.keyboard.press("Enter")
        sent += site.posted_texts("number")

    assert sent == ["1250.5"] * 2


def _type(site: Site, rendering: Rendering, keys: str) -> None:
    """Type over the date of a form, after one click where the driver begins."""
    site.page.set_viewport_size({"width": 1280, "height": 3000})
    site.refusals = {}
    site.show(rendering, PageState("/r/T/", values=STOOD))
    control = site.page.locator("[data-control=date]")
    box = control.bounding_box()
    assert box is not None
    left, top = box["x"], box["y"]
    drawn = Box(left, top, left + box["width"], top + box["height"])
    place = first_segment(drawn, rendering.language).center
    site.page.mouse.click(place.x, place.y)
    if rendering.theme == "antd":
        site.page.keyboard.press("Control+a")
    site.page.keyboard.type(keys)
