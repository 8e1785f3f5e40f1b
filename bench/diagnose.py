"""
Failures found per 100 questions: the search against random valid instructions.

Run ``python bench/diagnose.py BENCH OUT [--limit N] [MODEL...]``. Without models it takes the
built-in ``ocr`` and the four simulated ones. Both searches ask about the same elements; the
ratio's interval takes sites as independent.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from surefoot.diagnose.diagnosing import diagnose_model
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.models import Options

SIMULATED = ("left-right", "ordinals", "larger", "none")


def line(found: Diagnosis, seconds: float) -> str:
    """Return one row of the table."""
    success, interval = found.success, found.ratio_interval
    rate = "-" if success.amount is None else f"{100 * success.amount:.0f} %"
    ratio = "-" if found.ratio is None else f"{found.ratio:.2f}"
    reach = "" if interval is None else f" ({interval.low:.2f} to {interval.high:.2f})"
    return " | ".join([
        found.model,
        f"{success.total:.0f}/{success.n} = {rate}",
        f"{found.questions} + {found.shrink_questions} + {found.baseline_questions}",
        f"{found.per_hundred.amount or 0:.1f}",
        f"{found.baseline_per_hundred.amount or 0:.1f}",
        f"{ratio}{reach}",
        "; ".join(found.names) or "none named",
        f"{seconds:.0f} s",
    ])  # fmt: skip


def main() -> None:
    """Diagnose each model with its baseline and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_intermixed_args()
    models = given.models or ["ocr", *(f"simulated:{item}@{given.bench}" for item in SIMULATED)]
    print("model | success | questions | per 100 | random per 100 | ratio | named | time")
    for spec in models:
        began = time.monotonic()
        folder = given.out / re.sub(r"[^\w-]+", "-", spec.partition("@")[0])
        chosen = DiagnoseOptions(limit=given.limit, seed=given.seed, baseline=True)
        _, found = diagnose_model(
            given.bench, spec, folder, chosen, options=Options(), check=False
        )
        print(line(found, time.monotonic() - began), flush=True)


if __name__ == "__main__":
    main()
