"""
The fonts are told, or named as unknowable.
"""

from __future__ import annotations

import shutil

import pytest

from surefoot.capture.fonts import fonts_digest
from surefoot.core.errors import MissingComponentError


def test_absent_font_list_is_a_missing_component(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without fontconfig the fonts cannot be told, and the message says so."""
    fonts_digest.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(MissingComponentError, match="fontconfig"):
        fonts_digest()
