"""
All that is said of a class of questions: its words, how plain it is, what to do about it.

The table is ``phrases.toml``, which says how it is read.
"""

from __future__ import annotations

import functools
import importlib.resources
from typing import Final

import msgspec

FILE: Final = "phrases.toml"
USUAL: Final = "kind"


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Say what can be done about a class: data to train on, another asking, a change of the page.

    "" where nothing of the kind helps.
    """

    data: str = ""
    asking: str = ""
    page: str = ""


class MeasurePhrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Say a number in words: of those at or above a bound, and of those below it.

    ``step`` is what bounds are rounded to, 1 for what is counted; ``plain`` is 0 to 2, the
    plainest first.
    """

    least: str
    below: str
    step: float = 1.0
    plain: int = 0
    do: str = ""
    least_do: str = USUAL
    below_do: str = USUAL


class FeaturePhrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Say what is there, and what lacks it ("" for all but what has it)."""

    has: str
    lacks: str = ""
    plain: int = 0
    do: str = USUAL


class _Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    measures: dict[str, MeasurePhrase]
    features: dict[str, FeaturePhrase]
    causes: dict[str, str]
    advice: dict[str, Advice]


@functools.cache
def _phrases() -> _Phrases:
    text = importlib.resources.files(__package__).joinpath(FILE).read_bytes()
    return msgspec.toml.decode(text, type=_Phrases)


MEASURES: Final = _phrases().measures
FEATURES: Final = _phrases().features
CAUSES: Final = _phrases().causes  # the advice of confusions and of what replies show


def advice(name: str) -> Advice:
    """
    Return an advice by its name.

    >>> advice("small").page
    'make them 24 px or more on each side'
    """
    return _phrases().advice[name]
