"""
Answers that are written: each is read again, by its family's own reader.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Choice, Refusal, Text
from surefoot.models import worded
from surefoot.models.format import Format
from surefoot.models.opening import FORMATS
from surefoot.models.spelling import ReplySpelling

# Those of other packages may round otherwise.
OWN = sorted(name for name, form in FORMATS.entries.items() if type(form.writes) is ReplySpelling)
SIZES = st.tuples(st.integers(28, 4000), st.integers(28, 4000))
SHARES = st.tuples(*[st.floats(0, 1)] * 4)
THOUGHTS = st.text("abcxyz' ,;é日本語", max_size=40).map(
    lambda words: f"It is on the {words.strip()} side." if words.strip() else ""
)


def assert_near(read: Point, meant: Point, form: Format, size: tuple[int, int]) -> None:
    """Check that no coordinate moved by more than the format's rounding, or its last number."""
    assert form.writes is not None
    for got, wanted, side, extent in zip(
        (read.x, read.y), (meant.x, meant.y), size, form.space.extent(*size), strict=True
    ):
        steps = 1.0 if form.writes.digits > 1 else 0.5  # no number for the last edge itself
        assert abs(got - wanted) <= steps * 10**-form.writes.decimals * side / extent + 1e-6


@pytest.mark.parametrize("name", OWN)
@given(size=SIZES, shares=SHARES, thought=THOUGHTS)
def test_a_place_comes_back(
    name: str, size: tuple[int, int], shares: tuple[float, ...], thought: str
) -> None:
    """A point or a box of any picture is read as it was written, to the family's rounding."""
    form = FORMATS.get(name)
    assert form.writes is not None
    (width, height), reasoned = size, bool(thought)
    left, right = (share * width for share in sorted(shares[:2]))
    top, bottom = (share * height for share in sorted(shares[2:]))
    box = Box(left, top, right, bottom)
    if form.writes.point:
        said = form.write(box.center, width, height, thought=thought)
        point = form.parse(said, width, height, reasoning=reasoned)
        assert isinstance(point, Point), said
        assert_near(point, box.center, form, size)
    if form.writes.box:
        said = form.write(box, width, height, thought=thought)
        read = form.parse(said, width, height, reasoning=reasoned)
        assert isinstance(read, Box), said
        assert_near(Point(read.left, read.top), Point(left, top), form, size)
        assert_near(Point(read.right, read.bottom), Point(right, bottom), form, size)
    assert thought.removesuffix(".") in said


@pytest.mark.parametrize("name", OWN)
@given(reason=st.text(min_size=1).filter(str.strip), thought=THOUGHTS)
@example(reason="{}", thought="")
@example(reason='{"refusal": "(3, 4)"}', thought="It is above.")
@example(reason="<think>Not (3, 4).</think>", thought="")
def test_a_refusal_comes_back(name: str, reason: str, thought: str) -> None:
    """Every family can decline; those with words for it keep the reason."""
    form = FORMATS.get(name)
    assert form.writes is not None
    said = form.write(Refusal(reason), 1280, 800, thought=thought)
    read = form.parse(said, 1280, 800, reasoning=bool(thought))
    kept = "{quoted}" in form.writes.refusal
    assert read == Refusal(reason) if kept else isinstance(read, Refusal)


@given(
    words=st.text(min_size=1).filter(str.strip), label=st.sampled_from("ABCDEF"), thought=THOUGHTS
)
def test_words_and_labels_come_back(words: str, label: str, thought: str) -> None:
    """What is written about a question of words or of options is read as the same answer."""
    choice = worded.write_reply(Choice(label), thought)
    assert worded.read_option(choice, "ABCDEF") == Choice(label)
    text = worded.read_words(worded.write_reply(Text(words), thought))
    assert text in (Text(words.strip()), Refusal(words.strip()))
    refusal = worded.read_words(worded.write_reply(Refusal(words), thought))
    assert refusal == Refusal(words)


def test_another_kind_of_place_is_an_error() -> None:
    """A family that is asked for points takes no box; one without a spelling takes nothing."""
    silent = msgspec.structs.replace(FORMATS.get("gta1"), writes=None)
    with pytest.raises(InvalidInputError, match="says how it writes"):
        silent.write(Point(3, 4), 640, 480)
    with pytest.raises(InvalidInputError, match="found a box"):
        FORMATS.get("gta1").write(Box(0, 0, 9, 9), 640, 480)
    with pytest.raises(InvalidInputError, match="found a point"):
        FORMATS.get("hforms").write(Point(3, 4), 640, 480)
