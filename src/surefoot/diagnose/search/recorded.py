"""
What runs over forms have answered already: each field that was to be filled in is an element.

Nothing can be asked anew: the form is not open any more.
"""

from __future__ import annotations

from typing import Final

from surefoot.diagnose.features.vocabulary import described
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Subject
from surefoot.diagnose.search.pool import clustered
from surefoot.diagnose.search.trail import RECORDED, Trail
from surefoot.refer.generate.describe import cost_of
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.asking.recorded import RecordedForms
from surefoot.score.stats.units import Unit

FORMS: Final = "forms"
CANNOT: Final = "its forms were filled in once, and are not open any more"


def form_trails(recorded: RecordedForms, scenes: Scenes, pillar: str, unit: Unit) -> list[Trail]:
    """
    Return each field as an element that was asked about, its clicks as the answers.

    ``scenes`` have the screens already; ``unit`` is what the elements are a sample of.
    """
    found: dict[str, Trail] = {}
    # Screen by screen, since a screen's pixels are not kept for long.
    for click in sorted(recorded.clicks, key=lambda one: (one.question.screen, one.question.id)):
        question = clustered(click.question, unit)
        subject = Subject(
            question.pair,
            question.cluster,
            question.screen,
            question.instruction.target,
            question.role,
        )
        trail = found.setdefault(question.pair, Trail(subject))
        features, measures = described(question, scenes.scene(question.screen))
        cost = cost_of(question.instruction.expression)
        arm = Arm(question, features, cost, measures, pillar)
        trail.record([ArmResult(arm, click.answer, RECORDED, met=click.met)])
        trail.plans[RECORDED] = Plan(why="as the form was filled in")
        trail.pool, trail.opened, trail.ended = len(trail.tried), True, True
    return [found[pair] for pair in sorted(found)]
