"""
Questions answered in words: what is asked, and how replies of every sort are read.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.question import Cell, Choice, Parsed, Question, Refusal, Text, Unparsed
from surefoot.models.backend import Options
from surefoot.models.local import answer_reply
from surefoot.models.opening import open_model
from surefoot.models.worded import messages, read_option, read_reply, read_words

AskFor = Callable[..., Question]
NO_LABEL = Unparsed("no label of one option")


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("B", "B"),
        (" (b) ", "B"),
        ("**B**", "B"),
        ("B.", "B"),
        ("B: the blue one", "B"),
        ("B: Vitamin A", "B"),
        ("Option B", "B"),
        ("The answer is B.", "B"),
        ("**Final answer:** (B) blue", "B"),
        ("First A, then C.\nAnswer: B", "B"),
        ('A looks right, but no. {"answer": "B"}', "B"),
        ('{"answer": "A"} wait {"answer": "B"}', "B"),
        ('```json\n{"answer": "b. blue"}\n```', "B"),
        ("\uff08B\uff09", "B"),
        ("B\uff1a\u84dd", "B"),
        ("A or B", None),
        ("A, B", None),
        ("A: x B: y", None),
        ("A good choice", None),
        ("Banana", None),
        ("the blue one", None),
        ('{"answer": "E"}', None),
        ('{"answer": "blue"}', None),
    ],
)
def test_one_label_is_a_choice_and_nothing_else_is(reply: str, label: str | None) -> None:
    """A label alone or before its words is read; two labels, none or an article are not."""
    assert read_option(reply, "ABCD") == (NO_LABEL if label is None else Choice(label))


def test_labels_need_not_be_letters() -> None:
    """Any labels may be read, the longer before the shorter; without labels there is none."""
    assert read_option("10", ("1", "10")) == Choice("10")
    assert read_option("x+ because", ("x+",)) == NO_LABEL
    assert read_option("(x+)", ("x+", "x")) == Choice("x+")
    assert read_option("A", ()) == NO_LABEL


@pytest.mark.parametrize(
    ("reply", "parsed"),
    [
        ("4:30 PM", Text("4:30 PM")),
        ('"4:30 PM"', Text("4:30 PM")),
        ("It is late.\n\nThe answer is: 4:30 PM\n", Text("4:30 PM")),
        ('{"answer": "a {b} \\"c\\""}', Text('a {b} "c"')),
        ('{"answer": "{}"}', Text("{}")),
        ('{"answer": 3}', Text("3")),
        ("<no answer>", Refusal("<no answer>")),
        ('{"answer": "<No Answer>"}', Refusal("<No Answer>")),
        ('{"refusal": "not shown"}', Refusal("not shown")),
        (" \n ", Unparsed("an empty reply")),
        ("Answer:", Unparsed("no words after 'answer'")),
        ('{"x": 1, "y": 2}', Unparsed("a JSON object without an answer")),
        ('{"answer": null}', Unparsed("a JSON object with an answer that is no words")),
        ('{"answer": true}', Unparsed("a JSON object with an answer that is no words")),
        ('{"answer": " "}', Unparsed("a JSON object with an answer that is no words")),
    ],
)
def test_words_are_read_without_what_is_around_them(reply: str, parsed: Parsed) -> None:
    """A JSON answer counts before a line; what names none is Unparsed with the reason."""
    assert read_words(reply) == parsed


@given(st.text(max_size=200))
def test_any_reply_is_read_without_an_error(text: str) -> None:
    """Hostile text ends as an answer, a refusal or the reason why it is none."""
    assert isinstance(read_words(text), Text | Refusal | Unparsed)
    assert isinstance(read_option(text, "ABCD"), Choice | Refusal | Unparsed)


@given(st.text(min_size=1, max_size=200).filter(lambda text: bool(text.strip())))
def test_what_our_own_models_spell_comes_back(text: str) -> None:
    """Any words come back whole from the spelling of the built-in models."""
    expected = text.encode(errors="replace").decode().strip()
    found = read_words(answer_reply(expected))
    assert found in (Text(expected), Refusal(expected))


@pytest.mark.parametrize("text", ["A: " * 200_000, "{" * 500_000, "(" * 999_999, "\n" * 999_999])
def test_long_replies_take_no_time(text: str, ask_for: AskFor) -> None:
    """Reading is linear: none of these takes seconds; over a million characters are not read."""
    question = msgspec.structs.replace(ask_for(), asks="option", options=tuple("ABCD"))
    began = time.process_time()
    assert isinstance(read_reply(text, question), Unparsed)
    assert isinstance(read_words(text), Text | Unparsed)
    assert time.process_time() - began < 10
    assert read_reply("A" * 1_000_001, question) == Unparsed(
        "a reply of over 1,000,000 characters"
    )


def test_the_prompt_asks_for_what_is_read(ask_for: AskFor) -> None:
    """The question's words are in the prompt, with the shape of the answer; modes differ."""
    words = msgspec.structs.replace(ask_for("How {width} stars?"), asks="words")
    option = msgspec.structs.replace(words, asks="option", options=("A", "B"))
    loud = msgspec.structs.replace(words, cell=Cell("original", "question", reasoning=True))
    said = [messages(question).user for question in (words, option, loud)]
    assert all("How {width} stars?" in item for item in said)
    assert len(set(said)) == 3
    assert '{"answer": "<label>"}' in said[1]
    assert '"refusal"' in said[0]
    assert "First say" in said[2]


def test_built_in_models_answer_what_is_asked(ask_for: AskFor, png: bytes) -> None:
    """The oracle is right; the centre takes the middle option and has no words."""
    words = msgspec.structs.replace(ask_for(), asks="words", answers=("4:30", "half past four"))
    absent = msgspec.structs.replace(words, answers=(), answerable=False)
    option = msgspec.structs.replace(
        words, asks="option", answers=("D",), options=("A", "B", "D", "C")
    )

    def reply(spec: str, question: Question) -> Parsed:
        return asyncio.run(open_model(spec).answer(question, png)).parsed

    assert reply("oracle", words) == Text("4:30")
    assert isinstance(reply("oracle", absent), Refusal)
    assert reply("oracle", option) == Choice("D")
    assert reply("center", option) == Choice("D")
    assert isinstance(reply("center", words), Unparsed)
    assert isinstance(reply("random", words), Text)


def test_random_options_are_even(ask_for: AskFor, png: bytes) -> None:
    """Each of four options is drawn about as often; the same seed draws the same."""

    async def drawn(seed: int) -> list[Parsed]:
        model = open_model("random", options=Options(seed=seed))
        asked = [
            msgspec.structs.replace(ask_for(number=n), asks="option", options=tuple("ABCD"))
            for n in range(400)
        ]
        return [(await model.answer(question, png)).parsed for question in asked]

    first = asyncio.run(drawn(1))
    assert first == asyncio.run(drawn(1))
    counts = [first.count(Choice(label)) for label in "ABCD"]
    assert sum(counts) == 400
    # An even draw of 400 has a standard deviation of sqrt(400 * 3 / 16) for each option.
    assert all(abs(count - 100) < 4 * 75**0.5 for count in counts)
