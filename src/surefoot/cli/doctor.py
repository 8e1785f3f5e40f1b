"""
``surefoot doctor``: what is installed, what is missing, how to get it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
import typer

from surefoot.core.errors import ExitCode
from surefoot.run.doctor import (
    Component,
    ThisMachine,
    examine,
    install,
    install_command,
    wanted,
)

__all__ = ["doctor"]

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

    What is installed of Surefoot decides what is needed; all else is an offer. Exits with
    3 if something needed is missing.
    """
    components = examine(ThisMachine())
    if fix and (command := install_command(wanted(components))):
        print(f"running: {command}", file=sys.stderr)
        install(command)
        components = examine(ThisMachine())
    if json:
        print(msgspec.json.format(msgspec.json.encode(components)).decode())
    else:
        print("\n".join(_lines(components)))
    if any(component.missing and component.needed for component in components):
        raise typer.Exit(ExitCode.MISSING_COMPONENT)


def _lines(components: Sequence[Component]) -> list[str]:
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
