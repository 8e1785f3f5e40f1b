"""
Screens made by hand, for draws that need no browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

ScreenMaker = Callable[..., Screen]


@pytest.fixture
def screen_of() -> ScreenMaker:
    """Make a screen from the sizes of its groups, controls listed in page order."""

    def make(groups: Mapping[str, int], page: str = "page") -> Screen:
        elements = tuple(
            Element(
                id=f"{group or 'alone'}-{index}",
                role="button",
                box=Box.from_xywh(100.0 * index, 10.0, 90.0, 20.0),
                visible_fraction=1.0,
                hits=(True,) * 5,
                group=group,
            )
            for group, size in groups.items()
            for index in range(size)
        )
        return Screen(
            id=page,
            page=page,
            source="by hand",
            image="",
            width=800,
            height=600,
            scale=1.0,
            platform="web",
            locale="en-US",
            elements=elements,
        )

    return make
