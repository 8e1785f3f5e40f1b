"""
The help of each verb.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import typer

from surefoot.cli.main import VERBS, load_verb


@pytest.mark.parametrize("verb", VERBS)
def test_help_shows_the_examples(surefoot: Callable[..., Any], verb: str) -> None:
    """The help of a verb says what it does and ends in its examples, unwrapped."""
    function, examples = load_verb(verb)
    ended = surefoot(verb, "--help")

    assert ended.code == 0
    text = function.info.help if isinstance(function, typer.Typer) else function.__doc__
    first = str(text).split("\n\n")[0].split()
    assert " ".join(first) in " ".join(ended.out.split())
    shown = [line.strip() for line in ended.out.split("Examples:\n")[1].splitlines()]
    assert shown == list(examples)
