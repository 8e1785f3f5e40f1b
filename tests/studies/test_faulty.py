"""
What the scripted model of a page's design calls hard to find is so, and nothing else.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box
from surefoot.perturb.pixels import spell_png
from surefoot_studies.faulty import is_badly_designed
from tests.run.fixes.test_asking import question


@pytest.mark.parametrize(("grey", "missed"), [(90, False), (200, True)])
@pytest.mark.parametrize("left", [14, 170, 320])
def test_words_of_a_wide_field_are_seen_wherever_they_stand(
    grey: int, missed: bool, left: int
) -> None:
    """A white field of 400 pixels is faint by its words, at its left as at its right."""
    pixels = np.full((80, 440, 3), 255, np.uint8)
    pixels[32:46, left + 20 : left + 60] = grey
    asked = question("a", truth=Box(20.0, 16.0, 420.0, 62.0), width=440, height=80)
    words = msgspec.structs.replace(asked.instruction, name_visible=True)

    found = is_badly_designed(msgspec.structs.replace(asked, instruction=words), spell_png(pixels))

    assert found == missed
