"""
Effects of dealt designs: what is planted comes back, as often as the intervals say.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from scipy import stats

from surefoot.benchmarks.crossing.design import Design
from surefoot.score.conditions.rows import Condition, Rows, measured_rows
from surefoot.score.contrasts.adjusted import adjusted_effects
from surefoot.score.contrasts.comparisons import BASES, INSTRUCTIONS, VARIANTS
from surefoot.score.stats.arrays import Floats

BASE = {"original": 0.0, "theme": -0.1, "zoom:1.5": -0.2, "blur:2": 0.0, "dark": -0.05}
VARIANT = {"original": 0.0, "static": -0.15, "hide": -0.25}
WORDS = {"direct": 0.0, "relational": -0.12}
SITES, PAGES, ELEMENTS = 29, 2, 3
ALL = (VARIANTS, BASES, INSTRUCTIONS)


def answers(seed: int, cells: int = 6, *, noise: bool = True) -> tuple[Rows, Floats]:
    """
    Answer a dealt benchmark with planted effects that differ by site and element.

    About 1,000 questions: each element is asked in its page's conditions, each in the words
    that are dealt.
    """
    chance = np.random.default_rng(seed)
    pages = {f"{s}/{p}": str(s) for s in range(SITES) for p in range(PAGES)}
    dealt = Design("fraction", cells).deal(tuple(BASE), tuple(VARIANT), pages, seed)
    own = {
        (site, name): chance.normal(0, 0.05) for site in range(SITES) for name in (*BASE, *VARIANT)
    }
    conditions, elements, sites, values = [], [], [], []
    for page, site in pages.items():
        level = chance.normal(0, 0.05)
        for number in range(ELEMENTS):
            start = 0.72 + level + chance.uniform(-0.08, 0.08)
            for base, variant in dealt[page]:
                words = str(chance.choice(list(WORDS)))
                wanted = start + BASE[base] + VARIANT[variant] + WORDS[words]
                wanted += own[int(site), base] * (base != "original")
                wanted += own[int(site), variant] * (variant != "original")
                plain = Condition("m", instruction=words, variant=variant, over="original")
                conditions.append(plain.with_part("over", base))
                elements.append(f"{page}#{number}")
                sites.append(site)
                values.append(float(chance.random() < wanted) if noise else wanted)
    rows = measured_rows(conditions, elements, sites, {"hit": values}, {})
    return msgspec.structs.replace(rows, dealt=True), np.array(values)


def coverage(seeds: range) -> tuple[int, int, list[float]]:
    """Count the intervals that hold what was planted, all, and list their standard errors."""
    held, made, errors = 0, 0, []
    for seed in seeds:
        rows, values = answers(seed)
        for contrast, planted in zip(ALL, (VARIANT, BASE, WORDS), strict=True):
            for level, found in adjusted_effects(rows, values, "m", contrast, ALL).items():
                true = planted[level] if level else np.mean(list(planted.values())[1:])
                interval = found.change.interval()
                assert interval is not None
                held += int(interval.low <= true <= interval.high)
                made += 1
                errors.append(found.change.error)
    return held, made, errors


def test_effects_are_those_of_a_regression_with_an_intercept_an_element() -> None:
    """The changes are the coefficients of the dummy-variable regression, made by hand."""
    rows, values = answers(3)
    conditions = [rows.conditions[at] for at in rows.condition]
    dummies = [rows.element == at for at in range(rows.elements)]
    dummies += [np.array([one.part("over") == name for one in conditions]) for name in BASE][1:]
    dummies += [np.array([one.part("variant") == n for one in conditions]) for n in VARIANT][1:]
    dummies += [np.array([one.instruction == "relational" for one in conditions])]
    plain, *_ = np.linalg.lstsq(np.stack(dummies, axis=1).astype(float), values, rcond=None)

    found = adjusted_effects(rows, values, "m", BASES, ALL)
    assert [found[name].change.mean for name in list(BASE)[1:]] == pytest.approx(
        plain[rows.elements : rows.elements + 4]
    )
    assert found[""].change.mean == pytest.approx(plain[rows.elements : rows.elements + 4].mean())


def test_without_noise_nothing_is_lost() -> None:
    """Answers that are exact give the planted effects but for what sites differ in."""
    rows, values = answers(1, noise=False)
    found = adjusted_effects(rows, values, "m", INSTRUCTIONS, ALL)
    assert found["relational"].change.mean == pytest.approx(-0.12, abs=0.01)


def test_what_cannot_be_told_apart_has_no_effect() -> None:
    """A base that is only ever asked together with one variant is left out, as is that one."""
    pairs = [("original", "original"), ("theme", "static")] * 12
    conditions = [
        Condition("m", variant=variant, over="original").with_part("over", base)
        for base, variant in pairs
    ]
    sites = [str(at // 4) for at in range(24)]
    values = np.arange(24.0) % 5
    rows = measured_rows(conditions, [at // 2 for at in range(24)], sites, {"hit": values}, {})
    assert adjusted_effects(rows, values, "m", BASES, ALL) == {}


def test_planted_main_effects_lie_in_their_intervals() -> None:
    """Of 20 dealt benchmarks no fewer intervals hold the truth than 95 % and chance allow."""
    held, made, errors = coverage(range(20))
    # Intervals of one benchmark hang together: as if a third of them were independent.
    assert stats.binom.cdf(round(held / 3), round(made / 3), 0.95) > 0.001
    assert np.mean(errors) < 0.055


@pytest.mark.long
def test_planted_main_effects_lie_in_their_intervals_as_often_as_they_say() -> None:
    """Over 400 dealt benchmarks 93 to 97 of 100 intervals hold what was planted."""
    held, made, _ = coverage(range(1000, 1400))
    assert 0.93 < held / made < 0.97
