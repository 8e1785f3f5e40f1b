"""
``surefoot merge``: the parts of a command that several machines did, as one would have done all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import AnyPath, console_for, paths
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.run.merging import MergedShards


@in_thread
def merge(
    folders: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument("The folders that a command wrote with --shard 1/N to N/N.", shell=list[Path]),
    ],
    *,
    out: Annotated[
        AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
    ],
    progress: bool | Console = False,
) -> MergedShards:
    """
    Unite the parts of a capture, a build, a run or a run over forms.

    Results and pictures are united, and then the command that wrote the parts is given once
    more, without --shard: nothing is left for it to do but to write the tables, to the bytes
    that one machine would have written. Merge folders of your own alone, since their command
    is run; one that reads a login or hides a header is only named, and you give it yourself.

    In Python, nothing is run: call what wrote the parts again, with this ``out`` and no ``shard``.

    Raises InvalidInputError where a part is missing or was stopped, and PlanMismatchError where
    two differ in what was captured, built or asked.
    """
    from surefoot.run.merging import merge_shards

    return merge_shards(paths(folders), Path(out), console=console_for(progress))


def command(work: Callable[[], MergedShards]) -> None:
    """Unite the parts, then give their command for the whole."""
    import contextlib
    import shlex

    from surefoot.cli.main import main
    from surefoot.cli.output import say

    merged = work()
    say(f"{merged.units} results and {merged.failures} failures of {merged.parts} parts")
    line = shlex.join(["surefoot", *merged.words]) if merged.words else ""
    if not merged.runs:
        say(f"now give {line or 'their command'}, for {merged.folder} and without --shard")
        return
    say(line)
    with contextlib.chdir(merged.where):
        main(merged.words)


VERB = CliVerb(
    "merge",
    "Share",
    "Unite the parts that several machines did.",
    merge,
    command,
    ("surefoot merge out/screens-1 out/screens-2 --out out/screens",),
)
