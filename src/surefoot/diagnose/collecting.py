"""
From what a search asked to what it found: failing instructions, checked and classed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.causes.matches import loose_matches
from surefoot.diagnose.findings import ElementFinding, FailingInstruction, ShrunkInstruction
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.shrink import Reduction
from surefoot.diagnose.search.trail import Trail
from surefoot.failures.classify import classify
from surefoot.refer.scene.scenes import Scenes

__all__ = ["CheckedMisses", "check_trail", "element_finding", "failing_of"]


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
    to it for what was searched, ``shrinking`` for what it was shrunk to.
    """
    question, answer = tried.arm.question, tried.answer
    assert answer is not None, "only answers miss"  # noqa: S101 - says it to the type checker
    scene = scenes.scene(question.screen)
    verdict = classify(scene, question, answer)
    target = scene.place[question.instruction.target]
    return FailingInstruction(
        question=question.id,
        view=question.cell.variant,
        instruction=question.instruction,
        raw=answer.raw,
        parsed=answer.parsed,
        landed=verdict.landed,
        taxonomy=verdict.mode,
        why=verdict.why,
        matches=loose_matches(scene, question.instruction.expression, target),
        judged="valid",
        round=tried.round,
        features=tried.arm.features,
    )


def element_finding(
    checked: CheckedMisses, reduced: Sequence[Reduction], scenes: Scenes
) -> ElementFinding:
    """Put together what was found for one element."""
    trail, subject = checked.trail, checked.trail.subject
    screen = scenes.screens[subject.screen]
    target = screen.element(subject.target)
    failures = tuple(failing_of(result, scenes) for result in checked.valid)
    best = min(
        failures, key=lambda failure: (len(failure.matches), failure.question), default=None
    )
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
        best=best.question if best else "",
        shrunk=tuple(_shrunk(reduction, scenes) for reduction in reduced),
        easy=_easy(trail.tried),
        page=screen.page,
        name="" if target is None else (target.name or target.text)[:LONGEST],
    )


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
