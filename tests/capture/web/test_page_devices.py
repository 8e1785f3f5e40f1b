"""
A phone and a tablet show pages as they do in the hand, and boxes lie where their pixels are.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Final

import numpy as np
import pytest
from PIL import Image

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings, device_settings
from surefoot.core.geometry import Box

Shooter = Callable[..., Capture]
VIEWPORT: Final = "<meta name=viewport content='width=device-width,initial-scale=1'>"
BUTTON: Final = (
    "<body style='margin:0'><button style='position:absolute;left:{left}px;top:200px;width:80px;"
    "height:40px;border:0;background:red;color:red'>Save</button>"
)
PHONE: Final = device_settings("phone", height=400, scale=1.5)


def red_box(captured: Capture) -> Box | None:
    """Return the box of what is red in a picture."""
    with Image.open(io.BytesIO(captured.png)) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    down, across = np.where((pixels[..., 0] > 200) & (pixels[..., 1:].max(axis=2) < 60))
    if not down.size:
        return None
    sides = across.min(), down.min(), across.max() + 1, down.max() + 1
    return Box(*map(float, sides))


@pytest.mark.browser
@pytest.mark.parametrize(
    ("page", "settings"),
    [
        pytest.param(VIEWPORT + BUTTON.format(left=100), PHONE, marks=pytest.mark.long),
        (BUTTON.format(left=100), PHONE),
        (VIEWPORT + BUTTON.format(left=100) + "<p style='width:700px'>wide", PHONE),
        pytest.param(
            VIEWPORT + BUTTON.format(left=100),
            device_settings("tablet", width=500, height=300),
            marks=pytest.mark.long,
        ),
    ],
    ids=["phone", "made for desktops", "wider than the phone", "tablet"],
)
def test_a_box_lies_where_its_pixels_are(shot: Shooter, page: str, settings: Settings) -> None:
    """Whatever width the page is laid out in, the box is that of the red pixels, within one."""
    captured = shot(page, settings=settings)
    (button,) = [item for item in captured.screen.elements if item.role == "button"]
    found = red_box(captured)

    assert found is not None
    assert button.box.as_tuple() == pytest.approx(found.as_tuple(), abs=1.0)
    assert button.hit
    assert captured.screen.width == settings.width * settings.scale


@pytest.mark.browser
def test_a_phone_is_touched_and_says_what_it_is(shot: Shooter) -> None:
    """Scripts see a phone; what lies right of its edge is not seen, though it is laid out."""
    says = (
        "<script>document.title = [/Mobile/.test(navigator.userAgent), 'ontouchstart' in window, \
matchMedia('(pointer: coarse)').matches, innerWidth]</script>"
    )
    page = VIEWPORT + BUTTON.format(left=600) + "<p style='width:700px'>wide"
    phone, desktop = shot(page + says, settings=PHONE), shot(page + says)

    assert phone.screen.title.startswith("true,true,true,")
    assert desktop.screen.title.startswith("false,")
    assert red_box(phone) is None
    (button,) = [item for item in phone.screen.elements if item.role == "button"]
    assert (button.visible_fraction, button.hit) == (0.0, False)
