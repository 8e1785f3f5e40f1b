"""
Pages for a person, served on this machine until they are closed: ``view`` and ``forms serve``.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Self

from surefoot.api import options
from surefoot.api.options import AnyPath
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from surefoot.api.opening import AnyFolder
    from surefoot.forms.desk.cases import Offer
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


def view(  # noqa: PLR0913 - one argument an option
    paths: AnyPath | AnyFolder | Iterable[AnyPath | AnyFolder],
    *,
    bench: AnyPath | None = None,
    tolerance: float = 0.0,
    unit: Unit = "site",
    label: Iterable[str] = (),
    judge: str = "",
    judgements: AnyPath = "judgements.jsonl",
    criterion: Iterable[str] = (),
    click: str = "",
    out: AnyPath | None = None,
    limit: int = 0,
    seed: int = 0,
    port: int = 0,
) -> ServedPages:
    """
    Serve questions, answers and screens to this machine's browser, until it is closed.

    ``paths`` are runs, benchmarks, screens, diagnoses, runs over forms, or folders of them;
    ``label`` is what the runs are called, once for each, in their order; ``unit`` is what the
    questions are a sample of. Only who has the
    ``address``, with its token, is served. With ``judge`` this person can judge samples by each
    ``criterion``, a column of the sheets of ``audit`` (all of them where none is named), which
    the file ``judgements`` keeps; with a ``limit``, as many as ``audit`` draws by ``seed``. With
    ``click`` this person answers a benchmark's questions, ``limit`` targets of all sites in an
    order drawn by ``seed``, into the folder ``out``, and nothing else is shown; the pages are
    ``finished`` when all are answered.

    Raises InvalidInputError for a folder with nothing to look at, for runs of one name and for
    options that do not go together, MissingComponentError without the extra "view", and
    SurefootError where the port is taken.
    """
    folders, moved = options.paths(paths), None if bench is None else Path(bench)
    if click or out is not None or ((limit or seed) and not judge):
        bench_folder, run = _one_bench(folders, click, out, judge)
        from surefoot.view.clicking import HumanAnswers

        asked = HumanAnswers(bench_folder, click, run, limit=limit, seed=seed)
        return ServedPages(_click_served(asked, port), asked.all_answered)
    from surefoot.view.opening import open_folders

    given, ruler = open_folders(folders, moved, tuple(label)), (tolerance, unit)
    if not judge:
        return ServedPages(_view_served(given, ruler, port))
    from surefoot.view.judging import COLUMNS, Judgements, SampleChoice

    if limit and len(given.benches) != 1:
        raise InvalidInputError(
            "one benchmark to draw samples of", found=f"{len(given.benches)} of them"
        )
    choice = SampleChoice(tuple(criterion) or tuple(COLUMNS), limit, seed)
    kept = Judgements(Path(judgements), judge)
    return ServedPages(_view_served(given, ruler, port, kept, choice), said=kept.said)


def serve_forms(  # noqa: PLR0913 - one argument an option
    *,
    out: AnyPath,
    form: Iterable[str] = (),
    renderer: str = "plain",
    theme: str = "",
    layout: str = "",
    language: str = "en",
    seed: int = 0,
    port: int = 0,
) -> ServedPages:
    """
    Serve forms to this machine's browser for a person to try, until they are closed.

    ``out`` keeps the record of all runs. ``form`` names forms by id, code or .toml file, else
    all of the catalogue are served; the forms use the port after ``port``. Raises
    UnknownNameError for what cannot be named, MissingComponentError without the extra "forms",
    and SurefootError where a port is taken.
    """
    from surefoot.loopback.serving import needing

    with needing("forms"):
        from surefoot.forms.catalogue.reading import catalogue, find_form
        from surefoot.forms.desk.cases import Offer
        from surefoot.forms.rendering import Rendering

    named = tuple(map(find_form, form))
    look = Rendering(renderer, theme, layout, language, seed=seed)
    offer = Offer(named or tuple(catalogue().values()), look, seed)
    return ServedPages(_forms_served(Path(out), offer, port))


@contextlib.contextmanager
def _forms_served(folder: Path, offer: Offer, port: int) -> Iterator[str]:
    from surefoot.loopback.serving import needing

    with needing("forms"):
        from surefoot.forms.desk.application import serve_desk
    from surefoot.run.forms.desk import is_desk, write_episodes

    with serve_desk(folder, offer, port=port) as address:
        yield address
    if is_desk(folder):
        write_episodes(folder)


@contextlib.contextmanager
def _view_served(
    given: GivenFolders,
    ruler: tuple[float, Unit],
    port: int,
    kept: Judgements | None = None,
    choice: SampleChoice | None = None,
) -> Iterator[str]:
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


def _one_bench(
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
def _click_served(asked: HumanAnswers, port: int) -> Iterator[str]:
    from surefoot.loopback.serving import needing

    with needing("view"):
        from surefoot.view.click_pages import serve_clicking
    with asked, serve_clicking(asked, port=port) as address:
        yield address
