"""
What holds for every format: it reads what is known, never raises, defaults or takes long.
"""

from __future__ import annotations

import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Refusal, Unparsed
from surefoot.models.opening import FORMATS
from surefoot.models.reading import MAX_REPLY_CHARS, Place, answer_start

REPLIES: Final = Path(__file__).parent / "formats" / "replies.toml"
DOCS: Final = Path(__file__).parents[2] / "docs"
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
    "megabyte of open calls": "Action: " + "click(" * 166_000,
    "megabyte of opening signs": "click(" + "('[" * 330_000,
    "megabyte of separators": "1<SEP>" * 160_000,
    "megabyte of ends": "</s>" * 250_000,
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


def known_replies() -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the table of known replies, by format."""
    return tomllib.loads(REPLIES.read_text("utf-8"))


def meant(row: dict[str, Any]) -> Place | Refusal | Unparsed:
    """Return what a row says that its reply is read as."""
    if "place" in row:
        return Place(tuple(map(float, row["place"])))
    return Refusal(row["refusal"]) if "refusal" in row else Unparsed(row["why"])


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
def test_known_replies_are_read_as_the_table_says(name: str) -> None:
    """Every format has rows, some with a place and some without, and reads each as it says."""
    rows = known_replies().get(name, [])
    read = FORMATS.get(name).read

    assert {"place", "why"} <= {key for row in rows for key in row}, f"add rows to {REPLIES}"
    found = [(row["reply"], read(row["reply"])) for row in rows]
    assert found == [(row["reply"], meant(row)) for row in rows]


def test_every_row_of_the_table_is_of_a_format() -> None:
    """No row of the table is left behind by a format that is gone, and each says whence it is."""
    rows = known_replies()

    assert set(rows) <= set(FORMATS.entries)
    assert all(row["source"] for item in rows.values() for row in item)


# Whose replies end with a number, so that nothing tells whether its last digits are lost; and
# whose boxes begin as points do, where a server leaves their tags out.
OPEN: Final = frozenset({"hforms", "qwen2-vl"})
# Of whose replies the last place counts: one that is told before it is no part of the answer.
LAST: Final = frozenset({"json", "json-1000"})


@pytest.mark.parametrize("name", sorted(FORMATS.entries.keys() - OPEN))
def test_a_reply_that_is_cut_off_is_never_another_place(name: str) -> None:
    """However early the answer of a known reply ends, its place is read of it or none."""
    read = FORMATS.get(name).read

    for row in known_replies().get(name, []):
        reply = row["reply"]
        if name in LAST:
            reply = reply[max(0, reply.rfind("{")) :]
        for length in range(answer_start(reply) or 0, len(reply)):
            cut = read(reply[:length])
            assert not isinstance(cut, Place) or cut == meant(row), reply[:length]


def test_the_page_of_replies_shows_the_table(tmp_path: Path) -> None:
    """The documentation's tables are those that its script writes from the data."""
    page = tmp_path / "replies.md"
    script = str(DOCS / "write_replies.py")
    subprocess.run([sys.executable, script, str(page)], check=True, capture_output=True)

    assert (DOCS / "replies.md").read_text("utf-8") == page.read_text("utf-8")


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
        assert any(item.isdigit() for item in reply)


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
@pytest.mark.parametrize("reasoning", [False, True])
def test_prompts_hold_the_instruction_and_the_size_that_is_seen(
    name: str, reasoning: bool
) -> None:
    """Each prompt quotes the instruction, and names the resized size where places are in it."""
    form = FORMATS.get(name)
    messages = form.messages("Click {width} & 'Save'", 1920, 1080, reasoning=reasoning)
    assert "Click {width} & 'Save'" in messages.user
    text = messages.system + messages.user
    width, height = form.space.shown(1920, 1080)
    if name != "ui-tars-1.5" and form.space.kind.endswith("pixels"):
        assert str(width) in text
        assert str(height) in text
    plain = form.messages("Click {width} & 'Save'", 1920, 1080, reasoning=False)
    assert (messages == plain) is not reasoning
