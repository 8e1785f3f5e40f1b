"""
The episodes of a run, as they can be played: their traces cut into what a page shows at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import msgspec

from surefoot.core.question import Question
from surefoot.run.asking.runs import RunFolder
from surefoot.run.asking.traces import (
    TRACES,
    TracedActivation,
    TracedEnd,
    TracedStep,
    TraceEntry,
)
from surefoot.run.folders.folder import read_manifest, read_questions, read_table


class PlayedStep(msgspec.Struct, frozen=True):
    """
    Hold what the agent posted of a step, None for nothing, and what was heard after it.

    ``seconds`` are since the page was ready.
    """

    seconds: float
    posted: TracedStep | None
    heard: tuple[TracedActivation, ...] = ()


class PlayableEpisode(msgspec.Struct, frozen=True):
    """
    Hold an episode: its question, its steps, at least one, and how it ended, None if it broke off.

    ``seconds`` is when the last thing happened; ``steps_posted`` counts what the agent posted.
    """

    id: str
    question: Question
    steps: tuple[PlayedStep, ...]
    end: TracedEnd | None
    seconds: float
    steps_posted: int

    @property
    def right(self) -> bool:
        """Tell whether the target was activated."""
        return self.end is not None and self.end.ended == "right"

    @property
    def counts(self) -> bool:
        """Tell whether the episode is the run's answer to its question."""
        return self.end is not None and self.end.counts

    @property
    def wrong(self) -> int:
        """Return how many activations were of something else than the target."""
        return sum(not heard.right for step in self.steps for heard in step.heard)

    @property
    def words(self) -> str:
        """Say how it ended."""
        times = f"{self.wrong} wrong activation{'s' * (self.wrong != 1)}"
        after = f" after {times}" if self.wrong else ""
        if self.end is None:
            return f"broke off{after}: the server was stopped before it ended"
        if self.end.refusal:
            return f"declined{after}: {self.end.refusal}"
        return {
            "right": f"the target was activated{after or ' at once'}",
            "wrong": f"ended{after}; the target was not activated",
        }.get(self.end.ended, f"the agent gave up{after}; the target was not activated")


def read_episodes(run: RunFolder) -> tuple[PlayableEpisode, ...]:
    """
    Return the episodes of a run, by question, those that count first; none of any other run.

    Raises InvalidInputError where the table of traces is not as the manifest says.
    """
    if TRACES not in read_manifest(run.tables, "run").files:
        return ()
    entries = read_table(run.tables, TRACES, TraceEntry, kind="run")
    wanted = {entry.question for entry in entries}
    questions = {
        question.id: question for question in read_questions(run.bench) if question.id in wanted
    }
    found = [
        playable(questions[name], episode, list(own))
        for (name, episode), own in itertools.groupby(
            entries, key=lambda e: (e.question, e.episode)
        )
        if name in questions
    ]
    return tuple(sorted(found, key=lambda one: (one.question.id, not one.counts)))


def playable(question: Question, id: str, entries: Sequence[TraceEntry]) -> PlayableEpisode:  # noqa: A002
    """
    Cut an episode's trace into steps.

    What was heard belongs to the step that the agent posted before it; each activation is a step
    of its own where it posted none.
    """
    return PlayableEpisode(
        id,
        question,
        _cut(entries) or (PlayedStep(0.0, None),),
        next((entry.end for entry in entries if entry.end is not None), None),
        max((entry.seconds for entry in entries), default=0.0),
        sum(entry.step is not None for entry in entries),
    )


def _cut(entries: Iterable[TraceEntry]) -> tuple[PlayedStep, ...]:
    steps: list[PlayedStep] = []
    for entry in entries:
        if entry.step is not None:
            steps.append(PlayedStep(entry.seconds, entry.step))
        elif entry.heard is not None and steps and steps[-1].posted is not None:
            steps[-1] = msgspec.structs.replace(steps[-1], heard=(*steps[-1].heard, entry.heard))
        elif entry.heard is not None:
            steps.append(PlayedStep(entry.seconds, None, (entry.heard,)))
    return tuple(steps)
