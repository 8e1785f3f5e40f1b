"""
Controls that are not drawn themselves, and things that only a script makes controls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from surefoot.capture.captured import Capture
from surefoot.core.edit import Hide
from surefoot.core.geometry import Box
from surefoot.core.screen import Element

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser

STYLE: Final = """
<style>
body { margin: 0; font: 14px sans-serif }
.row { position: absolute; left: 20px; width: 200px; height: 24px }
.gone { opacity: 0; position: absolute }
.clip { position: absolute; clip: rect(0, 0, 0, 0) }
.at { position: absolute; left: 0; top: 0; width: 80px; height: 22px }
.drawn { background: #ccd }
.tick { padding-left: 30px; position: relative }
.tick::before { content: ""; position: absolute; left: 4px; top: 1px; width: 14px; height: 14px;
  border: 1px solid #333 }
</style>
"""
# A row element, with the role, the name and the box that the styles say, from the row's corner.
STAND_INS: Final = {
    "a painted wrapper": (
        """<span class="at drawn" style="width:20px;cursor:pointer">
        <input type=checkbox class=gone checked aria-label=X></span>""",
        ("checkbox", "X", (0, 0, 20, 22)),
    ),
    "a wrapper in a label": (
        """<label><span class="at drawn" style="width:30px"><input type=checkbox hidden>
        <i style="position:absolute;width:12px;height:12px;background:#fff"></i></span></label>""",
        ("checkbox", "", (0, 0, 30, 22)),
    ),
    "a mark before the words of a label": (
        "<input type=radio class=clip id=m><label for=m class=tick>Yes</label>",
        ("radio", "Yes", (4, 1, 20, 17)),
    ),
    "a label drawn as a button": (
        '<input type=radio class=clip id=b checked><label for=b class="at drawn">Weekly</label>',
        ("button", "Weekly", (0, 0, 80, 22)),
    ),
    "an arrow before the words of a label": (
        """<input type=radio hidden id=f><label for=f class=at style="cursor:pointer"><i style="
        display:inline-block;width:8px;height:8px;border:solid;border-width:2px 2px 0 0"></i>Fold
        </label>""",
        ("button", "Fold", (0, 0, 80, 22)),
    ),
    "a label that uploads": (
        '<label class="at drawn">Attach<input type=file hidden></label>',
        ("button", "Attach", (0, 0, 80, 22)),
    ),
    "a file field over a button": (
        """<span class="at drawn" style="overflow:hidden">Browse
        <input type=file class=gone style="right:0;top:0;font-size:80px"></span>""",
        ("button", "Browse", (0, 0, 80, 22)),
    ),
    "a tick box over a picture": (
        """<div class=at style="background:linear-gradient(#99a, #99a) 0/20px no-repeat">
        <input type=checkbox class="at gone" style="margin:0;width:20px">&emsp;&emsp;Milk</div>""",
        ("checkbox", "", (0, 0, 20, 22)),
    ),
}
NOTHING: Final = {
    "a list that another replaces": (
        "<label for=s>State</label><select id=s class=clip style='width:1px;height:1px'>"
        "<option>Utah</select>"
    ),
    "words beside a tick box that is gone": (
        "<label><input type=checkbox style='visibility:hidden'> words</label>"
    ),
    "a tick box that is drawn": "<label><input type=checkbox> drawn</label>",
}


def rows(parts: list[str]) -> str:
    """Return a page with a row of 34 px for each part, 20 px from the left."""
    return STYLE + "".join(
        f"<div class=row style='top:{34 * at}px'>{part}</div>" for at, part in enumerate(parts)
    )


def controls(found: Capture) -> list[Element]:
    """Return what can be clicked and seen, from the top."""
    seen = [
        element
        for element in found.screen.elements
        if element.hits and element.role in {"button", "checkbox", "radio", "combobox"}
    ]
    return sorted(
        (element for element in seen if element.visible_fraction),
        key=lambda element: element.box.top,
    )


def test_the_painted_thing_is_the_box(shot: Shooter) -> None:
    """A control that is not drawn has the box, the clicks and the words of what stands for it."""
    found = controls(shot(rows([html for html, _ in STAND_INS.values()])))
    told = [(element.role, element.name, element.box) for element in found]
    assert told == [
        (role, name, Box(20 + left, 34 * at + top, 20 + right, 34 * at + bottom))
        for at, (_, (role, name, (left, top, right, bottom))) in enumerate(STAND_INS.values())
    ]
    assert all(element.hit and element.visible_fraction == 1 for element in found)
    assert [element.states for element in found][:4] == [("checked",), (), (), ("pressed",)]
    assert [element.name for element in found if element.name_boxes] == [
        "Yes",
        "Weekly",
        "Fold",
        "Attach",
        "Browse",
    ]


def test_what_stands_for_nothing(shot: Shooter) -> None:
    """No label stands for a list, for a control that is drawn, or with bare words alone."""
    found = controls(shot(rows(list(NOTHING.values()))))
    assert [(element.role, element.box.width) for element in found] == [("checkbox", 13)]


def test_what_stands_for_a_control_is_hidden_with_it(shot: Shooter) -> None:
    """Hiding the control takes away what was painted for it."""
    page = rows([STAND_INS["a label drawn as a button"][0], "<button>stays</button>"])
    radio, _ = controls(shot(page))
    after = controls(shot(page, [Hide((radio.id,))]))
    assert [element.name for element in after] == ["stays"]


CLICKABLE: Final = """
<style>body { margin: 0 } .hand, .later:hover { cursor: pointer }
.swatch { display: inline-block; width: 18px; height: 18px; background: #a33 }</style>
<table><tr><th class=hand>Size<th>Kind</table>
<div id=all><span class='swatch hand' title=red></span><span class='swatch hand' title=wine></span>
</div>
<ul class=hand><li>One<li>Two</ul>
<div class=hand><a href=x>inside</a> words</div>
<h3 class=hand style='width:90px'>Fold</h3>
<div onclick='1'>handled</div>
<div class=later style='width:90px'>Later</div>
<a class=later>Home</a>
<i class=hand style='display:block;width:30px;height:30px'></i>
<div id=dead class=hand>unheard</div>
<p>plain</p>
<script>
for (const node of document.querySelectorAll("th, #all, ul, .hand, .later")) {
  if (node.id !== "dead") node.addEventListener("click", () => {});
}
</script>
"""


def test_what_shows_the_hand_is_a_button(shot: Shooter) -> None:
    """What shows the hand or writes a handler is a button, but for holders of links, or empty."""
    elements = shot(CLICKABLE).screen.elements
    found = [element for element in elements if element.attributes.get("clickable")]
    named = {element.id: element.role for element in elements}
    told = [
        (element.name or element.attributes["tag"], named.get(element.parent)) for element in found
    ]
    assert told == [
        ("Size", "columnheader"),
        ("red", None),
        ("wine", None),
        ("One", "listitem"),
        ("Two", "listitem"),
        ("Fold", "heading"),
        ("handled", None),
        ("Later", None),
    ]
    assert [element.name for element in elements if element.role == "link"] == ["inside", "Home"]
    assert {element.role for element in found} == {"button"}
    assert all(
        element.hit and not element.group for element in found if element.name in {"Size", "Fold"}
    )


def test_a_header_and_its_button_are_one_node(shot: Shooter) -> None:
    """Both have the same box; hiding the button hides what is painted there."""
    before = shot(CLICKABLE)
    header, button = (element for element in before.screen.elements if element.name == "Size")
    assert (header.box, header.role, button.role) == (button.box, "columnheader", "button")
    after = shot(CLICKABLE, [Hide((button.id,))])
    assert "Size" not in [element.name for element in after.screen.elements]


def test_a_link_around_a_picture_has_its_box(shot: Shooter) -> None:
    """An inline link is as large as the picture in it, and holds its words where it has any."""
    picture = "<svg width=60 height=50 style='background:#39c'></svg>"
    badge = (
        "<i style='position:fixed;right:0;bottom:0;width:30px;height:20px;background:#39c'></i>"
    )
    links = f"<a href=x>{picture}</a><br><a href=y>{picture} more</a><a href=z>{badge}</a>"
    found = shot(f"<body style='margin:0'>{links}")
    bare, worded, fixed = (element for element in found.screen.elements if element.role == "link")
    assert bare.box == Box(0, 0, 60, 50)
    assert bare.hits == fixed.hits == (True,) * 5
    assert fixed.box == Box(370, 280, 400, 300)
    assert worded.box.height == pytest.approx(54, abs=4)
    assert worded.box.left == 0
    assert worded.box.right > bare.box.right


def test_a_listener_of_the_document_speaks_for_words_alone(shot: Shooter) -> None:
    """If only the document listens, words that show the hand are a button, a picture is none."""
    found = shot(
        "<style>div{cursor:pointer;width:50px;height:20px}</style><div>Open</div>"
        "<div style='background:#a33'></div><script>document.addEventListener('click', () => {})"
        "</script>"
    )
    assert [element.name for element in controls(found)] == ["Open"]
