"""
Pictures as makers' own protocols send them.
"""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image

from surefoot.core.errors import ModelError
from surefoot.models.servers.native import shrunk
from surefoot.models.spaces import PatchRule

RULE = PatchRule(1568, 1568)


def test_what_fits_is_sent_as_it_is(picture: Callable[[int, int], bytes]) -> None:
    """A picture within the limits keeps its bytes; a larger one has the size of the rule."""
    small = picture(1280, 800)
    assert shrunk(RULE, small) is small
    with Image.open(io.BytesIO(shrunk(RULE, picture(2560, 1440)))) as opened:
        assert opened.size == RULE.size(2560, 1440)
        assert opened.size < (2560, 1440)


def test_what_is_no_picture_fails_one_question() -> None:
    """Bytes that no reader of pictures knows are a recorded failure."""
    with pytest.raises(ModelError) as error:
        shrunk(RULE, b"GIF89a")
    assert error.value.reason == "bad-image"
