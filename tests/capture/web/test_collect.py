"""
What the one pass finds: roles, names, text, visibility, hits, states, groups, ids.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.core.screen import Element

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser

ROLES = """
<a href=x>link</a><a>text</a><button>button</button><input type=submit value=button>
<input type=checkbox aria-label=checkbox><input type=radio aria-label=radio>
<input aria-label=textbox><input type=search aria-label=searchbox>
<input type=number aria-label=spinbutton><input type=range aria-label=slider>
<input list=l aria-label=textbox><input role=combobox type=search aria-label=searchbox>
<input type=date aria-label=textbox><div role=combobox>combobox</div>
<select aria-label=combobox><option>1</select><select multiple aria-label=listbox></select>
<textarea aria-label=textbox></textarea><h3>heading</h3><img alt=img src=x>
<div role="nonsense tab">tab</div><div role=switch>switch</div><button role=none>button</button>
<details><summary>button</summary></details><a role=button href=x>button</a>
<ul role=none><li>text</li></ul>
"""

NAMES = """
<label for=a>label</label><input id=a title=no placeholder=no>
<label>label <input></label>
<input placeholder=placeholder><input title=title placeholder=no>
<span id=r>aria-labelled</span><button aria-labelledby="r s" aria-label=no>no</button>
<span id=s hidden>by</span><button aria-label=aria-label>no</button>
<button>con<b>tent</b><span style="display:none">no</span><span aria-hidden=true>no</span></button>
<button><img alt=picture src=x> content</button><input type=button value=value>
<button title=title></button><img alt=alt src=x>
<style>.p::before{content:"content "}.i::before{content:"\\f015"}</style>
<a href=x class=p>after</a><a href=x class=i>content</a>
<fieldset><legend>legend</legend></fieldset><table><caption>caption</caption><tr><td>1</table>
"""


def find(found: Capture, role: str, name: str = "") -> Element:
    """Return the one element of a role (and name)."""
    matches = [
        element
        for element in found.screen.elements
        if element.role == role and (not name or element.name == name)
    ]
    assert len(matches) == 1, [(element.role, element.name) for element in found.screen.elements]
    return matches[0]


def test_roles(shot: Shooter) -> None:
    """Each element has the role that it bears as its name or text."""
    found = shot(ROLES).screen.elements
    wrong = [
        (element.role, element.name or element.text)
        for element in found
        if element.role not in ("group", "rowgroup")
        and element.role != (element.name or element.text)
    ]
    assert not wrong
    assert len(found) == 26


def test_names(shot: Shooter) -> None:
    """Names come from the first source of the accname order, hidden parts left out."""
    found = [
        (element.name, element.name_from)
        for element in shot(NAMES).screen.elements
        if element.role not in ("text", "caption", "legend") and element.name
    ]
    assert found == [
        ("label", "label"),
        ("label", "label"),
        ("placeholder", "placeholder"),
        ("title", "title"),
        ("aria-labelled by", "aria-labelledby"),
        ("aria-label", "aria-label"),
        ("content", "content"),
        ("picture content", "content"),
        ("picture", "alt"),
        ("value", "value"),
        ("title", "title"),
        ("alt", "alt"),
        ("content after", "content"),
        ("content", "content"),
        ("legend", "legend"),
        ("caption", "caption"),
        ("1", "content"),
        ("1", "content"),
    ]


def test_name_boxes_are_where_the_name_is_spelled(shot: Shooter) -> None:
    """A label spells its field's name; an aria-label that nothing shows has no boxes."""
    found = shot(
        "<label for=a>Mail</label><br><input id=a><button aria-label=Close>x</button>"
        "<button aria-label=send>Send</button><button>In<span style='position:absolute;"
        "width:1px;height:1px;overflow:hidden'>visible</span></button>"
    )
    field = find(found, "textbox")
    assert field.name_boxes
    assert field.name_boxes == find(found, "text", "Mail").text_boxes
    assert field.attributes["labelled"] == "true"
    assert find(found, "button", "Close").name_boxes == ()
    assert len(find(found, "button", "send").name_boxes) == 1
    assert find(found, "button", "In visible").name_boxes == ()


def test_a_name_that_is_cut_off_is_not_spelled(shot: Shooter) -> None:
    """Text that an ancestor clips keeps clipped text boxes and loses its name boxes."""
    found = shot(
        "<div style='width:60px;overflow:hidden;white-space:nowrap'>"
        "<button style='border:0;padding:0'>A rather long name indeed</button></div>"
    )
    button = find(found, "button")
    assert button.name_boxes == ()
    assert button.text_boxes[0].right == pytest.approx(68, abs=0.5)
    assert 0.2 < button.visible_fraction < 0.6


def test_covered_text_is_not_spelled(shot: Shooter) -> None:
    """A painted box over a label takes its name boxes and hits; a clear one only hits."""
    page = (
        "<button style='position:absolute;left:20px;top:20px'>Go</button>"
        "<div style='position:absolute;inset:0;background:{}'></div>"
    )
    painted = find(shot(page.format("#fff")), "button")
    clear = find(shot(page.format("none")), "button")
    assert (painted.name_boxes, any(painted.hits)) == ((), False)
    assert (len(clear.name_boxes), any(clear.hits)) == (1, False)


@pytest.mark.parametrize(
    ("style", "fraction"),
    [
        ("left:350px", 0.5),
        ("left:-50px", 0.5),
        ("top:280px", 0.5),
        ("opacity:0", 0),
        ("left:500px", 0),
        ("clip-path:inset(0 50% 0 0)", 0.5),
        ("clip:rect(0,25px,40px,0)", 0.25),
        ("", 1),
    ],
)
def test_visible_fraction(shot: Shooter, style: str, fraction: float) -> None:
    """The visible fraction is the share of the box inside the viewport and its clips."""
    found = shot(
        "<body style='margin:0'><button style='position:absolute;width:100px;height:40px;"
        f"{style}'>Go</button>"
    )
    assert find(found, "button").visible_fraction == pytest.approx(fraction, abs=0.001)


@pytest.mark.parametrize(
    "gone", ["display:none", "visibility:hidden", "content-visibility:hidden"]
)
def test_what_is_not_rendered_is_not_recorded(shot: Shooter, gone: str) -> None:
    """Elements that are not rendered are no elements of the screen."""
    found = shot(f"<div style='{gone}'><button>Gone</button></div><button>Here</button>")
    assert [element.name for element in found.screen.elements] == ["Here"]


def test_clips_follow_containing_blocks(shot: Shooter) -> None:
    """An absolute child escapes the overflow of a static parent, and of no positioned one."""
    page = (
        "<div style='width:50px;height:50px;overflow:hidden;{}'>"
        "<button style='position:absolute;left:100px;top:100px'>Go</button></div>"
    )
    assert find(shot(page.format("")), "button").visible_fraction == 1
    assert find(shot(page.format("position:relative")), "button").visible_fraction == 0


def test_hits(shot: Shooter) -> None:
    """A hit is the element or its part, a label too; what is left beside a control is hit."""
    found = shot(
        "<div role=button style='width:200px;height:40px;text-align:center'>"
        "<a href=x style='display:inline-block;width:40px;height:40px'>in</a></div>"
        "<button style='width:100px;height:40px'><b>part</b></button>"
        "<label style='position:relative'><input type=checkbox><i style='position:absolute;"
        "inset:0;background:#ccc'></i> tick</label>"
        "<button style='pointer-events:none'>dead</button>"
    )
    assert find(found, "button", "in").hits == (True,) * 5
    assert find(found, "button", "in").box.intersection(find(found, "link").box) is None
    assert find(found, "link").hit
    assert find(found, "button", "part").hits == (True,) * 5
    assert find(found, "checkbox").hit
    assert not any(find(found, "button", "dead").hits)


def test_containers_are_not_hit_tested(shot: Shooter) -> None:
    """What only holds others has no hits at all."""
    assert find(shot("<nav><a href=x>a</a></nav>"), "navigation").hits == ()


def test_states(shot: Shooter) -> None:
    """States are those of the control now, and nothing has the focus."""
    found = shot(
        "<input type=checkbox checked disabled><button aria-expanded=false aria-pressed=true>b"
        "</button><input autofocus required readonly aria-invalid=true>"
    )
    assert find(found, "checkbox").states == ("checked", "disabled")
    assert find(found, "button").states == ("collapsed", "pressed")
    assert find(found, "textbox").states == ("invalid", "readonly", "required")


def test_attributes(shot: Shooter) -> None:
    """Attributes are there where they apply, and only there."""
    found = shot(
        "<select style='color:#010203;background:#fff'><option>One<option label=Two>2</select>"
        "<input type=email placeholder=Mail autocomplete=email style='background:none'>"
    )
    assert find(found, "combobox").attributes == {
        "tag": "select",
        "options": "One\x1fTwo",
        "color": "rgb(1, 2, 3)",
        "background": "rgb(255, 255, 255)",
    }
    assert find(found, "textbox").attributes == {
        "tag": "input",
        "type": "email",
        "placeholder": "Mail",
        "autocomplete": "email",
        "editable": "true",
        "color": "rgb(0, 0, 0)",
    }


def test_text_is_what_can_be_read(shot: Shooter) -> None:
    """Text is transformed as shown, with hidden parts left out and blocks apart."""
    found = shot(
        "<h1 style='text-transform:uppercase'>big<br>news<sup hidden>no</sup></h1>"
        "<button>one<div>two</div></button><div>loose <b>bold</b><p>apart</p></div>"
    )
    assert find(found, "heading").text == "BIG NEWS"
    assert find(found, "heading").name == "big news"
    assert find(found, "button").text == "one two"
    assert find(found, "text").text == "loose bold"
    assert find(found, "paragraph").text == "apart"


def test_painted_control_text_has_a_place(shot: Shooter) -> None:
    """A placeholder is text inside its field, a password is none."""
    found = shot(
        "<input placeholder=Mail style='width:200px'><input type=password value=secret>"
        "<input type=submit value=Send style='width:200px'>"
    )
    field = find(found, "textbox", "Mail")
    (line,) = field.text_boxes
    assert field.box.left < line.left < line.right < field.box.left + 60
    assert find(found, "button").text_boxes[0].center.x == pytest.approx(
        find(found, "button").box.center.x, abs=1
    )
    assert [element.text for element in found.screen.elements] == ["Mail", "", "Send"]


def test_shadow_and_frames(shot: Shooter) -> None:
    """Elements in open shadow roots and same-origin frames lie where they are painted."""
    found = shot(
        "<body style='margin:0'><div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML"
        "='<button>Shadow</button><slot></slot>'</script>"
        "<iframe style='position:absolute;left:100px;top:50px;border:5px solid;padding:3px;"
        "width:200px;height:100px' srcdoc='<body style=\"margin:0\">"
        '<button style="position:absolute;left:10px;top:20px;width:40px;height:20px">Framed'
        '</button><button style="position:absolute;top:300px">Below</button>\'></iframe>'
    )
    assert find(found, "button", "Shadow").hit
    framed = find(found, "button", "Framed")
    assert framed.box.as_tuple() == (118, 78, 158, 98)
    assert framed.hits == (True,) * 5
    assert find(found, "button", "Below").visible_fraction == 0


def test_scaled_boxes_and_fonts(shot: Shooter) -> None:
    """At scale 2 the image, the boxes and the fonts are twice as large."""
    page = "<body style='margin:0'><button style='width:100px;height:40px;font-size:10px'>Go"
    found = shot(page, settings=Settings(width=400, height=300, scale=2.0))
    button = find(found, "button")
    assert (found.screen.width, found.screen.height) == (800, 600)
    assert button.box.as_tuple() == (0, 0, 200, 80)
    assert button.font_px == 20


def test_parents(shot: Shooter) -> None:
    """A parent is the nearest recorded ancestor."""
    found = shot("<nav><div><ul><li><a href=x>a</a></ul></div></nav>")
    link, item = find(found, "link"), find(found, "listitem")
    assert link.parent == item.id
    assert find(found, "list").parent == find(found, "navigation").id


def test_groups(shot: Shooter) -> None:
    """Slots of one parent share a group; stray labels and loose text take it away."""
    found = shot(
        "<ul><li><a href=x>one</a></li><li><a href=y>two</a></li></ul>"
        "<form><div><label>A <input></label></div><div><label>B <input></label></div></form>"
        "<div><label for=p>P</label><input type=radio id=p><label for=q>Q</label>"
        "<input type=radio id=q></div>"
        "<div>Go <button>left</button> or <button>right</button></div>"
    )
    groups = {
        element.name: element.group for element in found.screen.elements if element.role != "text"
    }
    assert groups["one"] == groups["two"] != ""
    assert groups["A"] == groups["B"] not in ("", groups["one"])
    assert [groups[name] for name in ("P", "Q", "left", "right")] == ["", "", "", ""]


def test_ids_do_not_touch_the_page(shot: Shooter) -> None:
    """Ids are unique, the same at each load, and no attribute of the page."""
    page = "<button>a</button><button>b</button><style>[id],[data-id]{display:none}</style>"
    first, second = shot(page).screen.elements, shot(page).screen.elements
    assert first == second
    assert len({element.id for element in first}) == 2


def test_hostile_prototypes(shot: Shooter) -> None:
    """A page that breaks every built-in of its own world is measured all the same."""
    found = shot(
        "<button>Safe</button><script>Array.prototype.toJSON=()=>'no';Array.prototype.map=null;"
        "Element.prototype.getBoundingClientRect=()=>({left:0,top:0,width:0,height:0});"
        "window.getComputedStyle=null;document.querySelectorAll=null</script>"
    )
    assert find(found, "button", "Safe").hit
