"""
Where thoughts end, in the marks of every family.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.replies.thoughts import answer_behind, blank_thoughts, marked_thoughts

MARKS = [
    ("<think>", "</think>"),
    ("<THINK>\n", "\n</THINK>"),
    ("< think >", "</ think >"),
    ("<thinking>", "</thinking>"),
    ("<Thought>", "</Thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("<ifm|think>", "</ifm|think>"),
    ("[THINK]", "[/THINK]"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<unused94>thought\n", "<unused95>"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("analysisWe look. ", "assistantfinal"),
]


@pytest.mark.parametrize(("opening", "closing"), MARKS)
def test_only_what_stands_behind_the_last_end_is_the_answer(opening: str, closing: str) -> None:
    """With both marks, with the closing one alone, and twice; without an end there is none."""
    assert answer_behind(f"{opening}(1, 1)?{closing}(2, 2)") == "(2, 2)"
    assert answer_behind(f"(1, 1)?{closing}(2, 2)") == "(2, 2)"
    assert answer_behind(f"{opening}a{closing}(1, 1){opening}b{closing}(2, 2)") == "(2, 2)"
    assert answer_behind(f"{opening}(1, 1)?") is None


@pytest.mark.parametrize(("opening", "closing"), MARKS)
def test_thoughts_are_what_stands_between_the_marks(opening: str, closing: str) -> None:
    """With both marks, and with the closing one alone; without an end there are none."""
    both, closed = (
        marked_thoughts(f"{begin}Is it one?{closing}(2, 2)") or "" for begin in (opening, "")
    )

    assert "Is it one?" in both
    assert not both.startswith(opening)
    assert closed.startswith("Is it one?")
    assert "(2, 2)" not in both + closed
    assert marked_thoughts(f"{opening}Is it one?") is None


@pytest.mark.parametrize(
    "text",
    [
        "Action: click(start_box='(1,2)')",
        '{"thought": "I think so.", "POINT": [1, 2]}',
        "Thought: I think <b>so</b>.",
        "The analysis says (1, 2).",
        "The thought: [1, 2] </answer>",
    ],
)
def test_words_are_no_marks(text: str) -> None:
    """Words about thinking, and other tags, leave a reply whole."""
    assert answer_behind(text) == text


@given(st.text(max_size=200), st.text(st.characters(exclude_characters="<[&\u25c1"), max_size=50))
def test_an_answer_is_the_end_of_its_reply(thoughts: str, answer: str) -> None:
    """Whatever the thoughts are, the answer is what stands behind them."""
    found = answer_behind(f"{thoughts}</think>:{answer}")

    assert found is not None
    assert f":{answer}".endswith(found)


@given(st.text())
def test_blank_thoughts_keep_lines(text: str) -> None:
    """Lines of an answer have the numbers that they have in the reply."""
    kept = blank_thoughts(text)

    assert answer_behind(text) is None or kept.count("\n") == text.count("\n")
