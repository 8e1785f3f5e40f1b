"""
``surefoot verify``: whatever a folder holds is compared with what it should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from surefoot.api.options import AnyPath, console_for
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.tables import FlatTable
    from surefoot.run.verifying import FolderCheck

SHOWN: Final = 20  # damaged parts of a folder; --json names all


@in_thread
def verify(
    folder: Annotated[AnyPath, CliArgument("A folder that surefoot wrote.", shell=Path)],
    *,
    repair: Annotated[
        bool, CliOption("Drop what is damaged, so that it is made again.", flag="--repair")
    ] = False,
    progress: bool | Console = False,
) -> FlatTable[FolderCheck]:
    """
    Check a folder's plan, records, objects and exports by their hashes.

    Folders in it are checked, too. With --repair damaged records, objects and exports are
    dropped, and the command that makes them again, to the same bytes, is named. Files that
    surefoot did not write are left. Exits with 1 if anything is damaged.

    Raises InvalidInputError where Surefoot wrote none of it, and FolderBusyError where one that
    is to be repaired has a writer.
    """
    from surefoot.api.tables import FlatTable
    from surefoot.run.verifying import FolderCheck, verify_folders

    found = verify_folders(Path(folder), repair=repair, console=console_for(progress))
    return FlatTable(found, FolderCheck)


def command(
    work: Callable[[], FlatTable[FolderCheck]],
    *,
    json: Annotated[bool, CliOption("Print the findings as JSON.")] = False,
) -> None:
    """Print what is damaged in each folder; exits with 1 where anything is."""
    import typer

    from surefoot.cli.output import print_json, say
    from surefoot.core.errors import ExitCode

    checks = work()
    if json:
        print_json(checks.records)
    for check in () if json else checks:
        for line in _lines(check):
            say(line)
    if any(check.damaged for check in checks):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


def _lines(check: FolderCheck) -> Iterator[str]:
    what = f"{check.records} records, {check.objects} objects, {check.exports} exports"
    yield f"{check.folder}: {what}, {len(check.damaged) or 'nothing'} damaged"
    width = max((len(part.path) for part in check.damaged[:SHOWN]), default=0)
    for part in check.damaged[:SHOWN]:
        unit = f" (unit {part.unit})" if part.unit else ""
        yield f"  {part.path:{width}}  {part.why}{unit}"
    if len(check.damaged) > SHOWN:
        yield f"  and {len(check.damaged) - SHOWN} more; --json names all"
    if check.unchecked:
        yield "  its records were written before they had checksums: they are unchecked"
    if check.partial:
        yield f"  {check.partial} files left half written, which the next command removes"
    if check.unnamed:
        yield f"  {check.unnamed} objects that no record names"
    if check.foreign:
        named = ", ".join(check.foreign[:SHOWN])
        yield f"  {len(check.foreign)} not written by surefoot, which are left: {named}"
    if check.dropped and not check.damaged:
        yield f"  {check.dropped} records were dropped; make them again with: {check.command}"
    if check.damaged:
        done = "dropped what was damaged; " if check.repaired else "add --repair, then "
        yield f"  {done}make it again with: {check.command}"


VERB = CliVerb(
    "verify",
    "Share",
    "Check a folder by its hashes, and drop what is damaged.",
    verify,
    command,
    (
        "surefoot verify out/bench",
        "surefoot verify out --json",
        "surefoot verify out/run --repair",
    ),
)
