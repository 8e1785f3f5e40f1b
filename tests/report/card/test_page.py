"""
The card from folders to one page: what was planted is named, and nothing else is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Question
from surefoot.report.card.opening import open_sources
from surefoot.report.card.page import CardChoices, ScoredCard, score_card, write_card
from surefoot.run.folders.folder import read_questions

Runs = Callable[..., list[Path]]
PLANTED = {
    ("perturbed", "dark"): 0.6,
    ("hidden", "static"): 0.9,
    ("hidden", "low-contrast"): 0.9,
    ("languages", "th"): 0.6,
}
NAMES = ("darkened", "Thai", "masks")
OTHERS = ("zoom", "French", "relational")


def card_of(runs: list[Path], scale: list[Path]) -> ScoredCard:
    """Score runs as a card."""
    return score_card(open_sources(runs, scale), CardChoices())


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 20))]
)
def test_what_is_planted_is_said_first(
    runs_of: Runs, references: list[Path], tmp_path: Path, seed: int
) -> None:
    """Faults in three pillars are all in the sentences of the first screen, nothing else is."""
    record = card_of(runs_of(tmp_path, PLANTED, seed=seed), references).record
    (headline,) = record.headlines
    said = " ".join(headline.sentences)

    assert all(name in said for name in NAMES), said
    assert not any(name in said for name in OTHERS), said
    assert "it surely loses most under 2 masks (hidden)" in headline.sentence


def test_where_nothing_is_planted_nothing_is_said(
    runs_of: Runs, references: list[Path], tmp_path: Path
) -> None:
    """A model that is as good under every condition is hurt by none of what was tested."""
    (headline,) = card_of(runs_of(tmp_path, {}), references).record.headlines

    assert "of 4 changes tested over 3 pillars none is found to hurt it" in headline.sentence
    (sight,) = headline.more
    assert re.search(r"would have found a loss of [\d.]+ points in 8 of 10", sight)


def test_nothing_is_said_of_hiding_at_chance(
    runs_of: Runs, references: list[Path], tmp_path: Path
) -> None:
    """Where words miss with nothing hidden, nothing is said of what hiding costs."""
    fails = {**PLANTED, ("hidden", "original"): 0.98}
    card = card_of(runs_of(tmp_path, fails), references)
    (headline,) = card.record.headlines
    said = " ".join(headline.sentences)

    assert "hidden, not above chance" in headline.sentence
    assert "so nothing follows about what hiding costs" in said
    assert "masks" not in said
    assert not any("when hidden" in one.name for one in card.record.patterns)


def test_elements_are_joined_and_ids_are_not(
    runs_of: Runs, references: list[Path], benches: dict[str, Path], tmp_path: Path
) -> None:
    """Each cell counts the answers of its own pillar, though its questions' ids are others'."""
    ids = [{one.id for one in read_questions(bench)} for bench in benches.values()]
    record = card_of(runs_of(tmp_path, {("hidden", "static"): 1.0}), references).record
    static = next(at for at, one in enumerate(record.columns) if one.variant == "static")
    plain = [at for at, one in enumerate(record.columns) if one.facet == "shown"]

    assert set.intersection(*ids)
    assert len(record.elements) == 48
    assert {len(one.cells) for one in record.elements} == {12}  # 6, 3 and 3 conditions
    assert sum(one.of("walker")[static].hits for one in record.elements) == 0
    assert sum(one.of("walker")[at].hits for one in record.elements for at in plain) > 80
    told = {one.name: len(one.elements) for one in record.patterns}
    assert max(told, key=lambda name: told[name]) == "hit when shown, missed under white mask"


def test_the_page_needs_nothing_else(
    runs_of: Runs, references: list[Path], tmp_path: Path
) -> None:
    """One file has chance and ceiling, links from cells, and words of others escaped."""
    runs = runs_of(tmp_path, PLANTED)
    card = card_of(runs, references)
    write_card(card, tmp_path / "card.html", CardChoices(port=9123, cards=1))
    page = (tmp_path / "card.html").read_text("utf-8")

    assert page.count("<svg") > 10
    assert "ceiling (oracle)" in page
    assert "Click &lt;direct&gt; &#x27;b0&#x27;" in page
    links = set(re.findall(r'href="(http[^"]*)"', page))
    assert links
    assert {link.rpartition("/")[0] for link in links} == {
        f"http://127.0.0.1:9123/question/{number}" for number in range(3)
    }
    assert f"surefoot view {' '.join(map(str, runs))} --label" in page
    assert "--port 9123" in page
    assert not re.search(r"<script|src=.?http", page)


def test_the_record_is_whole_json(runs_of: Runs, references: list[Path], tmp_path: Path) -> None:
    """Two cards of the same runs are the same JSON, whatever the order of references."""
    runs = runs_of(tmp_path, PLANTED)
    first, second = (
        msgspec.json.encode(card_of(runs, order).record)
        for order in (references, [*reversed(references)])
    )

    assert [*json.loads(first)] == [*card_of(runs, references).record.__struct_fields__]
    assert json.loads(first)["headlines"] == json.loads(second)["headlines"]
    assert json.loads(first)["elements"] == json.loads(second)["elements"]


def test_two_models_stand_side_by_side(
    runs_of: Runs, references: list[Path], tmp_path: Path
) -> None:
    """Of two models each has its sentence, and what differs is said of each pillar."""
    good = runs_of(tmp_path, {}, name="steady")
    bad = runs_of(tmp_path, {**PLANTED, ("perturbed", "original"): 0.7}, name="shaky")
    record = card_of([*good, *bad], references).record

    assert record.models == ("shaky", "steady")
    assert [line.partition(":")[0] for line in record.between] == [
        "perturbed",
        "hidden",
        "multilingual",
    ]
    assert "steady does better than shaky" in record.between[0]


def test_what_cannot_be_a_card_is_refused(
    runs_of: Runs, references: list[Path], tmp_path: Path
) -> None:
    """References alone, and one over a benchmark that no model was asked, are mistakes."""
    with pytest.raises(InvalidInputError, match="none but center, oracle"):
        open_sources(references)
    only = runs_of(tmp_path, {}, pillars=("hidden",))
    with pytest.raises(InvalidInputError, match="Leave it out"):
        open_sources(only, references[:1])


def test_a_reader_of_text_stands_beside(
    runs_of: Runs, benches: dict[str, Path], write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """A run that is given as a scale is drawn in its pillar, and has no sentence."""

    def reader(question: Question) -> Point:
        return question.truth.center if question.pair.endswith("b0") else Point(0.0, 0.0)

    beside = write_run(benches["hidden"], tmp_path / "text", reader, name="text alone")
    card = card_of(runs_of(tmp_path, {}), [beside])
    write_card(card, tmp_path / "card.html", CardChoices(cards=0))

    assert card.record.models == ("walker",)
    page = (tmp_path / "card.html").read_text("utf-8")
    assert page.count("text alone 25.0") == 6  # twice in words, and in two drawings of two rows
