"""
The oracle: right values into right fields, by mouse and keyboard like anybody else.

It proves that a form can be answered. It is shown where the controls lie; all that it does
goes through the same actions and the same executor as every agent's.
"""

from __future__ import annotations

from surefoot.forms.driver.agent import AgentKind, FormTask
from surefoot.forms.driver.filler import Filler

__all__ = ["ORACLE", "open_oracle"]


def open_oracle(task: FormTask) -> Filler:
    """Return an agent that fills in the task's right values."""
    form, instance = task.gold()
    return Filler("oracle", form, instance.values, task.language)


ORACLE = AgentKind(
    name="oracle",
    version=3,
    summary="fills in the right values by the live boxes: proves that a form can be answered",
    open=open_oracle,
    privileged=True,
)
