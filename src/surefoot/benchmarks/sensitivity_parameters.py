"""
Every number that the benchmark `sensitivity` is built with, by name, with its bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from surefoot.benchmarks.benchmark import read_parameters
from surefoot.core.errors import InvalidInputError

_Weight = Annotated[float, Meta(ge=0)]
_Length = Annotated[float, Meta(gt=0)]
_Count = Annotated[int, Meta(ge=1)]


class SensitivityParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold the parameters; lengths are pixels of the original picture.

    What each one does stands in ``docs/sensitivity.md``.
    """

    top: Annotated[int, Meta(ge=0)] = 0
    look_grid: Annotated[int, Meta(ge=2, le=64)] = 16
    look_distance: _Length = 0.25
    look_half: _Length = 2.0
    look_weight: _Weight = 1.0
    crowd_distance: _Length = 40.0
    crowd_half: _Length = 3.0
    crowd_weight: _Weight = 1.0
    overlap_name: _Weight = 1.0
    overlap_section: _Weight = 0.25
    overlap_half: _Length = 2.0
    overlap_weight: _Weight = 1.0
    whole_area: _Length = 400.0
    most: _Count = 40
    crop_distance: _Weight = 80.0
    crop_margin: _Weight = 16.0
    crop_width: _Count = 320
    crop_height: _Count = 240
    crop_ground: Annotated[float, Meta(gt=0, le=1)] = 0.25
    desktop: str = ""
    scale_least: Annotated[float, Meta(gt=0, le=4)] = 0.7
    scale_most: Annotated[float, Meta(gt=0, le=4)] = 1.0
    wordings: str = (
        "spelling-keyboard,spelling-deletion,spelling-swap,spelling-keyboard-in-names,"
        "spelling-deletion-in-names,spelling-swap-in-names,synonym,paraphrase"
    )
    spelling_errors: _Count = 1
    phrases: Annotated[int, Meta(ge=0)] = 0
    detector: str = ""
    dull: Annotated[int, Meta(ge=0, le=1)] = 1

    @property
    def wording_names(self) -> tuple[str, ...]:
        """Return the names of the wordings, none for an empty text."""
        return tuple(part.strip() for part in self.wordings.split(",") if part.strip())


def parameters_of(given: Mapping[str, float | int | str | bool]) -> SensitivityParameters:
    """
    Return the parameters with what is given in place of their defaults.

    Raises UnknownNameError for a name that is none of them, and InvalidInputError for a
    value of another type, or out of bounds.

    >>> parameters_of({"top": 100}).top
    100
    """
    found = read_parameters(given, SensitivityParameters, "sensitivity")
    if found.scale_least > found.scale_most:
        raise InvalidInputError(
            "scale_least up to scale_most", found=f"{found.scale_least} and {found.scale_most}"
        )
    if found.look_weight + found.crowd_weight + found.overlap_weight == 0:
        raise InvalidInputError("a weight above 0 for looks, crowd or overlap", found="none")
    return found
