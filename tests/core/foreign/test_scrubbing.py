"""
Keys taken out of text, however they are spelt in it.
"""

from __future__ import annotations

import base64
import json
import traceback
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import ModelError
from surefoot.core.foreign.scrubbing import Scrubber

KEY = "sk-very-secret-0123456789"
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=20, max_size=60)
SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "url": lambda key: urllib.parse.quote(key, safe=""),
    "json": lambda key: json.dumps(key)[1:-1],
    "hex": lambda key: key.encode().hex(),
    "u": lambda key: "".join(f"\\u{ord(letter):04X}" for letter in key),
    "html": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
}


@given(KEYS, st.sampled_from(sorted(SPELLINGS)), st.text(max_size=30), st.text(max_size=30))
def test_no_spelling_of_a_key_is_left(key: str, name: str, before: str, behind: str) -> None:
    """Little is left of what a key was spelt by, and all around it stays."""
    spelt = SPELLINGS[name](key)
    scrubbed = Scrubber(key)(f"{before}<{spelt}>{behind}")
    head, _, rest = scrubbed.partition("***")
    tail = rest.rpartition("***")[2]
    assert spelt not in scrubbed
    assert len(head) + len(tail) <= len(before) + len(behind) + 2 + 4


@given(st.binary(max_size=7), st.binary(max_size=7))
def test_base64_is_read_at_each_alignment(before: bytes, behind: bytes) -> None:
    """Whatever bytes stand beside a key, its base64 is gone but for theirs."""
    written = base64.urlsafe_b64encode(before + KEY.encode() + behind).decode()
    left = Scrubber(KEY)(f"Basic {written}").removeprefix("Basic ").replace("***", "")
    assert len(left) <= 4 * (len(before) + len(behind)) / 3 + 4


@given(st.text())
def test_text_without_a_key_stays(text: str) -> None:
    """Nothing else is changed, and no text is too odd to be read."""
    assert Scrubber(KEY)(text) == text
    assert Scrubber(KEY)(f"{text}{KEY}").endswith("***")


@pytest.mark.parametrize(
    "text", ["\\u", "%", "&#", "&#99999999;", "\\u{ffffff}", "&nosuch;", "=4", "\\", "ab+/_-" * 9]
)
def test_broken_escapes_are_letters(text: str) -> None:
    """What only begins like an escape is read as it stands."""
    assert Scrubber(KEY)(text * 9) == text * 9


def test_short_stand_ins_for_a_key_are_left_alone() -> None:
    """What people write where no key is needed is an ordinary word and stays."""
    assert Scrubber("EMPTY")("the list is EMPTY") == "the list is EMPTY"
    assert "long-secret-key" not in repr(Scrubber("long-secret-key"))


def test_errors_and_what_led_to_them_are_clean() -> None:
    """A traceback of an error shows the key nowhere in its chain."""

    def refuse() -> None:
        raise ValueError(f"illegal header {KEY!r}", 3)

    def fail() -> None:
        try:
            refuse()
        except ValueError as error:
            raise ModelError("bad", expected="a reply", found=KEY, remedy=KEY) from error

    with pytest.raises(ModelError) as caught, Scrubber(KEY):
        fail()
    shown = "".join(traceback.format_exception(caught.value))
    assert "illegal header" in shown
    assert KEY not in shown + caught.value.found + caught.value.remedy
