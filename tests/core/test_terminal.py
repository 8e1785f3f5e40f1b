"""
What reaches a terminal, for any text.
"""

from __future__ import annotations

import io
import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.terminal import PlainStream, harmless, plain_output

ANY = st.text(st.characters(exclude_categories=[]))


@given(ANY)
def test_nothing_commands_a_terminal(text: str) -> None:
    """No control character but tab and line feed is left, and the rest is as it was."""
    plain = harmless(text)
    kinds = {unicodedata.category(letter) for letter in plain if letter not in "\t\n"}
    turns = {unicodedata.bidirectional(letter) for letter in plain}
    assert not kinds & {"Cc", "Cs"}
    assert not turns & {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert harmless(plain) == plain


HIDING = [
    "\u00ad", "\u034f", "\u061c", "\u115f", "\u17b4", "\u180e", "\u200b", "\u200c", "\u200d",
    "\u200e", "\u2028", "\u2029", "\u202e", "\u2060", "\u2063", "\u2067", "\u206a", "\u2800",
    "\u3164", "\ufe00", "\ufe0f", "\ufeff", "\uffa0", "\ufff9", "\U0001d173", "\U000e0041",
    "\U000e0101",
]  # fmt: skip


@pytest.mark.parametrize("letter", HIDING)
def test_what_hides_is_shown(letter: str) -> None:
    """A letter without a picture of its own is spelled out among letters that are seen."""
    told = harmless(f"pay{letter}pal")

    assert told.isascii()
    assert json.loads(f'"{told}"') == f"pay{letter}pal"


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "क्\u200dष",  # Hindi
        "👩\u200d💻",
        "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3",
        "漢字かな",
    ],
)
def test_what_a_script_is_written_with_stays(text: str) -> None:
    """Joiners between joined letters and the parts of an emoji hide nothing."""
    assert harmless(text) == text


@given(ANY)
def test_json_still_says_the_same(text: str) -> None:
    """JSON that is printed means what it meant: what is spelled out is spelled as JSON does."""
    printed = harmless(json.dumps({"said": text}, ensure_ascii=False))
    assert json.loads(printed) == {"said": text}


def test_streams_are_plain_for_a_block() -> None:
    """What a block prints is harmless; afterwards the streams are what they were."""
    before, stream = sys.stdout, io.StringIO()
    sys.stdout = stream
    try:
        with plain_output():
            sys.stdout.write("a\x1b[2Jb\tc\n")
            sys.stdout.writelines(["\x9b", "d\n"])
            assert isinstance(sys.stdout, PlainStream)
            assert sys.stdout.raw is stream
        assert sys.stdout is stream
    finally:
        sys.stdout = before
    assert stream.getvalue() == "a\\u001b[2Jb\tc\n\\u009bd\n"
