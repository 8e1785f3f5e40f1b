"""
Buttons that scripts make of icons, and controls that lie in other controls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from surefoot.capture.captured import Capture
from surefoot.core.geometry import Box

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser

STYLE: Final = r"""<style>
body { margin: 20px; font: 16px monospace }
.g::before, .end::after { content: "\f015" } .hand { cursor: pointer }
.box { display: inline-block; width: 24px; height: 24px }
.placed { position: relative } .placed::before { position: absolute; inset: 0; content: "\f015" }
.flex { display: flex; width: 20px; height: 20px }
.mask::before { content: ""; display: inline-block; width: 16px; height: 16px; background: #333;
  mask: linear-gradient(red, red) }
.framed { display: inline-block; border: 1px solid; padding: 4px }
</style>"""
SCRIPT: Final = """<script>
for (const node of document.querySelectorAll("[data-c]")) {
  node.addEventListener(node.dataset.c || "click", () => { document.title = "hit"; });
}
</script>"""
# Each draws one icon that a script makes a button.
ICONS: Final = (
    "<span class='g hand' data-c></span>",
    "<i class='g hand' data-c></i>",
    "<em class='end hand' data-c></em>",
    "<div class='g box hand' data-c></div>",
    "<div class='placed box hand' data-c></div>",
    "<div class='g flex hand' data-c></div>",
    "<span class='mask hand' data-c></span>",
    "<i class=hand data-c>&#xf015;</i>",
    "<span class=g data-c></span>",
    "<i class=g data-c=mousedown></i>",
    "<b class=g onclick='title=1'></b>",
    "<i data-c><svg width=20 height=20><rect width=20 height=20 /></svg></i>",
    "<span data-c><i class=g></i></span>",
)
# Nothing of these is a button.
NONE: Final = (
    "<span class=g></span>",
    "<div data-c style='width:200px;height:60px'><i class=g></i><i class=g></i></div>",
    "<span data-c></span>",
    "<i class=g hidden data-c></i>",
)


def test_icons_that_listen_are_buttons(shot: Shooter) -> None:
    """Each glyph with a listener is found, whatever draws it, and no other glyph."""
    rows = "".join(f"<div style='height:26px'>{html}</div>" for html in (*ICONS, *NONE))
    found = shot(STYLE + rows + SCRIPT).screen.elements
    kept = [item for item in found if item.role == "button"]

    assert [int((item.box.center.y - 20) // 26) for item in kept] == list(range(len(ICONS)))
    assert all(item.attributes["clickable"] == "true" for item in kept)


HOVER: Final = """<script>
for (const node of document.querySelectorAll("[data-h]")) {
  node.addEventListener(node.dataset.h || "mouseenter", () => { node.style.color = "red"; });
}
</script>"""
# Each is one thing that a script makes clickable by a listener above it, without a hand.
RESPONDING: Final = (
    "<div data-c><div data-h>Title</div></div>",
    "<div data-c><div data-h=mouseover>Title</div></div>",
    "<div data-c><div data-h=pointerenter>Title</div></div>",
    "<div data-c=mousedown><div data-h=pointerover>Title</div></div>",
    "<div data-c><p style='margin:0'><span data-h>Title</span></p></div>",
    "<div data-c><div><div><b data-h>Title</b></div></div></div>",
    "<div data-h data-c>Title</div>",
    "<div data-h data-c><div data-h>Title</div></div>",
    "<div data-c><div data-h><i class=g></i></div></div>",
    "<div data-c class=track><i tabindex=0 class=knob></i></div>",
    "<div data-c=pointerdown class=track><i tabindex=3 class=knob></i></div>",
)
# Of these nothing is a button: nobody listens for clicks, or only far above, or what marks
# itself holds others.
SILENT: Final = (
    "<div data-h>Title</div>",
    "<div><div data-h=mouseover>Title</div></div>",
    "<div data-c=keydown><div data-h>Title</div></div>",
    "<div data-c><div><div><div><div data-h>Title</div></div></div></div></div>",
    "<div data-c><div>Title</div></div>",
    "<div data-c=scroll><i tabindex=0 class=knob></i></div>",
    "<div data-c><i tabindex=-1 class=knob></i></div>",
    "<div data-c><i tabindex=0></i></div>",
    "<div data-c data-h><div><b>Title</b> <b>Start</b> <b>Finish</b></div></div>",
    "<div data-c data-h><div><i class=g></i> <i class=g></i> <i class=g></i></div></div>",
    "<table data-c><tr data-h><td>Title</table>",
    "<ul data-c style='margin:0'><li role=row data-h>Title</ul>",
)
KNOB: Final = """<style>.knob { display: inline-block; width: 14px; height: 14px;
  border: 1px solid; background: #eee } .track { height: 20px; width: 90px; background: #ddd }
</style>"""


def test_what_marks_itself_under_the_pointer_is_a_button(shot: Shooter) -> None:
    """Heads of columns and handles of sliders are found, and no tooltip's words."""
    rows = "".join(f"<div style='height:26px'>{html}</div>" for html in (*RESPONDING, *SILENT))
    found = shot(STYLE + KNOB + rows + SCRIPT + HOVER).screen.elements
    kept = [item for item in found if item.role == "button"]

    assert [int((item.box.center.y - 20) // 26) for item in kept] == list(range(len(RESPONDING)))


ROW: Final = "<ul>%s<li class='t hand' data-c>Two</li><li class='t hand' data-c>Three</li></ul>"
# What stands first in a row of three, and whether it is one of them.
FIRST: Final = {
    "<li class='t t-selected'>One</li>": True,
    "<li class='t active'>One</li>": True,
    "<li class='t tabChecked'>One</li>": True,
    "<li class='t is-current'>One</li>": True,
    "<li class='chosen t'>One</li>": True,
    "<li class='t selected' style='padding:4px'>One</li>": True,
    "<li class='t'>One</li>": False,
    "<li class='t inactive'>One</li>": False,
    "<li class='t unselected'>One</li>": False,
    "<li class='t disabled'>One</li>": False,
    "<li class='u selected'>One</li>": False,
    "<li class='t selected' style='height:80px'>One</li>": False,
}


@pytest.mark.parametrize("first", FIRST)
def test_what_is_chosen_of_a_row_is_one_of_it(shot: Shooter, first: str) -> None:
    """The selected tab shows no hand, and is a tab to everybody."""
    plain = "<style>li { display: inline-block; vertical-align: top }</style>"
    found = shot(STYLE + plain + ROW % first + SCRIPT).screen.elements
    kept = [item.name for item in found if item.role == "button"]

    assert kept == (["One", "Two", "Three"] if FIRST[first] else ["Two", "Three"])


MARK: Final = """<style>i { display: inline-block; width: 14px; height: 14px; vertical-align: top;
  background: linear-gradient(red, blue) } i:empty { cursor: default }</style>"""
# What closes or opens an item, or is its icon: in it or beside it, heard by an ancestor alone.
HANDLES: Final = {
    "<div><span role=tab>One</span><i class=tabCloseButton></i></div>": 2,
    "<div><i class=tabIcon></i><span role=tab>One</span><i class=x-close-btn></i></div>": 2,
    "<div role=tab class=framed>One of many tabs <i class=tab-close></i></div>": 2,
    "<div role=tab class=framed>One of many tabs <i class=close-icon></i></div>": 2,
    "<div><i class=treeExpando></i><span role=treeitem aria-expanded=false>One</span></div>": 2,
    "<div><i class=caret></i><b><span role=treeitem aria-expanded=true>One</span></b></div>": 2,
    "<div role=treeitem aria-expanded=true><i class=switcher></i> One of many items</div>": 2,
    "<div><span role=option>One</span><i class=chip-remove></i></div>": 2,
    "<div role=option class=framed>One of many options <i class=dismiss></i></div>": 2,
    "<div><i class=node-toggle></i><span role=treeitem aria-expanded=true>One</span></div>": 2,
    "<div><i class=treeExpando></i><span role=treeitem>One</span></div>": 1,
    "<div><i class=folderClosed></i><span role=treeitem aria-expanded=false>One</span></div>": 1,
    "<div><i class=folder-expanded></i><span role=treeitem aria-expanded=true>One</span></div>": 1,
    "<div><i class=treeIcon></i><span role=treeitem aria-expanded=true>One</span></div>": 1,
    "<div><i class=tabIcon></i><span role=tab>One</span></div>": 1,
    "<div><span role=tab>One</span><b class=close></b></div>": 1,
    "<div role=menuitem aria-expanded=false>One <i class=menuExpand></i></div>": 1,
    "<div><button class=hand>One <i class=arrow></i></button></div>": 1,
    "<div><div role=row><b><i class='toggle collapse'></i> Task</b></div></div>": 1,
    "<div><p role=row><b><i class=toggle></i> A</b><b><i class=expander></i> B</b></p></div>": 2,
    "<div><div role=row><b><i class=flag></i> Task</b></div></div>": 0,
    "<div><span role=tab>One</span><span role=tab>Two</span><i class=close></i></div>": 2,
}


@pytest.mark.parametrize("html", HANDLES)
def test_what_closes_a_tab_or_opens_an_item_is_a_control(shot: Shooter, html: str) -> None:
    """An arrow or a cross that shows no hand is known by what its class is called."""
    around = (
        f"<div id=w>{html}</div><script>w.onclick = null; w.addEventListener('click', () => 0)"
    )
    found = shot(STYLE + MARK + around + "</script>").screen.elements
    kept = [item for item in found if item.hits and item.role not in APART and item.hit]

    assert len(kept) == HANDLES[html]


def test_a_bar_that_follows_the_pointer_leaves_what_it_holds(shot: Shooter) -> None:
    """A toolbar that listens to all on it is no button; its icons, which show the hand, are."""
    icons = "<i class='g hand'></i> " * 3
    found = shot(STYLE + f"<div data-c data-h>{icons}</div>" + SCRIPT + HOVER).screen.elements
    kept = [item for item in found if item.role == "button"]

    assert len(kept) == 3
    assert max(item.box.width for item in kept) < 40


APART: Final = {"listbox", "paragraph", "text"}
# A control, what lies in it, and on which side of the inner one the outer's box lies.
INNER: Final = {
    "tab with a cross": "<div role=tab class='framed hand' data-c>One <b class=hand "
    "data-c>x</b></div>",
    "tab with a glyph": "<div role=tab class='framed hand' data-c>One <b class=g "
    "data-c></b></div>",
    "first in a tab": "<div role=tab class=framed data-c><b class=g data-c></b> One</div>",
    "arrow of an item": "<div role=tree><div role=treeitem><b class='g hand'></b> One "
    "item</div></div>",
    "box of an item": "<div role=tree><div role=treeitem><input type=checkbox> One "
    "item</div></div>",
    "split button": "<button>Save all <b data-c>v</b></button>",
    "chip": "<button class=framed data-c>Chip name <i data-c>x</i></button>",
    "row of options": "<div role=listbox><div role=option data-c><b data-c>*</b> Mail</div></div>",
    "menu item": "<div role=menu><div role=menuitem data-c>Open <b "
    "onclick='title=1'>x</b></div></div>",
    "link": "<a href=#a class=framed style='width:200px'>Chapter <button>x</button></a>",
    "switch in an option": "<div role=listbox><div role=option>Wi-Fi <i role=switch "
    "tabindex=0>o</i>"
    "</div></div>",
}  # fmt: skip


@pytest.mark.parametrize("case", INNER)
def test_a_control_in_a_control_is_one_of_its_own(shot: Shooter, case: str) -> None:
    """Both are found, both are hit at their middles, and no pixel belongs to both."""
    listened = "<script>document.body.addEventListener('click', () => 0)</script>"
    found = shot(STYLE + INNER[case] + listened + SCRIPT).screen.elements
    outer, inner = [item for item in found if item.hits and item.role not in APART]

    assert outer.hit
    assert inner.hit
    assert outer.box.intersection(inner.box) is None
    assert outer.box.area > inner.box.area


def test_items_of_a_tree_have_their_own_line(shot: Shooter) -> None:
    """The box of an item with items below it is what stands above them."""
    found = shot(
        "<body style='margin:0;font:16px/20px monospace'><ul role=tree style='margin:0;padding:0'>"
        "<li role=treeitem>Fruit<ul role=group style='margin:0'><li role=treeitem>Apple"
        "<li role=treeitem>Pear</ul></ul>"
    ).screen.elements
    boxes = {item.name.split()[0]: item.box for item in found if item.role == "treeitem"}

    assert boxes["Fruit"] == Box(0, 0, 400, 20)
    assert (boxes["Apple"].top, boxes["Pear"].top) == (20, 40)


# A control with something in it that is a part of it.
WHOLE: Final = (
    "<button class=hand data-c><i class=g></i> Save</button>",
    "<button><span class=hand data-c style='display:block;padding:4px'>Save</span></button>",
    "<a href=#a class=hand><b class=hand>More</b></a>",
    "<div role=tab class='framed hand' data-c><i class=g></i> One</div>",
    "<div role=combobox data-c tabindex=0><input style='width:95%'></div>",
)


@pytest.mark.parametrize("html", WHOLE)
def test_a_part_of_a_control_is_no_other_one(shot: Shooter, html: str) -> None:
    """An icon, a bold word or the whole caption of a control is no control in it."""
    found = shot(STYLE + html + SCRIPT).screen.elements
    assert [item.attributes.get("clickable") for item in found if item.role == "button"] in (
        [],
        [None],
    )


# What each button draws, and what sets of icons call it; "?" where nothing makes that sure.
NAMED: Final = {
    "<svg width=20 height=20><title>Delete</title><rect width=20 height=20 /></svg>": "delete",
    "<svg width=20 height=20><use href='#icon-trash' /></svg>": "icon-trash",
    "<svg class='bi bi-gear' width=20 height=20><rect width=20 height=20 /></svg>": "gear",
    "<svg data-lucide=bell width=20 height=20><rect width=20 height=20 /></svg>": "bell",
    "<svg width=20 height=20><rect width=20 height=20 /></svg>": "?",
    "<i class='fa fa-house'></i>": "",  # nothing is drawn
    "<svg style='opacity:0' width=20 height=20><title>Delete</title></svg>": "",
    "<svg style='visibility:hidden' width=20 height=20><title>Delete</title></svg>": "",
    "<svg style='display:none' width=20 height=20><title>Delete</title></svg>": "",
    "<svg width=4 height=4><title>Delete</title></svg>": "",  # too small to be seen
    "Save": "",
}


def test_icons_are_named_where_a_title_a_link_or_a_set_makes_them_sure(shot: Shooter) -> None:
    """A drawing without a name is unknown, and what is not drawn has none."""
    rows = "".join(f"<button aria-label=b{at}>{html}</button>" for at, html in enumerate(NAMED))
    taken = shot(f"{STYLE}<h1>Title</h1>{rows}")
    found = {item.name: item.attributes.get("icons", "") for item in taken.screen.elements}

    assert [found[f"b{at}"] for at in range(len(NAMED))] == list(NAMED.values())
