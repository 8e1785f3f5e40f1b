"""
``surefoot episodes``: a benchmark's questions as live pages, for agents that drive a browser.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import AnyPath
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.api.serving import ServedPages


def episodes(
    bench: Annotated[AnyPath, CliArgument("The folder BENCH.", shell=Path)],
    *,
    out: Annotated[
        AnyPath, CliOption("The folder RUN to write or resume.", shell=Path, only="folder")
    ],
    agent: Annotated[
        str, CliOption("What the agent is called in scores.", metavar="NAME")
    ] = "agent",
    wrong: Annotated[
        int,
        CliOption(
            "How much else an agent may activate before its target; 0 where its first click is "
            "its answer.",
            minimum=0,
        ),
    ] = 3,
    limit: Annotated[
        int,
        CliOption("At most this many targets, from all sites in turn; 0 for all.", minimum=0),
    ] = 0,
    port: Annotated[
        int,
        CliOption(
            "The port to listen on; the pages use the next. 0 for any free one.",
            minimum=0,
            maximum=65534,
        ),
    ] = 0,
) -> ServedPages:
    """
    Serve each question as a live page, and take what is activated there as the answer.

    An agent with a browser of its own opens an episode by POST /episodes, and gets the page's
    address, the instruction and a secret, which opens the score. POST /episodes/ID/steps keeps
    what it sees and does, step by step, which view plays; what the page hears is kept anyway.
    Prints which questions no page can ask, and why; ends when all others are answered, or on
    Ctrl-C. The same command goes on.

    In Python, pages are served until they are closed, and ``finished`` when all is answered.

    Raises InvalidInputError for a benchmark without such a question, MissingComponentError
    without the extra "view", and SurefootError where a port is taken.
    """
    from surefoot.api.serving import ServedPages, episodes_served

    return ServedPages(*episodes_served(Path(bench), agent, Path(out), wrong, limit, port))


def command(work: Callable[[], ServedPages], *, out: Path) -> None:
    """Serve until everything is answered, or a person stops it."""
    from surefoot.cli.output import say, serve_until_told, suggest

    kept = f"stopped; what was answered is kept in {out}, and the same command goes on"
    if serve_until_told(work, kept, then="POST /episodes there opens one"):
        say(f"all questions are answered: wrote {out}")
        suggest("score", out)


VERB = CliVerb(
    "episodes",
    "Ask",
    "Serve questions as live pages to whole agents.",
    episodes,
    command,
    (
        "surefoot episodes out/bench --agent mine --out out/run-mine",
        "surefoot episodes out/bench --wrong 0 --limit 30 --port 8423 --out out/run-first",
    ),
)
