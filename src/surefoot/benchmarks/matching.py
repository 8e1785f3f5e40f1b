"""
From the candidates of all pages to matched groups of questions.

A pair is one target of one page: its questions differ only in variant, instruction kind
and reasoning mode, so every comparison is made within it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import (
    AssembledBench,
    BuildOptions,
    Candidate,
    Fall,
    Funnel,
    PageResult,
)
from surefoot.benchmarks.drawing import shares, site_of, targets_by_site
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Direction, Instruction
from surefoot.core.perturbation import LANGUAGE, ORIGINAL
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.seeds import derive_seed, random_source
from surefoot.refer.generate.balance import balance

SCARCE: Final[frozenset[Direction]] = frozenset({"left of", "right of"})


def assemble(results: Iterable[PageResult], options: BuildOptions) -> AssembledBench:
    """
    Choose targets, share out the directions over all pages, and write the questions out.

    On each page the targets that can be asked for in every kind come first, and among
    them those left or right of a landmark, which pages offer least; ties are in a seeded
    order, and at most ``options.targets`` are taken. Of a site at most
    ``options.site_targets`` are, its pages in turns. Each target that can be asked for by a
    landmark is: its direction is one of those that hold in most variants. Where relations
    were drawn anew, a variant has one of the same direction, else of the first found there.
    """
    pages = list(results)
    groups: dict[str, tuple[PageResult, Candidate]] = {}
    falls: list[Fall] = []
    sampled = [_sample(page, options) for page in pages]
    for page, best, count in zip(pages, sampled, _shares(pages, sampled, options), strict=True):
        groups |= {_pair(page, candidate): (page, candidate) for candidate in best[:count]}
        falls += page.falls
        over = len(page.candidates) - len(best)
        falls.append(Fall("sample", f"over {options.targets} targets a page", over))
        over = len(best) - count
        falls.append(Fall("sample", f"over {options.site_targets} targets a site", over))
    offered = {
        pair: candidate.relational
        for pair, (_, candidate) in groups.items()
        if candidate.relational
    }
    ways = {pair: _widest(candidate) for pair, (_, candidate) in groups.items()}
    chosen = {pair: offered[pair][way] for pair, way in balance(ways, options.seed).items()}
    questions = [
        question
        for pair, (result, candidate) in groups.items()
        for instruction in (candidate.direct, chosen.get(pair), candidate.functional)
        if instruction is not None
        for question in _questions(result, candidate, instruction, pair)
    ]
    counts: dict[str, Counter[str]] = {
        "available": Counter(way for ways in offered.values() for way in ways),
        "kept": Counter(str(item.expression.direction) for item in chosen.values()),
    }
    directions = {which: dict(sorted(counts[which].items())) for which in counts}
    ordered = tuple(sorted(questions, key=lambda item: item.id))
    funnel = Funnel(add_up(falls), directions, targets_by_site(pages, ordered))
    return AssembledBench(ordered, funnel, lines=_lines_on_words(ordered))


def _lines_on_words(questions: Sequence[Question]) -> tuple[str, ...]:
    """Say how many relations under a change are in other words than on the original."""
    plain = {
        (question.pair, question.cell.instruction): question.instruction.text
        for question in questions
        if question.cell.variant == ORIGINAL
    }
    related = [question for question in questions if question.cell.instruction == "relational"]
    changed = [question for question in related if question.cell.variant != ORIGINAL]
    changed = [question for question in changed if not question.cell.variant.startswith(LANGUAGE)]
    words = [plain.get((question.pair, question.cell.instruction)) for question in changed]
    other = sum(
        text not in (None, question.instruction.text)
        for question, text in zip(changed, words, strict=True)
    )
    line = (
        f"relations drawn anew: {other} of {len(changed)} under a change are in other words than "
        "on the original"
    )
    return (line,) if other else ()


def with_reasoning(questions: Iterable[Question]) -> tuple[Question, ...]:
    """Return the same questions in the cells of reasoning mode, under ids of their own."""
    changed = []
    for question in questions:
        cell = msgspec.structs.replace(question.cell, reasoning=True)
        own = reasoning_id(question.id)
        changed.append(msgspec.structs.replace(question, id=own, cell=cell))
    return tuple(changed)


def reasoning_id(question: str) -> str:
    """
    Return the id of a question in reasoning mode.

    >>> reasoning_id("9f2c")
    'c012bfdb70a83ff05e74'
    """
    return digest([question, "reasoning"])[:20]


def with_samples(questions: Iterable[Question], count: int) -> tuple[Question, ...]:
    """
    Return every question ``count`` times, each time but the first under an id of its own.

    The first samples come first, and are the questions as they were.
    """
    plain = tuple(questions)
    again = (
        msgspec.structs.replace(question, id=sample_id(question.id, number), sample=number)
        for number in range(2, count + 1)
        for question in plain
    )
    return (*plain, *again)


def sample_id(question: str, number: int) -> str:
    """
    Return the id of a sample of a question.

    >>> sample_id("9f2c", 1), sample_id("9f2c", 2)
    ('9f2c', '9f2c~2')
    """
    return question if number == 1 else f"{question}~{number}"


def add_up(falls: Iterable[Fall]) -> tuple[Fall, ...]:
    """
    Sum the counts of equal stages and reasons, sorted; zeros are left out.

    >>> add_up([Fall("a", "x", 1), Fall("a", "x", 2), Fall("a", "y", 0)])
    (Fall(stage='a', reason='x', count=3),)
    """
    total: Counter[tuple[str, str]] = Counter()
    for fall in falls:
        total[fall.stage, fall.reason] += fall.count
    return tuple(Fall(*key, count) for key, count in sorted(total.items()) if count)


def shown_under(screen: Screen, questions: Iterable[Question]) -> Screen:
    """Return a set's screen under the variant that its questions stand in, if that is one."""
    named = {question.cell.variant for question in questions}
    return msgspec.structs.replace(screen, variant=named.pop()) if len(named) == 1 else screen


def _sample(result: PageResult, options: BuildOptions) -> Sequence[Candidate]:
    ranked = sorted(result.candidates, key=lambda candidate: candidate.target)
    random_source(options.seed, "targets", result.page).shuffle(ranked)
    ranked.sort(
        key=lambda item: (
            item.direct is None or not item.relational,
            item.relational.keys().isdisjoint(SCARCE),
        )
    )
    return ranked[: options.targets]


def _shares(
    pages: Sequence[PageResult], sampled: Sequence[Sequence[Candidate]], options: BuildOptions
) -> list[int]:
    """Return how many of the targets that were sampled each page gives."""
    ranks = [
        [(derive_seed(options.seed, "turn", _pair(page, candidate)),) for candidate in best]
        for page, best in zip(pages, sampled, strict=True)
    ]
    return shares([site_of(page) for page in pages], ranks, a_site=options.site_targets)


def _widest(candidate: Candidate) -> tuple[Direction, ...]:
    """Return the directions in which a candidate is asked for in the most variants."""
    every = max(map(len, candidate.held.values()), default=0)
    whole = [way for way in candidate.relational if way not in candidate.held]
    most = [way for way, held in candidate.held.items() if len(held) == every]
    return tuple(whole or most)


def _pair(result: PageResult, candidate: Candidate) -> str:
    return f"{result.page}#{candidate.target}"


def _questions(
    result: PageResult, candidate: Candidate, instruction: Instruction, pair: str
) -> list[Question]:
    made = []
    for screen in result.screens:
        asked = _asked_on(screen, candidate, instruction)
        if asked is None:
            continue
        target = screen.element(candidate.target)
        if target is None:
            raise InvalidInputError(
                f"the target {candidate.target} in every variant",
                found=f"none in '{screen.variant}' of {result.page}",
            )
        cell = Cell(screen.variant, asked.kind)
        made.append(
            Question(
                id=digest([pair, cell])[:20],
                pair=pair,
                cluster=result.site or result.page,
                cell=cell,
                screen=screen.id,
                image=screen.image,
                width=screen.width,
                height=screen.height,
                instruction=asked,
                truth=target.box,
                role=candidate.role,
                page=result.page,
            )
        )
    return made


def _asked_on(screen: Screen, candidate: Candidate, plain: Instruction) -> Instruction | None:
    """Return what is asked on a screen of a kind, None where nothing of that kind holds there."""
    way = plain.expression.direction
    translated = screen.variant.startswith(LANGUAGE)
    if way is None and not translated:
        return plain
    if translated or (candidate.instructions and screen.variant != ORIGINAL):
        source = candidate.translated if translated else candidate.instructions
        drawn = [
            instruction
            for instruction in source.get(screen.id, ())
            if instruction.kind == plain.kind
        ]
        same = (instruction for instruction in drawn if instruction.expression.direction == way)
        return next(same, drawn[0] if drawn else None)
    held = candidate.held.get(way) if way else None
    return plain if held is None or screen.variant in held else None
