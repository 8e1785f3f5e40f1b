"""
A form as an OpenEnv environment, served over HTTP and WebSockets to whatever trains on it.

    python -m surefoot.environments.openenv --port 8000

serves it on this machine alone, and with ``--questions --desk ADDRESS`` a desk's questions; TRL
and every other client of OpenEnv reset and step it. Who wants it elsewhere serves
``application`` behind a door of their own: OpenEnv knows no keys.
"""

from __future__ import annotations

import base64
import functools
import io
from typing import Annotated, Any, ClassVar

import typer
import uvicorn
from fastapi import FastAPI
from openenv.core.env_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from PIL import Image
from pydantic import Field

from surefoot.environments.goals import RewardName
from surefoot.environments.gymnasium import FormEnv, Seen
from surefoot.environments.questions import QuestionEnv


class FormAction(Action):  # type: ignore[misc]
    """Hold calls in the environment's language of actions, one a line."""

    calls: str = Field(description="e.g. mouse_click(400, 220), one call a line")


class FormObservation(Observation):  # type: ignore[misc]
    """Show the page as a base64 PNG, with the paper and the names of the files to upload."""

    screenshot: str = Field(description="a PNG, base64")
    paper: str = Field(description="what to enter")
    files: list[str] = Field(description="names of files to upload")
    unread: list[str] = Field(default_factory=list, description="why calls were not understood")
    refused: list[str] = Field(default_factory=list, description="why calls did nothing")


class QuestionObservation(Observation):  # type: ignore[misc]
    """Show the page as a base64 PNG, with what to do there."""

    screenshot: str = Field(description="a PNG, base64")
    instruction: str = Field(description="what to activate")
    unread: list[str] = Field(default_factory=list, description="why calls were not understood")
    refused: list[str] = Field(default_factory=list, description="why calls did nothing")


class FormEnvironment(Environment):  # type: ignore[misc]
    """
    Let a client of OpenEnv fill in live forms; each session has a browser of its own.

    It is FormEnv behind OpenEnv's protocol, with its rewards and its ends. What ``reset`` is
    given beside the seed are options of an episode: form, instance, language, level, ...
    """

    SUPPORTS_CONCURRENT_SESSIONS: ClassVar[bool] = True
    plays: ClassVar[type[FormEnv]] = FormEnv
    shows: ClassVar[type[Observation]] = FormObservation

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - FormEnv's own
        super().__init__()
        self._env = self.plays(**options)
        self._state = State()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        **options: Any,  # noqa: ANN401 - as JSON has them
    ) -> Observation:
        """Open a new episode."""
        seen, _ = self._env.reset(seed=seed, options=options)
        self._state = State(episode_id=episode_id or self._env.episode.id, step_count=0)
        return self._shown(seen)

    def step(
        self,
        action: FormAction,
        timeout_s: float | None = None,
        **_: Any,  # noqa: ANN401 - OpenEnv's own
    ) -> Observation:
        """Carry out an action's calls; the score is in the metadata once the episode is over."""
        del timeout_s
        seen, worth, ended, cut, info = self._env.step(action.calls)
        self._state.step_count += 1
        return self._shown(
            seen,
            done=ended or cut,
            reward=worth,
            unread=info["unread"],
            refused=info["refused"],
            metadata={"score": info["score"]} if "score" in info else {},
        )

    @property
    def state(self) -> State:
        """Return the episode's id and how many steps were taken."""
        return self._state

    def close(self) -> None:
        """Close the browser."""
        self._env.close()

    def _shown(self, seen: Seen, **further: Any) -> Observation:  # noqa: ANN401 - the fields' own
        picture = io.BytesIO()
        Image.fromarray(seen["screenshot"]).save(picture, "PNG")
        fields = {name: value for name, value in seen.items() if name != "screenshot"}
        if "files" in fields:
            fields["files"] = list(fields["files"])
        return self.shows(
            screenshot=base64.b64encode(picture.getvalue()).decode(), **fields, **further
        )


class QuestionEnvironment(FormEnvironment):
    """
    Let a client of OpenEnv answer questions on live pages, as QuestionEnv does.

    What ``reset`` is given is the option ``question``, one's id.
    """

    plays = QuestionEnv
    shows = QuestionObservation


def application(
    sessions: int = 2,
    *,
    questions: bool = False,
    **options: Any,  # noqa: ANN401 - those of FormEnv, or of QuestionEnv
) -> FastAPI:
    """Return the server of as many sessions at once; ``options`` are those of what is played."""
    environment = QuestionEnvironment if questions else FormEnvironment
    app: FastAPI = create_app(
        functools.partial(environment, **options),
        FormAction,
        environment.shows,
        env_name="surefoot_questions" if questions else "surefoot_forms",
        max_concurrent_envs=sessions,
    )
    return app


def serve(  # noqa: PLR0913 - one argument an option
    *,
    form: Annotated[str, typer.Option(help="The form, where a reset names none.")] = "bug_report",
    desk: Annotated[str, typer.Option(help="A desk's address, else one is started.")] = "",
    actions: Annotated[str, typer.Option(help="The language of actions.")] = "browsergym",
    reward: Annotated[RewardName, typer.Option(help="What an episode is worth.")] = "values",
    width: Annotated[int, typer.Option(help="The window's width in pixels.")] = 1280,
    height: Annotated[int, typer.Option(help="The window's height in pixels.")] = 800,
    questions: Annotated[
        bool, typer.Option("--questions", help="Play a desk's questions instead of forms.")
    ] = False,
    sessions: Annotated[int, typer.Option(help="Sessions at once, each with a browser.")] = 2,
    port: Annotated[int, typer.Option(help="The port of loopback to listen on.")] = 8000,
) -> None:
    """Serve forms as an environment of OpenEnv on this machine, until Ctrl-C."""
    forms = {} if questions else {"form": form, "reward": reward}
    app = application(
        sessions,
        questions=questions,
        desk=desk,
        actions=actions,
        width=width,
        height=height,
        **forms,
    )
    uvicorn.run(app, host="127.0.0.1", port=port)


if __name__ == "__main__":
    typer.run(serve)
