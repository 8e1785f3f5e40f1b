"""
Two logs of Inspect AI, compared sample by sample: any task's, not only ours.

Each sample of both logs brings one change, the mean of its epochs after minus before. The
interval and the test are those of our runs: they take clusters, not samples, as independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.foreign.model_folders import guarded
from surefoot.datasets.results.inspect_log import LEFT
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.paired import paired_change

# What Inspect's own value_to_float makes of its letters.
LETTERS: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
OURS: Final = ("site", "cluster")  # keys of clusters that are looked for if none is named


class LogComparison(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the mean score of the samples of two logs, and the change from one to the other.

    ``n`` samples are scored in both; ``unmatched`` are in one log alone, ``failed`` are in both
    and have no score in one of them: neither kind counts as wrong. ``clusters`` says of how
    many the samples are, ``cluster`` by which key of their metadata, "" where each stands for
    itself. ``gained`` and ``lost`` samples score higher and lower after. ``p`` is two-sided;
    ``interval`` is None where one cluster, or none, tells nothing of others.
    """

    before_model: str
    after_model: str
    task: str
    scorer: str
    n: int
    unmatched: int
    failed: int
    cluster: str
    clusters: int
    before: float
    after: float
    change: float
    gained: int
    lost: int
    interval: Interval | None
    p: float
    test: str

    def __str__(self) -> str:
        """Say it in a sentence."""
        if self.interval is None:
            return f"{self.change:+.3f} over {self.n} samples of {self.clusters} clusters"
        low, high = self.interval.low, self.interval.high
        return (
            f"{self.after_model} minus {self.before_model}: {self.change:+.3f} "
            f"(95 % {low:+.3f} to {high:+.3f}, p = {self.p:.3g}) on {self.n} samples "
            f"of {self.clusters} clusters"
        )


class _Sample(msgspec.Struct, frozen=True):
    score: float | None
    cluster: str


def compare_logs(
    before: object, after: object, *, scorer: str, cluster: str | None
) -> LogComparison:
    """
    Compare two logs; see ``surefoot.compare_inspect_logs``, which calls it.

    Raises InvalidInputError for what is no log, for logs of two tasks, for a scorer or a cluster
    that is not there, for scores that are no numbers, and where no sample is in both.
    """
    first, second = _opened(before), _opened(after)
    if first.eval.task != second.eval.task:
        raise InvalidInputError(
            f"two logs of the task '{first.eval.task}'", found=f"one of '{second.eval.task}'"
        )
    _same_bench(first, second)
    name = _scorer(first, scorer)
    key = _cluster_key(first, cluster)
    old, new = _table(first, name, key), _table(second, name, key)
    shared = sorted(old.keys() & new.keys())
    known = [item for item in shared if _known(old[item]) and _known(new[item])]
    if not known:
        raise InvalidInputError(
            "samples that are scored in both logs",
            found=f"none of {len(old)} and {len(new)}",
            remedy="name two logs of one data set",
        )
    codes = {name: code for code, name in enumerate(sorted({old[item].cluster for item in known}))}
    was = np.array([old[item].score for item in known], dtype=np.float64)
    now = np.array([new[item].score for item in known], dtype=np.float64)
    home = np.array([codes[old[item].cluster] for item in known])
    within = bool(min(was.min(), now.min()) >= 0 and max(was.max(), now.max()) <= 1)
    found = paired_change(now - was, home, 1.0 if within else math.inf, over="clusters")
    return LogComparison(
        before_model=first.eval.model,
        after_model=second.eval.model,
        task=first.eval.task,
        scorer=name,
        n=found.n,
        unmatched=len(old.keys() ^ new.keys()),
        failed=len(shared) - len(known),
        cluster=key,
        clusters=found.clusters,
        before=float(was.mean()),
        after=float(now.mean()),
        change=found.mean,
        gained=int((now > was).sum()),
        lost=int((now < was).sum()),
        interval=found.interval(),
        p=found.p,
        test=found.test,
    )


def _known(sample: _Sample) -> bool:
    return sample.score is not None


def _opened(log: object) -> Any:  # noqa: ANN401 - a type of an extra
    from inspect_ai.log import EvalLog, read_eval_log

    if isinstance(log, EvalLog):
        return log
    path = Path(str(log))
    with guarded(f"a log of Inspect AI at {path}", "name an .eval file"):
        return read_eval_log(path, exclude_fields=set(LEFT))


def _same_bench(first: Any, second: Any) -> None:  # noqa: ANN401 - as above
    asked = [
        (log.eval.metadata or {}).get("surefoot", {}).get("bench", "") for log in (first, second)
    ]
    if asked[0] != asked[1]:
        raise InvalidInputError(
            f"two logs of the benchmark {asked[0][:12] or 'that is none of ours'}",
            found=f"one of {asked[1][:12] or 'another'}",
        )


def _scorer(log: Any, wanted: str) -> str:  # noqa: ANN401 - as above
    names = sorted({name for sample in log.samples or () for name in sample.scores or {}})
    if (wanted and wanted not in names) or (not wanted and len(names) != 1):
        raise InvalidInputError(
            f"a score named '{wanted}'" if wanted else "one score, or the name of one",
            found=", ".join(names) or "none",
            remedy="name one of them as scorer",
        )
    return wanted or names[0]


def _cluster_key(log: Any, wanted: str | None) -> str:  # noqa: ANN401 - as above
    samples = log.samples or ()
    for key in OURS if wanted is None else (wanted,):
        if key and samples and all(key in (sample.metadata or {}) for sample in samples):
            return key
    if wanted:
        keys = sorted({key for sample in samples for key in sample.metadata or {}})
        raise InvalidInputError(
            f"'{wanted}' in the metadata of each sample", found=", ".join(keys) or "nothing"
        )
    return ""


def _table(log: Any, scorer: str, key: str) -> dict[str, _Sample]:  # noqa: ANN401 - as above
    """Return each sample's mean over its epochs, by its id; None where an epoch has no score."""
    scores: dict[str, list[float | None]] = {}
    homes: dict[str, str] = {}
    for name, cluster, score in _scores(log, scorer, key):
        scores.setdefault(name, []).append(score)
        homes[name] = cluster
    return {name: _Sample(_mean(values), homes[name]) for name, values in scores.items()}


def _scores(log: Any, scorer: str, key: str) -> Iterator[tuple[str, str, float | None]]:  # noqa: ANN401 - as above
    for sample in log.samples or ():
        name = str(sample.id)
        cluster = str(sample.metadata[key]) if key else name
        found: Mapping[str, Any] = sample.scores or {}
        score = None if sample.error or scorer not in found else _number(found[scorer].value)
        yield name, cluster, score


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _number(value: object) -> float:
    if isinstance(value, str) and value in LETTERS:
        return LETTERS[value]
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    raise InvalidInputError(
        "scores that are numbers, or Inspect's letters", found=f"{value!r}"[:80]
    )
