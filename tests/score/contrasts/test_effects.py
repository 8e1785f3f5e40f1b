"""
Effects of factors: golden figures on real answers, planted ones, and what interactions are.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import pytest

import surefoot
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Question
from surefoot.phrasing.headlines import headlines
from surefoot.score.contrasts.effects import Effect
from surefoot.score.outcomes import Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import Summary, summarise

RecordMaker = Callable[..., Record]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)
T = TypeVar("T")


@pytest.fixture(scope="session")
def demo_summary() -> Summary:
    """Score the answers of three models to a demo of 29 sites; skip where these are absent."""
    beside = Path(__file__).parents[3].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside)) / "demo_answers"
    if not folder.exists():
        pytest.skip("the demo's answers are absent; set SUREFOOT_SHARED_DATA to their folder")

    def lines(name: str, kind: type[T]) -> Iterator[T]:
        with gzip.open(folder / f"{name}.jsonl.gz") as file:
            yield from map(msgspec.json.Decoder(kind).decode, file)

    runs = [(name, lines(f"answers-{name}", Answer)) for name in ("ocr", "center", "oracle")]
    return summarise(tabulate_for(HITS, [(lines("questions", Question), runs)]), HITS)


@pytest.fixture(scope="session")
def published_summary(published_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """Score the published replies of GUI-Perturbed's three models."""
    folder = tmp_path_factory.mktemp("published")
    (folder / "predictions.jsonl").write_bytes(
        gzip.decompress((published_folder / "predictions.jsonl.gz").read_bytes())
    )
    found = surefoot.import_("gui-perturbed", folder / "predictions.jsonl", out=folder / "set")
    return surefoot.score(found.runs).summary


def effect_of(
    summary: Summary, model: str, factor: str, value: str = "", beside: str = ""
) -> Effect:
    """Return the only effect of a factor's level, or of an interaction with a value."""
    (found,) = (
        one
        for one in summary.effects
        if (one.model, one.factor, one.value) == (model, factor, value)
        and one.beside_value == beside
        and one.metric == "hit"
        and one.varies != "model"
    )
    return found


def percent(effect: Effect, level: float) -> list[float]:
    """Return the change and the ends of its interval at the level of its test, in points."""
    assert effect.level == pytest.approx(level)
    assert effect.interval is not None
    ends = (effect.change or 0.0, effect.interval.low, effect.interval.high)
    return [round(100 * end, 2) for end in ends]


def test_the_demo_has_the_golden_figures(demo_summary: Summary) -> None:
    """Words are found, the screen is not, and each interval has the level of its own test."""
    words = effect_of(demo_summary, "ocr", "instruction", "relational")
    screen = effect_of(demo_summary, "ocr", "variant")
    levels = {
        "order": (223, -3.59, 0.063),
        "precision": (241, -3.53, 0.112),
        "style": (223, -5.61, 0.032),
        "text_shrink": (252, -1.79, 0.195),
        "theme": (245, -3.88, 0.069),
    }

    assert (words.n, words.clusters, words.found) == (174, 29, True)
    assert percent(words, 0.025) == [-12.28, -21.89, -2.40]
    assert round(words.p, 4) == 0.0065
    assert (screen.n, screen.found) == (256, False)
    assert percent(screen, 0.0125) == pytest.approx([-3.26, -7.35, 0.86], abs=0.011)
    assert round(screen.p, 3) == 0.044
    assert [round(100 * (one.detectable or 0), 1) for one in (words, screen)] == [18.0, 7.5]
    for name, (n, change, p) in levels.items():
        level = effect_of(demo_summary, "ocr", "variant", name)
        assert (level.n, round(100 * (level.change or 0), 2)) == (n, change)
        assert level.p == pytest.approx(p, abs=0.0006)
        assert not level.found


def test_only_what_was_found_is_crossed(demo_summary: Summary) -> None:
    """The words of ``ocr`` are crossed with the five variants, and nothing is found there."""
    crossed = [one for one in demo_summary.effects if one.beside and one.models == ("ocr",)]
    order = effect_of(demo_summary, "ocr", "instruction", "relational", "order")

    assert [one.beside for one in crossed] == ["variant"] * 5
    assert not any(one.found for one in crossed)
    assert (order.n, round(100 * (order.change or 0), 2), round(order.p, 3)) == (52, -3.85, 0.373)
    assert [round(100 * side.change, 1) for side in order.simple] == [-34.6, -38.5]


def test_a_perfect_model_has_no_effect(demo_summary: Summary) -> None:
    """The oracle's changes are zero, with the golden ends around them."""
    words = effect_of(demo_summary, "oracle", "instruction", "relational")
    screen = effect_of(demo_summary, "oracle", "variant")

    assert percent(words, 0.025) == [0.0, -1.78, 1.78]
    assert (percent(screen, 0.0125)[0], screen.p) == (0.0, 1.0)
    assert round(100 * (words.detectable or 0), 1) == 7.9


def test_rates_have_the_golden_ends(demo_summary: Summary) -> None:
    """Rates of the demo, from no hit to no miss, have the ends that simulation chose."""
    golden = {
        ("ocr", "direct", "original"): (86.73, 95.79),
        ("ocr", "relational", "original"): (70.02, 86.28),
        ("ocr", "relational", "order"): (42.38, 70.73),
        ("center", "direct", "original"): (0.0, 2.75),
        ("center", "direct", "order"): (0.07, 3.47),
        ("oracle", "direct", "original"): (97.25, 100.0),
    }
    found = {
        (one.model, one.instruction, one.variant): one.interval
        for one in demo_summary.scores
        if one.metric == "hit"
    }

    for key, ends in golden.items():
        interval = found[key]
        assert interval is not None
        assert (100 * interval.low, 100 * interval.high) == pytest.approx(ends, abs=0.006)


def test_the_first_screen_of_the_demo_blames_the_words(demo_summary: Summary) -> None:
    """Of ``ocr`` the screen is said first, then the words, and no cell of shrunken elements."""
    (line,) = (one for one in headlines(demo_summary) if one.model == "ocr")

    screen, words, level = line.sentences
    assert screen == (
        "Over 5 changes of the screen, ocr shows no change beyond chance: it hits 81.3 % instead "
        "of 84.6 % of the same 256 elements, -3.3 points (98.75 % interval -7.3 to +0.9). A fall "
        "of more than 7.5 points would have been found in 8 of 10 such runs."
    )
    assert words == (
        "With relational instructions instead of direct ones, it falls by 12.3 points: it hits "
        "79.2 % instead of 91.5 % of the same 174 of 198 elements (97.5 % interval -21.9 to -2.4)."
    )
    assert level == (
        "ocr hits 85.3 % of its targets on the original screens: 430 questions (198 direct, 232 "
        "relational) from 29 sites, 95 % interval 79.1 to 90.0."
    )


def test_published_replies_have_the_golden_figures(published_summary: Summary) -> None:
    """Three factors of GUI-Perturbed's models: what is found, what is not, and an interaction."""
    gta1 = [
        effect_of(published_summary, "gta1", *part)
        for part in (("instruction", "relational"), ("reasoning", "True"), ("variant",))
    ]
    zoom = effect_of(published_summary, "gta1", "variant", "precision")
    crossed = effect_of(published_summary, "uitars15", "instruction", "relational", beside="True")
    reasoning = effect_of(published_summary, "qwen25vl", "reasoning", "True")
    variants = [
        one
        for one in published_summary.effects
        if (one.models, one.factor) == (("qwen25vl",), "variant") and not one.beside
    ]

    assert [round(100 * (one.change or 0), 2) for one in gta1] == [-28.09, -2.21, -2.06]
    assert [one.found for one in gta1] == [True, True, False]
    assert {one.n for one in gta1} == {429}
    assert round(gta1[2].p, 4) == 0.0091
    assert (round(100 * (zoom.change or 0), 2), zoom.found) == (-4.90, True)
    assert (round(100 * (crossed.change or 0), 2), crossed.found) == (15.91, True)
    assert (round(100 * (reasoning.change or 0), 2), reasoning.found) == (1.72, False)
    assert len(variants) == 4
    assert not any(one.found for one in variants)


def test_an_interaction_is_said_with_both_of_its_sides(published_summary: Summary) -> None:
    """Where reasoning halves what relational words cost, the mean does not stand alone."""
    (line,) = (one for one in headlines(published_summary) if one.model == "uitars15")
    (crossed,) = (one for one in line.more if "without reasoning" in one)

    assert crossed.startswith("With relational instructions instead of direct ones it is -62.9 ")
    assert "but -47.0 points when it reasons first" in crossed


@pytest.fixture
def planted(record: RecordMaker) -> Callable[[Callable[[int, str, str], bool]], Summary]:
    """Score a model over 12 sites of 10 elements whose hits a function plants."""

    def score(hit: Callable[[int, str, str], bool]) -> Summary:
        rows = [
            record(
                HIT if hit(pair, kind, variant) else MISS, model="m", pair=f"p{pair}",
                cluster=f"site {pair % 12}", variant=variant, instruction=kind,
            )
            for pair in range(120)
            for kind in ("direct", "relational")
            for variant in ("original", "zoom", "theme")
            if kind == "direct" or variant != "theme" or pair % 3 == 0
        ]  # fmt: skip
        return summarise(tabulate_for(HITS, by_model(rows)), HITS)

    return score


def test_an_effect_is_no_matter_of_which_elements_a_cell_keeps(
    planted: Callable[[Callable[[int, str, str], bool]], Summary],
) -> None:
    """Where a variant keeps hard elements alone, it has no effect, and its cell tells of it."""
    found = planted(lambda pair, _kind, _variant: pair % 3 != 0)
    (theme,) = (
        one
        for one in found.comparisons
        if (one.metric, one.variant, one.instruction) == ("hit", "theme", "relational")
        and one.contrast == "variant"
    )

    assert {one.change for one in found.effects if one.metric == "hit"} == {0.0}
    assert (theme.n, theme.before) == (40, 0.0)
    assert (theme.dropped, theme.before_dropped) == (80, 1.0)


def test_a_single_cell_is_an_interaction(
    planted: Callable[[Callable[[int, str, str], bool]], Summary],
) -> None:
    """A loss under one variant in one kind of words alone is found where both meet."""
    found = planted(
        lambda pair, kind, variant: (
            (kind, variant) != ("relational", "zoom") or pair // 12 % 2 == 0
        )
    )
    crossed = [one for one in found.effects if one.beside and one.found]

    assert [(one.value, one.beside_value) for one in crossed] == [("zoom", "relational")]
    assert [side.change for side in crossed[0].simple] == [0.0, -0.5]
    (line,) = headlines(found)
    assert any(
        "it is +0.0 points with direct instructions" in sentence
        and "but -50.0 points with relational instructions" in sentence
        for sentence in line.more
    )


@pytest.mark.parametrize(
    ("elements", "sites", "said"),
    [
        (8, 8, "too few to say, 8 elements where 10 are needed"),
        (40, 4, "too few sites to say anything of others, 4 where 5 are needed"),
        (40, 8, "8 sites cannot tell how small a fall would have been found"),
    ],
)
def test_little_is_said_to_be_little(
    record: RecordMaker, elements: int, sites: int, said: str
) -> None:
    """Of few elements or few sites it is said what is missing, and no effect is claimed."""
    random = np.random.default_rng(1)
    rows: Iterable[Record] = [
        record(
            HIT if random.random() < 0.7 else MISS, model="m", pair=f"p{pair}",
            cluster=f"site {pair % sites}", variant=variant,
        )
        for pair in range(elements)
        for variant in ("original", "zoom")
    ]  # fmt: skip
    (line,) = headlines(summarise(tabulate_for(HITS, by_model(rows)), HITS))

    assert said in line.sentence
