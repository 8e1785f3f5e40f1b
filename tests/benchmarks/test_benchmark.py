"""
The seam of a benchmark: options that travel, results that are read back.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.benchmarks.benchmark import (
    BENCHMARKS,
    BuildOptions,
    Candidate,
    Fall,
    Funnel,
    PageResult,
)
from surefoot.capture.settings import Settings
from surefoot.core.canonical import canonical_json, decode
from surefoot.core.errors import UnknownNameError
from surefoot.core.instruction import Expression, Instruction

INSTRUCTION = Instruction("Click", "en", "relational", "high", Expression(role="link"), "e1")


def test_options_survive_the_way_to_a_worker() -> None:
    """Options written as plain values, as a worker gets them, are read back equal."""
    options = BuildOptions(("original", "zoom:1.5"), seed=9, settings=Settings(scale=2.0))
    plain = msgspec.json.decode(canonical_json(msgspec.to_builtins(options)))

    assert msgspec.convert(plain, BuildOptions) == options


@pytest.mark.parametrize(
    "value",
    [
        PageResult("p", "s", (), (Candidate("e1", "link", None, {"above": INSTRUCTION}),), ()),
        PageResult("p", "s", (), (Candidate("e1", "link", INSTRUCTION),), (Fall("a", "b", 2),)),
        Funnel((Fall("a", "b", 2),), {"kept": {"above": 1}}),
    ],
)
def test_results_survive_the_ledger(value: PageResult | Funnel) -> None:
    """A page's result and a funnel are read back equal from canonical JSON."""
    assert decode(canonical_json(value), type(value), what="it") == value


def test_an_unknown_benchmark_is_told_what_there_is() -> None:
    """A misspelt benchmark is refused with the name that was meant."""
    with pytest.raises(UnknownNameError, match="Did you mean 'perturbed'"):
        BENCHMARKS.get("pertubed")
