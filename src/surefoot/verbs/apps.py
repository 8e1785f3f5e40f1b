"""
``surefoot apps``: real applications that ``app:NAME`` captures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, TypeAlias

from surefoot.api.options import console_for, listed
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.run.applications import ApplicationState, CheckedApplication

NamesArgument: TypeAlias = Annotated[
    str | Iterable[str],
    CliArgument("Applications, as `surefoot apps` lists.", shell=list[str], metavar="NAME..."),
]
PrintJson: TypeAlias = Annotated[bool, CliOption("Print JSON.", flag="--json")]


def list_apps() -> tuple[ApplicationState, ...]:
    """
    List, install and prove real applications, which app:NAME captures.

    Without a further word they are listed, with what is installed.
    """
    from surefoot.run.applications import states

    return states()


def print_apps(
    work: Callable[[], tuple[ApplicationState, ...]], *, json: PrintJson = False
) -> None:
    """Print three lines an application."""
    from surefoot.cli.output import print_json, say

    found = work()
    if json:
        print_json(found)
        return
    width = max((len(item.name) for item in found), default=0)
    for item in found:
        there = "installed" if item.installed else "not installed"
        say(f"{item.name:{width}}  {item.title}, {item.maker}; {item.licence}")
        say(f"{'':{width}}  {item.pages} pages, drawn by {item.drawn_by}")
        say(f"{'':{width}}  in {' '.join(item.languages)}; {item.megabytes} MB, {there}")


@in_thread
def install_apps(names: NamesArgument, *, progress: bool | Console = False) -> tuple[str, ...]:
    """
    Install applications into the cache; asks first, unless YES=1.

    Raises UnknownNameError, and MissingComponentError where nobody agreed or packages do not
    come.
    """
    from surefoot.run.building.capturing import prepare_sources

    prepare_sources([f"app:{name}" for name in listed(names)], console_for(progress))
    return listed(names)


def print_installed(work: Callable[[], tuple[str, ...]]) -> None:
    """Name what is installed."""
    from surefoot.cli.output import say

    say(f"installed: {', '.join(work())}")


@in_thread
def check_apps(
    names: Annotated[
        str | Iterable[str],
        CliArgument(
            "Applications; all installed if none is named.",
            shell=list[str] | None,
            metavar="[NAME...]",
        ),
    ] = (),
    *,
    progress: bool | Console = False,
) -> tuple[CheckedApplication, ...]:
    """
    Prove recipes: every page signed in and itself, languages that change, a state put back.

    Prints a table in Markdown. Exits with 1 if a proof fails; the faults are named on stderr.

    Raises as ``install_apps`` does: what is not installed is.
    """
    from surefoot.run.applications import check, states

    wanted = listed(names) or tuple(item.name for item in states() if item.installed)
    install_apps(wanted, progress=progress)
    return tuple(check(name) for name in wanted)


def print_checks(
    work: Callable[[], tuple[CheckedApplication, ...]], *, json: PrintJson = False
) -> None:
    """Print the table, and each fault on stderr; exits with 1 where there is any."""
    import typer

    from surefoot.cli.output import complain, print_json, say
    from surefoot.core.errors import ExitCode
    from surefoot.run.applications import lines_of

    found = work()
    if json:
        print_json(found)
    else:
        say("\n".join(lines_of(found)))
    for item in found:
        for fault in item.faults:
            complain(f"{item.name}: {fault}")
    if any(item.faults for item in found):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


def remove_apps(names: NamesArgument) -> tuple[str, ...]:
    """Delete applications from the cache."""
    from surefoot.capture.applications.installing import RECIPES, remove

    return tuple(name for name in listed(names) if remove(RECIPES.get(name)))


def print_removed(work: Callable[[], tuple[str, ...]]) -> None:
    """Name what was removed."""
    from surefoot.cli.output import say

    say(f"removed: {', '.join(work()) or 'nothing, none was installed'}")


APPS = CliVerb(
    "apps",
    "Collect",
    "List, install and prove real applications.",
    list_apps,
    print_apps,
    (
        "surefoot apps",
        "surefoot apps --json",
        "surefoot apps install trac",
        "surefoot apps check trac",
        "surefoot apps remove trac",
    ),
)
INSTALL = CliVerb("apps/install", "", "", install_apps, print_installed)
CHECK = CliVerb("apps/check", "", "", check_apps, print_checks)
REMOVE = CliVerb("apps/remove", "", "", remove_apps, print_removed)
