"""
Phone screens with their dumps become screens that questions can be asked about.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import is_still, list_addresses, record_still, stills_identity
from surefoot.core.canonical import sha256
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.screen import Element, Screen
from surefoot.refer.generate.generate import direct, relational, targets
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.scene.scene import Scene

Draw = Callable[[], Any]


def recorded(folder: Path, name: str, settings: Settings = Settings()) -> Capture:  # noqa: B008 - frozen
    """Return one screen of a folder."""
    (address,) = list_addresses(f"android:{folder}#{name}")
    return record_still(address, settings)


def named(screen: Screen, name: str) -> Element:
    """Return the one element whose name begins so."""
    (found,) = (element for element in screen.elements if element.name.startswith(name))
    return found


def scene_of(captured: Capture) -> Scene:
    """Return a scene with its pixels."""
    return Scene(captured.screen, np.asarray(Image.open(io.BytesIO(captured.png))))


def test_addresses_open_again_and_show_no_path(dumps: Path) -> None:
    """Each screen of a folder opens from its own specification, named by folder and file."""
    addresses = list_addresses(f"android:{dumps}")

    assert [item.page for item in addresses] == ["phone/dialog", "phone/form", "phone/settings"]
    assert {item.site for item in addresses} == {"phone"}
    for address in addresses:
        assert is_still(address)
        assert list_addresses(address.spec) == (address,)
    assert len(stills_identity(addresses)["android reader"]) == 16


def test_a_row_speaks_for_its_words_and_its_switch(dumps: Path) -> None:
    """A touchable row has the role and state of the switch that cannot be touched itself."""
    screen = recorded(dumps, "settings").screen

    wifi, bluetooth = named(screen, "Wi-Fi"), named(screen, "Bluetooth")
    assert (wifi.name, wifi.role, wifi.states) == (
        "Wi-Fi, Connected to Heron", "switch", ("checked",),
    )  # fmt: skip
    assert wifi.text == "Wi-Fi Connected to Heron"
    assert len(wifi.name_boxes) == 2
    assert (bluetooth.role, bluetooth.states) == ("switch", ())
    assert named(screen, "Display").role == "button"
    assert screen.element(wifi.parent) == next(x for x in screen.elements if x.role == "list")


def test_a_switch_that_can_be_touched_is_its_own(dumps: Path) -> None:
    """A row with a touchable switch stays a button, and the switch is a control in it."""
    screen = recorded(dumps, "settings").screen
    row = named(screen, "Location")
    (inner,) = (element for element in screen.elements if element.parent == row.id)

    assert row.role == "button"
    assert (inner.role, inner.states, inner.hit) == ("switch", ("checked",), True)


def test_icons_are_named_by_their_description(dumps: Path) -> None:
    """A description names what shows no words, and nothing spells it."""
    icon = named(recorded(dumps, "settings").screen, "Navigate up")

    assert (icon.role, icon.name_from, icon.name_boxes) == ("button", "aria-label", ())


def test_a_row_at_the_edge_is_cut(dumps: Path) -> None:
    """What reaches out of the picture is seen in part, and its lost words spell nothing."""
    row = named(recorded(dumps, "settings").screen, "About phone")

    assert 0.5 < row.visible_fraction < 0.6
    assert row.hits == (True, True, True, False, False)
    assert row.name_boxes == ()


def test_a_form_has_fields_with_hints_and_values(dumps: Path) -> None:
    """A hint names a field and is spelled only while the field is empty."""
    screen = recorded(dumps, "form").screen
    name, email, password = (
        named(screen, literal) for literal in ("Full name", "Email", "Password")
    )

    assert {element.role for element in (name, email, password)} == {"textbox"}
    assert {element.name_from for element in (name, email, password)} == {"placeholder"}
    assert (name.text, name.name_boxes) == ("Ada Park", ())
    assert email.name_boxes
    assert email.attributes["placeholder"] == "Email"
    assert (password.attributes["type"], password.text) == ("password", "")


def test_a_form_has_boxes_sliders_and_buttons(dumps: Path) -> None:
    """Checkable, adjustable and disabled views have their roles and states."""
    screen = recorded(dumps, "form").screen

    assert named(screen, "Send me news").role == "checkbox"
    assert named(screen, "Yearly").states == ("checked",)
    assert screen.element(named(screen, "Yearly").parent) is not None
    assert named(screen, "Text size").role == "slider"
    assert named(screen, "Text size").text == ""
    assert named(screen, "Cancel").states == ("disabled",)


def test_a_dialog_covers_the_page(dumps: Path) -> None:
    """What lies under a dialog is neither seen nor hit; the dialog is no button itself."""
    screen = recorded(dumps, "dialog").screen
    draft = named(screen, "Open draft")

    assert (draft.visible_fraction, any(draft.hits), draft.text) == (0.0, False, "")
    assert named(screen, "Delete this draft?").role == "text"
    assert named(screen, "Keep").hits == (True,) * 5


def test_the_screen_says_where_it_is_from(dumps: Path) -> None:
    """Program, platform, size and the picture's own bytes are recorded."""
    captured = recorded(dumps, "form", Settings(locale="fr-FR"))
    screen = captured.screen

    assert (screen.platform, screen.toolkit, screen.site) == (
        "mobile",
        "Android",
        "org.example.phone",
    )
    assert (screen.width, screen.height, screen.locale) == (540, 960, "fr-FR")
    assert captured.png == (dumps / "form.png").read_bytes()
    assert screen.image == sha256(captured.png)
    assert str(dumps.parent) not in screen.page
    assert len({element.id for element in screen.elements}) == len(screen.elements)


def test_labels_are_the_same_wherever_the_folder_lies(dumps: Path, tmp_path: Path) -> None:
    """The same files in another place give the same screen but for where it opens."""
    other = tmp_path / "elsewhere" / "phone"
    other.parent.mkdir()
    here = recorded(dumps, "form").screen
    dumps.rename(other)
    there = recorded(other, "form").screen

    assert there == msgspec.structs.replace(here, source=there.source)


@pytest.mark.parametrize(
    ("name", "asked", "directly", "beside"),
    [
        ("settings", 7, {"Wi-Fi, Connected to Heron", "Bluetooth, Visible as Pocket"}, 3),
        ("form", 8, {"Email", "Send me news", "Monthly", "Yearly", "Sign up"}, 5),
        ("dialog", 3, {"Keep", "Delete", "Compose"}, 1),
    ],
)
def test_questions_can_be_asked(
    dumps: Path, name: str, asked: int, directly: set[str], beside: int
) -> None:
    """On drawn screens there are targets, direct and relational expressions by the pixels."""
    scene = scene_of(recorded(dumps, name))
    found = targets(scene)

    assert len(found) == asked
    said = {
        element.name for element in found if not isinstance(direct(scene, element.id), Rejection)
    }
    assert directly <= said
    placed = [
        element for element in found if not isinstance(relational(scene, element.id), Rejection)
    ]
    assert len(placed) >= beside


@pytest.mark.parametrize(("kind", "suffix"), [("PNG", ".png"), ("JPEG", ".jpg")])
def test_rico_is_scaled_to_its_picture(
    phones: dict[str, Draw], tmp_path: Path, kind: str, suffix: str
) -> None:
    """A RICO hierarchy gives the boxes and roles of the dump, in the smaller picture."""
    phone = phones["form"]()
    for form, content in (("rico", phone.rico()), ("dump", phone.xml())):
        folder = tmp_path / form
        folder.mkdir()
        end = ".json" if form == "rico" else ".xml"
        (folder / f"form{end}").write_text(content, "utf-8")
    (tmp_path / "dump" / "form.png").write_bytes(phone.picture())
    (tmp_path / "rico" / f"form{suffix}").write_bytes(phone.picture(kind, (1080, 1920)))
    small, large = (recorded(tmp_path / literal, "form") for literal in ("dump", "rico"))

    assert large.png.startswith(b"\x89PNG")
    assert (large.screen.width, large.screen.height) == (1080, 1920)
    boxes = {element.id: element.box for element in small.screen.elements}
    for element in large.screen.elements:
        true = boxes[element.id].scaled(2).as_tuple()
        assert element.box.as_tuple() == pytest.approx(true, abs=0.51 * 1080 / 1440)
    assert [element.role for element in large.screen.elements] == [
        element.role for element in small.screen.elements
    ]


def test_jpeg_pixels_are_kept(phones: dict[str, Draw], tmp_path: Path) -> None:
    """A JPEG is written again as a PNG of exactly the pixels that it decodes to."""
    phone = phones["dialog"]()
    (tmp_path / "a.jpeg").write_bytes(phone.picture("JPEG"))
    (tmp_path / "a.xml").write_text(phone.xml(), "utf-8")
    captured = recorded(tmp_path, "a")

    decoded = (Image.open(file) for file in (tmp_path / "a.jpeg", io.BytesIO(captured.png)))
    one, other = (np.asarray(image) for image in decoded)
    assert np.array_equal(one, other)
    assert recorded(tmp_path, "a").png == captured.png


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda folder: (folder / "form.png").unlink(), "missing-picture"),
        (lambda folder: (folder / "form.jpg").write_bytes(b""), "missing-picture"),
        (lambda folder: (folder / "form.json").write_text("{}"), "missing-file"),
        (lambda folder: (folder / "form.xml").write_text("<hierarchy/>"), "bad-tree"),
        (lambda folder: Image.new("RGB", (400, 700)).save(folder / "form.png"), "bad-box"),
    ],
)
def test_a_bad_screen_fails_alone(
    dumps: Path, change: Callable[[Path], object], reason: str
) -> None:
    """A screen whose files do not fit is named; the others are still recorded."""
    change(dumps)
    with pytest.raises(CaptureError, match="phone/form") as raised:
        recorded(dumps, "form")

    assert raised.value.reason == reason
    assert str(dumps.parent) not in str(raised.value)
    assert recorded(dumps, "dialog").screen.elements


def test_a_picture_of_other_proportions_is_not_stretched(
    phones: dict[str, Draw], tmp_path: Path
) -> None:
    """A picture that cannot show RICO's screen is refused."""
    phone = phones["form"]()
    (tmp_path / "a.json").write_text(phone.rico(), "utf-8")
    (tmp_path / "a.png").write_bytes(phone.picture(size=(600, 960)))
    with pytest.raises(CaptureError, match=r"1440 to 2560.*600 x 960"):
        recorded(tmp_path, "a")


def test_a_deep_hierarchy_is_refused(tmp_path: Path) -> None:
    """A RICO tree that no screen has fails its screen."""
    deep = '{"bounds": [0, 0, 9, 9], "children": ['
    tree = deep * 450 + "null" + "]}" * 450
    (tmp_path / "a.json").write_text(f'{{"activity": {{"root": {tree}}}}}', "utf-8")
    Image.new("RGB", (144, 256)).save(tmp_path / "a.png")
    with pytest.raises(CaptureError, match=r"400 levels|RICO"):
        recorded(tmp_path, "a")


def test_limits_hold(dumps: Path) -> None:
    """A screen with more views than allowed is refused."""
    with pytest.raises(CaptureError, match="at most 5 nodes"):
        recorded(dumps, "form", Settings(limits=Limits(nodes=5)))


@pytest.mark.parametrize("rest", ["", "absent", "absent#form"])
def test_a_folder_that_is_none_is_the_callers_mistake(rest: str) -> None:
    """No folder, no screens."""
    with pytest.raises(InvalidInputError, match="a folder of screens"):
        list_addresses(f"android:{rest}")


def test_a_folder_without_dumps_says_what_to_give(tmp_path: Path) -> None:
    """Pictures alone are no screens."""
    Image.new("RGB", (9, 9)).save(tmp_path / "a.png")
    with pytest.raises(InvalidInputError, match=r"\.xml or \.json.*android:DIR"):
        list_addresses(f"android:{tmp_path}")


# The size of a picture, the windows of a dump, and whether they are of one screen.
WINDOWS: dict[str, tuple[tuple[int, int], tuple[str, ...], bool]] = {
    "the same": ((108, 234), ("[0,0][108,234]",), True),
    "without the bar below": ((108, 192), ("[0,0][108,179]",), True),
    "without the bar beside": ((192, 108), ("[0,0][179,108]",), True),
    "under the bar above": ((108, 234), ("[0,8][108,234]",), True),
    "a dialog alone": ((108, 234), ("[6,60][102,140]",), True),
    "a page and a dialog": ((108, 234), ("[0,0][108,234]", "[6,60][102,140]"), True),
    "a page and a keyboard": ((108, 234), ("[0,0][108,150]", "[0,150][108,234]"), True),
    "a page and bars": ((108, 234), ("[0,0][108,8]", "[0,8][108,220]", "[0,220][108,234]"), True),
    "a pixel short": ((108, 234), ("[0,0][107,233]",), True),
    "picture larger by half": ((162, 351), ("[0,0][108,234]",), False),
    "picture twice as large": ((216, 468), ("[0,0][108,234]",), False),
    "picture larger, without a bar": ((144, 312), ("[0,0][108,220]",), False),
    "picture smaller": ((72, 156), ("[0,0][108,234]",), False),
    "picture a little larger": ((112, 242), ("[0,0][108,234]",), False),
    "picture turned": ((234, 108), ("[0,0][108,234]",), False),
    "dump turned": ((108, 234), ("[0,0][234,108]",), False),
    "a taller device": ((108, 240), ("[0,0][108,192]",), False),
    "a wider device": ((160, 108), ("[0,0][108,108]",), False),
    "larger, with a dialog": ((216, 468), ("[0,0][108,234]", "[6,60][102,140]"), False),
    "larger, with bars": ((216, 468), ("[0,0][108,8]", "[0,8][108,234]"), False),
}


@pytest.mark.parametrize("how", WINDOWS)
def test_a_dump_of_another_size_is_refused(tmp_path: Path, how: str) -> None:
    """Windows that do not fill a picture are of another one, but for bars of the system."""
    size, windows, fits = WINDOWS[how]
    button = '<node class="android.widget.Button" text="OK" clickable="true" bounds="{}"/>'
    nodes = "".join(
        f'<node class="android.view.View" bounds="{bounds}">{button.format(bounds)}</node>'
        for bounds in windows
    )
    (tmp_path / "a.xml").write_text(f"<hierarchy>{nodes}</hierarchy>")
    Image.new("RGB", size, "#ddd").save(tmp_path / "a.png")

    if fits:
        assert recorded(tmp_path, "a").screen.width == size[0]
    else:
        with pytest.raises(CaptureError) as caught:
            recorded(tmp_path, "a")
        assert caught.value.reason == "bad-box"
