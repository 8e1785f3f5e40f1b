"""
``surefoot verify``: whatever a folder holds is compared with what it should be.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from surefoot.run.verifying import FolderCheck


EXAMPLES: Final = (
    "surefoot verify out/bench",
    "surefoot verify out --json",
    "surefoot verify out/run --repair",
)
SHOWN: Final = 20  # damaged parts of a folder; --json names all


def verify(
    folder: Annotated[Path, typer.Argument(help="A folder that surefoot wrote.")],
    *,
    repair: Annotated[
        bool, typer.Option("--repair", help="Drop what is damaged, so that it is made again.")
    ] = False,
    json: Annotated[bool, typer.Option(help="Print the findings as JSON.")] = False,
) -> None:
    """
    Check a folder's plan, records, objects and exports by their hashes.

    Folders in it are checked, too. With --repair damaged records, objects and exports are
    dropped, and the command that makes them again, to the same bytes, is named. Files that
    surefoot did not write are left. Exits with 1 if anything is damaged.
    """
    from surefoot.api.inspecting import verify as verify_folder
    from surefoot.cli.output import console, print_json
    from surefoot.core.errors import ExitCode

    checks = verify_folder(folder, repair=repair, progress=console())
    if json:
        print_json(checks.records)
    for check in () if json else checks:
        _tell(check)
    if any(check.damaged for check in checks):
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


def _tell(check: FolderCheck) -> None:
    from surefoot.cli.output import say

    what = f"{check.records} records, {check.objects} objects, {check.exports} exports"
    say(f"{check.folder}: {what}, {len(check.damaged) or 'nothing'} damaged")
    width = max((len(part.path) for part in check.damaged[:SHOWN]), default=0)
    for part in check.damaged[:SHOWN]:
        unit = f" (unit {part.unit})" if part.unit else ""
        say(f"  {part.path:{width}}  {part.why}{unit}")
    if len(check.damaged) > SHOWN:
        say(f"  and {len(check.damaged) - SHOWN} more; --json names all")
    if check.unchecked:
        say("  its records were written before they had checksums: they are unchecked")
    if check.partial:
        say(f"  {check.partial} files left half written, which the next command removes")
    if check.unnamed:
        say(f"  {check.unnamed} objects that no record names")
    if check.foreign:
        named = ", ".join(check.foreign[:SHOWN])
        say(f"  {len(check.foreign)} not written by surefoot, which are left: {named}")
    if check.dropped and not check.damaged:
        say(f"  {check.dropped} records were dropped; make them again with: {check.command}")
    if check.damaged:
        done = "dropped what was damaged; " if check.repaired else "add --repair, then "
        say(f"  {done}make it again with: {check.command}")
