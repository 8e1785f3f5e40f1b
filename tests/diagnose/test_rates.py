"""
Rates and ratios of a diagnosis, against the definitions written out.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from surefoot.diagnose.rates import rate_of_failures, ratio_interval
from surefoot.score.stats.clusters import interval_bounds, ratio


def test_failures_are_per_hundred_questions() -> None:
    """Failures are summed over elements before they are divided by questions."""
    sites = {"p": "a", "q": "b", "r": "b"}
    found = rate_of_failures({"p": (5, 10), "q": (0, 30), "r": (0, 10)}, sites, "ocr", "search")
    sums = ratio(np.array([[500.0], [0.0]]), np.array([[10.0], [40.0]]))

    assert (found.amount, found.n, found.clusters, found.variant) == (10.0, 50, 2, "search")
    assert found.interval is not None
    ends = interval_bounds(sums, (0.0, 100.0))[:, 0]
    assert [found.interval.low, found.interval.high] == pytest.approx(ends.tolist())


def test_failures_of_nothing_or_of_one_site_are_unsure() -> None:
    """Without a question there is no rate, and one site leaves almost every rate possible."""
    assert rate_of_failures({}, {}, "ocr", "search").amount is None
    interval = rate_of_failures({"p": (5, 10)}, {"p": "a"}, "ocr", "search").interval
    assert interval is not None
    assert interval.low < 2
    assert 98 < interval.high <= 100


def test_a_ratio_is_of_sums() -> None:
    """The ratio divides failures per question; where all sites have one, nothing is sure."""
    one = {f"s{site}#t": (4, 10) for site in range(8)}
    other = {f"s{site}#t": (2, 10) for site in range(8)}
    sites = {pair: pair.partition("#")[0] for pair in one}

    ratio_, interval = ratio_interval(one, other, sites)

    assert ratio_ == pytest.approx(2.0)
    assert interval is None


def test_a_ratio_counts_elements_that_one_of_both_left() -> None:
    """Of all elements either search may ask about others: their sums are divided all the same."""
    one = {f"s{site}#a": (4, 10) for site in range(8)}
    other = {f"s{site}#b": (1, 5 + site) for site in range(8)}
    sites = {pair: pair.partition("#")[0] for pair in (*one, *other)}

    ratio_, interval = ratio_interval(one, other, sites)

    assert ratio_ == pytest.approx(0.4 / (8 / 68))
    assert interval is not None


def test_a_ratio_varies_with_its_sites() -> None:
    """Its interval is that of the ratio's logarithm, with each site left out in a loop."""
    random = np.random.default_rng(2)
    pairs = [f"s{at % 12}#t{at}" for at in range(60)]
    sites = {pair: pair.partition("#")[0] for pair in pairs}
    one = {pair: (int(random.binomial(20, 0.4)), 20) for pair in pairs}
    other = {pair: (int(random.binomial(20, 0.2)), 20) for pair in pairs}

    def rate(found: dict[str, tuple[int, int]], without: str = "") -> float:
        kept = [found[pair] for pair in pairs if sites[pair] != without]
        return sum(failures for failures, _ in kept) / sum(asked for _, asked in kept)

    whole = rate(one) / rate(other)
    moved = [
        (rate(one, site) - rate(one)) / rate(one) - (rate(other, site) - rate(other)) / rate(other)
        for site in sorted(set(sites.values()))
    ]
    reach = 2.200985 * math.sqrt(sum(value**2 for value in moved))  # t with 11 degrees

    found, interval = ratio_interval(one, other, sites)

    assert found == pytest.approx(whole)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(
        (whole * math.exp(-reach), whole * math.exp(reach)), rel=1e-6
    )
    assert interval.clusters == 12


def test_nothing_found_has_no_ratio() -> None:
    """Without a failure of the other search there is nothing to divide by."""
    assert ratio_interval({"p": (1, 2)}, {"p": (0, 2)}, {"p": "p"}) == (None, None)
    assert ratio_interval({}, {}, {}) == (None, None)


@pytest.mark.parametrize("few", [0, 1])
def test_four_elements_that_fail_have_no_ratio(few: int) -> None:
    """Where either search found fewer than five elements that fail no ratio is told."""
    sites = {f"s{site}#t": f"s{site}" for site in range(9)}
    many = dict.fromkeys(sites, (3, 10))
    some = {pair: (int(at < 4), 10) for at, pair in enumerate(sites)}
    five = {pair: (int(at < 5), 10) for at, pair in enumerate(sites)}

    assert ratio_interval(*((some, many) if few else (many, some)), sites) == (None, None)
    assert ratio_interval(many, five, sites)[0] == pytest.approx(27 / 5)
