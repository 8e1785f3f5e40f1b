"""
Benchmarks from elsewhere and for elsewhere: ``import`` and ``export``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from surefoot.api.benches import Bench
from surefoot.api.options import AnyPath, unconfined_pages
from surefoot.api.runs import ModelRun
from surefoot.api.threads import in_thread
from surefoot.run.engine.outcome import Outcome


class Imported(msgspec.Struct, frozen=True):
    """
    Hold what an import wrote, and what it counted.

    A dataset is one benchmark and no run; of a published run each model has a benchmark and a
    run of its own, in one order.
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


@in_thread
def import_(  # noqa: PLR0913 - one argument an option
    name: str,
    path: AnyPath | None = None,
    *,
    out: AnyPath,
    images: AnyPath | None = None,
    format: str = "",  # noqa: A002 - the option's word
    strict: bool = False,
    limit: int = 0,
    revision: str = "",
    unconfined: bool = False,
) -> Imported:
    """
    Read a public dataset into a benchmark, or a published run into benchmarks and runs.

    ``path`` is its folder, one of its files or an archive; without one a dataset is fetched from
    the Hugging Face Hub, at a ``revision``, which the plan keeps. ``images`` is where its pictures
    lie if elsewhere, ``format`` how a published run's replies are read; at most ``limit`` records
    are read, 0 for all. Bad records are named, counted and left out, unless ``strict``. Raises
    UnknownNameError for a dataset that there is none of, InvalidInputError for an option that it
    does not take, and NothingKeptError, with nothing written, where no record is good.
    """
    from surefoot.run.imports.published import import_any

    with unconfined_pages(allowed=unconfined):
        found = import_any(
            name,
            None if path is None else Path(path),
            Path(out),
            images=None if images is None else Path(images),
            format_name=format,
            strict=strict,
            limit=limit,
            revision=revision,
        )
    return Imported(found.outcome, found.counts)


@in_thread
def export(
    bench: AnyPath | Bench,
    *,
    out: AnyPath,
    format: str = "hf",  # noqa: A002 - the option's word
) -> Outcome:
    """
    Publish a benchmark as parquet with a dataset card ("hf"), or write another format.

    The outcome's ``lines`` say what the format could not hold. Raises UnknownNameError for a
    format that there is none of, and InvalidInputError where ``bench`` is no benchmark or lacks
    a picture, where the format holds none of its questions, or ``out`` is not empty.
    """
    from surefoot.run.exporting import export_bench

    return export_bench(Path(bench), Path(out), format)


def _folders(folder: Path, part: str) -> Iterator[Path]:
    """Yield the folder itself where it is a benchmark, else those of a published run's part."""
    if (folder / "manifest.json").is_file():
        yield from [folder] if part == "bench" else []
    else:
        yield from sorted(path for path in (folder / part).glob("*") if path.is_dir())
