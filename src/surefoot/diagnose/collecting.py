"""
From what a search asked to what it found: failing instructions, checked and classed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec

from surefoot.core.geometry import Box
from surefoot.core.screen import Screen
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.causes.matches import loose_matches
from surefoot.diagnose.confusing import why_it_confuses
from surefoot.diagnose.findings import (
    AskedInstruction,
    AskedRound,
    ElementFinding,
    FailingInstruction,
    LooseMatch,
    Outcome,
    ShrunkInstruction,
)
from surefoot.diagnose.search.arms import ArmResult, Plan
from surefoot.diagnose.search.moves import MOVES, Moves
from surefoot.diagnose.search.pool import is_formal
from surefoot.diagnose.search.shrink import Reduction
from surefoot.diagnose.search.trail import EXPLORED, RECORDED, Trail
from surefoot.diagnose.selection import Selection, selected
from surefoot.failures.classify import classify
from surefoot.refer.scene.scenes import Scenes

LONGEST: Final = 60  # letters of a name


class CheckedMisses(msgspec.Struct, frozen=True):
    """
    Sort the misses of one element: valid by both resolvers, by the first alone, by neither.
    """

    trail: Trail
    valid: tuple[ArmResult, ...]
    disputed: tuple[ArmResult, ...]
    invalid: tuple[ArmResult, ...]


def check_trail(trail: Trail, checker: Checker) -> CheckedMisses:
    """Let both resolvers judge every miss of one element."""
    valid: list[ArmResult] = []
    disputed: list[ArmResult] = []
    invalid: list[ArmResult] = []
    for failure in sorted(trail.failures, key=lambda tried: tried.arm.question.screen):
        question = failure.arm.question
        if not checker.resolved(question):
            invalid.append(failure)
        else:
            (valid if checker.judged(question) else disputed).append(failure)
    order = {result.arm.question.id: at for at, result in enumerate(trail.tried)}
    kept = (
        tuple(sorted(several, key=lambda item: order[item.arm.question.id]))
        for several in (valid, disputed, invalid)
    )
    return CheckedMisses(trail, *kept)


def failing_of(tried: ArmResult, scenes: Scenes) -> FailingInstruction:
    """
    Return a miss with its class and its loose matches.

    It must have an answer, and both resolvers must have found it valid: ``check_trail`` sees
    to it for what was searched, ``shrinking`` for what it was shrunk to. Only of words that no
    resolver can read, and of what a run recorded, the source alone says so.
    """
    question, answer = tried.arm.question, tried.answer
    assert answer is not None, "only answers miss"  # noqa: S101 - says it to the type checker
    scene = scenes.scene(question.screen)
    verdict = classify(scene, question, answer)
    if tried.met == "label":
        why = "the click is on the field's own label, or beside its control"
        verdict = msgspec.structs.replace(verdict, mode="text-matching bias", why=why)
    elif tried.met == "nothing":
        verdict = msgspec.structs.replace(verdict, mode="undecided", why="no click for this field")
    return FailingInstruction(
        question=question.id,
        view=question.cell.variant,
        instruction=question.instruction,
        raw=answer.raw,
        parsed=answer.parsed,
        landed=verdict.landed,
        taxonomy=verdict.mode,
        why=verdict.why,
        matches=_matches(tried, scenes),
        judged="not judged" if tried.round == RECORDED or not is_formal(question) else "valid",
        round=tried.round,
        features=tried.arm.features,
    )


def element_finding(
    checked: CheckedMisses,
    reduced: Sequence[Reduction],
    scenes: Scenes,
    moves: Moves,
    *,
    select: Selection = "fewest",
) -> ElementFinding:
    """Put together what was found for one element; ``select`` says which failure stands for it."""
    trail, subject = checked.trail, checked.trail.subject
    screen = scenes.screens[subject.screen]
    target = screen.element(subject.target)
    failures = tuple(failing_of(result, scenes) for result in checked.valid)
    shrunk = tuple(_shrunk(reduction, scenes) for reduction in reduced)
    loose = {
        result.arm.question.id: len(_matches(result, scenes))
        for result in trail.tried
        if result.missed
    }
    best = selected({failure.question: loose[failure.question] for failure in failures}, select)
    valid = {result.arm.question.id for result in checked.valid}
    asked_ids = [result.arm.question.id for result in trail.tried]
    return ElementFinding(
        pair=subject.pair,
        cluster=subject.cluster,
        screen=subject.screen,
        target=subject.target,
        role=subject.role,
        toolkit=screen.toolkit,
        platform=screen.platform,
        pool=trail.pool,
        rounds=trail.rounds,
        asked=len(trail.tried),
        unanswered=sum(not result.answered for result in trail.tried),
        first_failure=next((at for at, item in enumerate(asked_ids, 1) if item in valid), 0),
        failures=failures,
        best=best,
        shrunk=shrunk,
        easy=_easy(trail.tried),
        page=screen.page,
        name="" if target is None else (target.name or target.text)[:LONGEST],
        side=0.0 if target is None else _side(target.box, screen),
        trail=tuple(_rounds(checked, loose, scenes, moves)),
        selected=selected(loose, select),
        confuses=next(
            (
                why_it_confuses(
                    scenes.scene(result.arm.question.screen),
                    instruction,
                    trail.tried,
                    shrunk,
                    moves,
                )
                for instruction, result in zip(failures, checked.valid, strict=True)
                if instruction.question == best
            ),
            "",
        ),
    )


def _matches(tried: ArmResult, scenes: Scenes) -> tuple[LooseMatch, ...]:
    """Return the loose matches of what was asked; none of a target that the screen lacks."""
    instruction = tried.arm.question.instruction
    scene = scenes.scene(tried.arm.question.screen)
    target = scene.place.get(instruction.target)
    return () if target is None else loose_matches(scene, instruction.expression, target)


def _side(box: Box, screen: Screen) -> float:
    return min(box.width, box.height) / screen.scale


def _rounds(
    checked: CheckedMisses, loose: Mapping[str, int], scenes: Scenes, moves: Moves
) -> Iterator[AskedRound]:
    """Yield what was asked about an element, round by round, with what was tried and why."""
    trail = checked.trail
    valid = {result.arm.question.id for result in checked.valid}
    plans = {EXPLORED: Plan(why="drawn at random")} if trail.explored else {}
    for number, plan in {**plans, **trail.plans}.items():
        asked = []
        for result in trail.tried:
            question = result.arm.question
            if result.round == number:
                asked.append(
                    AskedInstruction(
                        question=question.id,
                        text=question.instruction.text,
                        view=question.cell.variant,
                        kind=question.instruction.kind,
                        specificity=question.instruction.specificity,
                        side=_side(question.truth, scenes.screens[question.screen]),
                        outcome=_outcome(result, valid),
                        matches=loose.get(question.id, 0),
                        moves=moves.of(question),
                    )
                )
        if asked or not plan.arms:
            made = {move for instruction in asked for move in instruction.moves}
            tries = plan.tries or tuple(move for move in MOVES if move in made)
            yield AskedRound(number, tries, plan.why, tuple(asked))


def _outcome(result: ArmResult, valid: AbstractSet[str]) -> Outcome:
    if not result.answered:
        return "no reply"
    if not result.missed:
        return "hit"
    if not result.failed:
        return "missed once"
    return "failed" if result.arm.question.id in valid else "not valid"


def _shrunk(reduced: Reduction, scenes: Scenes) -> ShrunkInstruction:
    return ShrunkInstruction(
        of=reduced.of.arm.question.id,
        failing=failing_of(reduced.result, scenes),
        steps=reduced.steps,
        asked=reduced.asked,
        minimal=reduced.minimal,
    )


def _easy(tried: Sequence[ArmResult]) -> tuple[str, ...]:
    """Return the features that all hits share and no miss has: why they were easy."""
    hits = [set(result.arm.features) for result in tried if result.answered and not result.failed]
    missed: set[str] = set().union(*(result.arm.features for result in tried if result.failed))
    shared = set.intersection(*hits) if hits else set()
    return tuple(sorted(shared - missed))
