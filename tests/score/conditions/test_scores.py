"""
Scores against plain loops: every metric, condition and slice of random answers.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Refusal, Unparsed
from surefoot.score.conditions import scores
from surefoot.score.conditions.rows import rows_of
from surefoot.score.conditions.scores import mean_of, score_rows
from surefoot.score.metric import METRICS, GivenMetric, Ruler
from surefoot.score.outcomes import Record, by_model
from surefoot.score.scoring import Scoring, tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.scorings.overlap import OVERLAP
from surefoot.score.scorings.scatter import SCATTER
from surefoot.score.stats.clusters import RATE, interval_bounds, ratio
from surefoot.score.stats.units import Unit

RecordMaker = Callable[..., Record]
KINDS = ("direct", "relational", "visual")
RIGHT = GivenMetric(name="right", title="right", summary="the answer is right")


@pytest.fixture
def records(record: RecordMaker) -> list[Record]:
    """Return answers of every sort to 30 targets of 7 sites, of a point and of a box model."""
    random = np.random.default_rng(3)
    found = []
    for pair in range(30):
        left, top, wide, tall = random.uniform([0, 0, 8, 8], [800, 400, 120, 60])
        truth = Box.from_xywh(*(float(round(side)) for side in (left, top, wide, tall)))
        for variant in ("original", "zoom"):
            for kind in KINDS[: 2 + pair % 2]:
                shift = random.normal(0, 30, 2)
                place = Point(truth.center.x + shift[0], truth.center.y + shift[1])
                grown = random.uniform(0, 9, 4)
                box = Box(
                    truth.left + grown[0], truth.top - grown[1],
                    truth.right + grown[2], truth.bottom + grown[3],
                )  # fmt: skip
                for model, fitting in (("points", place), ("boxes", box)):
                    lot = random.random()
                    parsed: Parsed | None = fitting
                    if lot < 0.15:
                        parsed = None if lot < 0.05 else Unparsed("?")
                    elif lot < 0.2:
                        parsed = Refusal("no")
                    found.append(
                        record(
                            parsed, model=model, pair=f"p{pair:02}", cluster=f"s{pair % 7}",
                            variant=variant, instruction=kind, truth=truth,
                            role=("button", "link", "")[pair % 3],
                        )
                    )  # fmt: skip
    return found


def inside(record: Record) -> bool:
    """Tell whether an answer's place lies in the box."""
    _, question, answer = record
    parsed = answer.parsed if answer else None
    place = parsed.center if isinstance(parsed, Box) else parsed
    return isinstance(place, Point) and question.truth.contains(place)


def expected(records: list[Record], metric: str) -> tuple[float, int]:
    """Compute one metric of one group of answers with loops, and over how many."""
    answered = [record for record in records if record[2] is not None]
    if metric in ("hit", "bcp"):
        values = [float(inside(item)) for item in answered]
    elif metric == "s_oob":
        values = [float(not inside(record)) for record in records]
    elif metric == "iou":
        values = [
            answer.parsed.iou(question.truth) if answer and isinstance(answer.parsed, Box) else 0.0
            for _, question, answer in answered
        ]
    elif metric == "mse":
        values = [
            (parsed.center.x - middle.x) ** 2 + (parsed.center.y - middle.y) ** 2
            if isinstance(parsed := answer.parsed, Box)
            else (parsed.x - middle.x) ** 2 + (parsed.y - middle.y) ** 2
            for _, question, answer in answered
            if answer and isinstance(answer.parsed, Box | Point)
            for middle in (question.truth.center,)
        ]
    else:
        raise AssertionError(metric)
    return statistics.fmean(values), len(values)


@pytest.mark.parametrize(
    ("scoring", "metric"),
    [(HITS, "hit"), (HITS, "mse"), (OVERLAP, "bcp"), (OVERLAP, "iou"), (SCATTER, "s_oob")],
)
@pytest.mark.parametrize("trait", ["", "role"])
def test_scores_are_those_of_loops(
    records: list[Record], scoring: Scoring, metric: str, trait: str
) -> None:
    """Value, count, losses and number of sites of every condition and slice are a loop's."""
    table = tabulate_for(scoring, by_model(records))
    groups: dict[tuple[object, ...], list[Record]] = defaultdict(list)
    for record in records:
        model, question, _ = record
        cell = question.cell
        kind = cell.instruction if scoring is HITS else ""
        if not trait or question.role:
            slot = question.role if trait else ""
            groups[model, cell.reasoning, kind, cell.variant, slot].append(record)
    points = {key for key in groups if key[0] == "points"} if metric == "iou" else set()
    measured = METRICS.get(metric)
    values = measured.values(table, Ruler())
    found = score_rows(rows_of(table, Ruler()), measured, values, trait)

    assert len(found) == len(groups)
    for score in found:
        key = (score.model, score.reasoning, score.instruction, score.variant, score.value)
        group = groups[key]
        states = [type(answer.parsed) if answer else None for _, _, answer in group]
        assert score.rows == len(group)
        assert score.failed == states.count(None)
        assert score.unparsed == states.count(Unparsed)
        assert score.refused == states.count(Refusal)
        if key in points:
            assert (score.amount, score.n, score.interval) == (None, 0, None)
            continue
        value, n = expected(group, metric)
        assert score.n == n
        assert score.amount == pytest.approx(value, rel=1e-12)
        assert score.interval is not None
        assert score.interval.low <= value <= score.interval.high
        assert score.interval.low < score.interval.high


@pytest.mark.parametrize("metric", ["s_mean", "s_worst"])
def test_deviations_are_those_of_loops(records: list[Record], metric: str) -> None:
    """A mean over elements of their mean or worst distance to the middle of their clicks."""
    table = tabulate_for(SCATTER, by_model(records))
    clicks: dict[tuple[str, str], dict[str, list[tuple[Point, Box]]]] = defaultdict(dict)
    for model, question, answer in records:
        parsed = answer.parsed if answer else None
        place = parsed.center if isinstance(parsed, Box) else parsed
        if isinstance(place, Point):
            view = clicks[model, question.cell.variant]
            view.setdefault(question.pair, []).append((place, question.truth))
    measured = METRICS.get(metric)
    for score in score_rows(rows_of(table, Ruler()), measured, measured.values(table, Ruler())):
        values = []
        for found in clicks[score.model, score.variant].values():
            if len(found) < 2:
                continue
            x = statistics.fmean(place.x for place, _ in found)
            y = statistics.fmean(place.y for place, _ in found)
            far = [math.hypot(place.x - x, place.y - y) for place, _ in found]
            size = math.hypot(found[0][1].width, found[0][1].height)
            values.append((max(far) if metric == "s_worst" else statistics.fmean(far)) / size)

        assert score.n == len(values)
        assert score.amount == pytest.approx(statistics.fmean(values), rel=1e-9)


def test_intervals_take_clusters_as_independent(record: RecordMaker) -> None:
    """Those of a slice are over the sites that have it, or over its elements."""
    inside, outside = Point(120.0, 110.0), Point(900.0, 400.0)
    hits = {"x": [1, 0, 1], "y": [1, 1], "z": [0, 1, 1, 1]}
    rows = [
        record(inside if hit else outside, pair=f"{site}{n}", role="link", cluster=site)
        for site, several in hits.items()
        for n, hit in enumerate(several)
    ]
    table = tabulate_for(
        HITS, by_model([*rows, record(inside, pair="w", role="button", cluster="w")])
    )
    units: dict[Unit, list[list[int]]] = {
        "site": list(hits.values()),
        "element": [[hit] for several in hits.values() for hit in several],
    }
    for unit, groups in units.items():
        found = rows_of(table.over(unit), Ruler())
        hit = METRICS.get("hit")
        scores = score_rows(found, hit, hit.values(table, Ruler()), "role")
        told = {one.value: one for one in scores}
        button, link = told["button"], told["link"]
        sums = (np.array([[float(part(own))] for own in groups]) for part in (sum, len))
        assert link.interval is not None
        assert (link.interval.low, link.interval.high) == pytest.approx(
            tuple(interval_bounds(ratio(*sums), RATE)[:, 0])
        )
        assert link.interval.clusters == link.clusters == len(groups)
        assert button.interval is None


def test_many_columns_are_measured_in_parts(
    records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where memory holds few sums at once, every number is the same."""
    table = tabulate_for(HITS, by_model(records))
    rows = rows_of(table, Ruler())
    metrics = [METRICS.get("hit"), METRICS.get("normalised_distance")]
    measured = [(metric, metric.values(table, Ruler())) for metric in metrics]
    whole = [score_rows(rows, *one, "role") for one in measured]
    monkeypatch.setattr(scores, "MOST_SUMS", 3 * rows.clusters)

    assert [score_rows(rows, *one, "role") for one in measured] == whole


def test_a_mean_takes_clusters_as_independent() -> None:
    """A mean has the interval of its clusters' sums; nothing has no mean."""
    found = mean_of(RIGHT, [("a", 1), ("b", 0), ("a", 1), ("b", 1)], "ocr")
    sums = ratio(np.array([[2.0], [1.0]]), np.array([[2.0], [2.0]]))

    assert found.interval is not None
    assert [found.interval.low, found.interval.high] == interval_bounds(sums, RATE)[:, 0].tolist()
    assert (found.total, found.n, found.amount) == (3, 4, 0.75)
    assert mean_of(RIGHT, [], "ocr").amount is None


def test_a_single_cluster_has_no_interval() -> None:
    """However often it was asked, one cluster says nothing of others."""
    found = mean_of(RIGHT, [("a", 1)] * 200, "ocr")

    assert (found.amount, found.interval) == (1.0, None)
