"""
What a budget of questions buys, and what a build costs, before it begins.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import AssembledBench, BuildOptions, Fall
from surefoot.benchmarks.crossing.design import ALIASES, ScreenCell, in_turns, read_design
from surefoot.core.question import Question
from surefoot.core.seeds import derive_seed

WORDS_AN_ELEMENT: Final = 2  # of a budget: enough to compare them, and cheaper than elements
ELEMENTS_A_PAGE: Final = 3  # of a budget
# What was measured on two cores: a render, a target proven in one condition, a picture read by
# ocr; and the tokens of a question with a picture of 1280 x 800, as most models count them.
RENDER_S, TARGET_S, PICTURE_S, TOKENS = 2.0, 0.6, 1.0, 1_600
TOKENS_OF: Final = 1280 * 800  # pixels that so many tokens are of


def pages_within(pages: Mapping[str, str], options: BuildOptions) -> set[str]:
    """
    Return the pages that a budget needs, sites in turns, all without one.

    ``pages`` maps each to its site. Pictures cost more than questions, so a page gives several
    elements; whatever falls on the way makes a benchmark smaller.
    """
    if not options.budget:
        return {*pages}
    design, every = read_design(options.design), (1 + len(options.over)) * len(options.variants)
    cells = min(design.cells, every) if design.kind == "fraction" else every
    needed = math.ceil(options.budget / (cells * WORDS_AN_ELEMENT * ELEMENTS_A_PAGE))
    sites = len({*pages.values()})
    return {*in_turns(pages, options.seed)[: max(needed, min(needed * ELEMENTS_A_PAGE, sites))]}


def within_budget(assembled: AssembledBench, options: BuildOptions) -> AssembledBench:
    """
    Draw about as many questions as a budget allows, elements of all sites in turns.

    An element keeps all conditions of its screen and at most two kinds of words: the most
    direct, and of the others the one that was drawn least. Of several instructions of a kind
    that one is kept which holds in the most conditions.
    """
    if not options.budget or len(assembled.questions) <= options.budget:
        return assembled
    groups: dict[str, list[Question]] = {}
    for question in assembled.questions:
        groups.setdefault(question.pair, []).append(question)
    sites = {pair: own[0].cluster for pair, own in groups.items()}
    drawn: Counter[str] = Counter()
    kept: list[Question] = []
    for pair in in_turns(sites, options.seed):
        words = sorted({group.cell.instruction for group in groups[pair]})
        words.sort(key=lambda name: (not name.startswith("direct"), drawn[name], name))
        first, *others = words
        others.sort(key=lambda name: (drawn[name], derive_seed(options.seed, pair, name)))
        for name in (first, *others[: WORDS_AN_ELEMENT - 1]):
            drawn[name] += 1
            kept += _of_one_text(
                [group for group in groups[pair] if group.cell.instruction == name]
            )
        if len(kept) >= options.budget:
            break
    ordered = tuple(sorted(kept, key=lambda question: question.id))
    over = Fall("sample", "over the budget, in questions", len(assembled.questions) - len(kept))
    funnel = msgspec.structs.replace(
        assembled.funnel, falls=(*assembled.funnel.falls, *[over] * bool(over.count))
    )
    return msgspec.structs.replace(assembled, questions=ordered, funnel=funnel)


def _of_one_text(questions: Sequence[Question]) -> list[Question]:
    """Return, of each condition of the screen, the question in the most common words."""
    texts = Counter(question.instruction.text for question in questions)
    found: dict[str, Question] = {}
    for one in sorted(questions, key=lambda one: (-texts[one.instruction.text], one.id)):
        found.setdefault(one.cell.variant, one)
    return list(found.values())


def cost_words(cells: Mapping[str, Sequence[ScreenCell]], options: BuildOptions) -> str:
    """
    Say before a build what it comes to: conditions, pictures, questions, minutes and tokens.

    ``cells`` are the conditions of each page.
    """
    bases = sum(len({base for base, _ in own}) for own in cells.values())
    conditions = sum(map(len, cells.values()))
    targets = min(options.targets, ELEMENTS_A_PAGE) if options.budget else options.targets
    asked = options.budget or conditions * targets * WORDS_AN_ELEMENT
    pictures = min(asked, conditions * targets)
    minutes = (bases * RENDER_S + conditions * targets * TARGET_S) / 60
    return (
        f"{options.design} design, {len(cells):,} pages in {conditions:,} conditions of their "
        f"screens ({bases:,} to render): up to about {asked:,} questions on {pictures:,} "
        f"pictures, {minutes:.0f} minutes to build on one core, "
        f"{pictures / 60 * PICTURE_S:.0f} for ocr, and {asked * TOKENS / 1e6:.1f} million tokens "
        f"for a model; {ALIASES[read_design(options.design).kind]}"
    )
