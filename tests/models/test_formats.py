"""
What holds for every format: it never raises, never defaults, and never takes long.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Refusal, Unparsed
from surefoot.models.opening import FORMATS
from surefoot.models.reading import MAX_REPLY_CHARS

MEGABYTE = MAX_REPLY_CHARS
HOSTILE = {
    "empty": "",
    "spaces": " " * 1000,
    "no numbers": "I cannot see it.",
    "nul": "\x00" * 50,
    "too long": "(1,2)" * MEGABYTE,
    "megabyte of parentheses": "(" * MEGABYTE,
    "megabyte of digits": "(" + "9" * (MEGABYTE - 10) + ",1)",
    "megabyte of spaces": "Action: click(start_box='(1" + " " * (MEGABYTE - 100),
    "megabyte of calls": "Action: " + "click" * 199_000,
    "megabyte of names": "Action: " + "a_" * 490_000 + "(",
    "megabyte of marks": "Action:\n" * 120_000,
    "nested": '{"a":' * 100_000,
    "lists": "[" * MEGABYTE,
    "huge": '{"x": 1e999, "y": 1} (1e999, 2)',
    "huge integer": '{"coordinate": [' + "9" * 5000 + ", 1]}",
    "not a number": '{"x": NaN, "y": Infinity} (nan, inf) click(start_box=\'(nan,inf)\')',
    "truncated": '<tool_call>{"name": "computer_use", "arguments": {"coordinate": [1, 2',
    "code": "__import__('os').system('true') click(start_box=__import__('os'))",
    "swapped box": '{"box": [9, 9, 1, 1], "coordinate": [9, 9, 1, 1]}',
    "three": '{"point": [1, 2, 3], "coordinate": [1, 2, 3]} (1, 2, 3)',
    "booleans": '{"x": true, "y": false, "coordinate": [true, true]}',
}


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
@pytest.mark.parametrize("reply", sorted(HOSTILE))
def test_hostile_replies_are_unparsed(name: str, reply: str) -> None:
    """A hostile reply is Unparsed with a reason, within seconds, in every format."""
    start = time.process_time()
    found = FORMATS.get(name).parse(HOSTILE[reply], 1280, 800)
    assert isinstance(found, Unparsed), found
    assert 0 < len(found.why) < 200
    assert time.process_time() - start < 5


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
@given(
    reply=st.text(max_size=300)
    | st.text("Action:click(start_box='0123456789,.-)[]{}\"xy ", max_size=200)
)
def test_any_text_parses_to_something_honest(name: str, reply: str) -> None:
    """Whatever a model writes, a place has its numbers from the reply, and nothing raises."""
    found = FORMATS.get(name).parse(reply, 1280, 800)
    assert isinstance(found, Point | Box | Refusal | Unparsed)
    if isinstance(found, Point | Box):
        assert any(each.isdigit() for each in reply)


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
@pytest.mark.parametrize("reasoning", [False, True])
def test_prompts_hold_the_instruction_and_the_size_that_is_seen(
    name: str, reasoning: bool
) -> None:
    """Each prompt quotes the instruction and names the size after the family's resize."""
    form = FORMATS.get(name)
    messages = form.messages("Click {width} & 'Save'", 1920, 1080, reasoning=reasoning)
    assert "Click {width} & 'Save'" in messages.user
    text = messages.system + messages.user
    width, height = form.space.shown(1920, 1080)
    if name != "ui-tars-1.5":
        assert str(width) in text
        assert str(height) in text
    plain = form.messages("Click {width} & 'Save'", 1920, 1080, reasoning=False)
    assert (messages == plain) is not reasoning
