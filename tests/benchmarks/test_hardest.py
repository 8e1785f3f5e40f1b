"""
The hardest targets over all pages, in turns, and the questions that come of them.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from surefoot.benchmarks.benchmark import BuildOptions, Candidate, Fall, PageResult
from surefoot.benchmarks.hardest import assemble, hardest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import Element, Screen

scores = st.lists(st.lists(st.floats(0, 1), max_size=6), max_size=5)


def pages_of(values: list[list[float]], sites: str = "abcde") -> list[PageResult]:
    """Return pages of candidates of these difficulties, each page of the site beside it."""
    return [
        PageResult(
            f"p{page}",
            site,
            (),
            tuple(
                Candidate(f"e{page}-{at}", "button", measures={"difficulty": value})
                for at, value in enumerate(row)
            ),
            (),
        )
        for page, (row, site) in enumerate(zip(values, sites, strict=False))
    ]


def difficulties_of(kept: list[Candidate]) -> list[float]:
    """Return the difficulties of what was kept of a page."""
    return [candidate.measures["difficulty"] for candidate in kept]


@given(values=scores, top=st.integers(0, 30))
def test_sites_take_turns_and_the_hardest_lead(values: list[list[float]], top: int) -> None:
    """Counts differ by one at most where a site has more; each page keeps its hardest."""
    chosen = hardest(pages_of(values), BuildOptions(parameters={"top": top}))
    counts = [len(item) for item in chosen]

    assert sum(counts) == min(top or 10**9, sum(map(len, values)))
    for row, kept in zip(values, chosen, strict=True):
        found = difficulties_of(kept)
        assert found == sorted(row, reverse=True)[: len(found)]
    for (row, one), (_, other) in itertools.permutations(zip(values, counts, strict=True), 2):
        assert len(row) == one or one >= other - 1


def test_a_site_of_many_pages_gives_no_more_than_one_of_few() -> None:
    """Three pages of one site share what a site of one page has to itself."""
    values = [[0.9, 0.8], [0.7, 0.6], [0.5, 0.4], [0.3, 0.2, 0.1]]
    pages = pages_of(values, "aaab")
    four = hardest(pages, BuildOptions(parameters={"top": 4}))
    two_a_site = hardest(pages, BuildOptions(site_targets=2))

    assert list(map(difficulties_of, four)) == [[0.9], [0.7], [], [0.3, 0.2]]
    assert list(map(difficulties_of, two_a_site)) == [[0.9], [0.7], [], [0.3, 0.2]]


@given(values=scores, top=st.integers(1, 30))
def test_the_last_round_goes_to_the_harder(values: list[list[float]], top: int) -> None:
    """Whoever is left out in the last round is no harder than who was taken in it."""
    chosen = hardest(pages_of(values), BuildOptions(parameters={"top": top}))
    last = max(map(len, chosen), default=0)
    assume(last)
    ranked = [sorted(row, reverse=True) for row in values]
    taken = [row[last - 1] for row, kept in zip(ranked, chosen, strict=True) if len(kept) == last]
    left = [
        row[last - 1]
        for row, kept in zip(ranked, chosen, strict=True)
        if len(kept) == last - 1 and len(row) >= last
    ]
    assert not left or not taken or max(left) <= min(taken)


def screen(view: str, *names: str) -> Screen:
    """Return a screen that shows these elements."""
    elements = tuple(Element(name, "button", Box(0, 0, 30, 20)) for name in names)
    return Screen(f"a {view}", "a", "x", "0" * 64, 90, 80, 1.0, "web", "en", elements, view)


def words(text: str, kind: str = "direct", wording: str = "") -> Instruction:
    """Return an instruction about the element "save"."""
    expression = Expression(role="button", name="Save")
    return Instruction(text, "en", kind, "high", expression, "save", wording=wording)  # type: ignore[arg-type]


def test_questions_are_named_by_pair_view_and_words() -> None:
    """The same words in two views are two questions of one pair, each in its own cell."""
    instructions = {
        "a original": (words("One"), words("Two", wording="synonym"), words("Three", "region")),
        "a crop": (words("One"),),
    }
    page = PageResult(
        "a", "site", (screen("original", "save"), screen("crop", "save")),
        (Candidate("save", "button", instructions=instructions),), (Fall("x", "y", 2),),
    )  # fmt: skip
    made = assemble([page], BuildOptions())

    assert len({question.id for question in made.questions}) == 4
    assert {question.pair for question in made.questions} == {"a#save"}
    assert {(question.cell.variant, question.cell.instruction) for question in made.questions} == {
        ("original", "direct"),
        ("original", "direct+synonym"),
        ("original", "region"),
        ("crop", "direct"),
    }
    assert all(question.screen == f"a {question.cell.variant}" for question in made.questions)
    assert made.funnel.falls == (Fall("x", "y", 2),)
    assert [question.id for question in made.questions] == sorted(
        question.id for question in made.questions
    )


def test_what_is_over_the_top_is_counted() -> None:
    """The funnel tells how many targets the parameter left out."""
    made = assemble(pages_of([[0.1, 0.2, 0.3]]), BuildOptions(parameters={"top": 1}))
    assert made.funnel.falls == (Fall("targets", "not among the hardest", 2),)


def test_a_view_without_its_target_is_an_error() -> None:
    """A question about an element that its view does not show would have no truth."""
    lost = Candidate("save", "button", instructions={"a crop": (words("One"),)})
    page = PageResult("a", "site", (screen("crop", "other"),), (lost,), ())
    with pytest.raises(InvalidInputError, match="save"):
        assemble([page], BuildOptions())
