"""
The table of planted faults: what a diagnosis says of models whose fault is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.diagnose.causes.slices import slice_of
from surefoot.diagnose.diagnosing import diagnose_model
from surefoot.diagnose.findings import Diagnosis, Weakness
from surefoot.diagnose.folder import read_diagnosis
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.pool import open_pool
from surefoot.models import Options
from surefoot.score.words import ends_words
from surefoot_studies.planted import CONTROLS, FAULTS, GIVEN

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["PlantedRow", "diagnose_planted", "planted_lines", "planted_rows", "write_planted"]

BEGIN: Final = "<!-- measured by surefoot-studies planted -->"
END: Final = "<!-- end of what is measured -->"
CHOSEN: Final = DiagnoseOptions(shrink=0, budget=400)


class PlantedRow(msgspec.Struct, frozen=True):
    """
    Say what a diagnosis said of one planted fault.

    ``named`` tells whether what was said first is what was planted, ``said`` and ``dropped``
    are the words of all that was said, and of what did not hold on fresh questions.
    """

    fault: str
    found: Diagnosis
    named: bool
    said: tuple[str, ...]
    dropped: tuple[str, ...]


def diagnose_planted(
    bench: Path, out: Path, faults: Sequence[str], *, console: Console | None = None
) -> None:
    """Diagnose models with planted faults on a benchmark, a folder each, or go on with it."""
    pool = open_pool(bench, out / "pictures", seed=CHOSEN.seed, most=CHOSEN.most)
    for name in faults:
        diagnose_model(
            bench,
            f"simulated:{name}@{bench}",
            out / name,
            CHOSEN,
            options=Options(),
            console=console,
            pool=pool,
        )


def planted_rows(out: Path) -> Iterator[PlantedRow]:
    """Yield what was said of each fault whose diagnosis is finished."""
    for name in FAULTS:
        if (out / name / "diagnosis.json").is_file():
            yield _row(name, read_diagnosis(out / name))


def _row(name: str, found: Diagnosis) -> PlantedRow:
    said = [one for one in found.profile if one.said]
    dropped = tuple(one.words for one in found.profile if one.named and not one.said)
    named = bool(said) and bool(_names(said[0]) & FAULTS[name].named)
    return PlantedRow(name, found, named, tuple(one.words for one in said), dropped)


def _names(weakness: Weakness) -> set[str]:
    """Return the features and measures, or the cause, that a finding is about."""
    value = weakness.comparison.value
    return {atom.name for atom in slice_of(value).atoms} if weakness.sliced else {value}


def planted_lines(rows: Iterable[PlantedRow]) -> Iterator[str]:
    """Yield the table in Markdown, and before it what it comes to."""
    rows = list(rows)
    faulty = [row for row in rows if row.fault not in CONTROLS]
    controls = [row for row in rows if row.fault in CONTROLS]
    given = [row for row in faulty if row.fault in GIVEN]
    yield (
        f"Of {len(faulty)} planted faults {sum(row.named for row in faulty)} are what is named "
        f"first and confirmed ({sum(row.named for row in given)} of the {len(given)} given); of "
        f"{len(controls)} controls {sum(not row.said for row in controls)} have nothing named."
    )
    ratios = sorted(row.found.ratio for row in faulty if row.found.ratio is not None)
    if ratios:
        middle = ratios[len(ratios) // 2]
        yield (
            f"Failures a question are {middle:.2f} times those of questions drawn at random in "
            f"the median ({ratios[0]:.2f} to {ratios[-1]:.2f})."
        )
    yield ""
    head = ("planted", "in words", "named first", "times random", "said", "not confirmed")
    yield from (_line(cells) for cells in (head, ("---",) * len(head), *map(_cells, rows)))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: PlantedRow) -> tuple[str, ...]:
    found = row.found
    ends = ends_words(found.ratio_interval, "", digits=2)
    ratio = "" if found.ratio is None else f"{found.ratio:.2f}{f' ({ends})' * bool(ends)}"
    told = "control" if row.fault in CONTROLS else "yes" if row.named else "no"
    mark = "" if row.fault in GIVEN or row.fault in CONTROLS else " *"
    return (
        f"`{row.fault}`{mark}",
        FAULTS[row.fault].words,
        told,
        ratio,
        "; ".join(row.said) or "nothing",
        "; ".join(row.dropped),
    )


def write_planted(page: Path, rows: Iterable[PlantedRow]) -> None:
    """Write the table into a page, between its marks; raises InvalidInputError without them."""
    text = page.read_text("utf-8")
    head, begun, rest = text.partition(BEGIN)
    _, ended, tail = rest.partition(END)
    if not begun or not ended:
        raise InvalidInputError(f"'{BEGIN}' and '{END}' in {page}", found="not both")
    lines = "\n".join(planted_lines(rows))
    write_atomic(page, f"{head}{BEGIN}\n\n{lines}\n\n{END}{tail}".encode())
