"""
Described screens are read by the conventions that their files declare, or refused.
"""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import list_addresses, record_still
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.refer.generate.generate import direct, relational, targets
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.scene.scene import Scene

PAGE: Final = Path(__file__).parents[3] / "docs" / "screens-format.md"
EXAMPLE: Final[dict[str, Any]] = json.loads(
    PAGE.read_text("utf-8").split("```json\n")[1].split("```")[0]
)
SIZE: Final = (480, 360)
PLAIN: Final[dict[str, Any]] = {
    "version": 1, "box": "xyxy", "space": "pixels", "scale": 1, "role_space": "aria",
    "platform": "desktop",
}  # fmt: skip
Change = Callable[[dict[str, Any]], object]


def picture() -> Image.Image:
    """Draw the window of the page's example."""
    image = Image.new("RGB", SIZE, "#fafafa")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 480, 60), fill="#e5e5e5")
    for left, top, text in ((30, 18, "Save"), (12, 94, "Title"), (50, 154, "Wrap lines")):
        pen.text((left, top), text, fill="#111111", font=ImageFont.load_default(20))
    for dot in (432, 440, 448):
        pen.ellipse((dot, 27, dot + 4, 31), fill="#111111")
    pen.rectangle((120, 84, 462, 126), fill="white", outline="#777777", width=2)
    pen.rectangle((16, 156, 38, 178), outline="#111111", width=3)
    return image


def write(folder: Path, record: object, name: str = "a") -> Path:
    """Write a screen's two files."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(record), "utf-8")
    picture().save(folder / f"{name}.png")
    return folder


def recorded(folder: Path, name: str = "a", settings: Settings = Settings()) -> Capture:  # noqa: B008 - frozen
    """Return one screen of a folder."""
    (address,) = list_addresses(f"screens:{folder}#{name}")
    return record_still(address, settings)


def described(folder: Path, *elements: dict[str, Any], **told: object) -> Screen:
    """Return the screen of a description with these elements."""
    return recorded(write(folder, {**PLAIN, "elements": elements, **told})).screen


def by_id(screen: Screen) -> dict[str, Element]:
    """Return the elements by their ids."""
    return {element.id: element for element in screen.elements}


def one(**told: object) -> dict[str, Any]:
    """Return an element that is right but for what is told."""
    return {"id": "x", "role": "button", "box": [10, 10, 60, 40], **told}


def test_the_example_of_the_page_is_read(tmp_path: Path) -> None:
    """The documented file gives the window that it describes, in pixels of the picture."""
    screen = recorded(write(tmp_path / "notes", EXAMPLE)).screen
    found = by_id(screen)

    assert (screen.platform, screen.toolkit, screen.site) == ("desktop", "WinUI", "notes")
    assert (screen.scale, screen.locale, screen.title) == (1.5, "en-GB", "Notes")
    assert (screen.page, screen.width, screen.height) == ("notes/a", *SIZE)
    assert found["save"].box == Box(12, 9, 120, 51)
    assert found["w"].box == screen.bounds
    assert [element.role for element in screen.elements] == [
        "window", "toolbar", "button", "button", "text", "textbox", "checkbox",
    ]  # fmt: skip
    assert found["save"].name_boxes == found["save"].text_boxes != ()
    assert found["more"].states == ("collapsed",)
    assert (found["l"].text, found["t"].name_from) == ("Title", "label")
    assert all(
        element.hits == (True,) * 5 for element in screen.elements if element.name == "Save"
    )
    assert found["w"].hits == found["bar"].hits == ()


def test_questions_can_be_asked(tmp_path: Path) -> None:
    """The example has targets that can be named or placed by its pixels."""
    captured = recorded(write(tmp_path, EXAMPLE))
    pixels = np.asarray(Image.open(io.BytesIO(captured.png)))
    scene = Scene(captured.screen, pixels)

    assert {target.id for target in targets(scene)} == {"save", "more", "t", "wrap"}
    assert not isinstance(direct(scene, "save"), Rejection)
    assert not isinstance(direct(scene, "wrap"), Rejection)
    placed = [relational(scene, literal) for literal in ("more", "wrap")]
    assert not all(isinstance(item, Rejection) for item in placed)


@pytest.mark.parametrize(
    ("box", "told"),
    [
        ([24, 18, 144, 90], {}),
        ([24, 18, 120, 72], {"box": "xywh"}),
        ([12, 9, 72, 45], {"space": "logical", "scale": 2}),
        ([12, 9, 60, 36], {"space": "logical", "scale": 2, "box": "xywh"}),
        ([124, -2, 244, 70], {"origin": [100, -20]}),
        ([62, -1, 60, 36], {"origin": [50, -10], "space": "logical", "scale": 2, "box": "xywh"}),
        ([24, 18, 144, 90], {"scale": 2}),
    ],
)
def test_boxes_are_meant_as_declared(
    tmp_path: Path, box: list[float], told: dict[str, object]
) -> None:
    """The same place in any convention, space and origin is the same box."""
    (element,) = described(tmp_path, one(box=box), **told).elements

    assert element.box == Box(24, 18, 144, 90)


@pytest.mark.parametrize(
    ("space", "native", "role"),
    [
        ("uia", {"role": "Hyperlink"}, "link"),
        ("uia", {"role": "Edit", "subrole": "AXSwitch"}, "textbox"),
        ("ax", {"role": "AXPopUpButton"}, "combobox"),
        ("ax", {"role": "AXCheckBox", "subrole": "AXSwitch"}, "switch"),
        ("ax", {"role": "AXButton", "subrole": "AXCloseButton"}, "button"),
        ("aria", {"role": "menuitemradio"}, "menuitemradio"),
    ],
)
def test_native_roles_are_mapped(
    tmp_path: Path, space: str, native: dict[str, str], role: str
) -> None:
    """Each role space has its own words for a role."""
    (element,) = described(tmp_path, one(**native), role_space=space).elements

    assert element.role == role


def test_what_has_no_role_still_covers(tmp_path: Path) -> None:
    """A pane is no element, but hides what lies below it, and hands its parent on."""
    screen = described(
        tmp_path,
        one(id="under", role="Button"),
        one(id="pane", role="Pane", box=[0, 0, 35, 90]),
        one(id="in", role="Button", parent="pane", box=[0, 0, 9, 9]),
        role_space="uia",
    )

    under, inner = screen.elements
    assert under.visible_fraction == 0.5
    assert under.hits == (True, False, True, False, True)
    assert (inner.parent, inner.visible_fraction) == ("", 1.0)


@pytest.mark.parametrize(
    ("low", "high", "seen"),
    [
        ({}, {}, 0.0),
        ({}, {"opaque": False}, 1.0),
        ({"z": 1}, {}, 1.0),
        ({"z": 1}, {"z": 2}, 0.0),
        ({"z": -1}, {}, 0.0),
        ({"parent": "high"}, {}, 1.0),
    ],
)
def test_order_opacity_and_z_tell_what_covers(
    tmp_path: Path, low: dict[str, object], high: dict[str, object], seen: float
) -> None:
    """What is listed later covers, unless it is clear, lower, or an ancestor."""
    screen = described(tmp_path, one(id="low", **low), one(id="high", role="img", **high))

    assert by_id(screen)["low"].visible_fraction == seen


def test_z_counts_for_all_that_is_inside(tmp_path: Path) -> None:
    """What lies in a raised element is raised with it."""
    screen = described(
        tmp_path,
        one(id="menu", role="menu", z=5),
        one(id="item", role="menuitem", parent="menu"),
        one(id="page", role="img", box=[0, 0, 400, 300]),
    )

    assert by_id(screen)["item"].hits == (True,) * 5


def test_what_clips_cuts_off_what_it_holds(tmp_path: Path) -> None:
    """Half of a row is seen in a list that ends there."""
    screen = described(
        tmp_path,
        one(id="list", role="list", box=[0, 0, 60, 25], clips=True),
        one(id="row", role="option", parent="list"),
    )

    assert by_id(screen)["row"].visible_fraction == 0.5


def test_what_is_told_is_kept(tmp_path: Path) -> None:
    """Fractions, hits and boxes of words that the file tells are taken as they are."""
    told = one(
        text="OK", visible_fraction=0.5, hits=[False] * 5, name_boxes=[], text_boxes=[[1, 2, 3, 4]]
    )
    (element,) = described(tmp_path, told).elements

    assert (element.visible_fraction, element.hits) == (0.5, (False,) * 5)
    assert (element.name_boxes, element.text_boxes) == ((), (Box(1, 2, 3, 4),))


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"box": [60, 10, 10, 40]}, r"left <= right.* in shots/a\.json, elements\[0\]\.box"),
        ({"box": [10, 10, 10, 40]}, r"an area inside the picture, 480 x 360 .*elements\[0\]"),
        ({"box": [500, 10, 600, 40]}, "an area inside the picture"),
        ({"box": [-90, 10, -10, 40]}, "an area inside the picture"),
        (
            {"box": [1e308, 1, 1e308, 2]},
            r"at most 1e\+12 pixels in shots/a\.json, elements\[0\]\.box",
        ),
        ({"box": [10, 10, 60]}, r"elements\[0\]\.box"),
        ({"box": [10, 10, "60", 40]}, r"elements\[0\]\.box"),
        ({"box": [10, 10, float("nan"), 40]}, "docs/screens-format.md"),
        ({"box": [10, 10, float("inf"), 40]}, "docs/screens-format.md"),
        ({"text_boxes": [[1, 2, 3, 4], [5, 2, 3, 4]]}, r"elements\[0\]\.text_boxes\[1\]"),
        ({"id": ""}, r"elements\[0\]\.id"),
        ({"role": "Button"}, r"'aria' in shots/a\.json, elements\[0\]\.role, found 'Button'"),
        ({"parent": "y"}, r"elements\[0\]\.parent, found 'y'"),
        ({"parent": "x"}, "a cycle"),
        ({"states": ["on"]}, r"elements\[0\]\.states, found on"),
        ({"hits": [True]}, "0 or 5 hits"),
        ({"hits": [True] * 6}, r"elements\[0\]\.hits"),
        ({"visible_fraction": 1.5}, r"elements\[0\]\.visible_fraction"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_elements_are_refused_with_their_place(
    tmp_path: Path, told: dict[str, object], found: str
) -> None:
    """The message names folder, file, element and field."""
    with pytest.raises(CaptureError, match=found) as raised:
        described(tmp_path / "shots", one(**told))
    assert str(tmp_path) not in str(raised.value)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda record: record.pop("box"), "box"),
        (lambda record: record.pop("space"), "space"),
        (lambda record: record.pop("scale"), "scale"),
        (lambda record: record.update(scale=0), "scale"),
        (lambda record: record.update(box="ltrb"), "ltrb"),
        (lambda record: record.update(version=2), "version"),
        (lambda record: record.update(elements=[]), "elements"),
        (lambda record: record["elements"].append(record["elements"][0]), r"an id of its own"),
        (lambda record: record.update(origin=[1e308, 0], space="logical", scale=9), "finite"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, change: Change, found: str) -> None:
    """Nothing is guessed: a missing convention is an error, and so is a double id."""
    record = copy.deepcopy(EXAMPLE)
    change(record)
    with pytest.raises(CaptureError, match=found):
        recorded(write(tmp_path, record))


def test_a_long_cycle_is_refused(tmp_path: Path) -> None:
    """Three elements that hold one another are no tree."""
    ring = [one(id=str(at), parent=str((at + 1) % 3)) for at in range(3)]
    with pytest.raises(CaptureError, match="a cycle"):
        described(tmp_path, *ring)


def test_a_deep_tree_is_refused_at_once(tmp_path: Path) -> None:
    """Twenty thousand elements, each in the one before, are refused before they are sorted."""
    chain = [one(id=str(at), parent=str(at - 1) if at else "") for at in range(20_000)]
    with pytest.raises(CaptureError, match="400 levels"):
        described(tmp_path, *chain)


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff\xfe{}", b'{"version": 1}'])
def test_what_is_no_description_is_refused(tmp_path: Path, content: bytes) -> None:
    """Empty, deep and foreign files are one failed screen."""
    folder = write(tmp_path / "shots", EXAMPLE)
    write(folder, EXAMPLE, "good")
    (folder / "a.json").write_bytes(content)
    with pytest.raises(CaptureError, match=re.escape("shots/a.json")):
        recorded(folder)
    assert recorded(folder, "good").screen.elements


def test_limits_hold(tmp_path: Path) -> None:
    """A file with more elements than allowed is refused."""
    with pytest.raises(CaptureError, match="at most 3 elements"):
        recorded(write(tmp_path, EXAMPLE), settings=Settings(limits=Limits(nodes=3)))


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(field=st.sampled_from(sorted(EXAMPLE)), inner=st.booleans(), value=JSON)
def test_any_value_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, field: str, inner: bool, value: object
) -> None:
    """Nothing but a screen or a CaptureError comes out of a file with one foreign value."""
    folder = tmp_path_factory.getbasetemp() / "any"
    record = copy.deepcopy(EXAMPLE)
    if inner:
        record["elements"][2]["box" if field == "elements" else "name"] = value
    else:
        record[field] = value
    try:
        screen = recorded(write(folder, record)).screen
    except CaptureError:
        return
    assert all(element.box.intersection(screen.bounds) for element in screen.elements)
