"""
Controls: the agent that fills in what is right, and the one that fills in nothing.

The oracle puts right values into right fields, by mouse and keyboard like anybody else. It
proves that a form can be answered. It is shown where the controls lie; all that it does goes
through the same actions and the same executor as every agent's. The null agent leaves every
page as it is, and only the driver turns the pages.
"""

from __future__ import annotations

from surefoot.forms.driver.agent import AgentKind, AgentReply, FormTask, Policy
from surefoot.forms.driver.filler import Filler
from surefoot.forms.driver.observation import Observation


class Idle:
    """Do nothing at all."""

    name = "null"
    privileged = False
    policy: Policy = "page"

    def act(self, observation: Observation) -> AgentReply:  # noqa: ARG002
        """Reply without any action."""
        return AgentReply(())


def open_idle(task: FormTask) -> Idle:  # noqa: ARG001
    """Return an agent that needs to know nothing."""
    return Idle()


NULL = AgentKind(
    name="null",
    version=1,
    summary="fills in nothing: what a form scores by itself",
    open=open_idle,
)


def open_oracle(task: FormTask) -> Filler:
    """Return an agent that fills in the task's right values."""
    form, instance = task.gold()
    return Filler("oracle", form, instance.values, task.language)


ORACLE = AgentKind(
    name="oracle",
    version=5,
    summary="fills in the right values by the live boxes: proves that a form can be answered",
    open=open_oracle,
    privileged=True,
)
