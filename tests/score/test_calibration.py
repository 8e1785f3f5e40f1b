"""
Calibration: planted wrong spaces are found and mended, and nothing else is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Parsed, Question, Unparsed
from surefoot.core.seeds import random_source
from surefoot.run.imports.published import answer_to, read_recorded
from surefoot.score.calibration import LEAST_PLACES, Calibration, PlaceRule, calibrate
from tests.score.conftest import make_record

Places = Callable[[Question, random.Random], Parsed]
Reading = Callable[[float, float, int, int], tuple[float, float]]
SIZES = ((1000, 500), (640, 480), (390, 844), (1920, 1080))


def asked(count: int, *, sizes: tuple[tuple[int, int], ...] = SIZES[:1]) -> Iterator[Question]:
    """Yield questions about elements anywhere on pictures, five on each of many sites."""
    source = random_source(4, "asked")
    for at in range(count):
        width, height = sizes[at % len(sizes)]
        left, top = source.uniform(0, width - 60), source.uniform(0, height - 30)
        truth = Box.from_xywh(left, top, source.uniform(20, 60), source.uniform(12, 30))
        _, question, _ = make_record(None, pair=f"e{at}", cluster=f"s{at // 5}", truth=truth)
        yield msgspec.structs.replace(question, width=width, height=height)


def hitting(question: Question, source: random.Random) -> Point:
    """Click in six of ten targets, else anywhere on the picture."""
    truth = question.truth
    if source.random() < 0.6:
        return Point(
            source.gauss(truth.center.x, truth.width / 8),
            source.gauss(truth.center.y, truth.height / 8),
        )
    return Point(source.uniform(0, question.width), source.uniform(0, question.height))


def as_said(x: float, y: float, _width: int, _height: int) -> tuple[float, float]:
    """Read a place as it was meant."""
    return x, y


def thousandths_as_pixels(x: float, y: float, width: int, height: int) -> tuple[float, float]:
    """Read thousandths of the picture as its pixels."""
    return 1000 * x / width, 1000 * y / height


def pixels_as_thousandths(x: float, y: float, width: int, height: int) -> tuple[float, float]:
    """Read pixels of the picture as thousandths of it."""
    return x * width / 1000, y * height / 1000


def moved(x: float, y: float, _width: int, _height: int) -> tuple[float, float]:
    """Read every place too far right and up."""
    return x + 60, y - 40


def halved(x: float, y: float, _width: int, _height: int) -> tuple[float, float]:
    """Read pixels of a picture of twice the size as those of the picture."""
    return x / 2, y / 2


def spoilt(parsed: Parsed, question: Question, read: Reading) -> Parsed:
    """Return a reply that was read another way."""
    size = question.width, question.height
    if isinstance(parsed, Point):
        return Point(*read(parsed.x, parsed.y, *size))
    if isinstance(parsed, Box):
        corners = (parsed.left, parsed.top), (parsed.right, parsed.bottom)
        return Box(*(number for corner in corners for number in read(*corner, *size)))
    return parsed


def calibrated(
    questions: list[Question], reply: Places, read: Reading = as_said, *, overlap: bool = False
) -> Calibration:
    """Calibrate replies that are read in some way."""
    source = random_source(8, "replies")
    answers = [Answer(one.id, "", spoilt(reply(one, source), one, read)) for one in questions]
    return calibrate(questions, answers, model="m", overlap=overlap)


@pytest.mark.parametrize(
    ("read", "sizes", "kind"),
    [
        (thousandths_as_pixels, SIZES[1:2], "scale"),
        (thousandths_as_pixels, SIZES, "scale"),
        (pixels_as_thousandths, SIZES, "scale"),
        (moved, SIZES, "shift"),
    ],
)
def test_a_wrong_space_is_found_and_mended(
    read: Reading, sizes: tuple[tuple[int, int], ...], kind: str
) -> None:
    """What one rule spoilt comes back on the other half, on pictures of one size and of four."""
    questions = list(asked(400, sizes=sizes))
    (right,) = calibrated(questions, hitting).changes
    found = calibrated(questions, hitting, read)
    (change,) = found.changes

    assert found.rule.kind == kind
    assert change.before < 0.15
    assert change.after > right.before - 0.03
    assert change.low is not None
    assert change.low > 0.3
    assert found.elements == 200


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_mended_where_nothing_is_wrong(seed: int) -> None:
    """Right answers, guesses and one place for everything are no wrong space."""
    questions = list(asked(200))

    def guess(question: Question, source: random.Random) -> Point:
        source.random()
        return Point(source.uniform(0, question.width), source.uniform(0, question.height))

    def still(_question: Question, source: random.Random) -> Point:
        return Point(source.gauss(20, 3), source.gauss(20, 3))

    for reply in (hitting, guess, still):
        found = calibrate(
            questions,
            [Answer(one.id, "", reply(one, random_source(seed, one.id))) for one in questions],
            seed=seed,
        )
        assert found.rule.kind == "identity", reply
        assert found.changes[0].before == found.changes[0].after


def test_few_answers_and_none_are_fitted_to_nothing() -> None:
    """Under the least number of places, or without one that can be read, no rule is taken."""
    few = list(asked(2 * LEAST_PLACES - 10))
    found = calibrated(few, hitting, thousandths_as_pixels)
    silent = calibrated(few, lambda *_: Unparsed("nothing"))

    assert (found.rule.kind, silent.rule.kind) == ("identity", "identity")
    assert found.places < LEAST_PLACES
    assert silent.places == 0


def test_boxes_are_judged_by_overlap() -> None:
    """A box is mended as a whole: its IoU comes back, and its centre."""

    def boxed(question: Question, source: random.Random) -> Box:
        center = hitting(question, source)
        truth = question.truth
        wide, tall = truth.width * 0.45, truth.height * 0.45
        return Box(center.x - wide, center.y - tall, center.x + wide, center.y + tall)

    found = calibrated(list(asked(400)), boxed, halved, overlap=True)

    assert found.rule.kind == "scale"
    assert found.rule.scale == pytest.approx((2, 2), rel=0.02)
    assert [one.metric for one in found.changes] == ["iou", "bcp"]
    for one in found.changes:
        assert one.before < 0.1
        assert one.after > 0.3


def test_one_site_is_halved_by_element() -> None:
    """A run over one site is calibrated over its elements."""
    questions = [msgspec.structs.replace(one, cluster="s") for one in asked(200)]
    found = calibrated(questions, hitting, thousandths_as_pixels)

    assert (found.rule.kind, found.over, found.clusters) == ("scale", "elements", 100)


def test_a_rule_leaves_what_is_no_place() -> None:
    """A reply without a place stays as it is."""
    rule = PlaceRule("scale", scale=(2.0, 3.0))

    assert rule.place(Unparsed("x"), 10, 10) == Unparsed("x")
    assert rule.place(Box(1, 1, 2, 2), 10, 10) == Box(2, 3, 4, 6)


def test_published_replies_need_no_calibration(published_folder: Path) -> None:
    """Three models' replies are left as they are; read as thousandths, their hits come back."""
    replies: dict[str, list[tuple[Question, Answer]]] = {}
    count = 0
    for one, form in read_recorded("gui-perturbed", published_folder / "predictions.jsonl.gz"):
        count += 1
        cell = one.question.cell
        if cell.reasoning or cell.variant in {"style", "text_shrink"}:
            continue  # a quarter is quicker, and says the same
        replies.setdefault(one.model, []).append((one.question, answer_to(one, form)))

    assert count == 20_592
    assert len(replies) == 3
    for model, pairs in replies.items():
        questions = [question for question, _ in pairs]
        plain = calibrate(questions, [answer for _, answer in pairs])
        wrong = [
            Answer(one.id, "", spoilt(answer.parsed, one, thousandths_as_pixels))
            for one, answer in pairs
        ]
        found = calibrate(questions, wrong)
        assert plain.rule.kind == "identity", model
        assert found.changes[0].before < 0.02
        assert found.changes[0].after > plain.changes[0].before - 0.005
        assert found.extent == pytest.approx((1000, 1000), rel=0.01)
