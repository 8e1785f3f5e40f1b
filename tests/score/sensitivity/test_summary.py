"""
The three metrics against textbook loops and hand-made clicks.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable
from typing import get_args

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction, InstructionKind
from surefoot.core.question import Answer, Cell, Parsed, Question, Refusal, Unparsed
from surefoot.score.outcomes import Record
from surefoot.score.sensitivity.differences import Difference
from surefoot.score.sensitivity.rows import Ruler, SensitivityRow
from surefoot.score.sensitivity.summary import SensitivitySummary, sensitivity
from surefoot.score.sensitivity.table import read_sensitivity
from surefoot.score.spread import Spread

KINDS: tuple[InstructionKind, ...] = ("direct", "visual", "ordinal", "relational")
VIEWS = ("original", "crop", "background")
FAST = Ruler()
Key = tuple[str, str, str]


def ask(  # noqa: PLR0913 - each is a part of the cell
    parsed: Parsed | None,
    *,
    model: str = "m",
    element: str = "e",
    page: str = "p",
    view: str = "original",
    kind: InstructionKind = "direct",
    truth: Box = Box(100, 100, 130, 140),  # noqa: B008 - frozen
    wording: str = "",
) -> Record:
    """Build one record; the box has a diagonal of 50 px."""
    words = Instruction(
        "Click", "en", kind, "high", Expression(name=kind), element, wording=wording
    )
    question = Question(
        id=f"{element}/{view}/{kind}{wording}",
        pair=element,
        cluster=page,
        cell=Cell(view, kind + wording),
        screen="",
        image="",
        width=1000,
        height=800,
        instruction=words,
        truth=truth,
    )
    return model, question, None if parsed is None else Answer(question.id, "", parsed)


def draw_records(seed: int, models: Iterable[str] = ("m", "n"), pages: int = 6) -> list[Record]:
    """Draw clicks of models over pages, elements, views and kinds; some are no place."""
    random = np.random.default_rng(seed)
    records = []
    for number, page, item, view in itertools.product(
        range(len(list(models))), range(pages), range(3), VIEWS
    ):
        truth = Box.from_xywh(100 + 50 * item, 80, 20 + 10 * page, 30)
        wide = (1 + number) * (10 if view == "original" else 25)
        for kind in KINDS:
            if random.random() < 0.1 and kind != "direct":
                continue
            off = random.normal(0, wide, 2)
            parsed: Parsed | None = Point(truth.center.x + off[0], truth.center.y + off[1])
            fate = random.random()
            parsed = None if fate < 0.03 else Unparsed("?") if fate < 0.1 else parsed
            name = list(models)[number]
            records.append(
                ask(parsed, model=name, element=f"{page}#{item}", page=f"p{page}", view=view,
                    kind=kind, truth=truth)
            )  # fmt: skip
    return records


def by_loop(records: Iterable[Record], spread: str) -> dict[tuple[str, str], list[float]]:
    """Compute s_mean, s_worst and s_oob of each model and view, one element at a time."""
    groups: dict[Key, list[tuple[Point | None, Box]]] = defaultdict(list)
    for model, question, answer in records:
        place = answer.parsed if answer and isinstance(answer.parsed, Point) else None
        groups[model, question.cell.variant, question.pair].append((place, question.truth))
    cells: dict[tuple[str, str], list[list[float]]] = defaultdict(lambda: [[], [], []])
    for (model, view, _), members in groups.items():
        means, worsts, outs = cells[model, view]
        outs += [float(place is None or not box.contains(place)) for place, box in members]
        known = [place for place, _ in members if place]
        if len(known) > 1:
            far = [each / members[0][1].diagonal for each in _far(known, spread)]
            means.append(sum(far) / len(far))
            worsts.append(max(far))
    return {key: [sum(part) / len(part) for part in parts] for key, parts in cells.items()}


def _far(known: list[Point], spread: str) -> list[float]:
    if spread == "centroid":
        x = sum(each.x for each in known) / len(known)
        y = sum(each.y for each in known) / len(known)
        return [each.distance(Point(x, y)) for each in known]
    return [sum(each.distance(other) for other in known) / (len(known) - 1) for each in known]


def values(row: SensitivityRow) -> list[float | None]:
    """Return the three metrics of a row."""
    return [row.s_mean.value, row.s_worst.value, row.s_oob.value]


def score(records: Iterable[Record], ruler: Ruler = FAST) -> SensitivitySummary:
    """Score records without screens."""
    return sensitivity(read_sensitivity(records, {}), ruler)


@pytest.mark.parametrize("spread", ["centroid", "pairwise"])
def test_the_metrics_are_those_of_a_loop(spread: Spread) -> None:
    """Every model and view has the numbers of a loop over its elements."""
    records = draw_records(1)
    theirs = by_loop(records, spread)
    ours = score(records, Ruler(spread=spread)).views

    assert len(ours) == len(theirs) == 6
    for row in ours:
        assert values(row) == pytest.approx(theirs[row.model, row.view])
        assert row.s_mean.interval is not None
        assert row.s_mean.interval.low < (row.s_mean.value or 0) < row.s_mean.interval.high


def test_one_element_by_hand() -> None:
    """Three clicks of one element: centroid, deviations and share outside, on paper."""
    places: list[Parsed | None] = [Point(103, 104), Point(109, 112), Box(112, 114, 118, 128)]
    replies = [*places, Unparsed("?"), Refusal("no"), None]
    kinds = get_args(InstructionKind)
    (row,) = score(ask(each, kind=kinds[at]) for at, each in enumerate(replies)).views
    # The centroid is (109, 112.33), the box's diagonal 50.
    far = [math.hypot(6, 25 / 3), 1 / 3, math.hypot(6, 26 / 3)]

    assert row.s_mean.value == pytest.approx(sum(far) / 3 / 50)
    assert row.s_worst.value == pytest.approx(far[2] / 50)
    assert row.s_oob.value == pytest.approx(3 / 6)
    assert (row.instructions, row.clicks, row.measured, row.elements) == (6, 3, 1, 1)
    assert (row.outside, row.unparsed, row.refused, row.failed) == (3, 1, 1, 1)
    assert row.s_mean.interval is None


def test_a_constant_wrong_click_is_seen_by_one_metric_alone() -> None:
    """Always the same wrong click: s_mean and s_worst 0, s_oob 1, and no false certainty."""
    records = [
        ask(Point(5, 5), element=f"e{page}", page=f"p{page}", kind=kind)
        for page in range(8)
        for kind in KINDS
    ]
    (row,) = score(records).views

    assert values(row) == [0, 0, 1]
    assert row.s_mean.interval is row.s_worst.interval is None
    assert row.s_oob.interval is not None
    assert row.s_oob.interval.low == pytest.approx(0.025 ** (1 / 8))


def test_one_click_has_no_spread() -> None:
    """Elements with a single click are asked and counted, but not in s_mean."""
    (row,) = score([ask(Point(101, 101)), ask(Unparsed("?"), kind="visual")]).views

    assert values(row) == [None, None, 0.5]
    assert (row.measured, row.clicks, row.elements) == (0, 0, 1)


@settings(max_examples=20)
@given(st.floats(-300, 300), st.floats(-300, 300))
def test_moving_all_clicks_leaves_the_spread(right: float, down: float) -> None:
    """A click that is wrong by the same way everywhere wavers as little as before."""
    records = [each for each in draw_records(2, pages=2) if each[0] == "m"]
    moved = [(model, question, _moved(answer, right, down)) for model, question, answer in records]
    once, ruler = score(records, Ruler()).views, Ruler()

    for before, after in zip(once, score(moved, ruler).views, strict=True):
        assert values(after)[:2] == pytest.approx(values(before)[:2])


@settings(max_examples=20)
@given(st.floats(0.05, 20))
def test_scaling_the_screen_changes_nothing(scale: float) -> None:
    """The same clicks on a picture of another size give the same three numbers."""
    records = draw_records(3, ("m",), pages=2)
    scaled = [
        (
            model,
            msgspec.structs.replace(question, truth=question.truth.scaled(scale)),
            _scaled(answer, scale),
        )
        for model, question, answer in records
    ]
    ruler = Ruler()

    for before, after in zip(score(records, ruler).views, score(scaled, ruler).views, strict=True):
        assert values(after) == pytest.approx(values(before))


def _moved(answer: Answer | None, right: float, down: float) -> Answer | None:
    if answer is None or not isinstance(answer.parsed, Point):
        return answer
    place = Point(answer.parsed.x + right, answer.parsed.y + down)
    return msgspec.structs.replace(answer, parsed=place)


def _scaled(answer: Answer | None, scale: float) -> Answer | None:
    if answer is None or not isinstance(answer.parsed, Point):
        return answer
    place = Point(answer.parsed.x * scale, answer.parsed.y * scale)
    return msgspec.structs.replace(answer, parsed=place)


def test_kinds_share_the_elements_centroid() -> None:
    """A kind's deviation is that of its clicks from all clicks of the element."""
    near, far = Point(110, 110), Point(110, 170)
    records = [ask(near, kind=kind) for kind in KINDS[:3]] + [ask(far, kind="relational")]
    rows = {row.value: row for row in score(records).slices if row.by == "kind"}

    assert set(rows) == set(KINDS)
    assert values(rows["direct"]) == pytest.approx([15 / 50, 15 / 50, 0])
    assert values(rows["relational"]) == pytest.approx([45 / 50, 45 / 50, 1])


def test_one_value_makes_no_slices() -> None:
    """A trait that is the same everywhere is not broken down."""
    assert score([ask(Point(1, 1)), ask(Point(2, 2), element="f")]).slices == ()


def chosen(summary: SensitivitySummary, **wanted: str) -> list[Difference]:
    """Return the differences with some values."""
    return [
        each
        for each in summary.differences
        if all(getattr(each, name) == value for name, value in wanted.items())
    ]


def test_differences_take_what_both_have() -> None:
    """A view is compared on elements that it shares with the original, by hand."""
    shared = [
        ask(Point(110 + side * (1 + (view == "crop")), 110), element=f"e{page}", page=f"p{page}",
            view=view, kind=kind)
        for page in range(4)
        for view in ("original", "crop")
        for side, kind in ((-5, KINDS[0]), (5, KINDS[1]))
    ]  # fmt: skip
    alone = [ask(Point(900, 1), element="z", page="p9", view="crop", kind=k) for k in KINDS]
    summary = score([*shared, *alone])
    (mean,) = chosen(summary, contrast="view", metric="s_mean")
    (out,) = chosen(summary, contrast="view", metric="s_oob")

    assert [mean.before, mean.after] == pytest.approx([0.1, 0.2])
    assert (mean.elements, mean.clusters) == (4, 4)
    assert mean.p == 2 / 2**4
    assert (mean.baseline, mean.view, mean.interval) == ("original", "crop", None)
    assert (out.before, out.after, out.change, out.p) == (0, 0, 0, 1)
    assert out.interval is not None
    assert out.interval.high == -out.interval.low == pytest.approx(1 - 0.025 ** (1 / 4))


def test_every_contrast_is_a_family() -> None:
    """Views, models and kinds are compared, and Holm counts each contrast and metric."""
    summary = score(draw_records(4))
    count = {
        contrast: len(chosen(summary, contrast=contrast, metric="s_worst"))
        for contrast in ("view", "model", "kind", "specificity", "wording")
    }

    assert count == {"view": 4, "model": 3, "kind": 18, "specificity": 0, "wording": 0}
    for each in summary.differences:
        assert each.family == count[each.contrast]
        assert each.p <= each.p_holm <= 1


def test_a_wavering_model_is_told_from_a_steady_one() -> None:
    """Of twice the noise the difference in s_mean is found, with its sign and interval."""
    summary = score(draw_records(5, pages=30))
    (mean,) = chosen(summary, contrast="model", metric="s_mean", view="original")

    assert (mean.model, mean.baseline) == ("n", "m")
    assert mean.change is not None
    assert mean.interval is not None
    assert 0 < mean.interval.low < mean.change < mean.interval.high
    assert mean.p_holm < 0.01


def test_rewordings_are_compared_with_what_they_reword() -> None:
    """A wording that moves the click is worse than the instruction as it was written."""
    records = [
        ask(Point(at, 110), element=f"e{page}", page=f"p{page}", wording=wording)
        for page in range(5)
        for at, wording in ((110, ""), (112, "synonym"), (400 + page, "spelling-swap"))
    ]
    summary = score(records)
    found = {each.value: each for each in chosen(summary, contrast="wording", metric="s_oob")}

    assert {row.view for row in summary.views} == {"original", "original+reworded"}
    assert (found["synonym"].change, found["spelling-swap"].change) == (0, 1)
    assert summary.answers == 15


def test_two_models_are_no_order() -> None:
    """Under three models there is a sentence instead of a number."""
    summary = score(draw_records(6))

    assert summary.orders == ()
    assert "needs 3 models" in summary.no_ranks
    assert "there are 2" in summary.no_ranks


def test_the_order_of_answers_does_not_matter() -> None:
    """Shuffled records of several models give the same bytes."""
    records = draw_records(7)
    order = np.random.default_rng(0).permutation(len(records))
    shuffled = [records[at] for at in order]

    assert canonical_json(score(records)) == canonical_json(score(shuffled))


def test_losses_are_said() -> None:
    """Few sites and answers without a place are warned of, with counts."""
    said = score([ask(Unparsed("?")), ask(Point(1, 1), kind="visual")]).warnings

    assert said[0].startswith("Only 1 site:")
    assert "1 of 2 answers name no place" in said[1]


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ([], "found none"),
        ([ask(Point(1, 1), truth=Box(5, 5, 5, 5))], "without length"),
        ([ask(Point(1, 1)), ask(Point(1, 1), page="q", kind="visual")], "on two"),
    ],
)
def test_hostile_tables_are_refused(records: list[Record], found: str) -> None:
    """No question, a target without size and an element on two pages are refused."""
    with pytest.raises(InvalidInputError, match=found):
        score(records)
