"""
Memory of a build from an imported set: 100,000 records against 1,000, in ScreenQA's layout.

A hundred questions share each picture. The set is drawn and imported first; the build runs
in a process of its own, whose peak resident memory, and that of its largest worker, the
system tells. The larger set's peaks must stay within 1.2 times the smaller one's.
``python bench/set_memory.py 1000 10000`` measures other sizes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

SIZES = (1_000, 100_000)
MOST = 1.2
PER_IMAGE = 100
SIDE = 96


def make(folder: Path, count: int) -> Path:
    """Draw a picture for each hundred records, and write the records."""
    path = folder / "answers_and_bboxes" / "test.json"
    path.parent.mkdir(parents=True)
    (folder / "pictures").mkdir()
    with path.open("w") as stream:
        for number in range(count):
            stream.write("[" if number == 0 else ",\n")
            json.dump(record(number), stream)
        stream.write("]")
    for image in range(-(-count // PER_IMAGE)):
        colour = (image % 251, image // 251 % 251, 99)
        path = folder / "pictures" / f"{image}.jpg"
        Image.new("RGB", (SIDE, SIDE), colour).save(path, "PNG")
    return folder


def record(number: int) -> dict[str, object]:
    """Return one record."""
    left, top = 9 * (number % 10), 9 * (number // 10 % 10)
    bounds = [left, top, left + 7, top + 7]
    answer = {
        "full_answer": f"answer {number}",
        "ui_elements": [{"text": f"item {number}", "bounds": bounds, "vh_index": 1}],
    }
    return {
        "image_id": number // PER_IMAGE,
        "image_width": SIDE,
        "image_height": SIDE,
        "question": f"What is the price of item number {number}?",
        "ground_truth": [answer],
    }


def measure(count: int) -> tuple[float, float, float]:
    """Build from a set of so many records; return two peaks in MiB, and seconds."""
    with tempfile.TemporaryDirectory() as name:
        source = make(Path(name) / "set", count)
        run("--import", source, Path(name) / "bench")
        began = time.monotonic()
        told = run("--build", Path(name) / "bench", Path(name) / "out")
        seconds = time.monotonic() - began
    kept, own, workers = map(int, told.split())
    assert kept == count
    return own / 1024, workers / 1024, seconds


def run(step: str, source: Path, out: Path) -> str:
    """Run a step in a process of its own, and return what it printed."""
    command = [sys.executable, __file__, step, str(source), str(out)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def import_here(source: Path, out: Path) -> None:
    """Import the set."""
    from surefoot.run.imports.labelled import import_labelled

    import_labelled("screenqa", source, out, images=source / "pictures")


def build_here(bench: Path, out: Path) -> None:
    """Build, and print how many questions were made and both peaks in KiB."""
    from surefoot.benchmarks.benchmark import BuildOptions
    from surefoot.run.building.pages import build_benchmark
    from surefoot.run.folders.folder import read_manifest

    options = BuildOptions(variants=("static",), kinds=("label",), targets=PER_IMAGE)
    build_benchmark("hidden", bench, out, options)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(read_manifest(out).files["questions.jsonl"].count, own, workers)


def main() -> None:
    """Measure each size, and hold the largest against the smallest."""
    sizes = sorted(map(int, sys.argv[1:])) or list(SIZES)
    peaks = []
    for count in sizes:
        own, workers, seconds = measure(count)
        peaks.append((own, workers))
        print(
            f"{count:>9,} records: peak {own:.1f} MiB, largest worker {workers:.1f} MiB, "
            f"{count / seconds:,.0f} records a second"
        )
    for which, (first, last) in zip(
        ("build", "worker"), zip(peaks[0], peaks[-1], strict=True), strict=True
    ):
        print(f"{which}: ratio {last / first:.3f}, at most {MOST}")
        assert last <= MOST * first


if __name__ == "__main__":
    if "--import" in sys.argv:
        import_here(Path(sys.argv[2]), Path(sys.argv[3]))
    elif "--build" in sys.argv:
        build_here(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main()
