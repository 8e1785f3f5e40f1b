"""
The folders that commands hand to each other: SCREENS, BENCH and RUN.

Each holds ``plan.json`` and ``ledger.sqlite``; ``objects/`` where there are pictures; and
once its command is through, exports (JSON Lines, one canonical JSON object a line) with
``manifest.json``, which names the kind, the plan, and each export's SHA-256 and count.
The manifest is written last: exports that it does not describe are never read.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec

from surefoot.core.canonical import decode, readable_json, sha256
from surefoot.core.errors import InvalidInputError, NothingKeptError, SurefootError
from surefoot.core.files import CommitPoint, ignore, write_atomic
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.plan import plan_digest
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.run.folders.lines import ExportedFile, open_table, read_parts

T = TypeVar("T")
FolderKind: TypeAlias = Literal[
    "screens",
    "bench",
    "run",
    "diagnosis",
    "forms",
    "form-bench",
    "form-import",
    "back-translation",
    "xli-memory",
    "xli-search",
    "xli",
    "training-data",
    "trained-model",
    "suite",
]

MANIFEST: Final = "manifest.json"
CLASSES: Final = "classes"  # the BENCH in a DIAGNOSIS that a model can learn from
OUT: Final = "--out"
COMMAND: Final = "command"  # the hint in a ledger
_SEVERAL: Final = (" quickstart ", " build suite ", " check-up ")  # write folders into one
WRITERS: Final[dict[FolderKind, str]] = {
    "screens": "surefoot capture",
    "bench": "surefoot build",
    "run": "surefoot run",
    "diagnosis": "surefoot diagnose",
    "forms": "surefoot forms run",
    "form-bench": "surefoot forms build",
    "form-import": "surefoot forms import",
    "back-translation": "surefoot backtranslate",
    "xli-memory": "surefoot xli build",
    "xli-search": "surefoot xli search",
    "xli": "surefoot xli apply",
    "training-data": "surefoot train data",
    "trained-model": "surefoot train",
    "suite": "surefoot build suite",
}


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describe a finished folder: its kind, the digest of its plan, its exports by name."""

    kind: FolderKind
    plan: str
    files: dict[str, ExportedFile]


def export(
    folder: Path,
    kind: FolderKind,
    tables: Mapping[str, Iterable[object]],
    documents: Mapping[str, object] | None = None,
    *,
    at: CommitPoint = ignore,
) -> Manifest:
    """
    Write a folder's exports and, last, its manifest; equal records are equal bytes.

    ``tables`` maps names that end in ".jsonl" to records: screens and questions are sorted
    by id, answers by question, anything else stays in its order. ``documents`` maps names
    that end in ".json" to one value each. Raises InvalidInputError without a plan.json or
    for two records of one id.
    """
    read_plan(folder)
    files = {}
    for name, records in sorted(tables.items()):
        with open_table(folder / name, at) as table:
            for record in _sorted(records, name):
                table.write(record)
        files[name] = table.exported
    return seal(folder, kind, files, documents, at=at)


def seal(
    folder: Path,
    kind: FolderKind,
    tables: Mapping[str, ExportedFile],
    documents: Mapping[str, object] | None = None,
    *,
    at: CommitPoint = ignore,
) -> Manifest:
    """
    Finish a folder whose tables are written: write the documents and, last, the manifest.

    Raises InvalidInputError without a plan.json.
    """
    plan = plan_digest(read_plan(folder))
    files = dict(tables)
    for name, value in sorted((documents or {}).items()):
        files[name] = _write(folder / name, readable_json(value), 1, at)
    manifest = Manifest(kind, plan, files)
    write_atomic(folder / MANIFEST, readable_json(manifest), at)
    return manifest


def is_kind(folder: Path, kind: FolderKind) -> bool:
    """
    Tell whether a folder is a finished one of a kind.

    Raises InvalidInputError for a damaged manifest.
    """
    return (folder / MANIFEST).is_file() and read_manifest(folder).kind == kind


def read_manifest(folder: Path, kind: FolderKind | None = None) -> Manifest:
    """
    Read and check a folder's manifest; raises InvalidInputError.

    The folder must be of the kind, where one is given, and its manifest must belong to
    the plan beside it.
    """
    data = _read(folder / MANIFEST, folder, kind)
    manifest = decode(data, Manifest, what=str(folder / MANIFEST))
    if kind is not None and manifest.kind != kind:
        raise InvalidInputError(
            f"{folder} to be what `{WRITERS[kind]}` writes",
            found=f"what `{WRITERS[manifest.kind]}` writes",
            remedy=f"name a folder that `{WRITERS[kind]}` wrote",
        )
    if manifest.plan != plan_digest(read_plan(folder)):
        raise InvalidInputError(
            f"{folder / MANIFEST} to belong to the plan.json beside it",
            found="a manifest of another plan",
            remedy=f"run `{WRITERS[manifest.kind]}` again",
        )
    return manifest


def manifest_digest(folder: Path, kind: FolderKind) -> str:
    """Return the SHA-256 that stands for a finished folder's whole contents."""
    read_manifest(folder, kind)
    return sha256((folder / MANIFEST).read_bytes())


def noted_command(folder: Path) -> str:
    """
    Return the command that wrote a folder, as it was given, "" where none was noted.

    Of a folder that was copied or moved it names the place where the folder lies now.
    """
    with contextlib.suppress(SurefootError, ValueError), Ledger.read(folder) as ledger:
        where, _, line = ledger.hint(COMMAND).partition("\n")
        if not line:
            return ""
        there, words = (folder / where).resolve(), shlex.split(line)
        out = folder.resolve()
        if any(command in f" {' '.join(words[:3])} " for command in _SEVERAL):
            whole = read_plan(folder).get("kind") == "suite"
            holders = (out, *out.parents[:2])
            named = (item for item in holders if _names(words, there, item))
            out = next(named, out if whole else out.parent)
        if not _names(words, there, out):
            return _moved(words, out)
        return line if there == Path.cwd() else f"cd {shlex.quote(str(there))} && {line}"
    return ""


def _names(words: Sequence[str], there: Path, out: Path) -> bool:
    """Tell whether a word of a command that was given in ``there`` is the path of a folder."""
    paths = (os.path.expanduser(word.removeprefix(f"{OUT}=")) for word in words)  # noqa: PTH111 - it raises nothing
    return any((there / path).resolve() == out for path in paths)


def _moved(words: list[str], out: Path) -> str:
    """Return a command that writes a folder, whatever folder its words named."""
    at = next((i for i, word in enumerate(words) if word.startswith(f"{OUT}=")), None)
    if at is not None:
        words[at] = f"{OUT}={out}"
    elif OUT in words[:-1]:
        words[words.index(OUT) + 1] = str(out)
    else:
        words += [OUT, str(out)]
    return f"{shlex.join(words)}  # copied or moved: other paths are as they were first given"


def run_plan(
    bench: Path, identity: Mapping[str, object], choices: Mapping[str, object] | None = None
) -> dict[str, object]:
    """
    Return the plan of a run: which benchmark, which model, and what else was chosen.

    ``identity`` is all that determines the model's answers; the benchmark is named by its
    manifest's digest, so that the same questions elsewhere are the same plan.
    """
    return {
        "kind": "run",
        "bench": manifest_digest(bench, "bench"),
        "model": dict(identity),
        **(choices or {}),
    }


def read_screens(folder: Path) -> tuple[Screen, ...]:
    """Read the screens of a SCREENS or a BENCH; raises InvalidInputError."""
    manifest = read_manifest(folder)
    return read_table(folder, "screens.jsonl", Screen, kind=_one_of(manifest, "screens", "bench"))


def require_questions(folder: Path) -> None:
    """Raise NothingKeptError for a BENCH that asks nothing, as a diagnosis may leave one."""
    if not read_manifest(folder, "bench").files["questions.jsonl"].count:
        raise NothingKeptError(
            f"a question in {folder}", found="none", remedy="name a benchmark that has some"
        )


def read_questions(folder: Path) -> tuple[Question, ...]:
    """Read the questions of a BENCH; raises InvalidInputError."""
    return read_table(folder, "questions.jsonl", Question, kind="bench")


def read_answers(folder: Path) -> tuple[Answer, ...]:
    """Read the answers of a RUN; raises InvalidInputError."""
    return read_table(folder, "answers.jsonl", Answer, kind="run")


def read_table(folder: Path, name: str, record: type[T], *, kind: FolderKind) -> tuple[T, ...]:
    """
    Read one exported table, checked against the manifest; raises InvalidInputError.

    A line that cannot be read is named by its number; so is a second record of one id.
    """
    path = folder / name
    lines = _verified(folder, name, kind).splitlines()
    records = tuple(
        decode(line, record, what=f"{path}, line {number},")
        for number, line in enumerate(lines, start=1)
    )
    _check_unique(records, str(path))
    return records


def read_document(folder: Path, name: str, record: type[T], *, kind: FolderKind) -> T:
    """Read one exported document, checked against the manifest; raises InvalidInputError."""
    return decode(_verified(folder, name, kind), record, what=str(folder / name))


def _one_of(manifest: Manifest, first: FolderKind, second: FolderKind) -> FolderKind:
    return second if manifest.kind == second else first


def _verified(folder: Path, name: str, kind: FolderKind) -> bytes:
    manifest = read_manifest(folder, kind)
    expected = manifest.files.get(name)
    data = _read(folder / name, folder, kind, packs=True)
    if expected is None or sha256(data) != expected.sha256:
        raise InvalidInputError(
            f"{folder / name} as manifest.json describes it",
            found="other bytes" if expected else "no word of it there",
            remedy=f"run `{WRITERS[kind]}` again to write it anew",
        )
    return data


def _read(path: Path, folder: Path, kind: FolderKind | None, *, packs: bool = False) -> bytes:
    try:
        return b"".join(part for _, part in read_parts(path)) if packs else path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        unfinished = (folder / "plan.json").is_file()
        if command := unfinished and noted_command(folder):
            remedy = f"run its command to its end: {command}"
        elif kind is None:
            remedy = "run its command to its end" if unfinished else "name a folder that it wrote"
        else:
            remedy = f"run `{WRITERS[kind]}` {'to its end' if unfinished else 'first'}"
        raise InvalidInputError(
            f"a finished folder with {path.name}, {folder}",
            found="an unfinished one" if unfinished else "no such folder of surefoot's",
            remedy=remedy,
        ) from error


def _write(path: Path, data: bytes, count: int, at: CommitPoint) -> ExportedFile:
    write_atomic(path, data, at)
    return ExportedFile(sha256(data), count)


def _sorted(records: Iterable[object], what: str) -> list[object]:
    """Sort by id what has one; Python's sort keeps the order of what has none."""
    found = sorted(records, key=_identity)
    _check_unique(found, what)
    return found


def _check_unique(records: Sequence[object], what: str) -> None:
    seen: set[str] = set()
    for identity in filter(None, map(_identity, records)):
        if identity in seen:
            raise InvalidInputError(f"one record of the id '{identity}'", found=f"two in {what}")
        seen.add(identity)


def _identity(record: object) -> str:
    if isinstance(record, Screen | Question):
        return record.id
    return record.question if isinstance(record, Answer) else ""
