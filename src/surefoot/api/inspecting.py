"""
The verbs that look at what is there: perturbations, labels, folders, this machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from surefoot.api.benches import Bench
from surefoot.api.options import AnyPath, console_for, listed, paths, unconfined_pages
from surefoot.api.screens import Screens
from surefoot.api.tables import FlatTable
from surefoot.api.threads import in_thread

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.benchmarks.conformance import PageCheck
    from surefoot.run.doctor import Component
    from surefoot.run.ratings import PeopleAgreement, RatingLines
    from surefoot.run.verdicts import PeopleVerdict
    from surefoot.run.verifying import FolderCheck


CHECKED_PAGES: Final = (
    "npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/login.html",
)


@in_thread
def check(  # noqa: PLR0913 - one argument an option
    perturbation: str,
    pages: str | Iterable[str] = (),
    *,
    seed: int = 0,
    replay: bool = False,
    count: int = 0,
    workers: int = 2,
    unconfined: bool = False,
    progress: bool | Console = False,
) -> FlatTable[PageCheck]:
    """
    Check a perturbation on real pages: same seed, same bytes; targets still there; boxes hit.

    ``pages`` are sources as of ``capture``; two pages of a public package if none are named.
    With the name of a benchmark, ``pages`` are folders BENCH of it, and every answer is proven
    once more, page by page; with ``replay`` also from the states of ``count`` items (0 for all)
    as ``workers`` browsers reach them again, with a record of what was replayed of a folder. A
    record without ``complaints`` keeps its promises. Raises UnknownNameError for a perturbation
    that there is none of, MissingComponentError without a browser, and InvalidInputError for a
    benchmark whose answers are not proven again, and to replay anything else.
    """
    from surefoot.benchmarks.benchmark import BENCHMARKS
    from surefoot.benchmarks.conformance import PageCheck, check_perturbation
    from surefoot.capture.settings import Settings
    from surefoot.capture.sources import list_addresses
    from surefoot.core.errors import InvalidInputError

    named = [pages] if isinstance(pages, str) else list(pages)
    if perturbation in BENCHMARKS.entries:
        from surefoot.run.proving import prove_again

        folders = [Path(folder) for folder in named]
        checks = prove_again(perturbation, folders)
        if replay:
            from surefoot.run.replaying import replay_again

            how = {"count": count, "seed": seed, "workers": workers}
            with unconfined_pages(allowed=unconfined):
                checks += replay_again(perturbation, folders, **how, console=console_for(progress))
        return FlatTable(checks, PageCheck)
    if replay:
        raise InvalidInputError(
            "a benchmark to replay", found=f"'{perturbation}'", remedy="leave --replay out"
        )
    with unconfined_pages(allowed=unconfined):
        addresses = [found for spec in named or CHECKED_PAGES for found in list_addresses(spec)]
        return FlatTable(
            check_perturbation(perturbation, addresses, Settings(), seed=seed), PageCheck
        )


@in_thread
def audit_answers(
    bench: AnyPath | Bench, files: AnyPath | Iterable[AnyPath] | RatingLines
) -> FlatTable[PeopleVerdict]:
    """
    Return what people said on copies of the sheets of ``audit`` or pages of ``view``, as rates.

    Where ``bench`` is the folder ``failing`` of a diagnosis, "success" is the share of its
    elements with a failing instruction that people pass. Raises InvalidInputError for a file
    that cannot be read, a cell that is no verdict, and where nobody said anything.
    """
    from surefoot.report.people import people_answers
    from surefoot.run.verdicts import PeopleVerdict

    return FlatTable(people_answers(_read(files), Path(bench)), PeopleVerdict)


@in_thread
def select(
    bench: AnyPath | Bench,
    *,
    out: AnyPath,
    teacher: AnyPath | Iterable[AnyPath] = (),
    sheet: AnyPath | Iterable[AnyPath] = (),
) -> Bench:
    """
    Keep the targets that every ``teacher`` hits on the original and that people pass.

    ``teacher`` are runs over ``bench``, ``sheet`` filled-in copies of what ``audit`` writes or the
    files of ``view`` with ``judge``; what is rejected lies in ``rejected.jsonl`` with its reasons.
    Raises InvalidInputError as ``audit_answers`` does, for a run over another benchmark, and where
    nothing is kept.
    """
    from surefoot.run.selecting import select_targets

    chosen = {"teachers": list(paths(teacher)), "answers": list(paths(sheet))}
    outcome = select_targets(Path(bench), Path(out), **chosen)
    return Bench(outcome.folder, outcome)


@in_thread
def audit(
    bench: AnyPath | Bench | Screens,
    *,
    out: AnyPath,
    count: int = 60,
    per_sheet: int = 6,
    seed: int = 0,
) -> tuple[Path, ...]:
    """
    Draw contact sheets: the target in green, the landmark in blue, the instruction above.

    Beside them is ``ratings.csv``, whose copies ``agreement`` reads once they are filled in. Of
    screens in several languages each sheet is a page in all of them, where the same number is
    the same element. Returns the files, with ``count`` samples or pages in all. Raises
    InvalidInputError for what is neither, and for a benchmark without pictures.
    """
    from surefoot.report.audit import draw_audit
    from surefoot.report.parallel import draw_parallel
    from surefoot.run.folders.folder import is_kind

    if is_kind(Path(bench), "screens"):
        return tuple(draw_parallel(Path(bench), Path(out), count=count, seed=seed))
    return tuple(draw_audit(Path(bench), Path(out), count=count, seed=seed, per_sheet=per_sheet))


@in_thread
def agreement(
    files: AnyPath | Iterable[AnyPath] | RatingLines,
    *,
    category: str | Iterable[str] = (),
    column: str = "rating",
) -> PeopleAgreement:
    """
    Return how far people agree about items, from files of what they said of them.

    A file is CSV or JSON Lines, with a rating a line (``item``, ``rating`` or another ``column``,
    and ``rater`` where it is not the file's name) or an item a line (``item`` and a count for each
    category); with a ``site`` of every item, intervals are over sites. ``category`` could be
    given, too, though nobody did. Raises InvalidInputError for what cannot be read, and where
    nobody rated.
    """
    from surefoot.run.ratings import agreement_of

    return agreement_of(_read(files), listed(category), column)


def _read(files: AnyPath | Iterable[AnyPath] | RatingLines) -> RatingLines:
    """Return the lines of files, which a caller may have read."""
    from surefoot.run.ratings import RatingLines, read_lines

    return files if isinstance(files, RatingLines) else read_lines(paths(files))


@in_thread
def verify(
    folder: AnyPath, *, repair: bool = False, progress: bool | Console = False
) -> FlatTable[FolderCheck]:
    """
    Check the plan, records, objects and exports of a folder, and of those in it, by their hashes.

    With ``repair`` what is ``damaged`` is dropped, and each record names the command that makes
    it again, to the same bytes. Raises InvalidInputError where Surefoot wrote none of it, and
    FolderBusyError where one that is to be repaired has a writer.
    """
    from surefoot.run.verifying import FolderCheck, verify_folders

    found = verify_folders(Path(folder), repair=repair, console=console_for(progress))
    return FlatTable(found, FolderCheck)


@in_thread
def doctor(*, fix: bool = False, progress: bool | Console = False) -> FlatTable[Component]:
    """
    Say what is installed, what is missing and how to get it.

    A component without a ``version`` is missing; all but the ``needed`` ones are offers. With
    ``fix`` the system packages that are needed are installed first, and the package manager
    prints what it does. Raises MissingComponentError where that fails.
    """
    from surefoot.run import doctor as machine

    components = machine.examine(machine.ThisMachine())
    if fix and (command := machine.install_command(machine.wanted(components))):
        console = console_for(progress)
        if console is not None:
            console.print(f"running: {command}", markup=False, highlight=False, soft_wrap=True)
        machine.install(command)
        components = machine.examine(machine.ThisMachine())
    return FlatTable(components, machine.Component)
