"""
What an agent is: something that is shown a form and replies with actions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Unparsed, Usage
from surefoot.core.registry import Registry
from surefoot.forms.driver.actions import Action
from surefoot.forms.driver.observation import Observation
from surefoot.forms.instance import Instance
from surefoot.forms.specification import Form

Policy: TypeAlias = Literal["page", "step"]


class AgentReply(msgspec.Struct, frozen=True):
    """
    Hold what an agent wants done, in order, and the words it said it in, if any.

    ``usage`` is what the words took to make. ``given_up`` says why nobody goes on with an
    agent whose replies cannot be read, "" for any other.
    """

    actions: tuple[Action | Unparsed, ...]
    text: str = ""
    usage: Usage = Usage()
    given_up: str = ""


class Agent(Protocol):
    """
    Act on what is shown.

    ``policy`` "page": one reply fills a whole page in, and the driver then turns it, as in
    the paper. "step": whatever the reply, the agent is shown what came of it, until it
    submits or finishes. Only a ``privileged`` agent is shown where the fields lie.
    """

    @property
    def name(self) -> str:
        """Return the name that stands in records."""

    @property
    def privileged(self) -> bool:
        """Tell whether it may know boxes and values of the live page."""

    @property
    def policy(self) -> Policy:
        """Return how it is asked."""

    def act(self, observation: Observation) -> AgentReply:
        """Reply to what is seen; raises ModelError where it cannot."""


class FormTask(msgspec.Struct, frozen=True):
    """
    Say what is to be filled in.

    ``text`` is all that a person would hand over; ``files`` are the names in ``folder``.
    ``form`` and ``instance`` hold the right values, for privileged agents only.
    """

    text: str
    language: str = "en"
    folder: Path | None = None
    files: tuple[str, ...] = ()
    form: Form | None = None
    instance: Instance | None = None

    def bare(self) -> FormTask:
        """Return the same without the right values."""
        return msgspec.structs.replace(self, form=None, instance=None)

    def gold(self) -> tuple[Form, Instance]:
        """Return the form and its right values; raises InvalidInputError without them."""
        if self.form is None or self.instance is None:
            raise InvalidInputError(
                "a task with the right values", found="none", remedy="give form and instance"
            )
        return self.form, self.instance


class AgentKind(msgspec.Struct, frozen=True):
    """Offer an agent by name; ``open`` makes one for a task."""

    name: str
    version: int
    summary: str
    open: Callable[[FormTask], Agent]
    privileged: bool = False


AGENTS: Final[Registry[AgentKind]] = Registry(AgentKind, "surefoot.forms.agents", what="agent")


def open_agent(name: str, task: FormTask) -> Agent:
    """
    Return a new agent of that name; only a privileged one is given the right values.

    Raises UnknownNameError with the nearest names.
    """
    kind = AGENTS.get(name)
    return kind.open(task if kind.privileged else task.bare())
