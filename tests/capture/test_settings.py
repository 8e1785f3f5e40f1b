"""
Settings refuse what no capture can be made with.
"""

from __future__ import annotations

import math

import msgspec
import pytest

from surefoot.capture.settings import Limits, Settings, device_settings
from surefoot.core.errors import InvalidInputError, UnknownNameError


@pytest.mark.parametrize("bad", [{"width": 0}, {"scale": -1.0}, {"scale": math.inf}])
def test_empty_viewport_is_refused(bad: dict[str, float]) -> None:
    """A side or a scale that is not above 0 is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="above 0"):
        msgspec.structs.replace(Settings(), **bad)


def test_image_over_the_pixel_limit_is_refused() -> None:
    """The image is held to its limit before any browser is started."""
    assert Settings(width=1000, height=1000, limits=Limits(pixels=1_000_000)).width == 1000
    with pytest.raises(InvalidInputError, match="4000000"):
        Settings(width=1000, height=1000, scale=2.0, limits=Limits(pixels=1_000_000))


def test_limits_are_positive() -> None:
    """A limit of nothing would make every page a failure."""
    with pytest.raises(InvalidInputError, match="'unit_s'"):
        Limits(unit_s=0)


def test_settings_survive_json() -> None:
    """Settings travel in plans and come back equal."""
    settings = Settings(locale="th", limits=Limits(nodes=7))
    data = msgspec.json.encode(settings)
    assert msgspec.json.decode(data, type=Settings) == settings


def test_a_desktop_is_no_part_of_a_plan() -> None:
    """Plans and ids of before there were devices stay what they were; a phone is another plan."""
    plain = msgspec.to_builtins(Settings())
    phone = msgspec.to_builtins(device_settings("phone"))

    assert "device" not in plain
    assert device_settings("desktop") == Settings()
    assert msgspec.convert(phone, Settings) == device_settings("phone")
    assert phone["device"] == "phone"


def test_devices_are_refused_by_name_and_for_whole_pages() -> None:
    """No such device, and a whole page of one that is held in the hand: both are mistakes."""
    with pytest.raises(UnknownNameError, match="phone, tablet"):
        device_settings("watch")
    with pytest.raises(InvalidInputError, match="whole page"):
        device_settings("tablet", full_page=True)
