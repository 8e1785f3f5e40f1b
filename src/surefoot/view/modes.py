"""
The modes of the failures, told in the background and kept in the user's cache.
"""

from __future__ import annotations

import io
import threading

import numpy as np

from surefoot.core.canonical import digest
from surefoot.core.files import cache_folder, write_atomic
from surefoot.core.version import __version__
from surefoot.failures.modes import MODES
from surefoot.failures.shares import NOT_JUDGED, draw_failures
from surefoot.run.asking.failures import judge_failures
from surefoot.run.folders.folder import manifest_digest
from surefoot.score.metric import Ruler
from surefoot.score.stats.arrays import Ints
from surefoot.view.table import QuestionTable


def tell_modes(table: QuestionTable, *, tolerance: float = 0.0) -> Ints:
    """
    Return the mode of each failure, as a report tells it: at most 1,000 of a condition.

    The result, of the shape (models, questions), is read from the cache where it is known.
    """
    known = cache_folder() / "view" / f"{_key(table, tolerance)}.npy"
    if known.is_file():
        kept: Ints = np.load(io.BytesIO(known.read_bytes()), allow_pickle=False)
        if kept.shape == table.mode.shape:
            return kept
    drawn = draw_failures(table.outcomes, Ruler(tolerance=tolerance))
    judged, _ = judge_failures(table.runs, table.outcomes, drawn)
    told = np.full(table.mode.shape, NOT_JUDGED, dtype=np.int8)
    asked = table.rows >= 0
    told[asked] = judged.mode[table.rows[asked]]
    buffer = io.BytesIO()
    np.save(buffer, told, allow_pickle=False)
    known.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(known, buffer.getvalue())
    return told


def tell_modes_beside(table: QuestionTable, *, tolerance: float = 0.0) -> threading.Thread:
    """Tell the modes in a thread, and put them into the table when all are told."""

    def tell() -> None:
        table.mode = tell_modes(table, tolerance=tolerance)
        table.told.set()

    thread = threading.Thread(target=tell, name="failure-modes", daemon=True)
    thread.start()
    return thread


def _key(table: QuestionTable, tolerance: float) -> str:
    folders = [
        *(manifest_digest(run.tables, "run") for run in table.runs),
        *(manifest_digest(bench.folder, "bench") for bench in table.benches),
    ]
    return digest([__version__, list(MODES), tolerance, folders])
