"""
What one capture gives, wherever it comes from.
"""

from __future__ import annotations

import msgspec

from surefoot.capture.parallel.structure import Structure
from surefoot.core.screen import Screen


class Capture(msgspec.Struct, frozen=True):
    """
    Pair a screen with the PNG bytes of its image.

    ``structure`` is that of a page of the web, empty for anything else.
    """

    screen: Screen
    png: bytes
    structure: Structure = Structure()
