"""
``surefoot forms miniwob``: somebody else's form tasks, as a check of executor and actions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["play_miniwob"]


def play_miniwob(
    task: Annotated[
        list[str] | None, typer.Option("--task", help="A task's name; all scripted if not given.")
    ] = None,
    *,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds to play each task with.")] = 1,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the outcomes to this file.")
    ] = None,
) -> None:
    """
    Play MiniWoB++'s form tasks by scripts that only click and type.

    A task's own page gives the reward, 1 for solved. Exit code 1 says that one was not.
    """
    from surefoot.capture.web.browser import Browser
    from surefoot.cli.output import say, say_written
    from surefoot.core.canonical import readable_json
    from surefoot.core.errors import ExitCode
    from surefoot.core.files import write_atomic
    from surefoot.forms.miniwob.playing import play, tasks

    outcomes = []
    with Browser() as browser:
        for name in task or tasks():
            for number in range(seed, seed + seeds):
                outcomes.append(play(browser, name, number))
                say(f"{outcomes[-1].reward:5.2f}  {name} (seed {number})")
    solved = sum(each.reward == 1 for each in outcomes)
    say(f"{solved} of {len(outcomes)} with reward 1")
    if json_file is not None:
        write_atomic(json_file, readable_json(outcomes))
        say_written(json_file)
    if solved < len(outcomes):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)
