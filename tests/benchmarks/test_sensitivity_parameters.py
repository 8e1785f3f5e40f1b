"""
Parameters by name: bounds are held, mistakes told, and every one is documented.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters, parameters_of
from surefoot.core.errors import InvalidInputError, UnknownNameError

ROOT = Path(__file__).parents[2]


def test_what_is_not_given_keeps_its_default() -> None:
    """Only the parameters that are given differ from the defaults."""
    found = parameters_of({"top": 100, "crop_distance": 60})
    assert found == SensitivityParameters(top=100, crop_distance=60.0)


def test_wordings_are_listed() -> None:
    """Names are split at commas, spaces dropped; an empty text asks for none."""
    assert parameters_of({"wordings": "synonym, paraphrase"}).wording_names == (
        "synonym",
        "paraphrase",
    )
    assert parameters_of({"wordings": ""}).wording_names == ()


def test_an_unknown_name_is_told_the_nearest() -> None:
    """A misspelt parameter is refused with the one that was meant."""
    with pytest.raises(UnknownNameError, match="'crop_distance'"):
        parameters_of({"crop_distanse": 60})


@pytest.mark.parametrize(
    "given",
    [
        {"top": -1},
        {"top": 1.5},
        {"top": "many"},
        {"look_grid": 1},
        {"crowd_half": 0},
        {"crop_ground": 2},
        {"scale_least": 0.9, "scale_most": 0.8},
        {"look_weight": 0, "crowd_weight": 0, "overlap_weight": 0},
        {"desktop": 3},
    ],
)
def test_values_out_of_bounds_are_refused(given: dict[str, float | int | str | bool]) -> None:
    """A value of another type or out of bounds is the caller's mistake."""
    with pytest.raises(InvalidInputError):
        parameters_of(given)


def test_every_parameter_is_documented() -> None:
    """The page about the benchmark has a row for each parameter, with its default."""
    text = (ROOT / "docs" / "sensitivity.md").read_text("utf-8")
    for name in SensitivityParameters.__struct_fields__:
        default = getattr(SensitivityParameters(), name)
        shown = "all eight" if name == "wordings" else f"{default:g}" if default != "" else ""
        assert f"| `{name}` | {shown} |" in text, name
