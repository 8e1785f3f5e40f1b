"""
A recipe becomes a screen: what the program says of itself, where the picture agrees.
"""

from __future__ import annotations

import io
from typing import Final

import msgspec
import numpy as np
from PIL import Image

from surefoot.capture.captured import Captured
from surefoot.capture.desktop.assemble import assemble
from surefoot.capture.desktop.evidence import BoxVerdict, judge_boxes
from surefoot.capture.desktop.observe import ProgramObservation, observe
from surefoot.capture.desktop.spelling import Gray, lettering_of
from surefoot.capture.desktop.steps import Recipe
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

__all__ = ["Judged", "judge", "luminance", "record"]

LEAST_ELEMENTS: Final = 2


class Judged(msgspec.Struct, frozen=True):
    """Hold an observation with a verdict on each of its drafts, and the elements kept."""

    seen: ProgramObservation
    verdicts: tuple[BoxVerdict, ...]
    elements: tuple[Element, ...]


def record(recipe: Recipe, source: str, settings: Settings) -> Captured:
    """
    Capture the state that a recipe leads to; ``source`` says how to come here again.

    Raises CaptureError where the program fails, or where the picture agrees with nothing
    of what the program says of itself.
    """
    judged = judge(observe(recipe, settings), settings)
    seen = judged.seen
    if len(judged.elements) < LEAST_ELEMENTS:
        raise CaptureError(
            "no-elements",
            expected="elements whose boxes match the picture",
            found=f"{len(judged.elements)} of {len(seen.drafts)} ({seen.toolkit})",
        )
    screen = Screen(
        id=digest([source, settings, recipe])[:16],
        page=recipe.page,
        source=source,
        image=sha256(seen.png),
        width=settings.width,
        height=settings.height,
        scale=1.0,
        platform="desktop",
        locale=settings.locale,
        elements=judged.elements,
        title=next((each.name for each in seen.reading.windows if each.name), ""),
        site=recipe.program,
        toolkit=seen.toolkit,
    )
    return Captured(screen, seen.png)


def judge(seen: ProgramObservation, settings: Settings) -> Judged:
    """Judge every box of an observation and keep the elements whose boxes stand."""
    gray = luminance(seen.png)
    lettering = lettering_of(seen.toolkit, settings.locale)
    verdicts = tuple(judge_boxes(seen.drafts, seen.windows, gray, lettering))
    bounds = Box(0.0, 0.0, float(settings.width), float(settings.height))
    return Judged(seen, verdicts, assemble(seen.drafts, verdicts, seen.windows, bounds))


def luminance(png: bytes) -> Gray:
    """Return a picture's luminance, 0 to 1, height x width."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("L"), dtype=np.float64) / 255
