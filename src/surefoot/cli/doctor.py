"""
``surefoot doctor``: what is installed, what is missing, how to get it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from surefoot.run.doctor import Component


EXAMPLES: Final = ("surefoot doctor", "surefoot doctor --fix", "surefoot doctor --json")


def doctor(
    *,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Install the system packages that are needed and missing."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """
    Say what is installed, what is missing and how to get it.

    The installed extras of Surefoot decide what is needed; all else is an offer. Exits with 3
    if something needed is missing.
    """
    from surefoot.api.inspecting import doctor as examine
    from surefoot.cli.output import console, print_json, say
    from surefoot.core.errors import ExitCode

    components = examine(fix=fix, progress=console()).records
    if json:
        print_json(components)
    else:
        say("\n".join(_lines(components)))
    if any(component.missing and component.needed for component in components):
        raise typer.Exit(ExitCode.MISSING_COMPONENT)


def _lines(components: Sequence[Component]) -> list[str]:
    from surefoot.run.doctor import install_command, wanted

    width = max(len(component.name) for component in components)
    offers = [item for item in components if item.missing and not item.needed]
    shown = [item for item in components if item not in offers]
    lines = [f"{item.name:{width}}  {_state(item)}" for item in shown]
    if offers:
        lines += ["", "not installed, and not needed by what is:"]
        lines += [f"{item.name:{width}}  {_state(item)}" for item in offers]
    needed = install_command(wanted(components))
    everything = install_command(components)
    if needed:
        lines += ["", f"to install what is needed (`surefoot doctor --fix` runs it): {needed}"]
    if everything not in ("", needed):
        lines += ["", f"to install everything: {everything}"]
    return lines


def _state(component: Component) -> str:
    if not component.missing:
        return component.version
    word = "MISSING: " if component.needed else ""
    return f"{word}{component.purpose}" + (f"; {component.remedy}" if component.remedy else "")
