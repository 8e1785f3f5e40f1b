"""
Hidden elements are gone from the interface, and everything else is where it was.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.capture.captured import Capture
from surefoot.core.edit import Crop, Hide, Mask
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element
from surefoot.perturb.pixels import read_pixels, regions

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser
PAGE = """
<style>
  body { background: linear-gradient(90deg, rgb(200,220,240), rgb(240,220,200)); margin: 20px }
  #box { padding: 10px; display: inline-block; background: rgb(250,250,250) }
  b { visibility: visible !important; color: red }
  button::after { content: "!"; visibility: visible !important }
  button { transition: visibility 5s }
</style>
<p>before</p><div id=box><button>Save <b>now</b></button></div><a href=x>after</a>
<input placeholder="Words"><label><input type=checkbox> Agree</label>
"""


def pixels(found: Capture) -> Pixels:
    """Return a capture's pixels."""
    return read_pixels(found.png, (found.screen.width, found.screen.height))


def named(found: Capture, role: str) -> Element:
    """Return the first element of a role."""
    return next(element for element in found.screen.elements if element.role == role)


def changed(one: Capture, other: Capture) -> np.ndarray:
    """Return which pixels differ."""
    found: np.ndarray = (pixels(one) != pixels(other)).any(axis=2)
    return found


@pytest.mark.parametrize("role", ["button", "textbox", "checkbox", "link"])
def test_an_element_goes_and_nothing_moves(shot: Shooter, role: str) -> None:
    """It is on the screen no more, all others keep their boxes, and only its pixels change."""
    before = shot(PAGE)
    target = named(before, role)
    after = shot(PAGE, [Hide((target.id,))])
    (place,) = regions([target.box], pixels(before).shape)
    outside = changed(before, after)
    assert outside[place.slices].any()
    outside[place.slices] = False
    assert not outside.any()
    left = {element.id: element.box for element in after.screen.elements}
    assert target.id not in left
    held = {element.id for element in before.screen.elements if element.parent == target.id}
    expected = {element.id: element.box for element in before.screen.elements}
    del expected[target.id]
    assert left == {id_: box for id_, box in expected.items() if id_ not in held}
    assert after.screen.edits == (Hide((target.id,)),)


def test_what_lies_behind_is_seen(shot: Shooter) -> None:
    """Where a button was, with its bold word and its generated sign, is its panel's colour."""
    before = shot(PAGE)
    button = named(before, "button")
    after = pixels(shot(PAGE, [Hide((button.id,))]))
    (place,) = regions([button.box], after.shape)
    assert np.unique(after[place.slices].reshape(-1, 3), axis=0).tolist() == [[250, 250, 250]]


def test_what_lies_behind_is_clicked(shot: Shooter) -> None:
    """A link under a veil is hit once the veil is hidden."""
    page = (
        "<a href=x style='position:absolute;left:10px;top:10px'>Under</a>"
        "<button style='position:absolute;left:0;top:0;width:200px;height:90px'>Veil</button>"
    )
    before = shot(page)
    assert not named(before, "link").hit
    after = shot(page, [Hide((named(before, "button").id,))])
    assert named(after, "link").hit


def test_shadow_roots_and_frames_are_hidden_with_what_holds_them(shot: Shooter) -> None:
    """A group hides what is in its open shadow root and in its frame."""
    page = (
        "<div role=group aria-label=all><x-a></x-a>"
        "<iframe srcdoc='<button style=\"visibility:visible!important\">Framed</button>'></iframe>"
        "</div><button>Stays</button><script>document.querySelector('x-a')"
        ".attachShadow({mode:'open'}).innerHTML='<button style=\"visibility:visible\">In</button>'"
        "</script>"
    )
    before = shot(page)
    names = {element.name for element in before.screen.elements if element.role == "button"}
    assert names == {"Framed", "In", "Stays"}
    after = shot(page, [Hide((named(before, "group").id,))])
    assert {element.name for element in after.screen.elements if element.role == "button"} == {
        "Stays"
    }
    stays = next(element for element in after.screen.elements if element.name == "Stays")
    (place,) = regions([stays.box], pixels(after).shape)
    above = pixels(after)[: place.top]
    assert len(np.unique(above.reshape(-1, 3), axis=0)) == 1


def test_several_are_hidden_at_once(shot: Shooter) -> None:
    """Two elements of one edit go together; hiding them is the same twice."""
    before = shot(PAGE)
    ids = (named(before, "button").id, named(before, "link").id)
    one, other = (shot(PAGE, [Hide(ids)]) for _ in range(2))
    assert not {element.id for element in one.screen.elements} & set(ids)
    assert one.png == other.png


@pytest.mark.parametrize(
    "edit", [Hide(("nothing-1",)), Hide(()), Mask((Box(0, 0, 9, 9),), "static"), Crop(0, 0, 9, 9)]
)
def test_what_cannot_be_hidden_is_said(shot: Shooter, edit: Hide | Mask | Crop) -> None:
    """An unknown id, no id, and an edit of the picture are failures of the page."""
    with pytest.raises(CaptureError) as caught:
        shot("<button>a</button>", [edit])
    assert caught.value.reason == "edit-failed"
