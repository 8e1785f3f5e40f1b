"""
What scoring ten million answers takes: processor seconds and peak memory of `surefoot score`.

Usage: score_scale.py [--models N] [--questions N] [--check N] [--shards N] [--folder DIR]

First scores a small set, --check questions for each model, and holds it to the formulas:
answers matched by their ids in dictionaries, hits, changes and squared errors added up one by
one, every site left out in turn. Then writes a benchmark of 125,000 targets on 12,500 pages of
40 sites, each under 8 variants, and runs of 10 models over it, and scores them in a process of
its own, whose use of the processor and whose peak memory the system reports. The time to write
them is not counted. What is written takes 14 GB for a hundred million answers, and as much again
without the replies' own words while it is scored, in the folder for temporary files (TMPDIR).
With --shards each run is written as that many, by site, which are scored together.
The SHA-256 of the scores tells whether another version, or other shards, give the same to the
last bit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from surefoot.core.ledger import Ledger
from surefoot.run.asking.runs import remember_bench
from surefoot.run.folders.folder import run_plan, seal
from surefoot.run.folders.lines import ExportedFile

VARIANTS: Final = ("original", "a", "b", "c", "d", "e", "f", "g")
SITES: Final = 40
TARGETS: Final = 10  # of a page
UNREAD: Final = 0.03


def write(path: Path, lines: Iterable[str]) -> ExportedFile:
    """Write lines, and return what the manifest says of them."""
    digest, count = hashlib.sha256(), 0
    with path.open("wb") as file:
        for line in lines:
            data = line.encode() + b"\n"
            digest.update(data)
            file.write(data)
            count += 1
    return ExportedFile(digest.hexdigest(), count)


def questions(ids: list[str], truths: np.ndarray) -> Iterator[str]:
    """Yield questions as their canonical JSON, sorted by id."""
    for number, (name, truth) in enumerate(zip(ids, truths.tolist(), strict=True)):
        target, variant = divmod(number, len(VARIANTS))
        page = target // TARGETS
        site = f"site{page % SITES:02}"
        kind = ("direct", "relational")[target % 2]
        yield (
            f'{{"cell":{{"instruction":"{kind}","reasoning":false,'
            f'"variant":"{VARIANTS[variant]}"}},"cluster":"{site}","height":800,"id":"{name}",'
            f'"image":"{name * 3}","instruction":{{"expression":{{"name":"Tables",'
            f'"role":"button"}},"kind":"{kind}","language":"en","specificity":"high",'
            f'"target":"button-{target}","text":"Click the \'Tables\' button"}},'
            f'"pair":"{site}/page.html#button-{target}","role":"button",'
            f'"screen":"{page:08}-{variant}",'
            f'"truth":["box",{",".join(map(str, truth))}],"width":1280}}'
        )


def screens(truths: np.ndarray) -> Iterator[str]:
    """Yield the screens that are asked about, each with its targets, sorted by id."""
    boxes = truths.reshape(-1, TARGETS, len(VARIANTS), 4).tolist()
    for page, targets in enumerate(boxes):
        site = f"site{page % SITES:02}"
        for variant, name in enumerate(VARIANTS):
            elements = ",".join(
                f'{{"box":["box",{",".join(map(str, target[variant]))}],'
                f'"hits":[true,true,true,true,true],"id":"button-{page * TARGETS + place}",'
                f'"name":"Tables","role":"button","visible_fraction":1.0}}'
                for place, target in enumerate(targets)
            )
            yield (
                f'{{"elements":[{elements}],"height":800,"id":"{page:08}-{variant}","image":"",'
                f'"locale":"en-US","page":"{site}/{page}.html","platform":"web","scale":1.0,'
                f'"site":"{site}","source":"drawn","variant":"{name}","width":1280}}'
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


def of_shard(lines: Iterable[str], shard: int, shards: int) -> Iterator[str]:
    """Yield the lines of answers that belong to a shard, which has every so-manieth site."""
    targets = len(VARIANTS) * TARGETS
    for number, line in enumerate(lines):
        if number // targets % SITES % shards == shard:
            yield line


def make(folder: Path, models: int, count: int, shards: int = 1) -> list[str]:
    """Write a benchmark and runs over it, each in shards; return the runs' folders."""
    random = np.random.default_rng(0)
    corner = random.uniform(0, [1180, 740], (count, 2))
    truths = np.hstack([corner, corner + random.uniform(8, [90, 50], (count, 2))]).round(2)
    ids = [f"{number:020x}" for number in range(count)]
    bench = folder / "bench"
    with Ledger.open(bench, {"kind": "bench", "benchmark": "perturbed@1", "seed": 0}):
        pass
    table = write(bench / "questions.jsonl", questions(ids, truths))
    shown = write(bench / "screens.jsonl", screens(truths))
    funnel: dict[str, object] = {"falls": [], "directions": {}}
    seal(
        bench,
        "bench",
        {"questions.jsonl": table, "screens.jsonl": shown},
        {"funnel.json": funnel},
    )
    runs = []
    for model in range(models):
        for shard in range(shards):
            part = {"shard": [shard + 1, shards]} if shards > 1 else {}
            run = folder / "-".join(["run", str(model), *[str(shard)] * (shards > 1)])
            with Ledger.open(run, run_plan(bench, {"name": f"model-{model}"}, part)):
                pass
            remember_bench(run, bench)
            lines = answers(ids, truths, model)
            own = of_shard(lines, shard, shards) if shards > 1 else lines
            tables = {
                "answers.jsonl": write(run / "answers.jsonl", own),
                "failures.jsonl": write(run / "failures.jsonl", ()),
            }
            seal(run, "run", tables)
            runs.append(str(run))
    return runs


# What a target was asked in, its kind of instruction and its variant, and the target.
Asked = tuple[str, str, str]
# For each answer of a model, whether it is a hit, and the squared error of its place.
Judged = dict[Asked, tuple[bool, float | None]]
Numbers = dict[tuple[str, ...], tuple[float, ...]]


def judge(runs: Iterable[str]) -> tuple[dict[str, Judged], dict[str, str]]:
    """Judge the answers of each model one by one; return the site of each target as well."""
    found: dict[str, Judged] = {}
    sites: dict[str, str] = {}
    for run in map(Path, runs):
        lines = (run.parent / "bench" / "questions.jsonl").read_text().splitlines()
        asked = {one["id"]: one for one in map(json.loads, lines)}
        judged: Judged = {}
        for answer in map(json.loads, (run / "answers.jsonl").read_text().splitlines()):
            question = asked[answer["question"]]
            cell, (_, left, top, right, bottom) = question["cell"], question["truth"]
            hit, error = False, None
            if answer["parsed"][0] == "point":
                _, x, y = answer["parsed"]
                hit = left <= x <= right and top <= y <= bottom
                error = (x - (left + right) / 2) ** 2 + (y - (top + bottom) / 2) ** 2
            judged[cell["instruction"], cell["variant"], question["pair"]] = hit, error
            sites[question["pair"]] = question["cluster"]
        found[json.loads((run / "plan.json").read_text())["model"]["name"]] = judged
    return found, sites


def textbook(runs: Iterable[str]) -> Numbers:
    """
    Return the numbers of the textbook.

    Under (model, kind, variant): answers, hits, places and the mean of their squared errors;
    under (model, kind, variant, "original") and (model, other model): what ``compare`` says.
    """
    numbers: Numbers = {}
    found, sites = judge(runs)
    for model, judged in found.items():
        cells: dict[tuple[str, str], list[Asked]] = defaultdict(list)
        for kind, variant, target in judged:
            cells[kind, variant].append((kind, variant, target))
        for (kind, variant), answers in cells.items():
            hits = sum(judged[one][0] for one in answers)
            errors = [error for one in answers if (error := judged[one][1]) is not None]
            mean = math.fsum(errors) / len(errors)
            numbers[model, kind, variant] = len(answers), hits, len(errors), mean
            if variant != "original":
                flips = [
                    (sites[one[2]], one[2], judged[kind, "original", one[2]][0], judged[one][0])
                    for one in answers
                ]
                numbers[model, kind, variant, "original"] = compare(flips)
        for other in (other for other in found if other < model):
            flips = [
                (sites[one[2]], one[2], found[other][one][0], hit)
                for one, (hit, _) in judged.items()
            ]
            numbers[model, other] = compare(flips)
    return numbers


def compare(flips: list[tuple[str, str, bool, bool]]) -> tuple[float, ...]:
    """
    Compare what (site, target, hit before, hit now) say.

    Return the count of targets, the pairs hit before alone and now alone, the mean change of a
    target, and its standard error from the formulas of docs/metrics.md, one target at a time.
    """
    moved: dict[tuple[str, str], list[int]] = defaultdict(list)
    for site, target, was, now in flips:
        moved[site, target].append(now - was)
    changes = [(site, sum(several) / len(several)) for (site, _), several in moved.items()]
    count = len(changes)
    squares, amounts = (math.fsum(abs(u) ** power for _, u in changes) for power in (2, 1))
    typical = (squares + 1) / (amounts + 1)
    by_site: dict[str, list[float]] = defaultdict(list)
    for site, change in changes:
        by_site[site].append(change / typical)
    whole = math.fsum(math.fsum(own) for own in by_site.values())
    mean, changed = whole / count, squares / typical**2
    without = ((whole - math.fsum(own)) / (count - len(own)) for own in by_site.values())
    jackknife = math.fsum((left - mean) ** 2 for left in without)
    usual = 1 + 0.05 * (sum(len(own) ** 2 for own in by_site.values()) / count - 1)
    seen = jackknife / ((changed / count - mean**2) / count)
    size = count / max(0.3, (changed * seen + 2 * usual) / (changed + 2))
    centre = size * mean / (size + 1)
    variance = ((size * changed / count + 1) / (size + 1) - centre**2) / (size + 1)
    before = sum(was and not now for _, _, was, now in flips)
    after = sum(now and not was for _, _, was, now in flips)
    return count, before, after, mean * typical, typical * math.sqrt(variance)


def told(scores: dict[str, Any]) -> Numbers:
    """Return the same numbers as the scores give them."""
    numbers: Numbers = {}
    for one in scores["scores"]:
        key = one["model"], one["instruction"], one["variant"]
        if one["metric"] == "hit":
            numbers[key] = one["n"], one["total"]
        elif one["metric"] == "mse":
            numbers[key] += one["n"], one["amount"]
    for one in scores["comparisons"]:
        cell = (one["instruction"], one["variant"]) if one["contrast"] == "variant" else ()
        if one["contrast"] in ("variant", "model"):
            flips, error = one["discordance"], one["interval"]["standard_error"]
            found = one["n"], flips["b"], flips["c"], one["change"], error
            numbers[one["model"], *cell, one["baseline"]] = found
    return numbers


# The process itself says what it took at most: what the system tells of children that ended
# counts the memory of the process that started them, too.
SCORE: Final = """
import atexit, re, sys
from surefoot.cli.main import main
peak = lambda: re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
atexit.register(lambda: open(sys.argv[-1] + ".peak", "w").write(peak()))
main()
"""


def score(runs: Iterable[str], out: Path) -> tuple[bytes, float]:
    """Score runs in a process of their own; return every number as JSON, and its peak in GiB."""
    command = [sys.executable, "-c", SCORE, "score", *runs, "--json", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return out.read_bytes(), int(Path(f"{out}.peak").read_text()) / 2**20


def seconds() -> float:
    """Return the processor time of all processes that were started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Check, write, score, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--check", type=int, default=20_000)
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, out = chosen.folder or Path(scratch), Path(scratch, "scores.json")
        runs = make(folder / "small", chosen.models, chosen.check)
        expected, found = textbook(runs), told(json.loads(score(runs, out)[0]))
        apart = [
            abs(one - other) / max(abs(one), abs(other), 1)
            for key in expected.keys() | found.keys()
            for one, other in zip(expected[key], found[key], strict=True)
        ]
        print(f"{len(apart):,} numbers of {chosen.models * chosen.check:,} answers:")
        print(f"at most {max(apart):.1e} off the textbook's, {apart.count(0):,} equal to the bit")
        runs = make(folder / "large", chosen.models, chosen.questions, chosen.shards)
        before = seconds()
        scores, peak = score(runs, out)
    print(f"{chosen.models * chosen.questions:,} answers of {chosen.models} models")
    print(f"{seconds() - before:.1f} s of the processor")
    print(f"{peak:.2f} GiB at most")
    print(f"SHA-256 of the scores: {hashlib.sha256(scores).hexdigest()}")


if __name__ == "__main__":
    main()
