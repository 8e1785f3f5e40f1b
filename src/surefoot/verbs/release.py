"""
``surefoot release``: a suite that others can cite and build again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import AnyPath, BrowsersOption, JsonFileOption, console_for, paths
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.report.card.board import Leaderboard
    from surefoot.run.engine.outcome import Outcome
    from surefoot.run.releases import Difference, Release


@in_thread
def make_release(
    suite: Annotated[
        AnyPath,
        CliArgument("A suite that `surefoot build suite` wrote.", shell=Path, metavar="SUITE"),
    ],
    *,
    screens: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption(
            "The folder SCREENS that it was built from; may be repeated, in the same order.",
            shell=list[Path],
        ),
    ],
    out: Annotated[AnyPath, CliOption("The folder to write.", shell=Path, only="folder")],
    name: Annotated[str, CliOption("The name to cite it by.")] = "surefoot-suite",
    version: Annotated[str, CliOption("Its version.", flag="--release-version")] = "v1",
    run: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption(
            "A run over one of its pillars, whose raw replies are part of it; may be repeated.",
            shell=list[Path] | None,
        ),
    ] = (),
) -> Release:
    """
    Write a suite as data that others can cite: parquet, licences, hashes, a canary.

    release.json names every page, the browser and the fonts by hash, and is all that is needed
    to build it again.

    Raises InvalidInputError for other screens than the suite's, for runs over none of its
    pillars, and where ``out`` is not empty.
    """
    from surefoot.run import releases

    return releases.make_release(
        Path(suite), paths(screens), Path(out), name=name, version=version, runs=paths(run)
    )


@in_thread
def verify_release(
    release: Annotated[
        AnyPath, CliArgument("A release.json, or its folder.", shell=Path, metavar="RELEASE")
    ],
    *,
    out: Annotated[
        AnyPath, CliOption("The folder to build it in, or resume.", shell=Path, only="folder")
    ],
    workers: BrowsersOption = 2,
    progress: bool | Console = False,
) -> tuple[Outcome, list[Difference]]:
    """
    Capture and build a release again, and compare it to the byte; of a folder its files as well.

    Returns how the build ended, and what differs.

    Raises InvalidInputError where the browser or the fonts are others than the release's.
    """
    from surefoot.run.releases import build_again, check_files, read_release

    found = read_release(Path(release))
    damaged = check_files(Path(release), found) if Path(release).is_dir() else []
    ended, differences = build_again(
        found, Path(out), workers=workers, console=console_for(progress)
    )
    return ended, [*damaged, *differences]


@in_thread
def rank_runs(
    release: Annotated[
        AnyPath,
        CliArgument("A release's folder, or its release.json.", shell=Path, metavar="RELEASE"),
    ],
    runs: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument("Runs over its pillars, whole folders.", shell=list[Path], metavar="RUN..."),
    ],
    *,
    out: Annotated[AnyPath, CliOption("The HTML file to write.", shell=Path, only="file")],
) -> Leaderboard:
    """
    Rank runs that were handed in over a release, and write the board as one page.

    Every raw reply is read again and judged against the release's questions. A run that says
    other than its replies do, lacks a question or is over another benchmark is refused, and the
    board says why. Models that no test tells apart are tied.

    Raises InvalidInputError where a file of the release is missing or changed.
    """
    from surefoot.report.card.board import make_board, write_board

    board = make_board(Path(release), paths(runs))
    write_board(board, Path(out))
    return board


def print_made(work: Callable[[], Release], *, out: Path) -> None:
    """Say what the release holds, and how it is verified."""
    from surefoot.cli.output import say, say_written, suggest

    made = work()
    say(f"{made.name} {made.version}: {len(made.benches)} pillars, {len(made.files)} files")
    say(made.canary)
    say_written(out)
    suggest("release", "verify", out / "release.json", "--out", f"{out}-again")


def print_verified(work: Callable[[], tuple[Outcome, list[Difference]]]) -> None:
    """Name what differs; exits with 1 if anything does."""
    import typer

    from surefoot.cli.output import complain, report_failures, say
    from surefoot.core.errors import ExitCode

    ended, differences = work()
    for item in differences:
        complain(f"differs: {item.what}: expected {item.expected}, found {item.found}")
    report_failures([ended])
    if differences:
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)
    say("built again: all screens and benchmarks are the release's, to the byte")


def print_board(
    work: Callable[[], Leaderboard], *, out: Path, json: JsonFileOption = None
) -> None:
    """Say who stands where, and name each run that was refused; exits with 1 if one was."""
    import typer

    from surefoot.cli.output import complain, say, say_written, write_json
    from surefoot.core.errors import ExitCode

    board = work()
    for line in board.sentences:
        say(line)
    write_json(json, board)
    say_written(out)
    for run in board.refused:
        complain(f"refused: {run.run}: {run.why}")
    if board.refused:
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


GROUP = CliVerb(
    "release",
    "Share",
    "Make a suite that others cite, and rank models on it.",
    examples=(
        (
            "surefoot release make out/suite --screens out/screens --name ours "
            "--run out/ocr/runs/perturbed --out out/release"
        ),
        "surefoot release verify out/release/release.json --out out/again",
        "surefoot release board out/release out/ocr/runs/* --out out/board.html",
    ),
)
MAKE = CliVerb("release/make", "", "", make_release, print_made)
VERIFY = CliVerb("release/verify", "", "", verify_release, print_verified)
BOARD = CliVerb("release/board", "", "", rank_runs, print_board)
