"""
``surefoot doctor``: what is installed, what is missing, how to get it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import console_for
from surefoot.api.parameters import CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.tables import FlatTable
    from surefoot.run.doctor import Component


@in_thread
def doctor(
    *,
    fix: Annotated[
        bool, CliOption("Install the system packages that are needed and missing.", flag="--fix")
    ] = False,
    progress: bool | Console = False,
) -> FlatTable[Component]:
    """
    Say what is installed, what is missing and how to get it.

    The installed extras of Surefoot decide what is needed; all else is an offer. Exits with 3
    if something needed is missing.

    In Python, a component without a ``version`` is missing.

    Raises MissingComponentError where the package manager fails.
    """
    from surefoot.api.tables import FlatTable
    from surefoot.run import doctor as machine

    components = machine.examine(machine.ThisMachine())
    if fix and (needed := machine.install_command(machine.wanted(components))):
        console = console_for(progress)
        if console is not None:
            console.print(f"running: {needed}", markup=False, highlight=False, soft_wrap=True)
        machine.install(needed)
        components = machine.examine(machine.ThisMachine())
    return FlatTable(components, machine.Component)


def command(
    work: Callable[[], FlatTable[Component]],
    *,
    json: Annotated[bool, CliOption("Print JSON.", flag="--json")] = False,
) -> None:
    """Print a line a component, and how to get what is missing."""
    import typer

    from surefoot.cli.output import print_json, say
    from surefoot.core.errors import ExitCode

    components = work().records
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


VERB = CliVerb(
    "doctor",
    "Start",
    "Say what is installed, what is missing and how to get it.",
    doctor,
    command,
    ("surefoot doctor", "surefoot doctor --fix", "surefoot doctor --json"),
)
