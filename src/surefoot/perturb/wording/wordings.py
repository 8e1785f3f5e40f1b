"""
Language views by name: an instruction becomes another wording of itself, or none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from surefoot.core.instruction import Instruction
from surefoot.perturb.wording.paraphrase import paraphrase
from surefoot.perturb.wording.spelling import SLIPS, spelling
from surefoot.perturb.wording.synonyms import synonyms

__all__ = ["WORDINGS", "Wording", "wordings"]

Wording: TypeAlias = Callable[[Instruction, int], Instruction | None]


def wordings(errors: int = 1) -> Mapping[str, Wording]:
    """
    Return every wording by its name; ``errors`` is how many words are misspelt.

    Each takes an instruction and a seed, and returns the instruction in other words, its
    ``wording`` set, or None where it has no words to change.

    >>> list(wordings())[-2:]
    ['synonym', 'paraphrase']
    """
    found: dict[str, Wording] = {}
    for in_names, ending in ((False, ""), (True, "-in-names")):
        for slip in SLIPS:
            found[f"spelling-{slip}{ending}"] = functools.partial(
                spelling, slip=slip, errors=errors, in_names=in_names
            )
    return {**found, "synonym": synonyms, "paraphrase": paraphrase}


WORDINGS: Final = wordings()
