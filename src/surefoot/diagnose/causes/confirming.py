"""
A confirming round: whether what a search found holds of questions that it did not ask.

What is named was chosen because it stood out. So each named cause is looked at once more, on
fresh questions alone (``search.fresh``), by the same comparison and without a search: a slice
by the failure rate in it minus that outside of all slices that are named, a confusion by the
misses that show it, and what replies show by their share of the failures. Sites are what a claim
about other sites rests on; where too few of them have the cause for that, elements tell whether
it holds on these. The verdict follows from the answers and the level alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from surefoot.diagnose.causes.confusions import CONFUSIONS, Confusion, showings
from surefoot.diagnose.causes.profile import compare_confusion, compare_slice
from surefoot.diagnose.causes.replies import reply_causes
from surefoot.diagnose.causes.spending import LEVEL, TESTS
from surefoot.diagnose.causes.table import AND, Slice, slice_of
from surefoot.diagnose.findings import Confirmation, Weakness
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.search.fresh import Wanted
from surefoot.refer.scene.scenes import Scenes

LEAST_EFFECT: Final = 0.1
LEAST_SHOWN: Final = 3
LEAST_SITES: Final = 5  # that have a cause, for a claim about others
LEAST_ELEMENTS: Final = 5
LEAST_NEAR: Final = 10  # questions of the same sites to hold it against


def wanted_for(weakness: Weakness, named: Sequence[Weakness], scenes: Scenes) -> Wanted:
    """
    Return which questions a named cause is about, and which it is held against.

    Those of a slice that is named before it are neither, as that explains them.
    """
    kind, name = weakness.comparison.contrast, weakness.comparison.value

    def asked(arm: Arm) -> bool:
        return not weakness.pillars or arm.pillar in weakness.pillars

    if kind == "feature":
        own = slice_of(name)
        slices = [slice_of(item.comparison.value) for item in named if item.sliced]
        before = slices[: slices.index(own)] if own in slices else []
        known = Slice(tuple(atom for atom in own.atoms if atom.of_element))
        return Wanted(
            inside=lambda arm: (
                asked(arm)
                and own.holds(arm.features, arm.measures)
                and not any(item.holds(arm.features, arm.measures) for item in before)
            ),
            outside=lambda arm: (
                asked(arm) and not any(item.holds(arm.features, arm.measures) for item in slices)
            ),
            hopeful=lambda arm: known.holds(arm.features, arm.measures),
            light=any(atom.feature.light for atom in own.atoms),
            size=any(atom.is_length for atom in own.atoms),
            pillars=weakness.pillars,
        )
    if kind == "confusion":
        confusion, part = _confused(weakness)

        def tells(arm: Arm) -> bool:
            if not (asked(arm) and part.holds(arm.features, arm.measures)):
                return False
            scene = scenes.scene(arm.question.screen)
            place = scene.place.get(arm.question.instruction.target)
            expression = arm.question.instruction.expression
            return place is not None and confusion.mistake(scene, expression, place) is not None

        return Wanted(tells, outside=_never, hopeful=_always, pillars=weakness.pillars)
    return Wanted(asked, outside=_never, hopeful=_always, pillars=weakness.pillars)


def _confused(weakness: Weakness) -> tuple[Confusion, Slice]:
    """Return the confusion that a finding is about, and the slice in which it is made."""
    (confusion,) = (item for item in CONFUSIONS if item.name == weakness.comparison.varies)
    _, _, part = weakness.comparison.value.partition(AND)
    return confusion, slice_of(part)


def _always(_: Arm) -> bool:
    return True


def _never(_: Arm) -> bool:
    return False


def confirmation(
    weakness: Weakness,
    wanted: Wanted,
    fresh: Sequence[ArmResult],
    changed: Sequence[ArmResult],
    scenes: Scenes,
    *,
    level: float = LEVEL,
    tests: int = 1,
) -> Confirmation:
    """
    Hold a named cause to the answers to fresh questions, and count what a change mended.

    It holds beyond the sites that were captured where five of them or more have it and the test
    over sites is at ``level`` (one side); else on the sites that have it, where that over
    elements is, five of which must have been asked about. There it is held against
    questions of the same sites, if there are ten. The effect must be 10 points in either case.
    """
    known = [result for result in fresh if result.answered]
    inside = [result for result in known if wanted.inside(result.arm)]
    outside = [
        result for result in known if wanted.outside(result.arm) and not wanted.inside(result.arm)
    ]
    again = _again(weakness, inside, outside, scenes)
    compared = None if again is None else again.comparison
    sites = {result.arm.question.cluster for result in inside}
    elements = {result.arm.question.pair for result in inside}
    near = [result for result in outside if result.arm.question.cluster in sites]
    near = near if len(near) >= LEAST_NEAR else outside
    here = _again(weakness, _by_element(inside), _by_element(near), scenes)
    beyond = len(sites) >= LEAST_SITES and _passes(again, level)
    pairs = [result for result in changed if result.answered]
    return Confirmation(
        inside=len(inside),
        failed_inside=sum(result.failed for result in inside),
        outside=len(outside),
        failed_outside=sum(result.failed for result in outside),
        effect=None if compared is None else compared.change,
        interval=None if compared is None else compared.interval,
        held=beyond or (len(elements) >= LEAST_ELEMENTS and _passes(here, level)),
        changed=len(pairs),
        mended=sum(not pair.failed for pair in pairs),
        beyond=beyond,
        sites=len(sites),
        elements=len(elements),
        p=_one_side(again),
        p_here=_one_side(here),
        level=level,
        tests=tests,
        last=tests >= TESTS,
    )


def _by_element(answers: Iterable[ArmResult]) -> list[ArmResult]:
    """Return answers whose cluster is their element, so that what is compared is over these."""
    return [_of_element(answer) for answer in answers]


def _of_element(answer: ArmResult) -> ArmResult:
    question = answer.arm.question
    own = msgspec.structs.replace(question, cluster=question.pair)
    return msgspec.structs.replace(answer, arm=msgspec.structs.replace(answer.arm, question=own))


def _passes(found: Weakness | None, level: float) -> bool:
    large = found is not None and (found.comparison.change or 0.0) >= LEAST_EFFECT
    return large and _one_side(found) <= level


def _one_side(found: Weakness | None) -> float:
    """Return the p of one side: that the effect is there, and not its contrary."""
    if found is None:
        return 1.0
    compared = found.comparison
    if compared.contrast != "feature":  # the others are of one side already
        return compared.p
    return compared.p / 2 if (compared.change or 0.0) > 0 else 1 - compared.p / 2


def _again(
    weakness: Weakness, inside: Sequence[ArmResult], outside: Sequence[ArmResult], scenes: Scenes
) -> Weakness | None:
    """Compare anew what a cause says, on fresh answers; None where they cannot tell."""
    kind, name = weakness.comparison.contrast, weakness.comparison.value
    model = weakness.comparison.model
    if kind == "feature":
        both = [*inside, *outside]
        return compare_slice(both, slice_of(name), None, model, 1) if inside and outside else None
    if kind == "confusion":
        confusion, _ = _confused(weakness)
        shown = showings([confusion], inside, scenes)[confusion]
        enough = sum(evidence.shown for evidence in shown) >= LEAST_SHOWN
        return compare_confusion(confusion, shown, model, 1) if enough else None
    # Of the failures alone, however few: the interval of their share decides.
    for cause in reply_causes(inside, least=1):
        if cause.name == name:
            again = msgspec.structs.replace(
                weakness.comparison, change=cause.share, interval=cause.interval, p=cause.p
            )
            return msgspec.structs.replace(weakness, comparison=again)
    return None
