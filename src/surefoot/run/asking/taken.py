"""
Answers that come from outside, in whatever thread: one thread of their own writes the ledger.
"""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from surefoot.core.ledger import Ledger

T = TypeVar("T")


class TakenAnswers(abc.ABC):
    """
    Hold the ledger of a folder RUN open for the length of a block.

    What reads and writes it is one thread, so that answers are taken one after another. Raises
    InvalidInputError where the folder is another plan's.
    """

    def __init__(self, out: Path, plan: Mapping[str, object]) -> None:
        self.out = out
        self._plan = plan
        self._thread = ThreadPoolExecutor(1, "taken-answers")

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:
            undo.callback(self._thread.shutdown)
            self._ledger = self._in_turn(lambda: Ledger.open(self.out, self._plan))
            undo.callback(self._in_turn, self._ledger.close)
            self._in_turn(self._resume)
            self._opened = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @abc.abstractmethod
    def _resume(self) -> None:
        """Read what the folder has; called in the ledger's thread."""

    def _in_turn(self, work: Callable[[], T]) -> T:
        return self._thread.submit(work).result()
