"""
Canonical JSON: one spelling for one value, on every machine and in every process.
"""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.canonical import (
    canonical_json,
    decode,
    digest,
    readable_json,
    record_json,
    sha256,
)
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.question import Answer, Usage

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)  # fmt: skip


@given(value=plain)
def test_values_survive(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """What was spelt is read back, by another parser too, and spelt the same again."""
    try:
        data = canonical_json(value)
    except InvalidInputError:
        assert not _encodable(value)
        return
    assert json.loads(data) == value
    assert canonical_json(json.loads(data)) == data
    assert readable_json(json.loads(readable_json(value))) == readable_json(value)
    assert digest(value) == hashlib.sha256(data).hexdigest()


def _encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(pairs=st.dictionaries(st.text(st.characters(codec="utf-8")), st.integers(), max_size=6))
def test_order_of_keys_does_not_matter(pairs: dict[str, int]) -> None:
    """The same mapping built in another order is the same bytes."""
    assert canonical_json(pairs) == canonical_json(dict(reversed(pairs.items())))


def test_bytes_are_bare_and_utf8() -> None:
    """No spaces, sorted keys, text as UTF-8; structs as objects or tagged lists."""
    assert canonical_json({"b": [1, 2.5], "a": "é"}) == '{"a":"é","b":[1,2.5]}'.encode()
    answer = Answer("q", "raw", Box(1.0, 2.0, 3.0, 4.0), Usage(cost=0.5))
    expected = (
        b'{"parsed":["box",1.0,2.0,3.0,4.0],"question":"q","raw":"raw","usage":{"cost":0.5}}'
    )
    assert canonical_json(answer) == expected


@pytest.mark.parametrize("value", [math.nan, math.inf, {"a": [-math.inf]}, "\ud800", {1, 2j}])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    """Infinities, lone surrogates and strange types are errors, not surprises."""
    with pytest.raises(InvalidInputError, match="a value that JSON can hold"):
        canonical_json(value)


def test_digests_do_not_depend_on_the_process() -> None:
    """Another process with another hash seed names the same value the same."""
    value = {"b": [1, None, True], "a": {"z": 0.1, "ä": "text"}}
    code = (
        "import sys; from surefoot.core.canonical import digest; "
        f"sys.stdout.write(digest({value}))"
    )
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            check=True,
            capture_output=True,
            text=True,
        )
        assert run.stdout == digest(value)


def test_sha256_of_a_known_text() -> None:
    """The hash is the standard's own example."""
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256(b"abc") == known


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[1]", b'{"question": 7}', "null"])
def test_malformed_json_is_named(data: bytes | str) -> None:
    """Whatever cannot be read as the type says what was being read."""
    with pytest.raises(InvalidInputError, match="the answer to be a valid Answer"):
        decode(data, Answer, what="the answer")


def test_decoding_gives_the_type() -> None:
    """A struct is read from bytes and from text."""
    data = msgspec.json.encode(Usage(1, 2, 0.5))
    assert decode(data, Usage, what="usage") == decode(data.decode(), Usage, what="usage")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Usage(prompt_tokens=True), Usage),
        (Usage(-1, 0, 0.0), Usage),
        (Usage(0, 2**60, 0.0), Usage),
        (Usage(0, 0, float("nan")), Usage),
        (Usage(0, 0, 1e300), Usage),
        ("half a letter: \ud83d", str),
        ({"prompt_tokens": 3, "else": 4}, Usage),
        (None, str),
    ],
)
def test_what_would_not_read_back_is_no_record(value: object, kind: type[object]) -> None:
    """A value that its type does not allow, or that reading would change, is refused by name."""
    with pytest.raises(InvalidInputError, match="a reply"):
        record_json(value, kind, what="a reply")


def test_a_record_may_be_spelt_otherwise_than_its_type() -> None:
    """A whole number for a number and a list for a tuple are the same once read."""
    assert b'"cost":3,' in record_json(Usage(1, 2, 3), Usage, what="usage")
    assert record_json([1, 2], tuple[int, int], what="two") == b"[1,2]"
