"""
The work behind ``surefoot merge``: the parts of a command become the folder of the whole.

Ledgers and objects are united; the command itself, given once more, finds every unit done and
writes the tables. So the bytes are those of one machine by construction.
"""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.core.ledger import Ledger, note_hint, read_plan
from surefoot.core.plan import first_difference
from surefoot.core.store import ObjectStore
from surefoot.run.engine.progress import Progress
from surefoot.run.engine.shards import SHARD, THROUGH, Shard, planned_shard
from surefoot.run.folders.folder import COMMAND, OUT

if TYPE_CHECKING:
    from rich.console import Console

OPTION: Final = f"--{SHARD}"
_ENDS: Final = (("capture",), ("build",), ("run",), ("forms", "run"))
_SHUT: Final = ("--login", "***")  # runs a file; hides a header


class MergedShards(msgspec.Struct, frozen=True):
    """
    Hold what parts came to: how many results and failures, and the command for the whole.

    ``words`` are the command's, "surefoot" left out, none where none was noted; it is given in
    the folder ``where``. ``runs`` tells whether it may be run without being read.
    """

    folder: Path
    parts: int
    units: int
    failures: int
    words: tuple[str, ...]
    where: Path
    runs: bool


def merge_shards(
    folders: Sequence[Path], out: Path, *, console: Console | None = None
) -> MergedShards:
    """
    Unite the ledgers and objects of all parts of a command, in whatever order they come.

    Given again, it goes on. Raises InvalidInputError where a part is missing or not through,
    PlanMismatchError where two are of different plans, NondeterminismError where two have
    different results of one unit, and DamageError for a damaged record.
    """
    first, *others = folders
    plan = _plan_of_whole(first)
    for other in others:
        if difference := first_difference(plan, _plan_of_whole(other)):
            raise PlanMismatchError(
                f"parts of one command in {first} and {other}",
                found=difference,
                remedy="merge folders that one command wrote, with --shard 1/N to N/N",
            )
    _require_all(folders)
    with Ledger.open(out, plan) as ledger, Progress("merging", console) as progress:
        progress.begin(total=len(folders), kept=0, failed=0)
        for folder in folders:
            with Ledger.read(folder) as part:
                ledger.take(part)
                hints = part.hints()
            _take_objects(folder, out)
            for name in hints.keys() - {THROUGH, COMMAND}:
                note_hint(out, name, hints[name])
            progress.advance()
        units, failures = ledger.expected("units"), ledger.expected("failures")
    words, where = _command_of(first, out)
    allowed = any(words[: len(verb)] == verb for verb in _ENDS) and where.is_dir()
    runs = allowed and not any(shut in word for word in words for shut in _SHUT)
    return MergedShards(out, len(folders), units, failures, words, where, runs)


def _command_of(part: Path, out: Path) -> tuple[tuple[str, ...], Path]:
    """Return the words of the command that wrote a part, for the whole, and where it was given."""
    with Ledger.read(part) as ledger:
        where, _, line = ledger.hint(COMMAND).partition("\n")
    kept, options = [], {OUT: str(out.resolve())}
    words = iter(shlex.split(line)[1:])
    for word in words:
        name, equals, _ = word.partition("=")
        if name not in {OUT, OPTION}:
            kept.append(word)
            continue
        if not equals:
            next(words, "")
        if name in options:
            kept += [name, options[name]]
    return tuple(kept), (part / where).resolve()


def _plan_of_whole(part: Path) -> dict[str, object]:
    return {name: value for name, value in read_plan(part).items() if name != SHARD}


def _require_all(folders: Sequence[Path]) -> None:
    """Refuse folders that are not all the parts of one command, each once and through."""
    found: dict[Shard, Path] = {}
    for folder in folders:
        shard = planned_shard(read_plan(folder))
        with Ledger.read(folder) as ledger:
            through = ledger.hint(THROUGH) == str(shard)
        if shard is None or not through:
            raise InvalidInputError(
                f"a part that is through, {folder}",
                found="one that was stopped, or no part",
                remedy="give its command, with --shard I/N, again",
            )
        if shard in found:
            raise InvalidInputError(
                f"each part once, {shard} of {found[shard]}",
                found=f"the same of {folder}",
                remedy="leave one out",
            )
        found[shard] = folder
    count = next(iter(found)).count
    wanted = {Shard(index, count) for index in range(1, count + 1)}
    if found.keys() != wanted:
        more, less = found.keys() - wanted, wanted - found.keys()
        raise InvalidInputError(
            f"the parts 1/{count} to {count}/{count}",
            found=f"{len(less)} missing, such as {min(map(str, less))}"
            if less
            else f"{min(map(str, more))} among them",
            remedy="name the folders of all parts of one command",
        )


def _take_objects(folder: Path, out: Path) -> None:
    """Link or copy what is not there; names are those of the contents, which later steps check."""
    source = ObjectStore(folder).folder
    for path in sorted(source.glob("[0-9a-f][0-9a-f]/*")) if source.is_dir() else ():
        target = ObjectStore(out).folder / path.relative_to(source)
        if path.is_symlink() or not path.is_file() or target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}.partial")
        try:
            os.link(path, partial)
        except OSError:  # of another disk, or one without links
            shutil.copyfile(path, partial)
        partial.replace(target)
