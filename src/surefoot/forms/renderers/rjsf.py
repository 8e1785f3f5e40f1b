"""
Forms drawn by react-jsonschema-form, in the widgets of four libraries.
"""

from __future__ import annotations

from typing import Final

from surefoot.forms.renderers.scripted import scripted_renderer

__all__ = ["RJSF"]

RJSF: Final = scripted_renderer(
    "rjsf",
    version=5,
    themes=("core", "bootstrap", "mui", "antd"),
    layouts=("one-column", "two-columns", "dense"),
)
