"""
What an import wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from surefoot.api.benches import Bench
from surefoot.api.runs import ModelRun
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import MANIFEST, read_manifest


class Imported(msgspec.Struct, frozen=True):
    """
    Hold what an import wrote, and what it counted.

    A dataset is one benchmark and no run; another tool's results are one run and no benchmark;
    of a published run each model has a benchmark and a run of its own, in one order.
    """

    outcome: Outcome
    counts: Mapping[str, object]

    @property
    def benches(self) -> tuple[Bench, ...]:
        """Return the benchmarks, opened."""
        return tuple(map(Bench, _folders(self.outcome.folder, "bench")))

    @property
    def runs(self) -> tuple[ModelRun, ...]:
        """Return the runs, opened; none where a dataset was imported."""
        return tuple(map(ModelRun, _folders(self.outcome.folder, "runs")))


def _folders(folder: Path, part: str) -> Iterator[Path]:
    """Yield the folder itself where it is a benchmark, else those of a published run's part."""
    if (folder / MANIFEST).is_file():
        own = "runs" if read_manifest(folder).kind == "run" else "bench"
        yield from [folder] if part == own else []
    else:
        yield from sorted(path for path in (folder / part).glob("*") if path.is_dir())
