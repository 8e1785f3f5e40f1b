"""
Progress: a tally always, a line on a terminal only.
"""

from __future__ import annotations

import contextlib
import io

import pytest
from rich.console import Console

from surefoot.run.engine import progress as progress_module
from surefoot.run.engine.progress import Progress, Tally


def _drive(console: Console | None) -> Tally:
    with Progress("asking", console) as progress:
        progress.begin(total=10, kept=3, failed=1)
        progress.advance(cost=0.25)
        progress.advance(unparsed=True, cost=0.25)
        progress.advance(failed=True)
    return progress.tally


def test_units_are_counted() -> None:
    """Kept, done, failed and unparsed units and the cost add up."""
    assert _drive(None) == Tally(total=10, kept=3, done=2, failed=2, unparsed=1, cost=0.5)


def test_a_terminal_sees_it_all() -> None:
    """On a terminal the line names the counts, the cost, the rate and the time left."""
    screen = io.StringIO()
    _drive(Console(file=screen, force_terminal=True, width=120))
    text = screen.getvalue()
    for part in ("asking", "3/6", "/s", "3 kept", "2 failed", "1 unparsed", "$0.50"):
        assert part in text


def test_a_pipe_is_told_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the console is no terminal, a short run says nothing, a long one plain lines."""
    pipe = io.StringIO()
    assert _drive(Console(file=pipe)) == _drive(None)
    assert pipe.getvalue() == ""
    monkeypatch.setattr(progress_module, "FIRST_LINE_S", 0.0)
    _drive(Console(file=pipe))
    assert pipe.getvalue().startswith("asking: 5 of 10, 3 kept, 1 failed, $0.25, about ")
    assert len(pipe.getvalue().splitlines()) == 1
    monkeypatch.setattr(progress_module, "LINE_S", 0.0)
    _drive(Console(file=pipe))
    assert len(pipe.getvalue().splitlines()) == 4


def test_an_interruption_is_told_what_is_kept() -> None:
    """Whoever ends the program after Ctrl-C learns how many units are finished."""
    interruption = KeyboardInterrupt()
    with contextlib.suppress(KeyboardInterrupt), Progress("asking") as progress:
        progress.begin(total=1200, kept=3, failed=0)
        progress.advance()
        raise interruption

    assert interruption.__notes__ == ["4 of 1,200 are kept (asking)"]


def test_completeness_needs_every_unit() -> None:
    """A run is complete when all units have results, kept or new, and none failed."""
    assert Tally(total=3, kept=1, done=2).complete
    assert not Tally(total=3, kept=1, done=1).complete
    assert not Tally(total=3, kept=1, done=1, failed=1).complete
