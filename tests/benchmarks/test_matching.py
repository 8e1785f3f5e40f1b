"""
Tests of how candidates become matched groups.
"""

from __future__ import annotations

from collections import Counter
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.benchmark import BuildOptions, Candidate, Fall, PageResult
from surefoot.benchmarks.matching import add_up, assemble, with_reasoning
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction, Expression, Instruction, InstructionKind
from surefoot.core.screen import Element, Screen

VARIANTS = ("original", "zoom")
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


def _instruction(kind: InstructionKind, target: str, way: Direction | None = None) -> Instruction:
    return Instruction(
        text=f"{kind} {way}",
        language="en",
        kind=kind,
        specificity="high",
        expression=Expression(role="button", direction=way),
        target=target,
    )


def _candidate(target: str, *, direct: bool, ways: tuple[Direction, ...]) -> Candidate:
    return Candidate(
        target=target,
        role="button",
        direct=_instruction("direct", target) if direct else None,
        relational={way: _instruction("relational", target, way) for way in ways},
    )


def _screen(page: str, variant: str, targets: list[str]) -> Screen:
    return Screen(
        id=f"{page}-{variant}",
        page=page,
        source=page,
        image="0" * 64,
        width=100,
        height=100,
        scale=1.0,
        platform="web",
        locale="en",
        elements=tuple(
            Element(target, "button", Box(index, VARIANTS.index(variant), 50, 50))
            for index, target in enumerate(targets)
        ),
        variant=variant,
    )


def _page(page: str, candidates: list[Candidate]) -> PageResult:
    targets = [candidate.target for candidate in candidates]
    screens = tuple(_screen(page, variant, targets) for variant in VARIANTS)
    return PageResult(page, "site", screens, tuple(candidates), (Fall("a", "b", 1),))


@st.composite
def _pages(draw: st.DrawFn) -> list[PageResult]:
    pages = []
    for number in range(draw(st.integers(1, 4))):
        candidates = []
        for index in range(draw(st.integers(0, 6))):
            ways = draw(st.sets(st.sampled_from(DIRECTIONS)))
            direct = draw(st.booleans()) or not ways
            candidates.append(_candidate(f"t{index}", direct=direct, ways=tuple(sorted(ways))))
        pages.append(_page(f"p{number}", candidates))
    return pages


@given(_pages())
def test_every_group_is_whole(pages: list[PageResult]) -> None:
    """Each pair and kind is asked in every variant, with the box that the variant gives it."""
    assembled = assemble(pages, BuildOptions(variants=VARIANTS))

    groups = Counter(
        (question.pair, question.cell.instruction) for question in assembled.questions
    )
    assert set(groups.values()) <= {len(VARIANTS)}
    assert all(
        VARIANTS.index(question.cell.variant) == question.truth.top
        for question in assembled.questions
    )


def test_a_landmark_is_asked_by_where_it_holds() -> None:
    """Each target is asked in the direction of most variants, in those alone where it holds."""
    above = _candidate("t0", direct=True, ways=("above", "below"))
    held: dict[Direction, tuple[str, ...]] = {"above": ("original",)}
    page = _page("p", [msgspec.structs.replace(above, held=held)])
    part = _candidate("t1", direct=True, ways=("left of",))
    other = _page("q", [msgspec.structs.replace(part, held={"left of": ("original",)})])
    questions = assemble([page, other], BuildOptions(variants=VARIANTS)).questions

    asked = {
        (item.page, item.instruction.expression.direction, item.cell.variant)
        for item in questions
        if item.cell.instruction == "relational"
    }
    assert asked == {
        ("p", "below", "original"), ("p", "below", "zoom"), ("q", "left of", "original"),
    }  # fmt: skip


def test_relations_drawn_anew_keep_their_direction_where_it_holds() -> None:
    """Under a change stands what was drawn there, of the original's direction before others."""
    plain = _candidate("t0", direct=True, ways=("above",))
    drawn = [
        msgspec.structs.replace(_instruction("relational", "t0", way), text=f"anew {way}")
        for way in ("left of", "above")
    ]
    same = msgspec.structs.replace(plain, instructions={"p-zoom": tuple(drawn)})
    other = msgspec.structs.replace(plain, instructions={"q-zoom": tuple(drawn[:1])})
    none = msgspec.structs.replace(plain, instructions={"elsewhere": tuple(drawn)})
    pages = [_page("p", [same]), _page("q", [other]), _page("r", [none])]
    made = assemble(pages, BuildOptions(variants=VARIANTS))

    asked = {
        (item.page, item.cell.variant): item.instruction.text
        for item in made.questions
        if item.cell.instruction == "relational"
    }
    assert asked == {
        ("p", "original"): "relational above", ("p", "zoom"): "anew above",
        ("q", "original"): "relational above", ("q", "zoom"): "anew left of",
        ("r", "original"): "relational above",
    }  # fmt: skip
    assert made.lines == (
        "relations drawn anew: 2 of 2 under a change are in other words than on the original",
    )


def test_no_target_by_a_landmark_is_given_up() -> None:
    """However scarce a direction is, all targets that offer another one are kept."""
    page = _page("p", [_candidate(f"t{at}", direct=True, ways=("below",)) for at in range(9)])
    rare = _page("q", [_candidate(way, direct=True, ways=(way,)) for way in DIRECTIONS])
    directions = assemble([page, rare], BuildOptions(variants=VARIANTS)).funnel.directions

    assert directions["kept"] == directions["available"]
    assert sum(directions["kept"].values()) == 13


@given(_pages(), st.integers(1, 3))
def test_no_page_exceeds_its_share_and_what_falls_is_counted(
    pages: list[PageResult], most: int
) -> None:
    """At most the chosen number of targets a page is asked about; the others are counted."""
    assembled = assemble(pages, BuildOptions(variants=VARIANTS, targets=most))

    asked = {(question.page, question.pair) for question in assembled.questions}
    per_page = Counter(page for page, _ in asked)
    over = sum(max(0, len(page.candidates) - most) for page in pages)
    counted = sum(fall.count for fall in assembled.funnel.falls if fall.stage == "sample")
    assert all(count <= most for count in per_page.values())
    assert over == counted


@given(_pages(), st.integers(1, 6), st.integers(0, 99))
def test_no_site_exceeds_its_share_and_what_falls_is_counted(
    pages: list[PageResult], most: int, seed: int
) -> None:
    """At most the chosen number of targets a site is asked about, its pages in turns."""
    pages = [
        msgspec.structs.replace(page, site="even" if number % 2 == 0 else "odd")
        for number, page in enumerate(pages)
    ]
    options = BuildOptions(variants=VARIANTS, kinds=("direct",), site_targets=most, seed=seed)
    funnel = assemble(pages, options).funnel

    offered: Counter[str] = Counter()
    for page in pages:
        offered[page.site] += len(page.candidates)
    over = sum(max(0, count - most) for count in offered.values())
    counted = sum(fall.count for fall in funnel.falls if fall.reason.endswith("a site"))
    assert over == counted
    assert all(count <= most for count in funnel.sites.values())


@given(_pages(), st.integers(0, 99))
def test_the_order_of_candidates_changes_nothing(pages: list[PageResult], seed: int) -> None:
    """The questions depend on the seed and the pages alone, not on the order of targets."""
    turned = [
        PageResult(p.page, p.site, p.screens, tuple(reversed(p.candidates)), p.falls)
        for p in pages
    ]
    options = BuildOptions(variants=VARIANTS, targets=2, seed=seed)

    assert assemble(pages, options) == assemble(turned, options)


def test_targets_of_both_kinds_come_first() -> None:
    """Where a page has too many targets, those that allow a paired comparison are kept."""
    page = _page(
        "p",
        [
            _candidate("only-direct", direct=True, ways=()),
            _candidate("both", direct=True, ways=("above",)),
            _candidate("only-relational", direct=False, ways=("below",)),
        ],
    )

    assembled = assemble([page], BuildOptions(variants=VARIANTS, targets=1))

    assert {"p#both"} == {question.pair for question in assembled.questions}


def test_directions_kept_are_balanced_where_the_pages_allow() -> None:
    """With every direction on offer everywhere, each gets a quarter of the groups."""
    pages = [
        _page(
            f"p{number}",
            [_candidate(f"t{index}", direct=True, ways=DIRECTIONS) for index in range(4)],
        )
        for number in range(5)
    ]

    kept = assemble(pages, BuildOptions(variants=VARIANTS)).funnel.directions["kept"]

    assert dict.fromkeys(DIRECTIONS, 5) == kept


def test_a_target_missing_from_a_variant_is_refused() -> None:
    """A page result whose variant lacks the target is an error, not a smaller group."""
    page = _page("p", [_candidate("t", direct=True, ways=())])
    broken = PageResult("p", "s", (page.screens[0], _screen("p", "zoom", [])), page.candidates, ())

    with pytest.raises(InvalidInputError, match="in every variant"):
        assemble([broken], BuildOptions(variants=VARIANTS))


def test_reasoning_makes_new_questions_of_the_same_pairs() -> None:
    """Questions in reasoning mode pair with the plain ones and share no id with them."""
    page = _page("p", [_candidate("t", direct=True, ways=("above",))])
    plain = assemble([page], BuildOptions(variants=VARIANTS)).questions

    reasoned = with_reasoning(plain)

    assert {question.pair for question in plain} == {item.pair for item in reasoned}
    assert not {question.id for question in plain} & {item.id for item in reasoned}
    assert all(question.cell.reasoning for question in reasoned)


def test_reasoning_keeps_questions_of_one_cell_apart() -> None:
    """Two questions of one pair and one cell, in other words, stay two."""
    page = _page("p", [_candidate("t", direct=True, ways=())])
    one = assemble([page], BuildOptions(variants=VARIANTS)).questions[0]
    other = msgspec.structs.replace(one, id="other")

    assert len({question.id for question in with_reasoning([one, other])}) == 2


@given(st.lists(st.builds(Fall, st.sampled_from("ab"), st.sampled_from("xy"), st.integers(0, 5))))
def test_falls_add_up(falls: list[Fall]) -> None:
    """Adding up loses no fall and repeats no reason."""
    total = add_up(falls)

    assert sum(fall.count for fall in falls) == sum(item.count for item in total)
    assert len(total) == len({(item.stage, item.reason) for item in total})
