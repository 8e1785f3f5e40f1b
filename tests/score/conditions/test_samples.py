"""
Repeated samples against enumeration, plain loops, and a simulation whose truth is known.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from surefoot.benchmarks.matching import with_samples
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Question, Unparsed
from surefoot.score.conditions.rows import rows_of
from surefoot.score.conditions.samples import pass_at, repeated_samples
from surefoot.score.metric import METRICS, Ruler
from surefoot.score.outcomes import Outcomes, Record, Status, tabulate_runs
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.scorings.scatter import SCATTER
from surefoot.score.summary import summarise

RecordMaker = Callable[..., Record]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)
VARIANTS = ("original", "zoom")


def answers_to(
    questions: Sequence[Question], samples: int, replies: Sequence[Sequence[Point | None]]
) -> tuple[tuple[Question, ...], list[Answer]]:
    """Return all samples of questions with the replies to each, None for a failed one."""
    asked = with_samples(questions, samples)
    found = {question.id: place for place, question in enumerate(questions)}
    answers = [
        Answer(one.id, "", parsed)
        for one in asked
        if (parsed := replies[found[one.first_sample]][one.sample - 1]) is not None
    ]
    return asked, sorted(answers, key=lambda answer: answer.question)


def simulated(record: RecordMaker, sites: int, a_site: int, samples: int) -> Outcomes:
    """Build a table of hits: questions of sites, each asked so many times."""
    questions = [
        record(HIT, pair=f"{site}/{place}", cluster=f"site {site}")[1]
        for site in range(sites)
        for place in range(a_site)
    ]
    asked, answers = answers_to(questions, samples, [[HIT] * samples] * len(questions))
    return tabulate_runs([(asked, [("model", answers)])])


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), st.data())
def test_pass_at_k_is_the_share_of_choices_that_hold_a_right_one(
    drawn: tuple[int, int], data: st.DataObject
) -> None:
    """The estimate equals the enumeration of every choice of k samples."""
    n, right = drawn
    k = data.draw(st.integers(1, n))
    chosen = list(itertools.combinations([True] * right + [False] * (n - right), k))

    (found,) = pass_at(k, np.array([n]), np.array([right]))
    assert found == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert math.isnan(pass_at(n + 1, np.array([n]), np.array([right]))[0])


def test_a_question_counts_once_however_often_it_is_asked(record: RecordMaker) -> None:
    """Scores and changes are those of a plain loop over questions, and n counts questions."""
    random = np.random.default_rng(11)
    cells = [(f"p{pair}", variant) for pair in range(24) for variant in VARIANTS]
    questions = [
        record(HIT, pair=pair, cluster=f"site {int(pair[1:]) % 8}", variant=variant)[1]
        for pair, variant in cells
    ]
    right = random.random((len(questions), 4)) < random.random((len(questions), 1))
    lost = random.random(right.shape) < 0.15
    replies = [
        [None if gone else HIT if hit else MISS for hit, gone in zip(*both, strict=True)]
        for both in zip(right, lost, strict=True)
    ]
    asked, answers = answers_to(questions, 4, replies)
    found = summarise(tabulate_for(HITS, [(asked, [("model", answers)])]), HITS)

    means = {
        cell: [reply == HIT for reply in told if reply is not None]
        for cell, told in zip(cells, replies, strict=True)
    }
    for score in (one for one in found.scores if one.metric == "hit"):
        own = [sum(hits) / len(hits) for cell, hits in means.items() if cell[1] == score.variant]
        assert (score.n, score.rows) == (24, 96)
        assert score.amount == pytest.approx(sum(own) / len(own))
    (change,) = (one for one in found.comparisons if one.metric == "hit")
    differences = [
        np.mean(means[f"p{pair}", "zoom"]) - np.mean(means[f"p{pair}", "original"])
        for pair in range(24)
    ]
    assert (change.n, change.clusters) == (24, 8)
    assert change.change == pytest.approx(np.mean(differences))
    whole = found.details["samples"][0]
    assert (whole.variant, whole.samples) == ("", 4)
    alike = [len(set(hits)) == 1 for hits in means.values() if len(hits) > 1]
    assert whole.consistency.amount == pytest.approx(np.mean(alike))
    pairs = [
        np.mean([one == other for one, other in itertools.combinations(hits, 2)])
        for hits in means.values()
        if len(hits) > 1
    ]
    assert whole.agreement.amount == pytest.approx(np.mean(pairs))
    assert whole.passes[1].amount == pytest.approx(whole.mean.amount)


def test_intervals_hold_the_truth_where_counting_samples_does_not(record: RecordMaker) -> None:
    """Over 400 draws about 95 % of the intervals hold it, and of those over samples far fewer."""
    sites, a_site, samples = 20, 4, 8
    table = simulated(record, sites, a_site, samples)
    rows = rows_of(table, Ruler())
    random = np.random.default_rng(5)
    held, naive = {"mean": 0, "pass@4": 0}, 0
    draws = 400
    for _ in range(draws):
        site = random.normal(0.0, 1.0, sites)
        odds = site.repeat(a_site) + random.normal(0.0, 1.5, sites * a_site)
        chance = 1 / (1 + np.exp(-odds))
        hit = random.random(len(table)) < chance[table.first]
        places = np.where(hit[:, None], (HIT.x, HIT.y), (MISS.x, MISS.y))
        (found,) = repeated_samples(msgspec.structs.replace(table, place=places), rows, Ruler())
        for name, share, truth in (
            ("mean", found.mean, TRUTH_MEAN),
            ("pass@4", found.passes[4], TRUTH_PASS),
        ):
            interval = share.interval
            assert interval is not None
            held[name] += interval.low <= truth <= interval.high
        low, high = proportion_confint(int(hit.sum()), len(hit), method="wilson")
        naive += low <= TRUTH_MEAN <= high
    assert all(0.92 * draws <= count <= 0.98 * draws for count in held.values()), held
    assert naive < 0.7 * draws


def _truths() -> tuple[float, float]:
    """Integrate the mean chance, and that one of four is right, over the drawn odds."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    chance = 1 / (1 + np.exp(-nodes * math.hypot(1.0, 1.5)))
    weights = weights / weights.sum()
    return float(weights @ chance), float(weights @ (1 - (1 - chance) ** 4))


TRUTH_MEAN, TRUTH_PASS = _truths()


def test_lost_replies_are_no_samples(record: RecordMaker) -> None:
    """A failed sample leaves its question with fewer, and an unread one is wrong."""
    question = record(HIT)[1]
    other = record(HIT, pair="b", cluster="other")[1]
    asked, answers = answers_to([question, other], 3, [[HIT, None, None], [HIT, HIT, HIT]])
    answers[-1] = Answer(answers[-1].question, "?", Unparsed("nothing"))
    table = tabulate_runs([(asked, [("model", answers)])])

    (found,) = repeated_samples(table, rows_of(table, Ruler()), Ruler())
    assert (table.status == Status.FAILED).sum() == 2
    assert (found.mean.n, found.consistency.n, found.passes[3].n) == (2, 1, 1)
    assert found.consistency.amount == 0.0
    assert found.passes[3].amount == 1.0


def test_runs_that_are_asked_once_tell_nothing(record: RecordMaker) -> None:
    """Beside a model asked three times, one asked once has scores and no samples."""
    questions = [record(HIT, pair=f"p{at}", cluster=f"s{at}")[1] for at in range(4)]
    asked, answers = answers_to(questions, 3, [[HIT, MISS, HIT]] * 4)
    once, alone = answers_to(questions, 1, [[HIT]] * 4)
    groups = [(asked, [("often", answers)]), (once, [("once", alone)])]
    found = summarise(tabulate_for(HITS, groups), HITS)

    assert {one.model for one in found.details["samples"]} == {"often"}
    (model,) = (one for one in found.comparisons if one.varies == "model" and one.metric == "hit")
    assert model.n == 4
    assert model.discordance is None
    assert abs(model.change or 0) == pytest.approx(1 / 3)


def test_what_samples_scatter_is_not_what_words_scatter(record: RecordMaker) -> None:
    """A click that moves with the sample alone has no deviation over descriptions."""
    questions = [
        record(HIT, pair=f"p{pair}", cluster=f"s{pair}", instruction=words)[1]
        for pair in range(3)
        for words in ("direct", "relational")
    ]
    moving = [[Point(110.0 + 5 * sample, 110.0) for sample in range(4)]] * len(questions)
    asked, answers = answers_to(questions, 4, moving)
    table = tabulate_for(SCATTER, [(asked, [("model", answers)])])

    for name in ("s_mean", "s_worst"):
        values = rows_of(table, Ruler()).measure(METRICS.get(name), slice(None))
        assert np.nanmax(values) == 0.0
