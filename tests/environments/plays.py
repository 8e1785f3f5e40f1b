"""
What an agent did in one episode, as texts that any environment can carry out.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.web.browser import Browser
from surefoot.environments.desk import DeskClient
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.desk.protocol import EpisodeRequest
from surefoot.forms.driver.agent import open_agent
from surefoot.forms.driver.episode import run_episode
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.observation import FormView
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.values.making import make_instance
from surefoot.run.forms.workers import prepare_task

# A window that shows every page whole, so that the same places do everywhere.
TALL: Final = 2400


def recorded_play(desk: DeskClient, request: EpisodeRequest) -> tuple[list[str], EpisodeScore]:
    """Let our own driver play an episode perfectly; return its steps in words, and the score."""
    episode = desk.open(request)
    form = catalogue()[episode.form]
    instance = make_instance(form, seed=episode.seed, index=episode.instance)
    with Browser() as browser, tempfile.TemporaryDirectory() as folder:
        task = prepare_task(form, instance, Path(folder), language=request.language)
        played = run_episode(
            browser,
            episode.url,
            open_agent("oracle", task),
            task,
            view=FormView(height=TALL, follow="window"),
        )
    write = ACTION_LANGUAGES.get("browsergym").write
    steps = ["\n".join(write(effect.action) for effect in step.effects) for step in played.steps]
    return steps, desk.score(episode).score


def spoiled(steps: list[str]) -> list[str]:
    """Return a play that types a wrong value first, and is otherwise as good as it was."""
    calls = steps[0].splitlines()
    at = next(at for at, call in enumerate(calls) if call.startswith("keyboard_type("))
    calls[at] = 'keyboard_type("Somebody else")'
    return ["\n".join(calls), *steps[1:]]


def told_apart(score: EpisodeScore) -> EpisodeScore:
    """Return a score without the name of who played."""
    return msgspec.structs.replace(score, agent="")
