"""
A sample stands for sites, pages or elements, and says which.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Question
from surefoot.phrasing.headlines import headline_sentences
from surefoot.phrasing.words import population_sentence
from surefoot.score.conditions.rows import rows_of
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Record, by_model, tabulate
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.stats.units import Population, Unit
from surefoot.score.summary import summarise

RecordMaker = Callable[..., Record]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)


def on_page(record: Record, page: str) -> Record:
    """Put a record's question on a page."""
    model, question, answer = record
    return model, msgspec.structs.replace(question, page=page), answer


@pytest.mark.parametrize(
    ("unit", "clusters", "noun"),
    [("site", 2, "sites"), ("page", 3, "pages"), ("element", 4, "elements")],
)
def test_clusters_are_those_of_the_unit(
    record: RecordMaker, unit: Unit, clusters: int, noun: str
) -> None:
    """Four elements on three pages of two sites are as many clusters, each by its own noun."""
    rows = [
        on_page(record(HIT, pair="a", cluster="x"), "home"),
        on_page(record(MISS, pair="b", cluster="x"), "home"),
        on_page(record(HIT, pair="c", cluster="x"), "cart"),
        on_page(record(MISS, pair="d", cluster="y"), "home"),
    ]
    found = summarise(tabulate_for(HITS, by_model(rows)), HITS, unit=unit)

    assert (found.clusters, found.unit, found.elements) == (clusters, noun, 4)
    (score,) = (one for one in found.scores if one.metric == "hit")
    assert score.interval is not None
    assert (score.interval.clusters, score.interval.over) == (clusters, noun)
    assert found.population == Population(unit=unit, elements=4, pages=3, sites=2)


def test_one_site_is_a_sample_of_its_elements(record: RecordMaker) -> None:
    """The default says of one site what holds for its elements, and that no more follows."""
    rows = [record(HIT if n % 3 else MISS, pair=f"e{n}", cluster="shop") for n in range(31)]
    found = summarise(tabulate_for(HITS, by_model(rows)), HITS)

    assert found.unit == "elements"
    assert headline_sentences(found)[-1] == (
        "All this is about these 31 elements of one site; for other pages and sites nothing "
        "follows."
    )
    assert all(one.interval is not None for one in found.scores if one.metric == "hit")


def test_a_changed_screen_of_another_name_is_no_page_of_its_own(record: RecordMaker) -> None:
    """An element stays on the page of its original screen, whichever question comes first."""
    rows = [
        on_page(record(HIT, pair="a", variant="zoom"), "home, zoomed"),
        on_page(record(HIT, pair="a"), "home"),
        on_page(record(HIT, pair="b"), "home"),
        on_page(record(HIT, pair="c", cluster="other"), "home"),
    ]
    table = tabulate(rows).over("page")

    assert rows_of(table, Ruler()).clusters == 2
    assert table.population == Population(unit="page", elements=3, pages=2, sites=2)


def test_what_got_no_reply_is_not_counted(record: RecordMaker) -> None:
    """24 answers about one site are about its elements, whatever else the questions are about."""
    told = [record(HIT, pair=f"e{n}", cluster="shop") for n in range(5)]
    silent = [record(None, pair=f"f{n}", cluster=f"site {n}") for n in range(29)]
    found = summarise(tabulate_for(HITS, by_model([*told, *silent])), HITS)

    assert (found.answers, found.elements, found.clusters, found.unit) == (5, 5, 5, "elements")
    assert found.population == Population(unit="element", elements=5, pages=1, sites=1)


@pytest.mark.parametrize("unit", ["site", "page", "element"])
def test_samples_of_a_question_are_one_under_every_unit(record: RecordMaker, unit: Unit) -> None:
    """A question asked four times counts once by its mean, whatever intervals are over."""
    rows: list[tuple[str, Question, Answer | None]] = []
    for n in range(6):
        _, question, _ = record(HIT, pair=f"e{n}", cluster=f"s{n // 2}")
        for sample in range(1, 5):
            name = question.id if sample == 1 else f"{question.id}~{sample}"
            asked = msgspec.structs.replace(question, id=name, sample=sample)
            parsed = HIT if sample <= n % 5 else MISS
            rows.append(("model", asked, Answer(name, "", parsed)))
    found = summarise(tabulate_for(HITS, by_model(rows)), HITS, unit=unit)
    (score,) = (one for one in found.scores if one.metric == "hit")

    assert score.n == 6
    assert score.amount == pytest.approx(sum(n % 5 / 4 for n in range(6)) / 6)
    assert score.interval is not None
    assert score.interval.clusters == {"site": 3, "page": 3, "element": 6}[unit]


def test_the_noun_is_the_sets(record: RecordMaker) -> None:
    """A set whose sites are tasks is said to be of tasks."""
    rows = [record(HIT, pair="a", cluster="t1"), record(MISS, pair="b", cluster="t2")]
    table = tabulate_for(HITS, by_model(rows), site_noun="tasks")

    assert summarise(table, HITS).unit == "tasks"
    assert "from 2 tasks; what is said holds for tasks like these" in population_sentence(
        table.population
    )
