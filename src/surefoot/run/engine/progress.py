"""
How far a run is: a live line on a terminal, one now and then in a pipe, and a tally.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import msgspec

from surefoot.core.terminal import harmless

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


FIRST_LINE_S: Final = 10.0
LINE_S: Final = 30.0


class Tally(msgspec.Struct, frozen=True):
    """
    Count what became of a run's units.

    ``kept`` of the ``total`` were finished before; ``failed`` counts failures of both
    kinds, of this run and kept ones; ``cost`` is in US dollars.
    """

    total: int = 0
    kept: int = 0
    done: int = 0
    failed: int = 0
    unparsed: int = 0
    cost: float = 0.0

    @property
    def complete(self) -> bool:
        """Tell whether every unit has a result."""
        return self.failed == 0 and self.kept + self.done == self.total


class Progress:
    """
    Count finished units, and show them: alive on a terminal, elsewhere as plain lines.

    Lines come with the first unit after ten seconds, and after each half minute. Without a
    console nothing is shown. ``watch`` is given each tally; what it raises ends the
    run. ``notes`` counts what workers noted of their units. The rate and the time left count
    this run's units alone, not those kept from an earlier one.

    >>> with Progress("answers") as progress:
    ...     progress.begin(total=3, kept=1, failed=0)
    ...     progress.advance()
    ...     progress.advance(failed=True)
    >>> progress.tally
    Tally(total=3, kept=1, done=1, failed=1, unparsed=0, cost=0.0)
    """

    def __init__(
        self,
        title: str,
        console: Console | None = None,
        *,
        watch: Callable[[Tally], None] | None = None,
    ) -> None:
        self.title = harmless(title)
        self._watch = watch
        self._begun = self._said = 0.0
        self._before = 0
        self.tally = Tally()
        self.notes: Counter[str] = Counter()
        self._console = console
        self._bar: Bar | None = None
        self._line: TaskID | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Show the line, if there is a terminal."""
        if self._console is not None and self._console.is_terminal:
            self._bar = self._stack.enter_context(_bar(self._console))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the line as it is; an interruption is told what is kept."""
        self._stack.close()
        if isinstance(error, KeyboardInterrupt) and self._begun:
            finished = self.tally.total - self._left()
            error.add_note(f"{finished:,} of {self.tally.total:,} are kept ({self.title})")

    def begin(self, *, total: int, kept: int, failed: int) -> None:
        """Set out with units that an earlier run finished, some of them failures."""
        self.tally = Tally(total=total, kept=kept, failed=failed)
        self._begun, self._before = time.monotonic(), kept + failed
        self._said = self._begun + FIRST_LINE_S - LINE_S
        if self._bar is not None:
            self._line = self._bar.add_task(self.title, total=total - kept - failed, detail="")
            self._show()

    def advance(self, *, failed: bool = False, unparsed: bool = False, cost: float = 0.0) -> None:
        """Count one more unit that is committed."""
        now = self.tally
        self.tally = msgspec.structs.replace(
            now,
            done=now.done + (not failed),
            failed=now.failed + failed,
            unparsed=now.unparsed + unparsed,
            cost=now.cost + cost,
        )
        self._show(advance=1)
        if self._watch is not None:
            self._watch(self.tally)

    def _left(self) -> int:
        return self.tally.total - self.tally.kept - self.tally.done - self.tally.failed

    def _show(self, advance: int = 0) -> None:
        now = time.monotonic()
        if self._bar is None and self._console is not None and now >= self._said + LINE_S:
            self._said = now
            self._say(now)
        if self._bar is not None and self._line is not None:
            self._bar.update(self._line, advance=advance, detail=_detail(self.tally))

    def _say(self, now: float) -> None:
        tally, left = self.tally, self._left()
        done = tally.total - left
        rate = (done - self._before) / max(now - self._begun, 1e-3)
        wait = f", about {left / rate:,.0f} s left" if rate and left else ""
        detail = _detail(tally)
        line = f"{self.title}: {done:,} of {tally.total:,}{f', {detail}' * bool(detail)}{wait}"
        if self._console is not None:
            self._console.print(line, soft_wrap=True, highlight=False)


def _detail(tally: Tally) -> str:
    parts = [
        (tally.kept, f"{tally.kept} kept"),
        (tally.failed, f"[red]{tally.failed} failed[/]"),
        (tally.unparsed, f"[yellow]{tally.unparsed} unparsed[/]"),
        (tally.cost, f"${tally.cost:.2f}"),
    ]
    return ", ".join(text for count, text in parts if count)


def _bar(console: Console) -> Bar:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Rate(ProgressColumn):
        """Show units per second."""

        def render(self, task: Task) -> Text:
            """Return the rate of one line."""
            return Text(f"{task.speed:.1f}/s" if task.speed else "-/s")

    return Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[detail]}"),
        console=console,
    )
