"""
An attack, its trials, and the attacks of all modules beside this one.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import attacks

# Two modules are the machinery.
MACHINERY: Final = ("__main__", "attack")


class Trial(NamedTuple):
    """One thing that was tried, whether the promise held, and what was seen where it did not."""

    name: str
    held: bool
    seen: str = ""


# (seed, how many, an empty folder) -> as many trials; the same seed tries the same things.
Trials = Callable[[int, int, Path], Iterator[Trial]]


@dataclasses.dataclass(frozen=True)
class Attack:
    """
    Name a promise, what is done to break it, and how often it is done.

    `many` trials run with ``make test-long``, `whole` with ``make attack``, which begins
    with the ``longest``. An attack with fewer kinds of trials
    than are asked for yields all of its kinds and ends.
    """

    name: str
    promise: str
    does: str
    trials: Trials
    many: int
    whole: int
    longest: bool = False


def all_attacks() -> dict[str, Attack]:
    """Return the attacks of all modules by their names."""
    found: dict[str, Attack] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(attacks.__path__)):
        if module in MACHINERY:
            continue
        for attack in importlib.import_module(f"attacks.{module}").ATTACKS:
            if attack.name in found:
                raise ValueError(f"two attacks are called '{attack.name}'")
            found[attack.name] = attack
    return found


def count_words(trials: int, held: int) -> str:
    """
    Say how often a promise held.

    >>> count_words(20, 20)
    '20 of 20 held'
    >>> count_words(20, 19)
    '19 of 20 held, 1 DID NOT'
    """
    broken = trials - held
    return f"{held} of {trials} held" + (f", {broken} DID NOT" if broken else "")
