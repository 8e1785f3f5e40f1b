"""
A recorded run over forms, played again: the same replies, carried out and scored anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.ledger import read_plan
from surefoot.forms.driver.observation import Observation
from surefoot.forms.rendering import Rendering
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply
from surefoot.run.folders.folder import read_table
from surefoot.run.forms.models import EpisodeCase, Manner, Say

__all__ = ["Replayed", "read_replies"]

RESULTS: Final = "episodes.jsonl"


class Replayed:
    """
    Say again what a model said in a recorded run, whatever is shown.

    Replies go by what was asked: form, instance, seed, rendering, ruler and level.
    """

    def __init__(self, manner: Manner, replies: Mapping[EpisodeCase, tuple[str, ...]]) -> None:
        self.manner = manner
        self.replies = replies

    def identity(self) -> dict[str, object]:
        """Return the manner and the replies' digest; where they lie does not matter."""
        plain = msgspec.to_builtins(self.manner)
        return {**plain, "backend": "replay", "replies": digest(list(self.replies.items()))}

    def talk(self, case: EpisodeCase) -> Say:
        """Return what gives a recorded episode's replies in order; they cost nothing anew."""
        left = list(reversed(self.replies.get(case, ())))

        def say(messages: ChatMessages, seen: Observation) -> Reply:  # noqa: ARG001
            if not left:
                raise ModelError(
                    "no-reply",
                    expected=f"a recorded reply about {case.form}, instance {case.instance}",
                    found="none, or none left",
                    remedy="replay a run on the forms and looks that it was made with",
                )
            return Reply(left.pop())

        return say

    def close(self) -> None:
        """Hold nothing, free nothing."""


class _Turn(msgspec.Struct, frozen=True):
    reply: str


class _Score(msgspec.Struct, frozen=True):
    form: str
    instance: int
    agent: str
    rendering: Rendering


class _Episode(msgspec.Struct, frozen=True):
    """Read of a result what a replay needs."""

    id: str
    score: _Score
    turns: tuple[_Turn, ...]
    ruler: int
    level: str
    seed: int

    @property
    def case(self) -> EpisodeCase:
        score = self.score
        return EpisodeCase(
            score.form, score.instance, self.seed, score.rendering, self.ruler, self.level
        )


class _Choices(msgspec.Struct, frozen=True):
    agents: tuple[str | Manner, ...]


class _Plan(msgspec.Struct, frozen=True):
    choices: _Choices


def read_replies(folder: Path) -> Replayed:
    """
    Read the replies of the one model of a finished run over forms.

    Raises InvalidInputError for a folder that is none, and for a run of no model or of
    several.
    """
    episodes = read_table(folder, RESULTS, _Episode, kind="forms")
    try:
        agents = msgspec.convert(read_plan(folder), _Plan).choices.agents
    except msgspec.ValidationError as error:
        raise InvalidInputError(
            f"the plan of a run over forms in {folder}", found=error
        ) from error
    manners = [each for each in agents if isinstance(each, Manner)]
    if len(manners) != 1:
        raise InvalidInputError(
            f"a run of one model in {folder}",
            found=f"{len(manners)} models among {len(agents)} agents",
            remedy="name the folder of a run with one --agent openai:...",
        )
    return Replayed(
        manners[0],
        {
            each.case: tuple(turn.reply for turn in each.turns)
            for each in episodes
            if each.score.agent == manners[0].name
        },
    )
