"""
From a name such as "openai:NAME@BASE_URL" or "replay:RUN" to what speaks for an agent.

A recorded run played again gives the same replies, carried out and scored anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError, ModelError, UnknownNameError
from surefoot.core.ledger import read_plan
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.observation import Observation
from surefoot.forms.rendering import Rendering
from surefoot.models import BACKENDS, Options, open_model
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply
from surefoot.run.folders.folder import read_table
from surefoot.run.forms.models import AskOptions, EpisodeCase, Manner, ModelSpeaker, Say, Speaker

RESULTS: Final = "episodes.jsonl"
REPLAY: Final = "replay"


class ReplayedModel:
    """
    Say again what a model said in a recorded run, whatever is shown.

    Replies go by what was asked: form, instance, seed, rendering, ruler and level.
    """

    def __init__(
        self,
        manner: Manner,
        replies: Mapping[EpisodeCase, tuple[str, ...]],
        recorded: Mapping[str, object] | None = None,
    ) -> None:
        self.manner = manner
        self.replies = replies
        self.recorded = dict(recorded or {})

    def identity(self) -> dict[str, object]:
        """
        Return the manner, the replies' digest, and what determined the replies themselves.

        Where they lie does not matter.
        """
        plain = msgspec.to_builtins(self.manner)
        replies = digest(list(self.replies.items()))
        return {**plain, "backend": REPLAY, "replies": replies, "recorded": self.recorded}

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
    change: str = ""

    @property
    def case(self) -> EpisodeCase:
        score = self.score
        shown = score.rendering, self.ruler, self.level, self.change
        return EpisodeCase(score.form, score.instance, self.seed, *shown)


class _Choices(msgspec.Struct, frozen=True):
    agents: tuple[str | dict[str, object], ...]


class _Plan(msgspec.Struct, frozen=True):
    choices: _Choices


def read_replies(folder: Path) -> ReplayedModel:
    """
    Read the replies of the one model of a finished run over forms.

    Raises InvalidInputError for a folder that is none, and for a run of no model or of
    several.
    """
    episodes = read_table(folder, RESULTS, _Episode, kind="forms")
    try:
        agents = msgspec.convert(read_plan(folder), _Plan).choices.agents
        models = [agent for agent in agents if isinstance(agent, dict)]
        manners = [msgspec.convert(model, Manner) for model in models]
    except msgspec.ValidationError as error:
        raise InvalidInputError(
            f"the plan of a run over forms in {folder}", found=error
        ) from error
    if len(manners) != 1:
        raise InvalidInputError(
            f"a run of one model in {folder}",
            found=f"{len(manners)} models among {len(agents)} agents",
            remedy="name the folder of a run with one --agent openai:...",
        )
    return ReplayedModel(
        manners[0],
        {
            episode.case: tuple(turn.reply for turn in episode.turns)
            for episode in episodes
            if episode.score.agent == manners[0].name
        },
        _asked(models[0]),
    )


def _asked(model: dict[str, object]) -> dict[str, object]:
    """Return what determined a model's replies, of a replay those of the model it replays."""
    if model.get("backend") != REPLAY:
        return model
    recorded = model.get("recorded")
    return recorded if isinstance(recorded, dict) else {}


class Speakers:
    """Open models by their names as they are needed, and keep them until closed."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._open: dict[tuple[str, AskOptions], Speaker] = {}

    def get(self, spec: str, asked: AskOptions) -> Speaker:
        """
        Return a model's speaker; nothing is sent yet.

        Raises UnknownNameError for a backend that does not reply in words about pictures,
        for a language and for a format, and InvalidInputError for a malformed rest and for
        a recorded run that is none.
        """
        if (spec, asked) not in self._open:
            self._open[spec, asked] = _opened(spec, asked, self.options)
        return self._open[spec, asked]

    def close(self) -> None:
        """Close all of them."""
        for speaker in self._open.values():
            speaker.close()
        self._open.clear()


def is_model(agent: str) -> bool:
    """
    Tell whether an agent's name is that of a model rather than of a built-in agent.

    >>> is_model("openai:NAME@http://127.0.0.1:8000/v1"), is_model("ocr")
    (True, False)
    """
    return ":" in agent


def replayed_run(agent: str) -> Path | None:
    """
    Return the folder of the run that an agent replays, None for any other agent.

    >>> replayed_run("replay:out/run").name, replayed_run("ocr")
    ('run', None)
    """
    head, colon, rest = agent.partition(":")
    return Path(rest) if colon and head == REPLAY else None


def is_asked(agent: str) -> bool:
    """Tell whether an agent is a model that is asked, not one that is replayed."""
    return is_model(agent) and agent.partition(":")[0] != REPLAY


def speaker_identities(
    agents: Iterable[str], asked: AskOptions, options: Options
) -> dict[str, dict[str, object]]:
    """
    Return, for each agent that is a model, all that determines its replies; no secret.

    Raises as ``Speakers.get`` does, and InvalidInputError where two would stand under one
    name in the records.
    """
    found: dict[str, dict[str, object]] = {}
    names: dict[str, str] = {}
    speakers = Speakers(options)
    for agent in filter(is_model, agents):
        speaker = speakers.get(agent, asked)
        name = speaker.manner.name
        if names.setdefault(name, agent) != agent:
            raise InvalidInputError(
                "models of different names in one run",
                found=f"two that are called '{name}'",
                remedy="give each a run of its own",
            )
        found[agent] = speaker.identity()
    speakers.close()
    return found


def _opened(spec: str, asked: AskOptions, options: Options) -> Speaker:
    head, _, rest = spec.partition(":")
    if head == REPLAY:
        return read_replies(Path(rest))
    backend = BACKENDS.get(head)
    if backend.blind or backend.speaks:
        every = BACKENDS.entries.values()
        fitting = [item.usage for item in every if not (item.blind or item.speaks)]
        raise UnknownNameError(
            "a model that replies in words about a picture",
            found=f"'{head}'",
            remedy=f"write {' or '.join(fitting)}, or replay:RUN",
        )
    language = ACTION_LANGUAGES.get(asked.actions)
    model = open_model(spec, format_name=asked.format, options=options)
    actions = f"{language.name}@{language.version}"
    return ModelSpeaker(model, Manner(model.name, asked.policy, actions, model.format.space))
