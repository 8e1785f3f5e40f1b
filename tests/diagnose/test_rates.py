"""
Rates and ratios of a diagnosis, against the definitions written out.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from surefoot.diagnose.rates import clustered_rate, per_hundred, rate_of, ratio_interval
from surefoot.score.stats.intervals import wilson


def test_rates_carry_their_interval() -> None:
    """A rate is count over total with Wilson's interval; nothing of nothing has none."""
    assert rate_of(3, 4).interval == wilson(3, 4)
    assert rate_of(0, 0).rate is None


def test_failures_are_per_hundred_questions() -> None:
    """Failures are summed over elements before they are divided by questions."""
    assert per_hundred([(5, 10), (0, 40)]) == 10.0
    assert per_hundred([]) is None


def test_a_ratio_is_of_sums() -> None:
    """The ratio divides failures per question, and a constant ratio has no spread."""
    one = {f"p{page}#t": (4, 10) for page in range(8)}
    other = {f"p{page}#t": (2, 10) for page in range(8)}
    pages = {pair: pair.partition("#")[0] for pair in one}

    ratio, interval = ratio_interval(one, other, pages, seed=0)

    assert ratio == pytest.approx(2.0)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((2.0, 2.0))


def test_a_ratio_varies_with_its_pages() -> None:
    """The interval is near that of a slow bootstrap that draws pages one by one."""
    random = np.random.default_rng(2)
    pairs = [f"p{at % 12}#t{at}" for at in range(60)]
    pages = {pair: pair.partition("#")[0] for pair in pairs}
    one = {pair: (int(random.binomial(20, 0.4)), 20) for pair in pairs}
    other = {pair: (int(random.binomial(20, 0.2)), 20) for pair in pairs}
    slow = []
    for _ in range(2000):
        kept = [p for page in random.integers(0, 12, 12) for p in pairs if pages[p] == f"p{page}"]
        slow.append(sum(one[p][0] for p in kept) / sum(other[p][0] for p in kept))

    _, interval = ratio_interval(one, other, pages, seed=0)

    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(
        np.percentile(slow, [2.5, 97.5]), abs=0.06
    )


def test_nothing_found_has_no_ratio() -> None:
    """Without a failure of the other search there is nothing to divide by."""
    assert ratio_interval({"p": (1, 2)}, {"p": (0, 2)}, {"p": "p"}, seed=0) == (None, None)
    assert ratio_interval({}, {}, {}, seed=0) == (None, None)


def test_rates_over_pages() -> None:
    """A single page falls back to Wilson; nothing has no rate."""
    assert clustered_rate([("p", True), ("p", False)]).interval == wilson(1, 2)
    assert clustered_rate([]).rate is None


@pytest.mark.parametrize(
    ("counting", "trials"),
    [((True, True), (6, 6)), ((False, False), (0, 6)), ((True, False), (6, 12))],
)
def test_pages_that_agree_have_an_exact_interval(
    counting: tuple[bool, ...], trials: tuple[int, int]
) -> None:
    """All and none count each of six pages once, a share between them each of its answers."""
    found = clustered_rate([(f"p{page}", each) for page in range(6) for each in counting])
    exact = binomtest(*trials).proportion_ci(method="exact")

    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((exact.low, exact.high))
    assert found.interval.method.startswith("clopper-pearson over")


def test_pages_that_differ_keep_the_bootstrap() -> None:
    """Where pages disagree the interval stays that of resampled pages."""
    found = clustered_rate([(f"p{page}", page < 3) for page in range(6)])

    assert found.interval is not None
    assert found.interval.method == "bootstrap over pages"
