"""
Contact sheets: whom the draw takes, and what is drawn.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.report.audit import draw_audit, sample_questions

INSTRUCTION = Instruction("Click", "en", "direct", "high", Expression(role="link"), "e")


def question(variant: str, page: int, number: int) -> Question:
    """Return one of many questions about a page."""
    name = f"{variant} {page} {number}"
    cell = Cell(variant, "direct")
    truth = Box(0, 0, 1, 1)
    return Question(name, name, f"p{page}", cell, name, "", 9, 9, INSTRUCTION, truth)


def level(drawn: Counter[str], whole: Counter[str]) -> bool:
    """Tell whether all kinds were drawn alike, give or take one, or used up."""
    most = max(drawn.values(), default=0)
    return all(drawn[each] == whole[each] or drawn[each] >= most - 1 for each in whole)


@given(
    pool=st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.integers(0, 9)), unique=True
    ),
    count=st.integers(1, 30),
    seed=st.integers(0, 9),
)
def test_samples_take_turns(pool: list[tuple[str, int, int]], count: int, seed: int) -> None:
    """Variants are level while they last, and so are the pages within each variant."""
    asked = [question(*each) for each in pool]
    drawn = sample_questions(asked, count=count, seed=seed)

    assert len(drawn) == len({each.id for each in drawn}) == min(count, len(asked))
    assert drawn == sample_questions(asked[::-1], count=count, seed=seed)
    assert level(
        Counter(each.cell.variant for each in drawn), Counter(each.cell.variant for each in asked)
    )
    for variant in {each.cell.variant for each in asked}:
        pages, there = (
            Counter(each.cluster for each in group if each.cell.variant == variant)
            for group in (drawn, asked)
        )
        assert level(pages, there)


def test_the_seed_decides() -> None:
    """Another seed draws other samples from many."""
    asked = [question("a", page, number) for page in range(5) for number in range(20)]
    draws = {
        tuple(each.id for each in sample_questions(asked, count=5, seed=seed)) for seed in range(4)
    }
    assert len(draws) > 1


def test_sheets_show_target_and_landmark(drawn: Path, tmp_path: Path) -> None:
    """Sheets are full but the last, hold both colours, and are the same bytes each time."""
    paths = draw_audit(drawn, tmp_path / "new" / "audit", count=7, seed=0, per_sheet=3)
    again = draw_audit(drawn, tmp_path / "again", count=7, seed=0, per_sheet=3)

    assert [each.name for each in paths] == ["sheet-01.png", "sheet-02.png", "sheet-03.png"]
    assert [each.read_bytes() for each in paths] == [each.read_bytes() for each in again]
    with Image.open(paths[0]) as sheet, Image.open(paths[2]) as last:
        colours = {colour for _, colour in sheet.convert("RGB").getcolors(1 << 24) or []}
        assert last.height < sheet.height or last.width < sheet.width
    assert {(0x12, 0xA1, 0x50), (0x25, 0x63, 0xEB)} <= colours
