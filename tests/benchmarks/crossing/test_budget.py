"""
A budget draws sites, pages and words evenly, and spares conditions.
"""

from __future__ import annotations

from collections import Counter

from surefoot.benchmarks.benchmark import AssembledBench, BuildOptions, Funnel
from surefoot.benchmarks.crossing.budget import cost_words, pages_within, within_budget
from surefoot.benchmarks.crossing.design import Design
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question


def bench(sites: int, elements: int, kinds: tuple[str, ...]) -> AssembledBench:
    """Ask for each element of some sites, of many or few, in all words in three conditions."""
    questions = tuple(
        Question(
            id=f"{site}.{at}.{kind}.{variant}",
            pair=f"{site}#{at}",
            cluster=str(site),
            cell=Cell(variant, kind),
            screen="s",
            image="",
            width=100,
            height=100,
            instruction=Instruction(kind, "en", "given", "high", Expression(), str(at)),
            truth=Box(0, 0, 10, 10),
        )
        for site in range(sites)
        for at in range(elements * (1 + 4 * (site == 0)))
        for kind in kinds
        for variant in ("original", "theme", "theme+static")
    )
    return AssembledBench(questions, Funnel((), {}))


def test_a_budget_spares_conditions_and_draws_words_by_site() -> None:
    """Elements keep their conditions, sites share evenly, and other words are drawn as often."""
    kinds = ("direct", "label", "nearest", "region")
    options = BuildOptions(budget=240, over=("theme",))
    found = within_budget(bench(8, 20, kinds), options)
    words = Counter(one.cell.instruction for one in found.questions)
    sites = Counter(one.cluster for one in found.questions)

    assert 240 <= len(found.questions) < 246
    assert set(Counter((one.pair, one.cell.instruction) for one in found.questions).values()) == {
        3
    }
    assert set(Counter(one.pair for one in found.questions).values()) == {6}
    assert max(sites.values()) == min(sites.values())
    assert words["direct"] == 120
    assert max(words[kind] - 40 for kind in kinds[1:]) <= 3
    assert found.funnel.falls[-1].count == len(bench(8, 20, kinds).questions) - 240
    assert within_budget(bench(8, 20, kinds), BuildOptions()) == bench(8, 20, kinds)


def test_a_budget_takes_pages_of_every_site() -> None:
    """The pages of a budget are few, and sites take turns."""
    pages = {f"{site}/{page}": str(site) for site in range(10) for page in range(5)}
    few = pages_within(pages, BuildOptions(variants=("original",), budget=36))
    assert len(few) == 10
    assert {pages[page] for page in few} == {*pages.values()}
    assert pages_within(pages, BuildOptions()) == {*pages}


def test_what_a_build_comes_to_is_said() -> None:
    """Pages, renders, questions and what cannot be told stand in one sentence."""
    options = BuildOptions(
        variants=("original", "static"), over=("theme",), budget=24, design="fraction:3"
    )
    pages = {f"{at}": f"{at}" for at in range(4)}
    dealt = Design("fraction", 3).deal(("original", "theme"), options.variants, pages, 0)
    said = cost_words(dealt, options)
    assert said.startswith("fraction:3 design, 4 pages in 12 conditions of their screens (8 to")
    assert "about 24 questions on 24 pictures" in said
    assert "not tested" in said
