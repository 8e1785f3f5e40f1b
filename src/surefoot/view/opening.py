"""
What ``surefoot view`` was given: folders sorted by kind, the runs beside their benchmarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import read_plan
from surefoot.diagnose.folder import FAILING
from surefoot.run.asking.partial import is_partial
from surefoot.run.asking.runs import RunFolder, find_run
from surefoot.run.asking.side_by_side import label_runs
from surefoot.run.folders.folder import MANIFEST, FolderKind, read_manifest


class GivenFolders(msgspec.Struct, frozen=True):
    """
    Hold folders by kind.

    ``benches`` has every benchmark once, those of the runs too; ``runs`` have names that
    differ from each other.
    """

    benches: tuple[Path, ...] = ()
    runs: tuple[RunFolder, ...] = ()
    screens: tuple[Path, ...] = ()
    diagnoses: tuple[Path, ...] = ()
    forms: tuple[Path, ...] = ()


def open_folders(
    paths: Sequence[Path], bench: Path | None = None, labels: Sequence[str] = ()
) -> GivenFolders:
    """
    Sort folders by kind; of a folder that is none of ours, take those that lie in it.

    ``bench`` is where the runs' benchmark lies, if it was moved, ``labels`` are what the runs
    are called. Raises InvalidInputError for a folder with nothing to look at, and as
    ``find_run`` and ``label_runs`` do.
    """
    kinds: dict[FolderKind, dict[Path, None]] = {}
    for path in paths:
        for folder, kind in _within(path):
            kinds.setdefault(kind, {})[folder.resolve()] = None
    found = [find_run(folder, bench) for folder in kinds.get("run", ())]
    runs = [
        msgspec.structs.replace(run, bench=run.bench.resolve())
        for run in label_runs(found, labels)
    ]
    diagnoses = tuple(kinds.get("diagnosis", ()))
    benches = [
        *(run.bench for run in runs),
        *kinds.get("bench", ()),
        *(folder / FAILING for folder in diagnoses if (folder / FAILING).is_dir()),
    ]
    return GivenFolders(
        benches=tuple(dict.fromkeys(benches)),
        runs=tuple(runs),
        screens=tuple(kinds.get("screens", ())),
        diagnoses=diagnoses,
        forms=tuple(kinds.get("forms", ())),
    )


def benchmark_of(folder: Path) -> str:
    """Return the name and version of a benchmark, or its folder's name where none is told."""
    return str(read_plan(folder).get("benchmark", "")) or folder.name


def _within(path: Path) -> Iterator[tuple[Path, FolderKind]]:
    if (path / "plan.json").is_file():
        yield path, _kind(path)
        return
    planned = sorted(file.parent for file in path.glob("*/plan.json")) if path.is_dir() else []
    inner = [folder for folder in planned if (folder / MANIFEST).is_file() or is_partial(folder)]
    if not inner:
        raise InvalidInputError(
            f"screens, benchmarks, runs, diagnoses or forms in {path}",
            found="none of them" if path.is_dir() else "no such folder",
            remedy="name a folder that surefoot wrote, or one that holds such folders",
        )
    for folder in inner:
        yield folder, _kind(folder)


def _kind(folder: Path) -> FolderKind:
    return "run" if is_partial(folder) else read_manifest(folder).kind
