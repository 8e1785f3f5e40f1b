"""
What a person sees of a cause and can do about it: pictures, how many more there are, advice.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from PIL import ImageDraw

from surefoot.core.pictures import opened
from surefoot.core.question import Question
from surefoot.diagnose.causes.table import slice_of
from surefoot.diagnose.features.feature import CAUSES, USUAL, Advice, advice
from surefoot.diagnose.findings import ClassExample, ClassFacts, Weakness
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.fresh import Wanted
from surefoot.diagnose.search.pool import BenchPool
from surefoot.diagnose.search.suite import SuitePool

EXAMPLES: Final = 3  # pictures on either side
AROUND: Final = (150, 95)  # px around the middle of a target that its picture shows
MARK: Final = "#d6006c"


def class_facts(
    weakness: Weakness,
    wanted: Wanted,
    pool: BenchPool | SuitePool,
    answers: Sequence[ArmResult],
) -> ClassFacts:
    """
    Return what is told of a cause beside its numbers.

    Examples within are failures, those without are hits, of as many sites and elements as there
    are. ``more`` counts the controls of the benchmark's screens that are of the class and were
    not asked about, 0 where the instructions alone tell what is.
    """
    asked = {answer.arm.question.pair for answer in answers if wanted.inside(answer.arm)}
    inside = [answer for answer in answers if answer.failed and wanted.inside(answer.arm)]
    without = wanted.outside if weakness.sliced else wanted.inside
    outside = [
        answer
        for answer in answers
        if answer.answered and not answer.failed and without(answer.arm)
    ]
    subjects = [*pool.subjects(), *pool.strangers()]
    subjects.sort(key=lambda one: one.screen)
    # What only an instruction tells is known of no element.
    tells = weakness.sliced and any(
        atom.of_element for atom in slice_of(weakness.comparison.value).atoms
    )
    within = {
        subject.pair for subject in subjects if tells and wanted.hopeful(pool.sketch(subject))
    }
    advice = advice_on(weakness)
    return ClassFacts(
        inside=tuple(_examples(inside, pool)),
        outside=tuple(_examples(outside, pool)),
        more=len(within - asked),
        of=len(subjects),
        data="; ".join(dict.fromkeys(item.data for item in advice if item.data)),
        asking="; ".join(dict.fromkeys(item.asking for item in advice if item.asking)),
        page="; ".join(dict.fromkeys(item.page for item in advice if item.page)),
    )


def class_questions(
    weaknesses: Sequence[Weakness], wanted: Mapping[str, Wanted], answers: Sequence[ArmResult]
) -> tuple[Question, ...]:
    """
    Return questions that confirmed causes are about, and as many that none is about.

    The facts of each tell its class, and whether it is "inside" or "outside". For each within,
    failures first, the likest without is taken: of its site, its kind of words and its role,
    where there is one. What is left over on either side is left out.
    """
    causes = [
        weakness
        for weakness in weaknesses
        if weakness.confirmed is not None and weakness.confirmed.held
    ]
    within = {
        answer.arm.question.id: cause.words
        for cause in reversed(causes)
        for answer in answers
        if wanted[cause.comparison.value].inside(answer.arm)
    }
    asked = sorted(answers, key=lambda one: (not one.failed, one.arm.question.id))
    questions = {result.arm.question.id: result.arm.question for result in asked}
    left = {name: question for name, question in questions.items() if name not in within}
    found: list[Question] = []
    for name, question in questions.items():
        if name in within and left:
            likest = min(left.values(), key=lambda other: _unlike(question, other))
            del left[likest.id]
            for member, side in ((question, "inside"), (likest, "outside")):
                facts = {**member.facts, "class": within[name], "side": side}
                found.append(msgspec.structs.replace(member, facts=facts))
    return tuple(found)


def _unlike(question: Question, other: Question) -> tuple[bool, bool, bool, str]:
    return (
        question.cluster != other.cluster,
        question.instruction.kind != other.instruction.kind,
        question.role != other.role,
        other.id,
    )


def advice_on(weakness: Weakness) -> list[Advice]:
    """Return what can be done about a cause, for each part of it that has an advice of its own."""
    if not weakness.sliced:
        names = [CAUSES.get(weakness.comparison.varies, USUAL)]
    else:
        names = [atom.advice for atom in slice_of(weakness.comparison.value).atoms]
    own = [name for name in names if name != USUAL]
    return [advice(name) for name in dict.fromkeys(own or [USUAL])]


def _examples(answers: Iterable[ArmResult], pool: BenchPool | SuitePool) -> Iterator[ClassExample]:
    """Yield answers with their pictures, each site once before any twice, then each element."""
    left = sorted(answers, key=lambda one: one.arm.question.id)
    sites: dict[str, int] = {}
    pairs: dict[str, int] = {}
    for _ in range(min(EXAMPLES, len(left))):
        best = min(
            left,
            key=lambda one: (
                pairs.get(one.arm.question.pair, 0),
                sites.get(one.arm.question.cluster, 0),
            ),
        )
        left.remove(best)
        question = best.arm.question
        sites[question.cluster] = sites.get(question.cluster, 0) + 1
        pairs[question.pair] = pairs.get(question.pair, 0) + 1
        yield ClassExample(
            page=pool.scenes.screens[question.screen].page,
            instruction=question.instruction.text,
            picture=_cut(best, pool),
            hit=not best.failed,
        )


def _cut(answer: ArmResult, pool: BenchPool | SuitePool) -> str:
    """Return what is around the target as a data URI (WebP), the target in a frame."""
    question = answer.arm.question
    middle, truth = question.truth.center, question.truth
    left, top = max(round(middle.x) - AROUND[0], 0), max(round(middle.y) - AROUND[1], 0)
    whole = opened(pool.pictures.get(question.image))
    right = min(left + 2 * AROUND[0], whole.width)
    bottom = min(top + 2 * AROUND[1], whole.height)
    part = whole.crop((left, top, right, bottom))
    frame = (
        truth.left - left - 2,
        truth.top - top - 2,
        truth.right - left + 2,
        truth.bottom - top + 2,
    )
    ImageDraw.Draw(part).rectangle(frame, outline=MARK, width=2)
    out = io.BytesIO()
    part.save(out, "WEBP", quality=80, method=4)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()
