"""
What languages are called in English, by their tags.
"""

from __future__ import annotations

from typing import Final

__all__ = ["LANGUAGE_NAMES"]

LANGUAGE_NAMES: Final = {
    "en": "English",
    "fr": "French",
    "ja": "Japanese",
    "ru": "Russian",
    "th": "Thai",
    "zh": "Chinese",
}
