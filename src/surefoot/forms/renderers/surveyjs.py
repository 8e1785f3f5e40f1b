"""
Forms drawn by SurveyJS (survey-core and survey-js-ui): its pages, widgets and themes.
"""

from __future__ import annotations

from typing import Final

from surefoot.forms.renderers.scripted import scripted_renderer

__all__ = ["SURVEYJS"]

SURVEYJS: Final = scripted_renderer(
    "surveyjs",
    version=3,
    themes=(
        "default-light",
        "default-dark",
        "sharp-light",
        "sharp-dark",
        "layered-light",
        "flat-light",
        "double-border-light",
        "plain-light-panelless",
        "contrast-dark",
        "three-dimensional-light",
    ),
    layouts=("one-column", "two-columns", "table", "dense"),
)
