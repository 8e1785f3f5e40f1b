"""
``surefoot doctor``: what is installed, what is missing, how to get it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
import typer

from surefoot.core.errors import ExitCode
from surefoot.run.doctor import Component, ThisMachine, examine, install_command

__all__ = ["doctor"]

EXAMPLES: Final = ("surefoot doctor", "surefoot doctor --json")


def doctor(*, json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """
    Say what is installed, what is missing and how to get it.

    Exits with 3 if a component is missing that `surefoot quickstart` needs.
    """
    components = examine(ThisMachine())
    if json:
        print(msgspec.json.format(msgspec.json.encode(components)).decode())
    else:
        print("\n".join(_lines(components)))
    if any(component.missing and component.needed for component in components):
        raise typer.Exit(ExitCode.MISSING_COMPONENT)


def _lines(components: Sequence[Component]) -> list[str]:
    width = max(len(component.name) for component in components)
    lines = [f"{component.name:{width}}  {_state(component)}" for component in components]
    command = install_command(components)
    if command:
        lines += ["", f"to install what is missing: {command}"]
    return lines


def _state(component: Component) -> str:
    if not component.missing:
        return component.version
    word = "MISSING" if component.needed else "absent (optional)"
    return f"{word}: {component.purpose}" + (f"; {component.remedy}" if component.remedy else "")
