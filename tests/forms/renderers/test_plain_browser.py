"""
The plain renderer in Chromium: what a pointer and a keyboard do to its fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from surefoot.forms.rendering import PageState, Rendering

if TYPE_CHECKING:
    from tests.forms.renderers.conftest import Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    "rendering",
    [
        Rendering(theme="clear"),
        Rendering(theme="enterprise", layout="dense", direction="rtl"),
    ],
)
def test_each_kind_is_answered_by_mouse_and_keyboard(site: Site, rendering: Rendering) -> None:
    """Correct clicks and typing fill every kind of field in, and each change is told once."""
    site.show(rendering, PageState("/r/T/"))
    page = site.page

    site.click("[data-control=drop_down]")
    site.click("[data-field=drop_down] [data-option=opt-b]")
    site.click("[data-field=radio] [data-option=opt-c]")
    site.click("[data-field=multi_choice] [data-option=opt-c]")
    site.click("[data-field=multi_choice] [data-option=opt-a]")
    site.click("[data-control=date]")
    page.keyboard.type("03142026")
    site.choose("[data-field=file] .button", "a.pdf")
    site.click("[data-control=string]")
    page.keyboard.type("Ann")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    assert site.complaints == []
    last = {event["field"]: (event["kind"], event["value"]) for event in site.events}
    assert last == {
        "drop_down": ("change", "opt-b"),
        "radio": ("change", "opt-c"),
        "multi_choice": ("change", "opt-a,opt-c"),
        "date": ("change", "2026-03-14"),
        "file": ("upload", "a.pdf"),
        "string": ("change", "Ann"),
    }
    assert site.posted_texts("action") == ["next"]
    assert site.posted_texts("drop_down") == ["opt-b"]
    assert site.posted_texts("multi_choice") == ["opt-a", "opt-c"]
    assert 'name="file"; filename="a.pdf"' in site.posted


def test_marks_lie_where_a_person_clicks(site: Site) -> None:
    """In the table layout, too, each control's box is inside its field's and can be hit."""
    site.show(Rendering(theme="vintage", layout="table"), PageState("/r/T/"))

    stray = site.page.evaluate(
        """() => [...document.querySelectorAll("[data-control]")].flatMap((control) => {
             control.scrollIntoView({ block: "center" });
             const box = control.getBoundingClientRect();
             const x = box.x + box.width / 2, y = box.y + box.height / 2;
             const hit = document.elementFromPoint(x, y).closest("[data-control]");
             return hit === control ? [] : [control.dataset.control];
           })"""
    )

    assert stray == []
    assert site.complaints == []
