"""
What reaches a terminal, for any text.
"""

from __future__ import annotations

import io
import json
import sys
import unicodedata

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
