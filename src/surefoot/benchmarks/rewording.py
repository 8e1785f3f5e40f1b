"""
The language views of an instruction, kept where the words still mean the target alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from surefoot.core.canonical import digest
from surefoot.core.instruction import Instruction
from surefoot.core.seeds import derive_seed
from surefoot.perturb.wording import wordings
from surefoot.perturb.wording.quotes import quoted_spans
from surefoot.refer.scene.scene import Scene

__all__ = ["distance_of", "misnames", "rewordings"]


def rewordings(
    instruction: Instruction, scene: Scene, names: tuple[str, ...], *, errors: int, seed: int
) -> Iterator[tuple[str, Instruction | None]]:
    """
    Yield each wording's name with the reworded instruction, None where there is none.

    A misspelt name is kept only where it is nearer to the name than to any other words on
    the screen.
    """
    known = wordings(errors)
    for name in names:
        own = derive_seed(seed, "wording", name, digest(instruction))
        changed = known[name](instruction, own)
        if changed is not None and misnames(instruction, changed, scene):
            changed = None
        yield name, changed


def misnames(instruction: Instruction, changed: Instruction, scene: Scene) -> bool:
    """Tell whether a misspelt name comes as near to other words on the screen as to its own."""
    labels = {label.casefold() for known in scene.labels for label in known}
    for name, wrong in _renamed(instruction, changed):
        slips = distance_of(name, wrong)
        others = labels - {name}
        if any(
            abs(len(each) - len(wrong)) <= slips and distance_of(each, wrong) <= slips
            for each in others
        ):
            return True
    return False


def distance_of(one: str, other: str) -> int:
    """
    Return the least number of letters to insert, delete or replace (Levenshtein 1966).

    >>> distance_of("kitten", "sitting")
    3
    """
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, wanted in enumerate(other, 1):
            cost = before if letter == wanted else 1 + min(before, row[place], row[place - 1])
            before, row[place] = row[place], cost
    return row[-1]


def _renamed(instruction: Instruction, changed: Instruction) -> Iterator[tuple[str, str]]:
    """Yield each quoted name, and what it was misspelt as, in lower case."""
    if not changed.wording.endswith("in-names"):
        return
    text, pattern, end = instruction.text, "", 0
    spans = quoted_spans(instruction)
    for span in spans:
        pattern += re.escape(text[end : span.start]) + "(.*)"
        end = span.end
    match = re.fullmatch(pattern + re.escape(text[end:]), changed.text, re.DOTALL)
    if match is None:
        return
    for span, wrong in zip(spans, match.groups(), strict=True):
        name = text[span.start : span.end]
        if name != wrong:
            yield name.casefold(), wrong.casefold()
