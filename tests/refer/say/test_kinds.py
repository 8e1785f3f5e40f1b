"""
Kinds and specificity: one rule for each, over all parts.
"""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.core.instruction import Expression, Ordinal, Region
from surefoot.refer.say.kinds import kind_of, specificity_of

A = Expression(text="A")
ROW = Expression(role="row", text="Ada")
CASES: list[tuple[dict[str, Any], str, str]] = [
    ({"role": "button", "name": "Save"}, "direct", "high"),
    ({"role": "button", "text": "Save"}, "visual", "high"),
    ({"role": "link", "icon": "bell"}, "visual", "medium"),
    ({"role": "link", "name": "x", "ink": "red", "region": Region("top")}, "combined", "high"),
    ({"role": "button"}, "visual", "medium"),
    ({"role": "control", "colour": "red"}, "visual", "medium"),
    ({"role": "button", "direction": "above", "landmark": A}, "relational", "medium"),
    ({"role": "button", "name": "x", "direction": "above", "landmark": A}, "relational", "high"),
    ({"role": "control", "direction": "above", "landmark": A}, "relational", "low"),
    ({"role": "control", "relation": "nearest", "landmark": A}, "nearest", "low"),
    ({"role": "link", "relation": "between", "landmark": A, "second": A}, "between", "medium"),
    ({"role": "control", "ordinal": Ordinal(1, "list"), "container": ROW}, "ordinal", "low"),
    ({"role": "control", "container": ROW}, "container", "low"),
    ({"role": "control", "region": Region("top")}, "region", "low"),
    ({"role": "textbox", "label": "City"}, "label", "high"),
    ({"role": "checkbox", "function": "turn on", "name": "x"}, "functional", "high"),
    ({"role": "control", "function": "search"}, "functional", "medium"),
    ({"role": "checkbox", "state": "checked"}, "visual", "medium"),
    ({"role": "button", "colour": "red", "region": Region("top")}, "combined", "medium"),
    ({"role": "button", "direction": "above", "landmark": A, "container": ROW}, "combined",
     "medium"),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "kind", "specificity"), CASES)
def test_the_parts_decide(parts: dict[str, Any], kind: str, specificity: str) -> None:
    """One way of pointing makes its kind, two make "combined"; a name makes it specific."""
    expression = Expression(**parts)
    assert (kind_of(expression), specificity_of(expression)) == (kind, specificity)
