"""
Memory of an import: a set of 1,000,000 records against one of 10,000, in ScreenQA's layout.

Each import runs in a process of its own, whose peak resident memory the system tells; the
files are made here, record by record. The larger set's peak must stay within 1.2 times
the smaller one's. ``python bench/import_memory.py 10000 100000`` measures other sizes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (10_000, 1_000_000)
MOST = 1.2
PER_IMAGE = 2


def make(folder: Path, count: int) -> Path:
    """Write so many records, two on each picture, two annotators each, every tenth unanswered."""
    path = folder / "answers_and_bboxes" / "train.json"
    path.parent.mkdir(parents=True)
    with path.open("w") as stream:
        for number in range(count):
            stream.write("[" if number == 0 else ",\n")
            json.dump(record(number), stream)
        stream.write("]")
    return folder


def record(number: int) -> dict[str, object]:
    """Return one record."""
    left, top = number % 900, number % 1800
    element = {
        "text": f"item {number}",
        "bounds": [left, top, left + 100, top + 60],
        "vh_index": number % 50,
    }
    answer = {"full_answer": f"answer {number}", "ui_elements": [element, element]}
    nothing = {"full_answer": "<no answer>", "ui_elements": []}
    return {
        "image_id": number // PER_IMAGE,
        "image_width": 1080,
        "image_height": 1920,
        "question": f"What is the price of item number {number}?",
        "ground_truth": [nothing] if number % 10 == 0 else [answer, answer],
    }


def measure(count: int) -> tuple[float, float]:
    """Import a set of so many records in a new process; return its peak in MiB and seconds."""
    with tempfile.TemporaryDirectory() as name:
        source = make(Path(name) / "set", count)
        began = time.monotonic()
        command = [sys.executable, __file__, "--import", str(source), str(Path(name) / "out")]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds = time.monotonic() - began
    kept, peak = map(int, told.split())
    assert kept == count
    return peak / 1024, seconds


def import_here(source: Path, out: Path) -> None:
    """Import, and print how many questions were written and the peak in KiB."""
    from surefoot.run.imports.labelled import import_labelled

    imported = import_labelled("screenqa", source, out)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(imported.counts["questions"], peak)


def main() -> None:
    """Measure each size, and hold the largest against the smallest."""
    sizes = sorted(map(int, sys.argv[1:])) or list(SIZES)
    peaks = []
    for count in sizes:
        peak, seconds = measure(count)
        peaks.append(peak)
        print(f"{count:>9,} records: peak {peak:.1f} MiB, {count / seconds:,.0f} records a second")
    ratio = peaks[-1] / peaks[0]
    print(f"ratio {ratio:.3f}, at most {MOST}")
    assert ratio <= MOST


if __name__ == "__main__":
    if "--import" in sys.argv:
        import_here(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main()
