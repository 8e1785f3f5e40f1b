"""
Shrinking: a failing instruction is reduced to the smallest that still fails.

Greedily, as a property-based tester does: of all steps that make it smaller the largest is
tried first, a step is taken if both resolvers find the result valid and it still fails, and
then all are tried again, until none is left. First the view (to the screen as captured, or
to half the change), then the words (to plain ones), then the expression: a part is dropped,
also of a landmark, or the whole is replaced by a smaller instruction of the pool that uses
no other parts.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Final

import msgspec

from surefoot.core.instruction import Expression
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Question
from surefoot.diagnose.search.arms import Arm, ArmResult, Pool, Subject
from surefoot.diagnose.search.asker import Asker
from surefoot.refer.resolve.sizes import parts_of, size_of, without

REPLACEMENTS: Final = 4


class Reduction(msgspec.Struct, frozen=True):
    """
    Hold what a failing instruction was reduced to, by which steps, and at what cost.

    ``asked`` counts the questions put, those that did not fail included; ``minimal`` is
    false where the budget ended first.
    """

    of: ArmResult
    result: ArmResult
    steps: tuple[str, ...]
    asked: int
    minimal: bool


def reductions(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """
    Yield every expression with one part less, with words for the step, the smallest first.

    Of a landmark, too, a part may be dropped. Not all of them mean anything.

    >>> [step for step, _ in reductions(Expression(role="button", name="Save"))]
    ['without name', 'without role']
    """
    found: list[tuple[str, Expression]] = []
    parts = parts_of(expression)
    if len(parts) > 1:
        found += [(f"without {part}", without(expression, part)) for part in parts]
    for name in ("landmark", "second"):
        inner = getattr(expression, name)
        if inner is not None:
            found += [
                (f"{name} {step}", msgspec.structs.replace(expression, **{name: smaller}))
                for step, smaller in reductions(inner)
            ]
    yield from sorted(found, key=lambda item: (size_of(item[1]), item[0]))


def shrinking(
    of: ArmResult,
    subject: Subject,
    pool: Pool,
    arms: Sequence[Arm],
    budget: int,
    *,
    valid: Callable[[Question], bool],
) -> Generator[Arm, ArmResult, Reduction]:
    """
    Reduce one failing instruction: yield each arm to ask, and be sent what came of it.

    ``arms`` are the pool's for this element. What ``valid`` (``Checker.valid``) disputes is
    neither asked nor a step.
    """
    steps: list[str] = []
    agreed = _remembered(valid)
    tried: dict[str, ArmResult] = {of.arm.question.id: of}
    current, asked = of, 0
    while True:
        for step, arm in _smaller(current.arm, subject, pool, arms):
            known = tried.get(arm.question.id)
            if known is None:
                if not agreed(arm.question):
                    continue
                if asked >= budget:
                    return Reduction(of, current, tuple(steps), asked, minimal=False)
                known = yield arm
                asked += 1
                tried[arm.question.id] = known
            if known.failed:
                steps.append(step)
                current = known
                break
        else:
            return Reduction(of, current, tuple(steps), asked, minimal=True)


def _remembered(valid: Callable[[Question], bool]) -> Callable[[Question], bool]:
    """Ask about each question once: what is disputed comes up again after every step."""
    known: dict[str, bool] = {}

    def agreed(question: Question) -> bool:
        if question.id not in known:
            known[question.id] = valid(question)
        return known[question.id]

    return agreed


async def shrink_all(
    works: Sequence[Generator[Arm, ArmResult, Reduction]], asker: Asker
) -> list[Reduction]:
    """Run several reductions side by side, one question of each at a time."""
    found: dict[int, Reduction] = {}
    waiting: dict[int, Arm] = {}
    for at, work in enumerate(works):
        _advance(work, None, at, waiting, found)
    while waiting:
        asking = dict(waiting)
        results = await asker.results(list(asking.values()))
        for at, result in zip(asking, results, strict=True):
            _advance(works[at], result, at, waiting, found)
    return [found[at] for at in range(len(works))]


def _advance(
    work: Generator[Arm, ArmResult, Reduction],
    result: ArmResult | None,
    at: int,
    waiting: dict[int, Arm],
    found: dict[int, Reduction],
) -> None:
    try:
        waiting[at] = next(work) if result is None else work.send(result)
    except StopIteration as end:
        waiting.pop(at, None)
        found[at] = end.value


def _smaller(
    arm: Arm, subject: Subject, pool: Pool, arms: Sequence[Arm]
) -> Iterator[tuple[str, Arm]]:
    """Yield what is smaller than an arm in view, words or expression, and valid."""
    question = arm.question
    expression = question.instruction.expression
    if question.screen != subject.screen:
        plain = pool.arm(subject, expression)
        if plain is not None:
            yield f"without the view {variant_title(question.cell.variant)}", plain
        milder = pool.milder(subject, arm)
        if milder is not None:
            yield f"half the view {variant_title(question.cell.variant)}", milder
    if question.instruction.wording:
        plain = pool.arm(subject, expression, question.screen)
        if plain is not None:
            yield f"without {question.instruction.wording}", plain
        return
    for step, smaller in reductions(expression):
        found = pool.arm(subject, smaller, question.screen)
        if found is not None:
            yield step, found
    yield from _cheaper(arm, arms)


def _cheaper(arm: Arm, arms: Sequence[Arm]) -> Iterator[tuple[str, Arm]]:
    """Yield the pool's smaller instructions of the same screen that use no other parts."""
    question = arm.question
    own = set(parts_of(question.instruction.expression))
    size = size_of(question.instruction.expression)
    smaller = [
        item
        for item in arms
        if item.question.screen == question.screen
        and not item.question.instruction.wording
        and set(parts_of(item.question.instruction.expression)) <= own
        and size_of(item.question.instruction.expression) < size
    ]
    smaller.sort(
        key=lambda item: (size_of(item.question.instruction.expression), item.question.id)
    )
    for item in smaller[:REPLACEMENTS]:
        yield "replaced by a smaller one", item
