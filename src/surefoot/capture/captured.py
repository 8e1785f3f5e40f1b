"""
What one capture gives, wherever it comes from.
"""

from __future__ import annotations

import msgspec

from surefoot.capture.parallel.structure import Structure
from surefoot.core.screen import Screen


class ControlChange(msgspec.Struct, frozen=True):
    """
    Tell what an edit did to a control, by its id, as CSS and HTML to copy.

    ``css`` has the rules that were added, ``before`` and ``after`` are the control in HTML where
    that changed, else "".
    """

    element: str
    css: str = ""
    before: str = ""
    after: str = ""


class Capture(msgspec.Struct, frozen=True):
    """
    Pair a screen with the PNG bytes of its image.

    ``structure`` is that of a page of the web, empty for anything else; ``changes`` are what
    edits of single controls came to.
    """

    screen: Screen
    png: bytes
    structure: Structure = Structure()
    changes: tuple[ControlChange, ...] = ()
