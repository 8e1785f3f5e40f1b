"""
The size of an image, read from its header.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.settings import Settings
from surefoot.capture.web.shoot import ViewScale, png_size
from surefoot.core.errors import CaptureError


@given(st.binary(max_size=64))
def test_other_bytes_are_refused(data: bytes) -> None:
    """Whatever is not a PNG header is refused."""
    with pytest.raises(CaptureError) as caught:
        png_size(data)
    assert caught.value.reason == "wrong-size"


@given(st.integers(1, 4000), st.integers(1, 4000), st.sampled_from([0.5, 0.7, 1.5, 2.0]))
def test_zoom_keeps_the_image(width: int, height: int, factor: float) -> None:
    """A zoom changes CSS pixels and their scale, never the image's size."""
    view = ViewScale.of(Settings(width=width, height=height, scale=1.0))
    zoomed = view.zoom(factor)
    assert zoomed.pixels == view.pixels == (width, height)
    assert zoomed.width * zoomed.scale == pytest.approx(width)
    assert zoomed.height * zoomed.scale == pytest.approx(height)
