"""
Thoughts are told from answers by the marks that models write, and by nothing else.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Point
from surefoot.core.screen import Screen
from surefoot.failures.thought import claims, in_part, mentions, quoted, thought_of
from surefoot.refer.scene.scene import Scene


@pytest.mark.parametrize(
    ("raw", "thought"),
    [
        ("Thought: I see it there.\nAction: click(start_box='(1,2)')", "I see it there."),
        ("**Thought**: I see it there.\n**Action**: (1, 2)", "I see it there."),
        ("I see it there.\nAction: (1, 2)", "I see it there."),
        ("<think>I see it there.</think>\n(1, 2)", "I see it there."),
        ('Thought: I see it.\n<tool_call>\n{"x": 1}\n</tool_call>', "I see it."),
        ("Thought: Here it is.\nAction: Click.\n<tool_call>{}", "Here it is.\nAction: Click."),
        ('I see it there. {"x": 1, "y": 2}', "I see it there."),
        ("Thought: I click it. Action: click(1, 2)", "I click it."),
        ("Thought: I do not know where", "I do not know where"),
        ("Action: (3, 4)", ""),
        ("(3, 4)", ""),
        ('{"x": 1, "y": 2}', ""),
        ("I would click on the button at (3, 4)", ""),
        ("Thought: yes.\nAction: (1, 2)", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_each_shape_of_reply_is_told_apart(raw: str, thought: str) -> None:
    """Tags, heads, marks and calls part thoughts from answers; without them there is none."""
    assert thought_of(raw) == thought


@given(st.text(max_size=400))
def test_any_reply_is_read(raw: str) -> None:
    """Whatever a model writes, its thought is a part of it, or nothing."""
    assert thought_of(raw) in raw
    assert all(part in raw for part in quoted(raw))
    assert set(claims(raw)) <= {"top", "bottom", "left", "right"}


def test_published_replies_have_thoughts_where_they_were_asked_for() -> None:
    """Of GUI-Perturbed's replies nearly all with reasoning have a thought, and few without."""
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside))
    replies = folder / "gui_perturbed" / "predictions.jsonl.gz"
    if not replies.is_file():
        pytest.skip("the published replies are absent; set SUREFOOT_SHARED_DATA to their folder")
    with gzip.open(replies, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    counts = Counter(
        (row["model"], row["reasoning"]) for row in rows if thought_of(row["raw_prediction"])
    )

    assert len(rows) == 20_592
    # 56 of gta1's are a bare "Action: (x,y)"; Qwen thinks aloud at times without being asked.
    assert counts == {
        ("gta1", True): 3376,
        ("qwen25vl", True): 3432,
        ("uitars15", True): 3432,
        ("qwen25vl", False): 86,
    }


def test_quotes_of_every_kind_are_read() -> None:
    """Straight, curly and back quotes hold words; an apostrophe opens none."""
    said = "It's the \"One\", the 'Two', the \u201cThree\u201d and the `Four`; don't."

    assert quoted(said) == ("One", "Two", "Three", "Four")


def test_words_are_mentioned_whole() -> None:
    """Case and punctuation do not matter, and parts of words do not count."""
    assert mentions("Then the SIGN-IN link.", "Sign in")
    assert not mentions("A signature", "sign")
    assert not mentions("Anything", "")


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("at the top of the page", ("top",)),
        ("in the lower right corner of the screen", ("bottom", "right")),
        ("on the right-hand side of the interface", ("right",)),
        ("to the left of the button", ()),
        ("slightly to the left of the center of the page", ()),
        ("at the bottom of the list", ()),
    ],
)
def test_parts_are_those_of_the_whole_screen(said: str, parts: tuple[str, ...]) -> None:
    """Where something is on the screen is a claim; where it is from another thing is none."""
    assert claims(said) == parts


def test_halves_of_the_picture() -> None:
    """A point is above or below, left or right of the middle of the picture."""
    scene = Scene(Screen("s", "p", "x", "", 100, 60, 1.0, "web", "en", ()))

    assert [part for part in ("top", "bottom", "left", "right")
            if in_part(scene, part, Point(70.0, 10.0))] == ["top", "right"]  # fmt: skip
