"""
States behind clicks: real input in Chromium, the document that follows, and what is refused.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.actions import Action
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.edit import AddStyle
from surefoot.core.errors import CaptureError
from surefoot.core.screen import Screen

pytestmark = pytest.mark.browser
SETTINGS = Settings(width=640, height=400)
PAGE = """<!doctype html><title>First</title><h1>Stock</h1>
<button id=menu aria-expanded=false>More</button>
<ul role=menu hidden><li role=menuitem tabindex=-1>Archive</li></ul>
<label>Name <input id=name></label>
<label>Town <select><option>Bergen<option>Cork<option>Split</select></label>
<form action=second.html><button>Go on</button></form>
<a href=third.html target=_blank>Another window</a>
<a href=http://elsewhere.example/>Elsewhere</a>
<a href=none.html>Nowhere</a>
<p id=said>-</p>
<script>
  const menu = document.querySelector("#menu"), list = document.querySelector("ul");
  const open = (on) => { list.hidden = !on; menu.setAttribute("aria-expanded", on); };
  menu.onclick = (event) => setTimeout(() => open(event.isTrusted), 300);
  menu.onblur = () => open(false);
  const say = (event) => { document.querySelector("#said").textContent = event.target.value; };
  document.querySelector("#name").oninput = say;
  document.querySelector("select").onchange = say;
</script>"""
SECOND = "<!doctype html><title>Second</title><h1>Orders</h1><button>New order</button>"


@pytest.fixture
def page(tmp_path: Path) -> Address:
    """Return the first page of a small site."""
    (tmp_path / "first.html").write_text(PAGE)
    (tmp_path / "second.html").write_text(SECOND)
    return list_addresses(f"folder:{tmp_path}#first.html")[0]


def _seen(browser: Browser, address: Address) -> Screen:
    return capture(browser, address, SETTINGS).screen


def _id(screen: Screen, name: str, role: str = "") -> str:
    return next(
        item.id for item in screen.elements if item.name == name and role in ("", item.role)
    )


def test_a_path_leads_to_its_state_again(browser: Browser, page: Address) -> None:
    """A click, typed words and a chosen option are one state, the same at each replay."""
    first = _seen(browser, page)
    town = _id(first, "Town", "combobox")
    state = page.after(
        Action("type", _id(first, "Name", "textbox"), 'rope >> click "it"'),
        Action("choose", town, "1"),
        Action("click", _id(first, "More")),
    )
    seen, again = _seen(browser, state), _seen(browser, list_addresses(state.spec)[0])

    assert seen == again
    names = {item.name or item.text for item in seen.elements}
    assert {"Archive", "Cork"} <= names
    assert "Archive" not in {item.name for item in first.elements}
    button = seen.element(_id(first, "More"))
    assert button is not None
    assert {"expanded", "focused"} <= set(button.states)
    assert seen.page != first.page


def test_an_edit_comes_after_the_actions(browser: Browser, page: Address) -> None:
    """A variant of a state is that state with an edit: the same elements by the same ids."""
    first = _seen(browser, page)
    state = page.after(Action("click", _id(first, "More")))
    seen = _seen(browser, state)
    dark = capture(
        browser,
        state,
        SETTINGS,
        variant="dark",
        edits=(AddStyle("* { background: #222; color: #eee }", top_only=False),),
        original=seen,
    ).screen

    assert [item.id for item in dark.elements] == [item.id for item in seen.elements]
    assert dark.image != seen.image


def test_an_action_may_lead_to_another_document(browser: Browser, page: Address) -> None:
    """The page that a form leads to is the state, and can be acted on in its turn."""
    first = _seen(browser, page)
    state = page.after(Action("click", _id(first, "Go on")))
    second = _seen(browser, state)
    pressed = _seen(browser, state.after(Action("press", _id(second, "New order"), "Tab")))

    assert (second.title, second.elements[0].name) == ("Second", "Orders")
    assert pressed.title == "Second"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Another window", "popup"), ("Elsewhere", "http-status"), ("Nowhere", "http-status")],
)
def test_what_leads_away_is_refused(
    browser: Browser, page: Address, name: str, reason: str
) -> None:
    """Another window, another origin and a page that is not there are failures of the state."""
    target = _id(_seen(browser, page), name)
    with pytest.raises(CaptureError) as error:
        _seen(browser, page.after(Action("click", target)))
    assert error.value.reason in (reason, "navigated-away")


@pytest.mark.parametrize(
    "action",
    [
        Action("click", "a-000000000000"),
        Action("choose", "TOWN", "9"),
        Action("press", "HEADING", "Enter"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_told(browser: Browser, page: Address, action: Action) -> None:
    """An action fails by its own name, never by doing something else."""
    first = _seen(browser, page)
    ids = {"TOWN": _id(first, "Town", "combobox"), "HEADING": _id(first, "Stock")}
    named = Action(action.kind, ids.get(action.element, action.element), action.text)
    with pytest.raises(CaptureError, match=named.element) as error:
        _seen(browser, page.after(named))
    assert error.value.reason == "action-failed"
