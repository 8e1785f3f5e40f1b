"""
From a name such as "openai:NAME@BASE_URL" or "replay:RUN" to what speaks for an agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.models import BACKENDS, Options, open_model
from surefoot.run.forms.models import AskOptions, Manner, ModelSpeaker, Speaker
from surefoot.run.forms.replay import read_replies

__all__ = ["Speakers", "is_asked", "is_model", "speaker_identities"]

REPLAY = "replay"


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
        fitting = [each.usage for each in every if not (each.blind or each.speaks)]
        raise UnknownNameError(
            "a model that replies in words about a picture",
            found=f"'{head}'",
            remedy=f"write {' or '.join(fitting)}, or replay:RUN",
        )
    language = ACTION_LANGUAGES.get(asked.actions)
    model = open_model(spec, format_name=asked.format, options=options)
    actions = f"{language.name}@{language.version}"
    return ModelSpeaker(model, Manner(model.name, asked.policy, actions, model.format.space))
