"""
Which executed actions an answer rests on, as its facts tell.
"""

from __future__ import annotations

import json

import msgspec
import pytest

from surefoot.benchmarks.dimensions.executed import executed
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question

ASKED = Question(
    "q", "item", "site", Cell("original", "wf"), "one", "0" * 64, 10, 10,
    Instruction("What?", "en", "given", "high", Expression(), "a"), Box(0.0, 0.0, 1.0, 1.0),
)  # fmt: skip


def _steps(**facts: object) -> tuple[tuple[str, str], ...]:
    told = {name: json.dumps(value) for name, value in facts.items()}
    return executed(msgspec.structs.replace(ASKED, facts=told))


def test_steps_of_a_sequence_and_of_each_option_are_told() -> None:
    """A sequence has its steps, actions those of all options once, and one screen has none."""
    assert _steps(steps=[["a", "b"], ["c", "d"]]) == (("a", "b"), ("c", "d"))
    ways = {"A": ["a", "b"], "B": ["a", "c", "d"], "C": ["a", "c"], "D": ["a"]}
    assert _steps(ways=ways) == (("a", "b"), ("a", "c"), ("c", "d"))
    assert _steps() == ()


@pytest.mark.parametrize("told", [3, [["a"]], {"A": "b"}])
def test_facts_of_another_form_are_refused(told: object) -> None:
    """What is no list of pairs is an error of the folder, not no step."""
    with pytest.raises(InvalidInputError, match="steps"):
        _steps(steps=told)
