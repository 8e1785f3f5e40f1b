"""
``surefoot release``: a suite that others can cite and build again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import AnyPath, BrowsersOption, console_for, paths
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

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


GROUP = CliVerb(
    "release",
    "Share",
    "Make a suite that others can cite, and build it again.",
    examples=(
        (
            "surefoot release make out/suite --screens out/screens --name ours "
            "--run out/ocr/runs/perturbed --out out/release"
        ),
        "surefoot release verify out/release/release.json --out out/again",
    ),
)
MAKE = CliVerb("release/make", "", "", make_release, print_made)
VERIFY = CliVerb("release/verify", "", "", verify_release, print_verified)
