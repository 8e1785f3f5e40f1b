"""
What scoring ten million answers takes: processor seconds and peak memory of `surefoot score`.

Usage: score_scale.py [--models N] [--questions N] [--folder DIR]

Writes a benchmark of 125,000 targets on 40 sites, each under 8 variants, and runs of 10
models over it, then scores them in a process of its own, whose use of the processor and
whose peak memory the system reports. The time to write them is not counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from surefoot.core.ledger import Ledger
from surefoot.run.asking.runs import remember_bench
from surefoot.run.folders.folder import Exported, run_plan, seal

VARIANTS: Final = ("original", "a", "b", "c", "d", "e", "f", "g")
SITES: Final = 40
UNREAD: Final = 0.03


def write(path: Path, lines: Iterable[str]) -> Exported:
    """Write lines, and return what the manifest says of them."""
    digest, count = hashlib.sha256(), 0
    with path.open("wb") as file:
        for line in lines:
            data = line.encode() + b"\n"
            digest.update(data)
            file.write(data)
            count += 1
    return Exported(digest.hexdigest(), count)


def questions(ids: list[str], truths: np.ndarray) -> Iterator[str]:
    """Yield questions as their canonical JSON, sorted by id."""
    for number, (name, truth) in enumerate(zip(ids, truths.tolist(), strict=True)):
        target, variant = divmod(number, len(VARIANTS))
        site = f"site{target % SITES:02}"
        kind = ("direct", "relational")[target // SITES % 2]
        yield (
            f'{{"cell":{{"instruction":"{kind}","reasoning":false,'
            f'"variant":"{VARIANTS[variant]}"}},"cluster":"{site}","height":800,"id":"{name}",'
            f'"image":"{name * 3}","instruction":{{"expression":{{"name":"Tables",'
            f'"role":"button"}},"kind":"{kind}","language":"en","specificity":"high",'
            f'"target":"button-{target}","text":"Click the \'Tables\' button"}},'
            f'"pair":"{site}/page.html#button-{target}","role":"button",'
            f'"screen":"{name}","truth":["box",{",".join(map(str, truth))}],"width":1280}}'
        )


def answers(ids: list[str], truths: np.ndarray, model: int) -> Iterator[str]:
    """Yield a model's answers: near the middle of the target, some unreadable."""
    random = np.random.default_rng(model)
    middle = (truths[:, :2] + truths[:, 2:]) / 2
    places = (middle + random.normal(0, 8 + 3 * model, middle.shape)).round(2).tolist()
    lost = random.random(len(ids)) < UNREAD
    for name, (x, y), unread in zip(ids, places, lost.tolist(), strict=True):
        parsed = '["unparsed","no numbers"]' if unread else f'["point",{x},{y}]'
        raw = json.dumps(parsed + " because that is where the words are")
        yield f'{{"parsed":{parsed},"question":"{name}","raw":{raw}}}'


def make(folder: Path, models: int, count: int) -> list[str]:
    """Write a benchmark and runs over it; return the runs' folders."""
    random = np.random.default_rng(0)
    corner = random.uniform(0, [1180, 740], (count, 2))
    truths = np.hstack([corner, corner + random.uniform(8, [90, 50], (count, 2))]).round(2)
    ids = [f"{number:020x}" for number in range(count)]
    bench = folder / "bench"
    with Ledger.open(bench, {"kind": "bench", "benchmark": "perturbed@1", "seed": 0}):
        pass
    table = write(bench / "questions.jsonl", questions(ids, truths))
    screens = write(bench / "screens.jsonl", ())
    funnel: dict[str, object] = {"falls": [], "directions": {}}
    seal(
        bench,
        "bench",
        {"questions.jsonl": table, "screens.jsonl": screens},
        {"funnel.json": funnel},
    )
    runs = []
    for model in range(models):
        run = folder / f"run-{model}"
        with Ledger.open(run, run_plan(bench, {"name": f"model-{model}"})):
            pass
        remember_bench(run, bench)
        tables = {
            "answers.jsonl": write(run / "answers.jsonl", answers(ids, truths, model)),
            "failures.jsonl": write(run / "failures.jsonl", ()),
        }
        seal(run, "run", tables)
        runs.append(str(run))
    return runs


def main() -> None:
    """Write, score, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        runs = make(chosen.folder or Path(scratch), chosen.models, chosen.questions)
        start = "from surefoot.cli.main import main; main()"
        command = [sys.executable, "-c", start, "score", *runs]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = chosen.models * chosen.questions
    print(f"{total:,} answers of {chosen.models} models")
    print(f"{used.ru_utime + used.ru_stime:.1f} s of the processor")
    print(f"{used.ru_maxrss / 2**20:.2f} GiB at most")


if __name__ == "__main__":
    main()
