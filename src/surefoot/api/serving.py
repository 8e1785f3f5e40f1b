"""
Pages for a person, served on this machine until they are closed: ``view`` and ``forms serve``.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Self

from surefoot.api.options import AnyPath
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from surefoot.forms.desk.cases import Offer
    from surefoot.run.episodes.playing import EpisodeAnswers
    from surefoot.score.stats.units import Unit
    from surefoot.view.clicking import HumanAnswers
    from surefoot.view.judging import Judgements, SampleChoice
    from surefoot.view.opening import GivenFolders


class ServedPages:
    """
    Hold pages that are served beside the caller, under an address of this machine.

    They are there until ``close``, the end of a ``with`` block or the end of the process.
    ``finished`` is set when there is nothing left to do on them; ``said`` is what there is to
    know of them.
    """

    def __init__(
        self,
        serving: contextlib.AbstractContextManager[str],
        finished: threading.Event | None = None,
        said: Sequence[str] = (),
    ) -> None:
        self.finished = finished or threading.Event()
        self.said = tuple(said)
        with contextlib.ExitStack() as stack:
            self.address = stack.enter_context(serving)
            self._serving = stack.pop_all()
        atexit.register(self.close)

    def close(self) -> None:
        """Serve no longer; closed once is closed for good."""
        atexit.unregister(self.close)
        self._serving.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"ServedPages({self.address!r})"

    def _repr_html_(self) -> str:
        link = escape(self.address, quote=True)
        return f'<p>Served at <a href="{link}" target="_blank">{link}</a> until it is closed.</p>'


@contextlib.contextmanager
def forms_served(folder: Path, offer: Offer, port: int) -> Iterator[str]:
    """Serve forms for a person to try, and write at the end what was tried."""
    from surefoot.loopback.serving import needing

    with needing("forms"):
        from surefoot.forms.desk.application import serve_desk
    from surefoot.run.forms.desk import is_desk, write_episodes

    with serve_desk(folder, offer, port=port) as address:
        yield address
    if is_desk(folder):
        write_episodes(folder)


@contextlib.contextmanager
def view_served(
    given: GivenFolders,
    ruler: tuple[float, Unit],
    port: int,
    kept: Judgements | None = None,
    choice: SampleChoice | None = None,
) -> Iterator[str]:
    """Serve folders to look at, and keep what is judged of them."""
    from surefoot.loopback.serving import needing

    with contextlib.ExitStack() as stack:
        if kept is not None:
            stack.enter_context(kept)
        with needing("view"):
            from surefoot.view.application import serve_view
        from surefoot.view.looking import LookedAt
        from surefoot.view.modes import tell_modes_beside

        tolerance, unit = ruler
        looked_at = LookedAt(given, tolerance=tolerance, unit=unit)
        pages = serve_view(looked_at, port=port, judgements=kept, choice=choice)
        address = stack.enter_context(pages)
        if looked_at.table.models:
            tell_modes_beside(looked_at.table, tolerance=tolerance)
        yield address


def one_bench(
    folders: Sequence[Path], click: str, out: AnyPath | None, judge: str
) -> tuple[Path, Path]:
    """Return the benchmark that a person clicks through and the run; raises InvalidInputError."""
    if not click or out is None or judge:
        given = {"click": click, "out": out, "judge": judge}
        named = " and ".join(name for name, value in given.items() if value) or "neither"
        raise InvalidInputError(
            "a name of who clicks and a folder for the run, and nobody who judges meanwhile",
            found=named,
            remedy="give --click NAME and --out RUN; --limit and --seed go with them",
        )
    if len(folders) != 1:
        raise InvalidInputError("one benchmark to click through", found=f"{len(folders)} folders")
    return folders[0], Path(out)


@contextlib.contextmanager
def click_served(asked: HumanAnswers, port: int) -> Iterator[str]:
    """Serve questions for a person to answer by clicks."""
    from surefoot.loopback.serving import needing

    with needing("view"):
        from surefoot.view.click_pages import serve_clicking
    with asked, serve_clicking(asked, port=port) as address:
        yield address


def episodes_served(
    bench: Path, agent: str, out: Path, wrong: int, limit: int, port: int
) -> tuple[contextlib.AbstractContextManager[str], threading.Event, tuple[str, ...]]:
    """Return what serves episodes, what is set when all are over, and what there is to say."""
    from surefoot.loopback.serving import needing

    with needing("view"):
        from surefoot.run.episodes.desk import serve_episodes
    from surefoot.run.episodes.playing import EpisodeAnswers

    answers = EpisodeAnswers(bench, agent, out, limit=limit, wrong=wrong)
    lines = (*answers.reasons(), f"{len(answers.questions) - len(answers.refused)} are served")
    return _played(answers, serve_episodes(answers, port=port)), answers.finished, lines


@contextlib.contextmanager
def _played(
    answers: EpisodeAnswers, serving: contextlib.AbstractContextManager[str]
) -> Iterator[str]:
    with answers, serving as address:
        yield address
