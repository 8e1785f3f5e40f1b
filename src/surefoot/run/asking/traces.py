"""
Traces of episodes: what an agent told of its steps, and what its page heard, in their order.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.capture.live.protocol import Activation, EndReason
from surefoot.core.canonical import record_json
from surefoot.core.ledger import Done, Ledger
from surefoot.run.engine.outcome import record_of

TRACES: Final = "traces.jsonl"
"""
The table of a RUN that has the traces of its episodes.
"""
TRACE_KEYS: Final = "trace:"
"""
How the keys of traces begin, which no key of an answer does.
"""


class TracedStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold what an agent told before it acted: what it saw, thought and would do.

    ``action`` is its text, or its JSON as it came; ``image`` names the picture in the run's
    folder, "" without one, and ``width`` and ``height`` are its pixels.
    """

    action: str = ""
    thought: str = ""
    image: str = ""
    width: int = 0
    height: int = 0


class TracedActivation(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold what a page heard, and where in the window that was.

    ``place`` is in CSS pixels of the page, None without a pointer; ``window`` is the window's
    size, ``scroll`` how far it was scrolled; ``home`` tells the question's own page from
    others of its site.
    """

    activation: Activation
    right: bool
    home: bool = True
    place: tuple[float, float] | None = None
    window: tuple[float, float] = (0.0, 0.0)
    scroll: tuple[float, float] = (0.0, 0.0)


class TracedEnd(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold how an episode ended; of several of one question the first to end ``counts``.
    """

    ended: EndReason
    counts: bool
    refusal: str = ""
    trouble: str = ""


class TraceEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold one thing that happened in an episode: a step, an activation or the end.

    ``number`` counts them from 1; ``seconds`` are since the page was ready, before that since
    the episode was opened. An episode without an end broke off.
    """

    question: str
    episode: str
    number: int
    seconds: float
    step: TracedStep | None = None
    heard: TracedActivation | None = None
    end: TracedEnd | None = None

    def done(self) -> Done:
        """Return the entry as a ledger keeps it; raises InvalidInputError where JSON cannot."""
        key = f"{TRACE_KEYS}{self.episode}:{self.number:06d}"
        return Done(key, record_json(self, TraceEntry, what="a step"))


def read_traces(ledger: Ledger) -> list[TraceEntry]:
    """
    Return all entries of a ledger, by question, episode and number.

    Raises DamageError where a record is not as it was written.
    """
    found = [
        record_of(key, payload, TraceEntry)
        for key, payload in ledger.payloads()
        if key.startswith(TRACE_KEYS)
    ]
    entries = [item for item in found if isinstance(item, TraceEntry)]
    return sorted(entries, key=lambda item: (item.question, item.episode, item.number))
