"""
The renderers with a script in Chromium: marks, clicks, and what reaches the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
import pytest
from playwright.sync_api import TimeoutError  # noqa: A004 - the driver's own, as it calls it

from surefoot.forms.rendering import RENDERERS, PageState, Rendering

if TYPE_CHECKING:
    from tests.forms.renderers.conftest import Site

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        bool(RENDERERS.get("rjsf").missing()), reason="scripts/build_forms.sh has not been run"
    ),
]
TYPED: Final = {
    "string": "Ann",
    "email": "ann@example.org",
    "telephone": "+12025550142",
    "url": "https://example.org",
    "password": "pass",
    "number": "1250000",
    "date": "03142026",
}
SENT: Final = {
    **TYPED,
    "date": "2026-03-14",
    "drop_down": "opt-b",
    "radio": "opt-a",
    "multi_choice": ["opt-a", "opt-c"],
    "checkbox": "yes",
    "file": {"name": "a.pdf", "sha256": "0" * 64},
    "later": "inner",
}
TRIES: Final = 4
LIST_MS: Final = 3_000
MOVING: Final = """() => new Promise((done) =>
 requestAnimationFrame(() => requestAnimationFrame(() => done(document.getAnimations()
  .filter((each) => each.playState === "running")
  .map((each) => each.transitionProperty ?? each.animationName ?? "script")))))"""
# Which way a page runs, as the mark of an option tells.
SIDE: Final = """(row) => {
  const middle = (node) => {
    const { left, right } = node.getBoundingClientRect();
    return (left + right) / 2;
  };
  return middle(row.querySelector("input")) > middle(row) ? "rtl" : "ltr";
}"""
# An icon that SurveyJS ships, and never shows here, has a style attribute.
KNOWN: Final = ("Applying inline style", "autocomplete attributes", "status of 422")


@pytest.mark.parametrize(
    ("renderer", "theme"),
    [
        ("surveyjs", "default-light"),
        ("rjsf", "core"),
        pytest.param("rjsf", "mui", marks=pytest.mark.long),
        pytest.param("rjsf", "antd", marks=pytest.mark.long),
    ],
)
def test_each_kind_is_answered_by_mouse_and_keyboard(
    site: Site, renderer: str, theme: str
) -> None:
    """Clicks and keys at the marks fill in every kind of field; a refusal leads back to it."""
    site.refusals = {"email": "Not good"}
    # Lists close when the page scrolls, which it tells a frame after a click has scrolled it.
    site.page.set_viewport_size({"width": 1280, "height": 3000})
    site.show(Rendering(renderer, theme=theme, seed=1), PageState("/r/T/"))
    page = site.page
    names = [field.id for field in site.form.pages[0].fields]

    page.wait_for_selector("[data-action=next]")
    for mark in ("field", "control"):
        nodes = page.locator(f"[data-{mark}]").all()
        assert [node.get_attribute(f"data-{mark}") for node in nodes] == names
    for name, text in TYPED.items():
        site.click(f"[data-control={name}]")
        page.keyboard.type(text)
    page.keyboard.press("Tab")
    _pick(site, "drop_down", "opt-b", "Option b")
    site.click("[data-field=radio] [data-option=opt-a]")
    site.click("[data-field=multi_choice] [data-option=opt-a]")
    site.click("[data-field=multi_choice] [data-option=opt-c]")
    site.click("[data-control=checkbox]")
    site.choose("[data-control=file]", "a.pdf")
    page.wait_for_selector("[data-field=file][data-value='a.pdf']")
    site.click("[data-action=next]")
    page.wait_for_selector("[data-page='1']")
    _pick(site, "later", "inner", "Inner")
    site.click("[data-control=note]")
    page.keyboard.type("Note")
    site.click("[data-action=submit]")
    page.wait_for_selector("[data-error=email]:has-text('Not good')")

    assert page.locator("[data-page]").get_attribute("data-page") == "0"
    assert site.submitted == SENT | {"note": "Note"}
    told = {event["field"]: event["value"] for event in site.events}
    assert set(told) == {*SENT, "note"}
    assert (told["date"], told["checkbox"], told["later"]) == ("2026-03-14", "yes", "inner")
    assert [
        complaint
        for complaint in site.complaints
        if not any(known in complaint for known in KNOWN)
    ] == []


@pytest.mark.parametrize(("renderer", "theme"), [("surveyjs", ""), ("rjsf", "core")])
def test_a_file_under_way_is_waited_for(site: Site, renderer: str, theme: str) -> None:
    """A page that is turned while a file is being sent is turned once that has arrived."""
    site.refusals = {}
    site.page.set_viewport_size({"width": 1280, "height": 3000})
    site.show(Rendering(renderer, theme), PageState("/r/T/"))
    page = site.page
    page.wait_for_selector("[data-action=next]")
    site.holding = True
    site.choose("[data-control=file]", "a.pdf")
    site.click("[data-action=next]")
    page.wait_for_timeout(300)
    assert page.locator("[data-page]").get_attribute("data-page") == "0"
    site.let_arrive()
    site.holding = False
    page.wait_for_selector("[data-page='1']")
    site.click("[data-action=submit]")
    page.wait_for_selector("[data-state=done]")

    assert site.submitted == {"file": SENT["file"]}


@pytest.mark.parametrize(
    ("renderer", "theme"), [("surveyjs", "default-light"), ("rjsf", "mui"), ("rjsf", "antd")]
)
def test_whoever_asks_for_less_motion_gets_none(site: Site, renderer: str, theme: str) -> None:
    """Nothing fades, spreads or slides two frames after a click, as it does for all others."""
    page = site.page
    page.set_viewport_size({"width": 1280, "height": 3000})
    moved = {}
    for wish in ("reduce", "no-preference"):
        page.emulate_media(reduced_motion=wish)
        site.show(Rendering(renderer, theme=theme), PageState("/r/T/"))
        page.wait_for_selector("[data-action=next]")
        names = []
        for control in ("checkbox", "string", "drop_down"):
            site.click(f"[data-control={control}]")
            names += page.evaluate(MOVING)
        moved[wish] = names

    assert moved["reduce"] == []
    assert moved["no-preference"] != []


def _pick(site: Site, field: str, option: str, label: str) -> None:
    """Open a list, again if it closes, and click an option, which bears its own label."""
    popup = ":is(option, li, .ant-select-item-option)"
    found = site.page.locator(f"{popup}[data-option={option}]:visible")
    for attempt in range(TRIES):
        site.click(f"[data-control={field}]")
        try:
            assert label in (found.last.text_content(timeout=LIST_MS) or "")
            found.last.click(timeout=LIST_MS)
            break
        except TimeoutError:
            assert attempt < TRIES - 1
    site.page.wait_for_selector(f"[data-field={field}][data-value={option}]")
    # A list that is still closing eats the next click.
    site.page.wait_for_function(
        "(popup) => ![...document.querySelectorAll(popup)].some((each) => each.checkVisibility())",
        arg=":is(option, li[role=option], .ant-select-item-option)",
    )


@pytest.mark.parametrize("theme", ["bootstrap", "mui"])
def test_words_keep_their_order_and_labels_their_room(site: Site, theme: str) -> None:
    """Turned round, a full stop stays behind its sentence; a narrow window has one column."""
    site.page.set_viewport_size({"width": 390, "height": 1000})
    site.show(Rendering("rjsf", theme, "two-columns", direction="rtl", seed=1), PageState("/r/T/"))
    site.page.wait_for_selector("[data-action=next]")
    help_of = site.page.get_by_text("Help [en]").last
    assert help_of.evaluate("(node) => getComputedStyle(node).unicodeBidi") == "plaintext"
    lefts = site.page.eval_on_selector_all(
        "[data-field]", "(nodes) => nodes.map((node) => node.getBoundingClientRect().left)"
    )
    assert len(lefts) == len(site.form.pages[0].fields)
    assert max(lefts) - min(lefts) < 1


@pytest.mark.parametrize(
    ("renderer", "theme"),
    [
        ("plain", ""),
        ("surveyjs", ""),
        *(
            pytest.param("rjsf", theme, marks=pytest.mark.long if theme == "core" else [])
            for theme in RENDERERS.get("rjsf").themes
        ),
    ],
)
def test_arabic_runs_from_right_to_left_unless_it_is_forced(
    site: Site, renderer: str, theme: str
) -> None:
    """Marks stand at the side where lines begin: at the right, or at the left where told so."""
    sides = []
    for look in (Rendering(language="ar"), Rendering(language="ar", direction="ltr")):
        drawn = msgspec.structs.replace(look, renderer=renderer, theme=theme)
        site.show(drawn, PageState("/r/T/"))
        row = site.page.wait_for_selector("[data-field=radio] [data-option=opt-a]")
        assert row is not None
        sides.append(row.evaluate(SIDE))

    assert sides == ["rtl", "ltr"]
