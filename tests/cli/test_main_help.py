"""
The help of each verb.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from surefoot.cli.verb import VERBS, CliVerb

TOP = [verb for name, verb in VERBS.entries.items() if "/" not in name]


@pytest.mark.parametrize("verb", TOP, ids=lambda verb: verb.name)
def test_help_shows_the_examples(surefoot: Callable[..., Any], verb: CliVerb) -> None:
    """The help of a verb says what it does and ends in its examples, unwrapped."""
    ended = surefoot(verb.name, "--help")

    assert ended.code == 0
    text = verb.function.__doc__ if verb.function else verb.summary
    first = str(text).strip().split("\n\n")[0].split()
    assert " ".join(first) in " ".join(ended.out.split())
    shown = [line.strip() for line in ended.out.split("Examples:\n")[1].splitlines()]
    assert shown == list(verb.examples)
