"""
Letters from tokens' probabilities, against probabilities that are known and against rubbish.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.models.replies.letters import (
    TokenChoice,
    label_probabilities,
    read_tokens,
    tokens_of,
)

LABELS = ("A", "B", "C", "D")
SPELLINGS = (
    "{}",
    " {}",
    "({}",
    "{})",
    "\u0120{}",
    "\u2581{}",
    '"{}"',
    "\uff08{}",
    "{}.",
    "\n[{}]",
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "token", "logprob", "top_logprobs"]), part, max_size=4
        )
    ),
    max_leaves=20,
)


def told(token: str, **alternatives: object) -> dict[str, object]:
    """Return the protocol's record of one token whose logprobs are given by token."""
    top = [{"token": name, "logprob": logprob} for name, logprob in alternatives.items()]
    return {"content": [{"token": token, "logprob": alternatives[token], "top_logprobs": top}]}


@pytest.mark.parametrize("spelling", SPELLINGS, ids=ascii)
def test_every_spelling_of_a_letter_counts(spelling: str) -> None:
    """A letter with blanks, brackets or quotes around it adds to the bare letter's probability."""
    choices = {"B": 0.5, spelling.format("C"): 0.25, "Because": 0.125}
    assert label_probabilities([TokenChoice("B", choices)], LABELS) == {"B": 0.5, "C": 0.25}
    summed = {"**B": 0.5, spelling.format("B"): 0.25}
    assert label_probabilities([TokenChoice("**B", summed)], LABELS) == {"B": 0.75}


def test_the_letter_is_sought_where_the_reply_names_one() -> None:
    """What stands before the letter, JSON's signs and key, is passed over; no letter is none."""
    before = [TokenChoice(token, {token: 0.9, "A": 0.1}) for token in ('{"', "answer", '":', "")]
    letter = TokenChoice(' "D', {' "D': 0.5, ' "A': 0.25})
    assert label_probabilities([*before, letter], LABELS) == {"A": 0.25, "D": 0.5}
    assert label_probabilities(before, LABELS) == {}
    assert label_probabilities([], LABELS) == {}


def test_a_record_is_read_as_it_was_told() -> None:
    """Logarithms become probabilities, those of minus infinity among them."""
    probabilities = {"A": math.log(0.75), "B": math.log(0.25), "C": -math.inf}
    (choice,) = read_tokens(told("A", **probabilities))
    assert choice.probabilities == pytest.approx({"A": 0.75, "B": 0.25, "C": 0.0})


@pytest.mark.parametrize(
    "bad",
    [
        told("A", A=math.nan),
        told("A", A=0.5),
        told("A", A=math.inf),
        told("A", A="-0.5"),
        told("A", A=True),
        told("A", A=-0.1, B=-0.1),
        {"content": [{"token": 7, "logprob": -1.0}]},
        {"content": {"token": "A"}},
        [],
        "A",
        None,
    ],
    ids=ascii,
)
def test_rubbish_tells_nothing(bad: object) -> None:
    """Numbers that are no logarithms of probabilities, and other types, give no probabilities."""
    assert read_tokens(bad) == ()


@given(JSON)
def test_whatever_is_told_ends_in_probabilities(logprobs: object) -> None:
    """Any JSON is read without an error, and what comes of it are probabilities."""
    for probability in label_probabilities(read_tokens(logprobs), LABELS).values():
        assert 0 < probability <= 1


@given(st.dictionaries(st.sampled_from(LABELS), st.floats(0.01, 0.25), max_size=4))
def test_probabilities_survive_a_recording(probabilities: dict[str, float]) -> None:
    """What was recorded of a reply is read from the recording as it was."""
    assert label_probabilities(tokens_of(probabilities), LABELS) == probabilities
