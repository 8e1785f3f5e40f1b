"""
Replies of writers and judges: read where they keep their form, else never taken for a yes.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.seeing.replies import (
    CuedPhrase,
    JudgedPhrase,
    read_answer,
    read_cue,
    read_fields,
    read_judged,
    read_written,
)

COUNT = 5
SIGNS = st.text(
    "fitsoherman relvh:lowduc,0123456789 \n\t*-_`#>\uff1a.\u00b2\u0663\ud83d", max_size=200
)


@given(st.one_of(st.text(max_size=300), SIGNS))
def test_whatever_is_said_is_read_or_told_to_be_wrong(reply: str) -> None:
    """No text raises, and what is read is of the form that was asked for."""
    judged = read_judged(reply, COUNT)
    if isinstance(judged, JudgedPhrase):
        assert set(judged.fits) <= set(range(1, COUNT + 1))
        assert judged.means is None or judged.means in judged.fits
    written, cue, seen = read_written(reply), read_cue(reply), read_answer(reply, "seen")
    assert isinstance(written, str) or set(written) == {"high", "medium", "low"}
    assert isinstance(cue, str) or (cue.cue and cue.instruction)
    assert isinstance(seen, bool | str)


@given(
    st.sets(st.integers(1, COUNT)),
    st.booleans(),
    st.booleans(),
    st.permutations(range(4)),
    st.data(),
)
def test_a_verdict_in_its_form_is_read_as_it_was_meant(
    fits: set[int], others: bool, relative: bool, order: list[int], data: st.DataObject
) -> None:
    """Lines in any order, with any emphasis, give what they say."""
    means = data.draw(st.sampled_from([None, *sorted(fits)]))
    said = {
        "fits": ", ".join(map(str, fits)) or "none",
        "Others": "yes" if others else "No.",
        "means": str(means or "none"),
        "**relative**": "Yes" if relative else "no",
    }
    lines = [f"{name}: {value}" for name, value in said.items()]
    reply = "\n".join(["Let me see.", *(lines[at] for at in order)])

    assert read_judged(reply, COUNT) == JudgedPhrase(tuple(sorted(fits)), others, means, relative)


@pytest.mark.parametrize(
    "reply",
    [
        "fits: 1 2\nothers: no\nmeans: 1\nrelative: no",
        "fits: 1-3\nothers: no\nmeans: 1\nrelative: no",
        "fits: 0\nothers: no\nmeans: none\nrelative: no",
        "fits: 1\nothers: no\nmeans: 1, 1\nrelative: no",
        "fits: \u0661\nothers: no\nmeans: none\nrelative: no",
        "fits: 1\nothers: not sure\nmeans: 1\nrelative: no",
        "fits: 1\nothers: no\nmeans: 1\nrelative: no\nothers: yes",
        "I think fits: 1, others: no, means: 1, relative: no",
    ],
)
def test_a_verdict_that_is_not_plain_is_none(reply: str) -> None:
    """Ranges, foreign digits, two values and whole sentences are told to be wrong."""
    assert isinstance(read_judged(reply, COUNT), str)


def test_long_lines_take_no_long_time() -> None:
    """A megabyte of what could begin a line is read at once."""
    for piece in ("*", " ", "high", "high:", "\n", "1,", "fits: 1, "):
        reply = piece * (1_000_000 // len(piece))
        assert isinstance(read_written(reply), str)
        assert isinstance(read_judged(f"fits: {reply}\nothers: no", COUNT), str)


def test_words_come_on_one_line_and_none_is_nothing() -> None:
    """Spaces are put right, and "None." is no instruction."""
    found = read_written("- high:  Click\tit \n* **medium:** None.\n> low: none")

    assert found == {"high": "Click it", "medium": "", "low": ""}
    assert read_cue("cue: red\ninstruction: none") == "no cue"
    assert read_cue("Cue: red\nInstruction: Click 'A'") == CuedPhrase("red", "Click 'A'")
    assert read_fields("seen: ", ["seen"]) == "the line 'seen' 0 times"
