"""
Edits on real pages: each changes what it says, once, and nothing is silently ignored.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import apply_edits, capture
from surefoot.capture.web.settle import settle
from surefoot.capture.web.shoot import ViewScale
from surefoot.capture.web.world import World
from surefoot.core.edit import (
    AddStyle,
    Crop,
    Edit,
    EnforceContrast,
    Paste,
    Reorder,
    ScaleText,
    Zoom,
)
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Point
from surefoot.core.screen import Element

Shooter = Callable[..., Capture]
Pages = Callable[..., Address]
pytestmark = pytest.mark.browser
SMALL = Settings(width=400, height=300)


def named(found: Capture, name: str) -> Element:
    """Return the first element of a name or text."""
    return next(
        element for element in found.screen.elements if name in (element.name, element.text)
    )


def pixel(found: Capture, point: Point) -> tuple[int, ...]:
    """Return a pixel's colour."""
    with Image.open(io.BytesIO(found.png)) as image:
        value = image.convert("RGB").getpixel((int(point.x), int(point.y)))
    assert isinstance(value, tuple)
    return value


def channels(color: str) -> list[float]:
    """Return red, green and blue of a CSS colour."""
    return [float(item) for item in re.findall(r"[\d.]+", color)[:3]]


def ratio(one: list[float], other: list[float]) -> float:
    """Return the contrast ratio of WCAG 2.2, from its definition."""

    def luminance(color: list[float]) -> float:
        parts = [
            value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
            for value in (item / 255 for item in color)
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_style_reaches_shadow_roots_and_frames(shot: Shooter) -> None:
    """A style sheet holds in the document, open shadow roots and frames, whatever the CSP."""
    page = (
        "<meta http-equiv=Content-Security-Policy content=\"style-src 'none'\">"
        "<button>Top</button><div id=h></div><iframe srcdoc='<button>Framed</button>'></iframe>"
        "<script>h.attachShadow({mode:'open'}).innerHTML='<button>Shadow</button>'</script>"
    )
    css = "button{background:rgb(1,2,3)!important;transition:background 9s}"
    found = shot(page, [AddStyle(css)])
    for name in ("Top", "Framed", "Shadow"):
        assert named(found, name).attributes["background"] == "rgb(1, 2, 3)"
    alone = shot(page, [AddStyle(css, top_only=True)])
    assert named(alone, "Shadow").attributes["background"] == "rgb(1, 2, 3)"
    assert named(alone, "Framed").attributes["background"] != "rgb(1, 2, 3)"


def test_text_is_scaled_once(shot: Shooter) -> None:
    """Nested texts, controls and em sizes shrink by one factor, and not below the floor."""
    page = (
        "<p style='font-size:20px'>a <a href=x style='font-size:1em'>b</a></p>"
        "<button style='font-size:40px'><span style='font-size:.5em'>c</span></button>"
        "<h1 style='font-size:12px'>d</h1><h2 style='font-size:9px'>e</h2>"
        "<input placeholder=f style='font-size:30px'>"
    )
    sizes = {
        element.name or element.text: element.font_px for element in shot(page).screen.elements
    }
    assert sizes == {"a b": 20, "b": 20, "c": 40, "d": 12, "e": 9, "f": 30}
    edit = ScaleText(0.8, 11)
    small = {
        element.name or element.text: element.font_px
        for element in shot(page, [edit]).screen.elements
    }
    assert small == {"a b": 16, "b": 16, "c": 32, "d": 11, "e": 9, "f": 24}
    large = shot(page, [ScaleText(2.0, 11)])
    assert {
        element.name or element.text: element.font_px for element in large.screen.elements
    } == {key: 2 * size for key, size in sizes.items()}


def test_reorder_moves_slots_with_their_labels(shot: Shooter) -> None:
    """Controls trade places in the given order; ids, labels and dividers keep theirs."""
    page = (
        "<ul style='margin:0'><li><label>A <input></label></li><li><label>B <input></label></li>"
        "<li>divider</li><li><label>C <input></label></li></ul>"
    )
    before = shot(page)
    a, b, c = (named(before, name) for name in "ABC")
    fields = [element for element in before.screen.elements if element.role == "textbox"]
    ids = [field.id for field in fields]
    after = shot(page, [Reorder(fields[0].group, (ids[2], ids[0], ids[1]))])
    moved = {
        element.id: element.box.top
        for element in after.screen.elements
        if element.role == "textbox"
    }
    tops = [field.box.top for field in fields]
    assert [moved[ids[2]], moved[ids[0]], moved[ids[1]]] == tops
    assert [named(after, name).id for name in "ABC"] == [a.id, b.id, c.id]
    assert named(after, "divider").box == named(before, "divider").box


@pytest.mark.parametrize("order", [(1, 0, 3, 2), (1, 2, 0, 3), (3, 0, 2, 1)])
def test_who_is_first_in_the_new_order_is_styled_so(order: tuple[int, ...], shot: Shooter) -> None:
    """Rules for the first hold for whom the order puts there, and no more for who was it."""
    rules = "a { font-size: 20px } li:first-child a { font-size: 30px }"
    items = "".join(f"<li><a href=#{number}>{number}</a>" for number in range(4))
    page = f"<style>{rules}</style><ul style='margin:0'>{items}</ul>"
    links = [element for element in shot(page).screen.elements if element.role == "link"]

    after = shot(page, [Reorder(links[0].group, tuple(links[at].id for at in order))])

    sizes = {element.id: element.font_px for element in after.screen.elements}
    assert [sizes[links[at].id] for at in order] == [30, 20, 20, 20]


@pytest.mark.parametrize(
    "edit",
    [
        Reorder("nowhere", ("a", "b")),
        AddStyle("this is no rule"),
        ScaleText(0.0),
        Zoom(0.0),
        EnforceContrast(30.0),
        Crop(0, 0, 10, 10),
        Paste("meadow", 0, 1920, 1080, 0, 40, 1.0),
    ],
)
def test_an_edit_that_fails_says_so(shot: Shooter, edit: Edit) -> None:
    """An edit that fits nothing is a failure of the page, never passed over."""
    with pytest.raises(CaptureError) as caught:
        shot("<button>a</button>", [edit])
    assert caught.value.reason == "edit-failed"


def test_reorder_wants_every_member_once(shot: Shooter) -> None:
    """A part of a group, a stranger or a repetition is refused."""
    page = "<div><a href=x>1</a><a href=y>2</a></div><button>3</button>"
    links = [element for element in shot(page).screen.elements if element.role == "link"]
    group, one, two = links[0].group, links[0].id, links[1].id
    for order in ((one,), (one, one), (one, "stranger"), (one, two, "stranger")):
        with pytest.raises(CaptureError, match="group"):
            shot(page, [Reorder(group, order)])


def test_nothing_of_the_page_runs_between_two_edits(shot: Shooter) -> None:
    """A page that counts how often it hears of changes hears of two edits once."""
    page = (
        "<nav><a href=x>1</a><a href=y>2</a></nav><p><a href=z>3</a><a href=w>4</a></p>"
        "<button>heard 0</button><script>let heard = 0; const seen = new MutationObserver(() => {"
        "document.querySelector('button').textContent = `heard ${++heard}`; });"
        "for (const part of document.querySelectorAll('nav, p')) "
        "seen.observe(part, {childList: true})</script>"
    )
    links = [element for element in shot(page).screen.elements if element.role == "link"]
    edits = [
        Reorder(links[at].group, (links[at + 1].id, links[at].id))
        for at in range(0, len(links), 2)
    ]
    assert named(shot(page, edits), "heard 1").role == "button"


def test_zoom_is_seen_by_media_queries(shot: Shooter) -> None:
    """Zooming out gives a wider viewport, smaller boxes and an image of the same size."""
    page = (
        "<style>body{margin:0}button{width:100px;height:40px;border:0}"
        "@media (min-width:500px){button{background:rgb(9,8,7)}}</style><button>a</button>"
    )
    before, after = shot(page), shot(page, [Zoom(0.5)])
    assert (after.screen.width, after.screen.height) == (400, 300)
    assert named(after, "a").box.as_tuple() == (0, 0, 50, 20)
    assert named(after, "a").id == named(before, "a").id
    assert pixel(after, Point(5, 5)) == (9, 8, 7)
    assert pixel(after, Point(52, 22)) == (255, 255, 255)


@pytest.mark.parametrize("factor", [0.7, 1.5, 1.1])
def test_zoomed_boxes_lie_on_their_pixels(shot: Shooter, factor: float) -> None:
    """At any zoom the border of a box is where the picture changes colour."""
    page = (
        "<body style='margin:0'><button style='position:absolute;left:60px;top:30px;"
        "width:100px;height:50px;border:0;background:rgb(200,0,0)' aria-label=a></button>"
    )
    found = shot(page, [Zoom(factor)])
    box = named(found, "a").box
    assert box.as_tuple() == pytest.approx(
        (60 * factor, 30 * factor, 160 * factor, 80 * factor), abs=0.01
    )
    for x, y, red in (
        (box.left + 1.5, box.top + 1.5, 200),
        (box.right - 1.5, box.bottom - 1.5, 200),
        (box.left - 1.5, box.top - 1.5, 255),
        (box.right + 1.5, box.bottom + 1.5, 255),
    ):
        assert pixel(found, Point(x, y))[0] == red


CONTRASTS = """<body style='margin:0'>
<p style='color:#777;background:#888'>plain</p>
<p style='color:#06c;background:#048'>hue</p>
<div style='background:#000;opacity:.5'><p style='color:#555'>faded</p></div>
<div style='position:relative;height:20px'><i style='position:absolute;inset:0;background:#111'>
</i><b style='position:relative;color:#222'>over</b></div>
<div style='background:linear-gradient(#fff,#000)'><p style='color:#888'>gradient</p></div>
<div style='background:url(data:image/png;base64,iVBORw0KGgo=)'><p>picture</p></div>
<input placeholder=hint style='color:#eee;background:#fff'><input value=typed
 style='color:#eee;background:#fff'><button style='color:#ddd;background:#eee'>press</button>
<p style='color:#000;background:#fff'>fine</p>
"""


def test_contrast_is_enforced(browser: Browser, address: Pages) -> None:
    """Every text reaches the minimum as the page itself is measured again afterwards."""
    with browser.visit(address(CONTRASTS), SMALL) as visit:
        world = World(visit.page)
        settle(visit, world)
        world.call(int, "assignIds")
        kind = list[tuple[str, float, bool]]
        before = world.call(kind, "contrasts")
        apply_edits(world, [EnforceContrast(4.5)], ViewScale.of(SMALL))
        after = world.call(kind, "contrasts")
    assert sum(value < 4.5 for _, value, _ in before) >= 8
    assert all(value >= 4.5 for _, value, _ in after)


PICTURE = (
    "<img alt='' src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' style='position:absolute;"
    "left:0;top:0;width:60px;height:40px'>"
)
AT = "position:absolute;margin:0;font:20px sans-serif;"


@pytest.mark.parametrize(
    "page",
    [
        (
            f"{PICTURE}<p style='{AT}left:0;top:0;width:300px;color:#fff'>Words</p>"
            f"<p style='{AT}left:200px;top:0;color:#000'>Others</p>"
        ),
        (
            f"<div style='{AT}inset:0;background:#333;opacity:.2'>{PICTURE}"
            f"<p style='{AT}left:0;top:0;color:#000'>Words</p></div>"
            f"<p style='{AT}left:200px;top:100px;color:#000'>Others</p>"
        ),
    ],
    ids=["a box that was filled", "an opacity that was raised"],
)
def test_contrast_is_enforced_on_what_it_changed(
    page: str, browser: Browser, address: Pages
) -> None:
    """Words that were dark on light are so again where what lies behind them became dark."""
    with browser.visit(address(f"<body style='margin:0;background:#fff'>{page}"), SMALL) as visit:
        world = World(visit.page)
        settle(visit, world)
        world.call(int, "assignIds")
        apply_edits(world, [EnforceContrast(4.5)], ViewScale.of(SMALL))
        after = world.call(list[tuple[str, float, bool]], "contrasts")

    assert len(after) == 2
    assert all(value >= 4.5 for _, value, _ in after)


def test_contrast_of_pixels(shot: Shooter) -> None:
    """By the pixels of the picture, text that could not be read can be read."""
    page = (
        "<body style='margin:0;background:#7a7a7a'><div style='opacity:.6;background:#909090;"
        "position:absolute;left:0;top:0'><p style='margin:0;font:bold 80px sans-serif;"
        "color:#8a8a8a'>III</p></div>"
    )
    for edits, holds in (((), False), ((EnforceContrast(4.5),), True)):
        found = shot(page, edits)
        box = found.screen.elements[0].box
        with Image.open(io.BytesIO(found.png)) as image:
            sides = [round(side) for side in box.as_tuple()]
            part = image.convert("RGB").crop((sides[0], sides[1], sides[2], sides[3]))
        counted = Counter(zip(*[iter(part.tobytes())] * 3, strict=True))
        one, other = ([float(item) for item in color] for color, _ in counted.most_common(2))
        assert (ratio(one, other) >= 4.45) is holds


def test_a_ground_below_the_page_is_seen(shot: Shooter) -> None:
    """White words on a dark bar of a negative z-index keep their colour, on a white page."""
    page = (
        "<body style='margin:0;background:#fff'><div style='position:absolute;inset:0 0 auto 0;"
        "height:90px;z-index:-1;background:#333'></div><p style='margin:0;font:bold 60px "
        "sans-serif;color:#fff'>III</p>"
    )

    assert shot(page, (EnforceContrast(4.5),)).png == shot(page, ()).png


def test_contrast_keeps_what_suffices(shot: Shooter) -> None:
    """Text with contrast enough keeps its colour; others take the nearest of their hue."""
    found = shot(CONTRASTS, [EnforceContrast(4.5)])
    colors = {element.text: element.attributes["color"] for element in found.screen.elements}
    assert colors["fine"] == "rgb(0, 0, 0)"
    red, green, blue = channels(colors["hue"])
    assert red < green < blue
    assert 4.5 <= ratio([red, green, blue], [0, 0x44, 0x88]) < 4.9


def test_transform_zoom_of_boxes(shot: Shooter) -> None:
    """Boxes, fonts and hits follow a transform of the body."""
    css = "body{transform:scale(.5);transform-origin:0 0;margin:0}"
    found = shot(
        "<button style='position:absolute;left:100px;top:40px;width:80px;height:40px;"
        "font-size:20px'>a</button><iframe style='position:absolute;left:200px;border:0' "
        "srcdoc='<body style=margin:0><button style=height:30px>b'></iframe>",
        [AddStyle(css, top_only=True)],
    )
    assert named(found, "a").box.as_tuple() == (50, 20, 90, 40)
    assert (named(found, "a").font_px, named(found, "a").hit) == (10, True)
    assert (named(found, "b").box.left, named(found, "b").box.height) == (100, 15)
    assert named(found, "b").hit


def test_edits_in_an_archive(browser: Browser, address: Pages) -> None:
    """All edits work in MHTML, where no timer or frame ever fires."""
    site = address("<div><a href=x>one</a><a href=y>two</a></div><p style='color:#ddd'>pale</p>")
    folder = site.spec.removeprefix("folder:").partition("#")[0]
    with browser.visit(site, SMALL) as visit:
        session = visit.page.context.new_cdp_session(visit.page)
        data = session.send("Page.captureSnapshot", {"format": "mhtml"})["data"]
    archive = Path(folder) / "page.mhtml"
    archive.write_text(data, encoding="utf-8", newline="")
    (kept,) = list_addresses(str(archive))
    original = capture(browser, kept, SMALL)
    links = [element for element in original.screen.elements if element.role == "link"]
    edits = (
        AddStyle("a{display:block}"),
        EnforceContrast(4.5),
        ScaleText(2.0),
        Reorder(links[0].group, (links[1].id, links[0].id)),
        Zoom(0.5),
    )
    found = capture(browser, kept, SMALL, edits=edits)
    assert named(found, "two").box.top < named(found, "one").box.top
    assert named(found, "one").font_px == named(original, "one").font_px
    assert named(found, "pale").attributes["color"] != "rgb(221, 221, 221)"


def test_what_floats_over_the_page_is_known(shot: Shooter) -> None:
    """All that a box fixed to the window holds names it, and a zoom shows it come into view."""
    page = (
        "<style>body{margin:0}.panel{position:fixed;left:450px;top:0;width:100px}</style>"
        "<button>Page</button><div class=panel><p>Chat</p><button>Send</button></div>"
    )
    screens = [shot(page).screen, shot(page, [Zoom(0.5)]).screen]
    told = [
        {
            found.name: (found.attributes.get("floating"), found.visible_fraction)
            for found in elements
        }
        for elements in (screen.elements for screen in screens)
    ]
    panel = told[0]["Send"][0]
    assert panel
    assert [names["Page"] for names in told] == [(None, 1), (None, 1)]
    assert [names["Send"] for names in told] == [(panel, 0), (panel, 1)]
