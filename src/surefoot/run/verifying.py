"""
The work behind ``surefoot verify``: whatever a folder holds is compared with what it should be.

Each record has its checksum, each object is named after its bytes, each export stands with
its hash in the manifest, and manifest and ledger name the plan. What is damaged can be
dropped, so that the command that wrote the folder makes it again, to the same bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.files import is_partial, remove
from surefoot.core.ledger import FILE, Ledger, lock_folder, read_plan
from surefoot.core.ledger.repair import LedgerState, inspect_ledger, rebuild_ledger
from surefoot.core.plan import plan_digest
from surefoot.run.asking.traces import TRACE_KEYS
from surefoot.run.engine.progress import Progress
from surefoot.run.engine.shards import THROUGH
from surefoot.run.folders.folder import (
    WRITERS,
    Manifest,
    manifest_digest,
    noted_command,
    read_manifest,
)
from surefoot.run.folders.lines import ExportedFile, lines_digest, read_lines, table_entry
from surefoot.run.folders.objects import named_objects

if TYPE_CHECKING:
    from rich.console import Console


PLAN, MANIFEST, LOCK, BENCH = "plan.json", "manifest.json", "ledger.lock", "bench.txt"
_SHELF: Final = re.compile(r"[0-9a-f]{2}")
_OBJECT: Final = re.compile(r"([0-9a-f]{64})\.[a-z0-9]{1,8}")
# Tables that differ from one machine to the next, so that no manifest names them.
_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "forms": ("seconds.jsonl",),
    "trained-model": ("curve.jsonl",),
}
# Kinds of folders whose records name objects of their own, and the fields that do.
_HOLDERS: Final = frozenset({"screens", "bench", "forms", "form-bench"})


class DamagedPart(msgspec.Struct, frozen=True):
    """
    Name what is damaged or missing: a file of the folder, or a record of its ledger.

    ``unit`` is the record's key, "" for files.
    """

    path: str
    why: str
    unit: str = ""


class FolderCheck(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what came of looking at a folder.

    ``unchecked`` says that its records were written before they had checksums. ``partial``
    counts what killed writers left half written, ``unnamed`` objects that no record names,
    ``dropped`` records that an earlier repair dropped; none of them is damage. ``command``
    makes again what is damaged or dropped. ``foreign`` names what surefoot did not write where
    its own files lie: no damage, and left by every repair.
    """

    folder: str
    kind: str
    records: int
    objects: int
    exports: int
    damaged: tuple[DamagedPart, ...]
    unchecked: bool
    unfinished: bool
    partial: int
    unnamed: int
    dropped: int
    command: str
    foreign: tuple[str, ...] = ()
    repaired: bool = False


def verify_folders(
    root: Path, *, repair: bool = False, console: Console | None = None
) -> list[FolderCheck]:
    """
    Check a folder that Surefoot wrote, and those in it; with ``repair`` drop what is damaged.

    Raises InvalidInputError where there is none, and FolderBusyError where one that is to be
    repaired has a writer.
    """
    folders = sorted(
        {
            path.parent
            for name in (PLAN, FILE, MANIFEST)
            for path in (root / name, *root.rglob(name))
            if os.path.lexists(path)
        }
    )
    if not folders:
        raise InvalidInputError(
            f"a folder that surefoot wrote, {root}",
            found="no plan.json, ledger or manifest",
            remedy="name a folder that `surefoot capture`, `build`, `run` or `diagnose` wrote",
        )
    with Progress("verifying", console) as progress:
        progress.begin(total=sum(map(_count_files, folders)), kept=0, failed=0)
        return [_Check(folder, progress).run(repair=repair) for folder in folders]


class _Check:
    """Look at one folder, and mend it."""

    def __init__(self, folder: Path, progress: Progress) -> None:
        self._folder = folder
        self._progress = progress
        self._damaged: list[DamagedPart] = []
        self._named: set[str] = set()
        self._posted: set[str] = set()  # pictures of agents, which nobody makes again
        self._drop: list[Path] = []
        self._foreign: list[Path] = []

    def run(self, *, repair: bool) -> FolderCheck:
        folder = self._folder
        handle = self._locked() if repair else None
        try:
            state = self._ledger()
            plan = self._plan(state)
            manifest, exports = self._exports(plan)
            objects, unnamed = self._objects(_kind(manifest, plan))
            self._hints(manifest)
            partial = [
                path
                for path in folder.rglob(".*.partial")
                if is_partial(path) and _is_own(path, folder)
            ]
            command = _command(folder, manifest, plan)
            if repair:
                self._mend(state, plan, partial)
        finally:
            if handle is not None:
                os.close(handle)
        return FolderCheck(
            folder=str(folder),
            kind=_kind(manifest, plan),
            records=0 if state is None else sum(state.sound.values()),
            objects=objects,
            exports=exports,
            damaged=tuple(self._damaged),
            unchecked=state is not None and not state.checked,
            unfinished=manifest is None and not os.path.lexists(folder / MANIFEST),
            partial=len(partial),
            unnamed=unnamed,
            dropped=0 if state is None else state.dropped,
            command=command,
            foreign=tuple(str(path.relative_to(folder)) for path in self._foreign),
            repaired=repair and bool(self._damaged),
        )

    def _locked(self) -> int:
        lock = self._folder / LOCK
        if os.path.lexists(lock) and (lock.is_symlink() or not lock.is_file()):
            self._remove(lock)
        return lock_folder(self._folder)

    def _note(self, path: Path, why: str, *, drop: bool = True, unit: str = "") -> None:
        self._damaged.append(DamagedPart(str(path.relative_to(self._folder)), why, unit))
        if drop and path not in self._drop:
            self._drop.append(path)

    def _ledger(self) -> LedgerState | None:
        path = self._folder / FILE
        self._progress.advance()
        if not os.path.lexists(path):
            self._note(path, "no such file", drop=False)
            return None
        if path.is_symlink() or not path.is_file():
            self._note(path, "not a file")
            return None
        state = inspect_ledger(self._folder)
        for record in state.unsound:
            why = f"a damaged record of the table '{record.table}'"
            self._note(path, why, drop=False, unit=record.key)
        for table, count in state.lost.items():
            self._note(path, f"{count} records missing in the table '{table}'", drop=False)
        for complaint in state.complaints:
            self._note(path, complaint, drop=False)
        if not state.complaints:
            with contextlib.suppress(InvalidInputError), Ledger.read(self._folder) as ledger:
                for row in ledger.records("units"):
                    if row.sound and isinstance(payload := row.values[1], bytes):
                        self._name(str(row.values[0]), payload)
                if conflicts := ledger.conflicts():
                    self._note(path, f"{len(conflicts)} units had two results", drop=False)
        return state

    def _name(self, key: str, payload: bytes) -> None:
        """Remember the objects that a record names."""
        named = named_objects(payload)
        self._named |= named
        if key.startswith(TRACE_KEYS):
            self._posted |= named

    def _plan(self, state: LedgerState | None) -> dict[str, object] | None:
        path = self._folder / PLAN
        self._progress.advance()
        if not os.path.lexists(path):
            self._note(path, "no such file", drop=False)
            return None
        try:
            plan = read_plan(self._folder)
            digest = plan_digest(plan)
        except (InvalidInputError, OSError, RecursionError) as error:
            self._note(path, f"cannot be read ({error.__class__.__name__})")
            return None
        if state is not None and state.plan and state.plan != digest:
            if self._manifest_names(digest):
                self._note(self._folder / FILE, "names another plan", drop=False)
            else:
                self._note(path, "not the plan that the ledger was begun with")
                return None
        return plan

    def _manifest_names(self, digest: str) -> bool:
        with contextlib.suppress(InvalidInputError, OSError):
            return read_manifest(self._folder).plan == digest
        return False

    def _exports(self, plan: dict[str, object] | None) -> tuple[Manifest | None, int]:
        path = self._folder / MANIFEST
        self._progress.advance()
        if not os.path.lexists(path):
            if not self._is_part():
                self._note(path, "no such file: the command has not come to its end", drop=False)
            return None, 0
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
        except (msgspec.MsgspecError, UnicodeDecodeError, OSError, RecursionError):
            self._note(path, "cannot be read")
            return None, 0
        if plan is not None and manifest.plan != plan_digest(plan):
            self._note(path, "of another plan")
        for name, expected in sorted(manifest.files.items()):
            self._progress.advance()
            if Path(name).name != name or "\0" in name:
                self._note(path, f"names the export {name!a}")
            else:
                self._export(table_entry(self._folder / name), name, expected)
        for file in sorted(self._folder.glob("*.jsonl")):
            if file.name not in {*manifest.files, *_BESIDE.get(manifest.kind, ())}:
                self._note(path, f"says nothing of {file.name}")
        return manifest, len(manifest.files)

    def _is_part(self) -> bool:
        """Tell whether a part of a command came to its end here, which writes no tables."""
        with contextlib.suppress(SurefootError, OSError), Ledger.read(self._folder) as ledger:
            return bool(ledger.hint(THROUGH))
        return False

    def _export(self, file: Path, name: str, expected: ExportedFile) -> None:
        if not os.path.lexists(file):
            self._note(file, "no such file", drop=False)
            return
        if not file.is_file() or file.is_symlink():
            self._note(file, "not a file")
            return
        path = self._folder / name
        if lines_digest(path) != expected.sha256:
            self._note(file, "other bytes than the manifest says")
            return
        count = 0
        for line in read_lines(path) if path.suffix == ".jsonl" else [path.read_bytes()]:
            self._named |= named_objects(line)
            count += 1
        if count != expected.count:
            self._note(self._folder / MANIFEST, f"another count for {name}")

    def _objects(self, kind: str) -> tuple[int, int]:
        """Compare each object with its name; count them, and those that nothing names."""
        folder = self._folder / "objects"
        found: set[str] = set()
        for path in _entries(folder):
            named = _OBJECT.fullmatch(path.name)
            if named is None or path.parent != folder / path.name[:2]:
                self._foreign.append(path)
                continue
            self._progress.advance()
            # What lies behind a link is read like the folder's own, and never dropped.
            behind_link = folder.is_symlink() or path.parent.is_symlink()
            if not path.is_file():
                self._note(path, "not a file", drop=not behind_link)
            elif _sha256(path) != named[1]:
                why = "other bytes than those it is named after"
                self._note(path, why, drop=not behind_link)
            else:
                found.add(named[1])
        seen = {Path(part.path).stem for part in self._damaged}
        for sha in sorted(self._named - found - seen) if kind in _HOLDERS else ():
            self._note(folder / sha[:2] / sha, "no such file, and a record names it", drop=False)
        for sha in sorted(self._posted - found - seen):
            why = "no such file, and a step of an episode names it; it is not made again"
            self._note(folder / sha[:2] / sha, why, drop=False)
        return len(found), len(found - self._named)

    def _hints(self, manifest: Manifest | None) -> None:
        """Check where a folder says that its benchmark lies; its command writes it again."""
        path = self._folder / BENCH
        if manifest is None or manifest.kind not in {"run", "diagnosis"}:
            return
        try:
            where = (self._folder / path.read_text("utf-8").strip()).resolve()
            wanted = read_plan(self._folder).get("bench")
        except (OSError, ValueError):
            self._note(path, "cannot be read", drop=os.path.lexists(path))
            return
        try:
            fits = manifest_digest(where, "bench") == wanted
        except (InvalidInputError, OSError):
            fits = False
        if not fits:
            self._note(path, "does not lead to the benchmark as it was asked")

    def _mend(
        self, state: LedgerState | None, plan: dict[str, object] | None, partial: list[Path]
    ) -> None:
        for path in (*self._drop, *partial):
            self._remove(path)
        in_ledger = any(part.path == FILE for part in self._damaged)
        if state is None or not in_ledger:
            return
        digest = plan_digest(plan) if plan is not None else state.plan
        if digest:
            rebuild_ledger(self._folder, digest)
        else:  # nothing tells what it was a ledger of
            for side in ("", "-wal", "-shm"):
                self._remove(self._folder / f"{FILE}{side}")

    def _remove(self, path: Path) -> None:
        if not remove(path):
            self._foreign.append(path)


def _entries(folder: Path) -> Iterator[Path]:
    """Yield what lies in ``objects`` but for half written files, as deep as objects lie."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if _SHELF.fullmatch(path.name) and path.is_dir():
            yield from (entry for entry in sorted(path.iterdir()) if not is_partial(entry))
        elif not is_partial(path):
            yield path


def _is_own(path: Path, folder: Path) -> bool:
    """Tell whether a file belongs to this folder, and not to one that lies in it."""
    between = (parent for parent in path.parents if folder in parent.parents)
    return path.is_file() and not any((parent / PLAN).exists() for parent in between)


def _count_files(folder: Path) -> int:
    return 3 + sum(1 for path in (folder / "objects").rglob("*") if path.is_file())


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _kind(manifest: Manifest | None, plan: dict[str, object] | None) -> str:
    return manifest.kind if manifest is not None else str((plan or {}).get("kind", ""))


def _command(folder: Path, manifest: Manifest | None, plan: dict[str, object] | None) -> str:
    """Return the command that wrote a folder, as it was given, or as much as can be told."""
    if command := noted_command(folder):
        return command
    kind = _kind(manifest, plan)
    writers: Iterator[str] = (verb for name, verb in WRITERS.items() if name == kind)
    verb = "surefoot import" if plan and "dataset" in plan else next(writers, "surefoot")
    return f"{verb} ... --out {folder}, with the arguments that it was begun with"
