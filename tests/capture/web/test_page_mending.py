"""
Edits of single controls: each does what it says, and what it tells can be copied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from surefoot.capture.captured import Capture
from surefoot.core.edit import ControlEdit, RaiseContrast, Relabel, Restyle
from surefoot.core.errors import CaptureError
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Element
from surefoot.refer.scene.legible import contrast_in

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser

HEAD: Final = "<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title>"
ICON: Final = (
    '<svg width="16" height="16" aria-hidden="true"><path d="M2 2h12v12h-12z"></path></svg>'
)
# Controls that show no words of their name, by what they are.
WORDLESS: Final = {
    "button": f'<button aria-label="Orders" style="width: 30px;">{ICON}</button>',
    "link with a title": f'<a href="#o" title="Orders">{ICON}</a>',
    "hidden words": '<a href="#o"><span style="position: absolute; clip-path: inset(50%); '
    f'width: 1px; height: 1px; overflow: hidden;">Orders</span>{ICON}</a>',
    "picture": '<button><img alt="Orders" width="16" height="16" '
    'src="data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="></button>',
    "field": '<input aria-label="Orders" type="text">',
    "tick box": '<input aria-label="Orders" type="checkbox">',
    "field with a hidden label": '<label for="f" style="position: absolute; clip-path: '
    'inset(50%); width: 1px; height: 1px; overflow: hidden;">Orders</label>'
    '<input id="f" type="text">',
    "labelled elsewhere": '<span hidden="" id="n">Orders</span>'
    f'<button aria-labelledby="n">{ICON}</button>',
}


def control(found: Capture, at: int = 0) -> Element:
    """Return a control of a page by its place."""
    roles = {"button", "link", "textbox", "checkbox"}
    return [element for element in found.screen.elements if element.role in roles][at]


def mended(shot: Shooter, html: str, edit: Callable[[Element], ControlEdit]) -> Capture:
    """Return a page with an edit at its first control."""
    return shot(HEAD + html, [edit(control(shot(HEAD + html)))])


@pytest.mark.parametrize("kind", WORDLESS)
def test_a_shown_name_is_the_name(shot: Shooter, kind: str) -> None:
    """What is called by words that nobody sees is called by the same words, and shows them."""
    html = f"<main>{WORDLESS[kind]}</main>"
    assert not control(shot(HEAD + html)).name_boxes

    found = control(mended(shot, html, lambda one: Relabel(one.id, "Orders")))

    assert (found.name, bool(found.name_boxes)) == ("Orders", True)


@pytest.mark.parametrize(
    "html",
    [
        f'<button aria-label="Orders" style="background: none; color: #3b3f5c;">{ICON}</button>',
        '<input aria-label="Orders" type="checkbox">',
    ],
)
def test_a_shown_name_can_be_read(shot: Shooter, html: str) -> None:
    """Words are shown in a colour that is read where they stand, whatever the control's was."""
    page = f'<main style="background: #333f48; color: #3b3f5c; padding: 9px;">{html}</main>'

    found = mended(shot, page, lambda one: Relabel(one.id, "Orders"))

    (name,) = control(found).name_boxes
    left, top, right, bottom = map(round, name.as_tuple())
    assert contrast_in(pixels_of(found.png)[top:bottom, left:right]) >= 4.5
    (change,) = found.changes
    assert shot(HEAD + page.replace(change.before, change.after)).png == found.png


@pytest.mark.parametrize(
    "html",
    [
        '<a href="#g" aria-label="Go: opens orders">Go</a>',
        '<button>Go <i style="opacity: 0">now</i></button>',
        '<span id="n" hidden="">Go now</span><button aria-labelledby="n">Go</button>',
    ],
)
def test_a_control_is_called_what_it_shows(shot: Shooter, html: str) -> None:
    """A control with more in its name than it shows is called what it shows; no pixel changes."""
    before = shot(HEAD + html)

    found = mended(shot, html, lambda one: Relabel(one.id, "Go", shows=True))

    assert not control(before).name_boxes
    assert (control(found).name, bool(control(found).name_boxes)) == ("Go", True)
    assert found.png == before.png
    (change,) = found.changes
    assert shot(HEAD + html.replace(change.before, change.after)).png == found.png


@pytest.mark.parametrize(
    "html",
    [
        '<a href="#g">Go</a>',
        "<button><b>G</b><i>o</i></button>",
        '<input type="submit" value="Go">',
    ],
)
def test_a_name_is_replaced(shot: Shooter, html: str) -> None:
    """A control that is renamed shows its new name alone."""
    found = control(mended(shot, html, lambda one: Relabel(one.id, "Go to orders", replaces=True)))

    assert (found.name, found.text, bool(found.name_boxes)) == ("Go to orders",) * 2 + (True,)


@pytest.mark.parametrize(
    "kind",
    ["button", "field", "field with a hidden label", "link with a title", "picture", "tick box"],
)
def test_told_html_is_the_edit(shot: Shooter, kind: str) -> None:
    """HTML that is pasted in place of what it was gives the picture of the edit, to the pixel."""
    html = f"<main>{WORDLESS[kind]}</main>"
    found = mended(shot, html, lambda one: Relabel(one.id, "Orders"))
    (change,) = found.changes

    pasted = shot(HEAD + html.replace(change.before, change.after))

    assert change.before in html
    assert pasted.png == found.png


STYLED: Final = (
    "<style>a{color:#bbb}p input{color:#ddd}</style><p>See <a href=#x class=way>the orders</a>"
    " <a href=#y class=way>the bills</a></p><p><input placeholder=Name></p>"
)


@pytest.mark.parametrize(
    ("named", "at"),
    [("size", 0), ("margin", 1), ("contrast", 0), ("contrast", 2), ("size and contrast", 0)],
)
def test_told_css_is_the_edit(shot: Shooter, named: str, at: int) -> None:
    """CSS that is added to the page gives the picture of the edit, to the pixel."""
    name = control(shot(HEAD + STYLED), at).id
    edits: dict[str, ControlEdit] = {
        "size": Restyle((name,), (("min-width", "44px"), ("min-height", "44px"))),
        "margin": Restyle((name,), (("margin", "8px"),)),
        "contrast": RaiseContrast((name,), 7.0),
    }
    found = shot(HEAD + STYLED, [edits[edit] for edit in named.split(" and ")])
    (change,) = found.changes

    pasted = shot(f"{HEAD}{STYLED}<style>{change.css}</style>")

    assert found.png != shot(HEAD + STYLED).png
    assert pasted.png == found.png


@pytest.mark.parametrize("kind", ["button", "link with a title", "picture"])
def test_told_html_and_css_are_both_edits(shot: Shooter, kind: str) -> None:
    """A name and a size: HTML that is pasted, and CSS that is added, give the picture of both."""
    html = f"<main>{WORDLESS[kind]}</main>"
    name = control(shot(HEAD + html)).id
    sides = (("min-width", "90px"), ("min-height", "60px"))
    found = shot(HEAD + html, [Relabel(name, "Orders"), Restyle((name,), sides)])
    (change,) = found.changes

    pasted = html.replace(change.before, change.after)

    assert shot(f"{HEAD}{pasted}").png != found.png
    assert shot(f"{HEAD}{pasted}<style>{change.css}</style>").png == found.png


def test_a_control_gets_its_size(shot: Shooter) -> None:
    """A link within a sentence is as large as it is asked to be, and others stay as they are."""
    html = '<p>See <a href="#a">it</a> or <a href="#b">us</a></p>'
    before = control(shot(HEAD + html), 1)
    sides = (("min-width", "44px"), ("min-height", "44px"))

    found = mended(shot, html, lambda one: Restyle((one.id,), sides))

    box, other = control(found).box, control(found, 1).box
    assert min(box.width, box.height) == pytest.approx(44)
    assert other.width == pytest.approx(before.box.width, abs=0.01)


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td role=button tabindex=0>1<td>2</table>",
        "<div style='display: table-row' role=button tabindex=0>One of many</div>",
        "<button style='width: 9px; max-width: 9px; max-height: 9px'>1</button>",
    ],
)
def test_a_part_of_a_table_gets_its_size(shot: Shooter, html: str) -> None:
    """What heeds no least side, or has a greatest one, is as large as it is asked to be."""
    sides = (("min-width", "44px"), ("min-height", "44px"))

    box = control(mended(shot, html, lambda one: Restyle((one.id,), sides))).box

    assert 43.99 <= min(box.width, box.height) <= 46.01


def test_larger_words_are_still_in_their_line(shot: Shooter) -> None:
    """Of a link whose words alone are enlarged, the box is no higher than these."""
    html = '<p style="line-height: 60px">See <a href="#a" style="font-size: 10px">it</a></p>'

    box = control(mended(shot, html, lambda one: Restyle((one.id,), (("font-size", "16px"),)))).box

    assert 16 <= box.height < 24


@pytest.mark.parametrize(
    "edit",
    [
        Relabel("a-0", "Orders"),
        Restyle(("a-0",), (("margin", "8px"),)),
        RaiseContrast(("a-0",), 7.0),
    ],
)
def test_an_unknown_control_is_refused(shot: Shooter, edit: ControlEdit) -> None:
    """An edit of a control that is not there fails, with its id."""
    with pytest.raises(CaptureError, match=r"'a-0'"):
        shot(f"{HEAD}<a href=#x>Go</a>", [edit])
