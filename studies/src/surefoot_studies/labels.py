"""
The agent of a faulty check-up, which takes the labels of a form for its fields.
"""

from __future__ import annotations

import itertools
from typing import Final

from surefoot.core.geometry import Point
from surefoot.core.seeds import random_source
from surefoot.forms.driver.actions import Click, Type
from surefoot.forms.driver.agent import AgentKind, AgentReply, FormTask
from surefoot.forms.driver.filler import Filler
from surefoot.forms.driver.observation import Observation
from surefoot_studies.faulty import WITHIN

ABOVE: Final = 12.0  # pixels from a field's upper edge to its label


class LabelClicker(Filler):
    """Fill in right values, but click on the label of most fields that are typed into."""

    def act(self, observation: Observation) -> AgentReply:
        """Return the filler's actions, most clicks before a typed value moved to the label."""
        actions = list(super().act(observation).actions)
        for at, (first, then) in enumerate(itertools.pairwise(actions)):
            if not isinstance(first, Click) or not isinstance(then, Type):
                continue
            at_field = Point(first.x, first.y)
            boxes = [live.box for live in observation.fields if live.box.contains(at_field)]
            draw = random_source(0, self.name, f"{self.form.id} {then.text}")
            if boxes and draw.random() < WITHIN:
                actions[at] = Click(first.x, max(boxes[0].top - ABOVE, 0.0))
        return AgentReply(tuple(actions))


def _open_agent(task: FormTask) -> LabelClicker:
    form, instance = task.gold()
    return LabelClicker("faulty", form, instance.values, task.language)


FAULTY_AGENT = AgentKind(
    name="faulty",
    version=1,
    summary="is right but clicks on labels in place of fields: tests a check-up",
    open=_open_agent,
    privileged=True,
)
