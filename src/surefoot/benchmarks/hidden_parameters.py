"""
Every number that the benchmark `hidden` is built with, by name, with its bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from surefoot.benchmarks.benchmark import read_parameters
from surefoot.core.errors import InvalidInputError
from surefoot.core.seeds import random_source

_Share = Annotated[float, Meta(ge=0, le=1)]


class HiddenParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold the parameters.

    ``share`` of a screen's targets are masked together, ``ring`` is the width in pixels
    that masks of low contrast take their colours from. ``train`` and ``validation`` are the
    shares of the sites that fall into these splits, the rest into "test". ``per_kind`` is the
    largest number of instructions of one kind about one target. ``masks`` says where an
    instruction must hold: under "all" variants, or under "each" by which it is asked.
    """

    share: Annotated[float, Meta(gt=0, le=1)] = 0.2
    ring: Annotated[int, Meta(ge=1, le=64)] = 1
    train: _Share = 0.6
    validation: _Share = 0.2
    per_kind: Annotated[int, Meta(ge=1)] = 1
    masks: Literal["all", "each"] = "all"


def hidden_parameters_of(given: Mapping[str, float | int | str | bool]) -> HiddenParameters:
    """
    Return the parameters with what is given in place of their defaults.

    Raises UnknownNameError for a name that is none of them, and InvalidInputError for a
    value of another type, or out of bounds.

    >>> hidden_parameters_of({"share": 0.5}).share
    0.5
    """
    found = read_parameters(given, HiddenParameters, "hidden")
    if found.train + found.validation > 1:
        raise InvalidInputError(
            "train and validation up to 1 together", found=f"{found.train + found.validation}"
        )
    return found


def split_of(site: str, seed: int, parameters: HiddenParameters) -> str:
    """
    Return the split of a site: the same one whatever other sites there are.

    >>> {split_of(f"site-{number}", 0, HiddenParameters()) for number in range(40)} == {
    ...     "train", "validation", "test"}
    True
    """
    drawn = random_source(seed, "split", site).random()
    if drawn < parameters.train:
        return "train"
    return "validation" if drawn < parameters.train + parameters.validation else "test"
