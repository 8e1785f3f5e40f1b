"""
Plans: what names them, and where two of them part.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.canonical import readable_json
from surefoot.core.plan import first_difference, plan_digest

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        (
            {"variants": ["original", "style", "zoom:0.7"]},
            {"variants": ["original", "style", "zoom:0.5"]},
            "variants[2]: 'zoom:0.7' then, 'zoom:0.5' now",
        ),
        ({"seed": 1}, {"seed": 1.0}, "seed: 1 then, 1.0 now"),
        ({"shift": 0.0}, {"shift": -0.0}, "shift: 0.0 then, -0.0 now"),
        ({"cot": 1}, {"cot": True}, "cot: 1 then, true now"),
        ({"a": {"b": [{"c": None}]}}, {"a": {"b": [{"c": 0}]}}, "a.b[0].c: null then, 0 now"),
        ({}, {"limit": 3}, "limit: absent then, 3 now"),
        ({"limit": 3}, {}, "limit: 3 then, absent now"),
        ({"a": [1]}, {"a": []}, "a[0]: 1 then, absent now"),
        ({"a": [1]}, {"a": {"0": 1}}, 'a: [1] then, {"0": 1} now'),
        ({"b": 1, "a": 1}, {"b": 2, "a": 2}, "a: 1 then, 2 now"),
        ({"a": "é"}, {"a": "e"}, "a: 'é' then, 'e' now"),
    ],
)
def test_the_first_difference_is_named(
    then: dict[str, object], now: dict[str, object], said: str
) -> None:
    """A difference is named by its path, with both values or their absence."""
    assert first_difference(then, now) == said


def test_long_values_are_cut() -> None:
    """A whole page of text does not drown the message."""
    assert len(first_difference({"prompt": "x" * 5000}, {"prompt": "y" * 5000})) < 200


@given(then=st.dictionaries(st.text(max_size=3), plain, max_size=4), now=plain)
def test_digest_and_difference_agree(then: dict[str, Any], now: object) -> None:
    """Two plans have one digest exactly where there is no difference to name."""
    other = now if isinstance(now, dict) else {"now": now}
    assert (plan_digest(then) == plan_digest(other)) == (first_difference(then, other) == "")
    assert first_difference(then, json.loads(readable_json(then))) == ""
