"""
The null agent: it leaves every page as it is, and only the driver turns the pages.
"""

from __future__ import annotations

from surefoot.forms.driver.agent import AgentKind, AgentReply, FormTask, Policy
from surefoot.forms.driver.observation import Observation

__all__ = ["NULL", "Idle", "open_idle"]


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
