"""
Time the statistics: 3 models x 16 conditions x 429 groups, then 1,000,000 answers.

The larger table has the same cells and sites in the same proportion, so the ratio of the
two times against the ratio of the answers says how the work grows. Times are CPU time of
all threads together, so neither other programs nor more cores change them.
"""

from __future__ import annotations

import time

import numpy as np

from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import with_traits
from surefoot.score.scorings.hits import HITS
from surefoot.score.stats.arrays import Ints, Labels
from surefoot.score.summary import summarise

MODELS, VARIANTS, KINDS, MODES = 3, 4, 2, 2
GROUPS = 429
PAIRS_PER_SITE = 1.41
UNREAD = 0.01
LARGE = 1_000_000


def labels(what: str, codes: Ints) -> Labels:
    """Name codes by a word and a number; the first variant and kind have their own names."""
    first = {"variant": "original", "kind": "direct"}.get(what, f"{what}-0")
    return Labels((first, *(f"{what}-{n}" for n in range(1, int(codes.max()) + 1))), codes)


def synthetic(groups: int) -> Outcomes:
    """Draw outcomes of groups asked in all 48 conditions."""
    random = np.random.default_rng(0)
    shape = (groups, MODELS, VARIANTS, KINDS, MODES)
    pair, model, variant, kind, mode = (each.ravel() for each in np.indices(shape))
    rows = len(pair)
    corner = random.uniform(0, 1500, (groups, 2))[pair]
    side = random.uniform(8, 120, (groups, 2))[pair]
    truth = np.hstack([corner, corner + side])
    place = corner + side / 2 + random.normal(0, 30, (rows, 2))
    status = (random.random(rows) < UNREAD).astype(np.int64) * 3
    place[status > 0] = np.nan
    return Outcomes(
        model=labels("model", model),
        reasoning=mode == 1,
        instruction=labels("kind", kind),
        variant=labels("variant", variant),
        pair=labels("pair", pair),
        cluster=labels("site", (pair / PAIRS_PER_SITE).astype(np.int64)),
        role=labels("role", pair % 8),
        direction=labels("way", kind * (pair % 4 + 1)),
        truth=truth,
        place=place,
        size=np.tile([1920.0, 1080.0], (rows, 1)),
        status=status,
        answerable=np.ones(rows, dtype=np.bool_),
        reach=np.full(rows, np.nan),
        f1=np.full(rows, np.nan),
        chance=np.full(rows, np.nan),
    )


def timed(groups: int) -> tuple[int, float]:
    """Return the number of answers and the CPU seconds that their statistics take."""
    outcomes = synthetic(groups)
    start = time.process_time()
    summarise(with_traits(HITS, outcomes), HITS)
    return len(outcomes), time.process_time() - start


def main() -> None:
    """Print both times and how they grow."""
    timed(GROUPS)
    answers, seconds = timed(GROUPS)
    many, longer = timed(LARGE // (MODELS * VARIANTS * KINDS * MODES))
    growth = (longer / seconds) / (many / answers)
    print(f"statistics of {answers:,} answers: {seconds:.2f} s of CPU (limit 5 s)")
    print(f"statistics of {many:,} answers: {longer:.2f} s of CPU")
    print(f"time per answer, large over small: {growth:.2f} (limit 1: at most linear)")


if __name__ == "__main__":
    main()
