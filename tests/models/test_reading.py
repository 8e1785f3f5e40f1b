"""
Numbers and objects out of hostile text.
"""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.question import Unparsed
from surefoot.models.reading import MAX_REPLY_CHARS, Place, place_of
from surefoot.models.replies.objects import json_objects

NUMBERS = st.floats(-1e6, 1e6) | st.integers(-(10**6), 10**6)


@given(st.lists(NUMBERS, min_size=2, max_size=2) | st.lists(NUMBERS, min_size=4, max_size=4))
def test_places_keep_their_numbers(values: list[float]) -> None:
    """Two or four numbers that a screen can have are kept as they are."""
    assert place_of(values) == Place(tuple(float(value) for value in values))


@pytest.mark.parametrize(
    "values",
    [
        [1],
        [1, 2, 3],
        [1, 2, 3, 4, 5],
        "12",
        None,
        {"x": 1, "y": 2},
        [float("nan"), 1],
        [1, float("inf")],
        [10**400, 1],
        [True, False],
        [1, "1e999"],
        [1, "nan"],
        [1, "9" * 12],
        [[1], [2]],
        [1, None],
    ],
)
def test_other_values_are_unparsed(values: object) -> None:
    """Anything else is Unparsed with a reason and never a place."""
    found = place_of(values)
    assert isinstance(found, Unparsed)
    assert found.why


@given(st.text(), st.dictionaries(st.text("ab"), st.integers(-9, 9), min_size=1), st.text())
def test_an_object_is_found_in_prose(before: str, value: dict[str, int], after: str) -> None:
    """A flat object is found whatever prose without braces surrounds it."""
    clean = [item.replace("{", "").replace("}", "") for item in (before, after)]
    assert list(json_objects(clean[0] + json.dumps(value) + clean[1])) == [value]


def test_an_object_with_braces_in_a_string_is_found() -> None:
    """Braces inside strings do not hide an object."""
    assert list(json_objects('{"why": "press {x}", "x": 1}')) == [{"why": "press {x}", "x": 1}]


@pytest.mark.parametrize(
    "unit", ["{", "}", '{"a":', "{}", '{"x":1', "[[[[", '{"', '{"a":"\\', "{1", "{ {x}"]
)
def test_megabytes_of_brackets_take_little_time(unit: str) -> None:
    """A reply of the largest size is read in time linear in its length."""
    text = unit * (MAX_REPLY_CHARS // len(unit))
    start = time.process_time()
    for _ in json_objects(text):
        pass
    assert time.process_time() - start < 5
