"""
``surefoot apps``: real applications that ``app:NAME`` captures.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import typer

EXAMPLES: Final = (
    "surefoot apps",
    "surefoot apps --json",
    "surefoot apps install trac",
    "surefoot apps check trac",
    "surefoot apps remove trac",
)

apps = typer.Typer(
    help="List, install and prove real applications, which app:NAME captures.",
    rich_markup_mode=None,
    invoke_without_command=True,
)

NamesArgument: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="NAME...", help="Applications, as `surefoot apps` lists.")
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@apps.callback()
def list_apps(context: typer.Context, *, json: JsonOption = False) -> None:
    """
    List, install and prove real applications, which app:NAME captures.

    Without a further word they are listed, with what is installed.
    """
    if context.invoked_subcommand is not None:
        return
    from surefoot.api import applications
    from surefoot.cli.output import say
    from surefoot.core.canonical import readable_json

    found = applications.list_apps()
    if json:
        say(readable_json(found).decode().rstrip())
        return
    width = max((len(item.name) for item in found), default=0)
    for item in found:
        there = "installed" if item.installed else "not installed"
        say(f"{item.name:{width}}  {item.title}, {item.maker}; {item.licence}")
        say(f"{'':{width}}  {item.pages} pages, drawn by {item.drawn_by}")
        say(f"{'':{width}}  in {' '.join(item.languages)}; {item.megabytes} MB, {there}")


@apps.command("install")
def install_apps(names: NamesArgument) -> None:
    """Install applications into the cache; asks first, unless YES=1."""
    from surefoot.api import applications
    from surefoot.cli.output import console, say

    applications.install_apps(names, progress=console())
    say(f"installed: {', '.join(names)}")


@apps.command("check")
def check_apps(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="Applications; all installed if none is named."),
    ] = None,
    *,
    json: JsonOption = False,
) -> None:
    """
    Prove recipes: every page signed in and itself, languages that change, a state put back.

    Prints a table in Markdown. Exits with 1 if a proof fails; the faults are named on stderr.
    """
    import sys

    from surefoot.api import applications
    from surefoot.cli.output import console, say
    from surefoot.core.canonical import readable_json
    from surefoot.core.errors import ExitCode
    from surefoot.run.applications import lines_of

    found = applications.check_apps(names or (), progress=console())
    if json:
        say(readable_json(found).decode().rstrip())
    else:
        say("\n".join(lines_of(found)))
    for item in found:
        for fault in item.faults:
            print(f"{item.name}: {fault}", file=sys.stderr)
    if any(item.faults for item in found):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


@apps.command("remove")
def remove_apps(names: NamesArgument) -> None:
    """Delete applications from the cache."""
    from surefoot.api import applications
    from surefoot.cli.output import say

    removed = applications.remove_apps(names)
    say(f"removed: {', '.join(removed) or 'nothing, none was installed'}")
