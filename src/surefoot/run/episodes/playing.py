"""
The episodes of a benchmark's questions, and the run that they come to.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.capture.live.protocol import (
    MOST_STEPS,
    ClickScore,
    EndReason,
    EpisodeEnd,
    KeptStep,
    PostedStep,
)
from surefoot.capture.live.serving import HeardActivation, LivePage, ReadyPage, why_not_served
from surefoot.capture.settings import Settings
from surefoot.core.canonical import record_json
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.ledger import Done, Failure, read_plan
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import BY_SITE, asked_questions, remember_bench
from surefoot.run.asking.taken import TakenAnswers
from surefoot.run.asking.traces import (
    TRACES,
    TracedActivation,
    TracedEnd,
    TracedStep,
    TraceEntry,
    read_traces,
)
from surefoot.run.episodes.judging import activation_of, answer_of, moved_target
from surefoot.run.episodes.steps import keep_step
from surefoot.run.folders.folder import read_screens, run_plan

VERSION: Final = 1
MOST_LETTERS: Final = 80
LACKING: Final = "the page does not have the target"
NOT_SERVED: Final = "not-served"
LINGER_S: Final = 2.0
_BYTES: Final = 8
_KEY_BYTES: Final = 16


class LiveEpisode:
    """
    Play one question on its page; every method may be called from any thread.

    ``id`` names it to who plays it, ``secret`` opens its score, ``token`` is in the page's
    address. It ends once the target was activated, or more than ``wrong`` times something
    else; what comes later counts no more. ``keep`` is called with whatever happens, and how the
    episode stands with it; what it raises leaves all as it was.
    """

    def __init__(
        self,
        question: Question,
        screen: Screen,
        settings: Settings,
        wrong: int,
        keep: Callable[[LiveEpisode, ClickScore, Sequence[TraceEntry]], None],
    ) -> None:
        self.question, self.screen = question, screen
        self.id, self.secret = secrets.token_hex(_KEY_BYTES), secrets.token_hex(_KEY_BYTES)
        self.page = LivePage(secrets.token_hex(_BYTES), screen, settings, self)
        self.ready: ReadyPage | None = None
        self._wrong, self._keep = wrong, keep
        self._lock = threading.RLock()
        self._since = time.monotonic()
        self._score = ClickScore(right=False, ended="")
        self._entries = 0

    @property
    def score(self) -> ClickScore:
        """Return how the episode stands."""
        with self._lock:
            return self._score

    def rest(self, page: ReadyPage) -> None:
        """Take how the page is at rest; the first time is what the agent begins with."""
        with self._lock:
            if self.ready is None:
                self.ready, self._since = page, time.monotonic()
                moved = moved_target(page, self.question, self.screen)
                trouble = page.error or ("" if moved is not None else LACKING)
                self._score = msgspec.structs.replace(self._score, moved=moved, trouble=trouble)

    def hear(self, heard: HeardActivation) -> None:
        """Take what was activated."""
        with self._lock:
            if self._score.ended:
                return
            new = activation_of(heard, self.question, self.screen, self._seconds())
            met = (*self._score.activations, new)
            right = new.element == self.question.instruction.target
            ended: EndReason = "right" if right else "wrong" if len(met) > self._wrong else ""
            traced = TracedActivation(
                new,
                right,
                home=heard.home,
                place=heard.place,
                window=(heard.width, heard.height),
                scroll=heard.scroll,
            )
            self._go_on(heard=traced, right=right, ended=ended, activations=met)

    def give_up(self, end: EpisodeEnd) -> None:
        """End the episode, if it has not ended."""
        with self._lock:
            if not self._score.ended:
                self._go_on(ended="given-up", refusal=end.refusal.strip())

    def require_room(self) -> None:
        """Raise InvalidInputError where no more steps of the episode are kept."""
        if self.score.steps >= MOST_STEPS:
            raise InvalidInputError(f"at most {MOST_STEPS} steps of an episode", found="another")

    def note(self, step: TracedStep) -> int:
        """
        Take what the agent tells of its step, and return the number that its trace gives it.

        Raises InvalidInputError for more steps than are kept.
        """
        with self._lock:
            self.require_room()
            self._go_on(step=step, steps=self._score.steps + 1)
            return self._entries

    def _go_on(
        self,
        *,
        step: TracedStep | None = None,
        heard: TracedActivation | None = None,
        **changed: object,
    ) -> None:
        seconds = self._seconds()
        since = {} if self._score.ended else {"seconds": seconds}
        score = msgspec.structs.replace(self._score, **changed, **since)
        entries = [self._entry(0, seconds, step=step, heard=heard)] if step or heard else []
        if score.ended and not self._score.ended:
            end = TracedEnd(score.ended, counts=True, refusal=score.refusal, trouble=score.trouble)
            entries.append(self._entry(len(entries), seconds, end=end))
        self._keep(self, score, entries)
        self._score, self._entries = score, self._entries + len(entries)

    def _entry(
        self,
        further: int,
        seconds: float,
        *,
        step: TracedStep | None = None,
        heard: TracedActivation | None = None,
        end: TracedEnd | None = None,
    ) -> TraceEntry:
        number = self._entries + further + 1
        return TraceEntry(self.question.id, self.id, number, seconds, step, heard, end)

    def _seconds(self) -> float:
        return round(time.monotonic() - self._since, 3)


class EpisodeAnswers(TakenAnswers):
    """
    Put a benchmark's questions to agents as episodes, and keep the answers in a folder RUN.

    ``name`` is what the agent is called in scores; ``limit`` is as ``surefoot run`` has it,
    ``wrong`` how many wrong activations an episode bears. What was answered is committed, and
    asked no more when the folder is opened again. ``all_answered`` is set when nothing is open
    any more, ``finished`` so much later that who plays reads the last score. ``refused`` are the
    questions that cannot be asked of a live page, with the reason; the run has them as failures.
    Raises InvalidInputError where no question can be asked, and where the folder is another
    run's.
    """

    def __init__(
        self, bench: Path, name: str, out: Path, *, limit: int = 0, wrong: int = 3
    ) -> None:
        if not (0 < len(name.strip()) <= MOST_LETTERS and name.isprintable()):
            raise InvalidInputError(
                f"a name of the agent, of up to {MOST_LETTERS} letters", found=f"'{name[:99]}'"
            )
        self.bench, self.name, self.wrong = bench, name.strip(), wrong
        self.settings = msgspec.convert(read_plan(bench)["options"], BuildOptions).settings
        self.questions = asked_questions(bench, "off", limit)
        self.screens: Mapping[str, Screen] = {item.id: item for item in read_screens(bench)}
        self.refused = {
            question.id: why for question in self.questions if (why := self._why_not(question))
        }
        if len(self.refused) == len(self.questions):
            reasons = "; ".join(self.reasons()) or "no question"
            raise InvalidInputError(f"a question in {bench} that a page can ask", found=reasons)
        self.all_answered, self.finished = threading.Event(), threading.Event()
        self._identity = {"name": self.name, "version": VERSION, "episodes": {"wrong": wrong}}
        limited = {"limit_by": BY_SITE} if limit else {}
        choices = {"reasoning": "off", "limit": limit, **limited}
        super().__init__(out, run_plan(bench, self._identity, choices))
        self._store = ObjectStore(out)
        self._open: dict[str, LiveEpisode] = {}
        self._asked: Counter[str] = Counter()
        self._answered: set[str] = set()

    @property
    def left(self) -> int:
        """Return how many questions have no answer yet."""
        return len(self.questions) - len(self.refused) - len(self._answered)

    def reasons(self) -> list[str]:
        """Say of how many questions no page is served, by reason."""
        counted = Counter(self.refused.values()).most_common()
        return [f"{count} of {len(self.questions)} questions: {why}" for why, count in counted]

    def begin(self, wanted: str = "") -> LiveEpisode:
        """
        Open an episode of a question, or of the one that was opened least often and is open.

        Raises InvalidInputError for one that cannot be asked, or is answered.
        """
        question = self._in_turn(lambda: self._chosen(wanted))
        episode = LiveEpisode(
            question, self.screens[question.screen], self.settings, self.wrong, self._take
        )
        self._open[episode.id] = episode
        return episode

    def find(self, id: str) -> LiveEpisode:  # noqa: A002
        """Return an episode by its id; raises UnknownNameError."""
        found = self._open.get(id)
        if found is None:
            raise UnknownNameError("the id of an episode", found="one that no episode bears")
        return found

    def note(self, episode: LiveEpisode, posted: PostedStep) -> KeptStep:
        """
        Keep what an agent posts of a step; on return it is committed.

        Raises InvalidInputError for a step that cannot be kept.
        """
        episode.require_room()  # before any picture is decoded
        step = keep_step(posted, self._store)
        return KeptStep(episode.note(step), step.image)

    def _why_not(self, question: Question) -> str:
        screen = self.screens.get(question.screen)
        if question.asks != "place":
            return "it asks for words or an option, not for a place"
        return (
            "its screen is not here" if screen is None else why_not_served(screen, self.settings)
        )

    def _chosen(self, wanted: str) -> Question:
        remedy = 'send {} for the next open one, or {"question": ID} of questions.jsonl'
        if wanted in self.refused:
            raise InvalidInputError(
                f"a question that a live page can ask, '{wanted}'",
                found=f"that {self.refused[wanted]}",
                remedy=remedy,
            )
        still = [
            question
            for question in self.questions
            if question.id not in self._answered and question.id not in self.refused
        ]
        found = [question for question in still if wanted in ("", question.id)]
        if not found:
            missing = f"none that is called '{wanted[:80]}'" if wanted else "that all are answered"
            raise InvalidInputError("an open question", found=missing, remedy=remedy)
        question = min(found, key=lambda one: self._asked[one.id])
        self._asked[question.id] += 1
        return question

    def _take(
        self, episode: LiveEpisode, score: ClickScore, entries: Sequence[TraceEntry]
    ) -> None:
        answer = None
        if any(entry.end is not None for entry in entries):
            answer = answer_of(score, episode.question, episode.screen, episode.id)
        self._in_turn(lambda: self._keep(episode.question, answer, score.seconds, entries))

    def _keep(
        self,
        question: Question,
        answer: Answer | None,
        seconds: float,
        entries: Sequence[TraceEntry],
    ) -> None:
        # Of several episodes of one question the first to end counts.
        counts = answer is not None and question.id not in self._answered
        records = [_marked(entry, counts=counts).done() for entry in entries]
        if counts:
            payload = record_json(answer, Answer, what="an answer")
            records.append(Done(self._key(question), payload, seconds))
        self._ledger.record_many(records)
        if counts:
            self._answered.add(question.id)
        self._finish()

    def _resume(self) -> None:
        remember_bench(self.out, self.bench)
        finished = self._ledger.finished()
        failed = [
            Failure(self._key(question), NOT_SERVED, self.refused[question.id])
            for question in self.questions
            if question.id in self.refused and self._key(question) not in finished
        ]
        self._ledger.record_many(failed)
        self._answered = {
            question.id
            for question in self.questions
            if question.id not in self.refused and self._key(question) in finished
        }
        self._finish()

    def _finish(self) -> None:
        if not self.left:
            traces = {TRACES: read_traces(self._ledger)}
            export_answers(self.out, self.questions, self._identity, self._ledger, traces)
            if not self.all_answered.is_set():
                self.all_answered.set()
                lingering = threading.Timer(LINGER_S, self.finished.set)
                lingering.daemon = True
                lingering.start()

    def _key(self, question: Question) -> str:
        return answer_key(question, self._identity)


def _marked(entry: TraceEntry, *, counts: bool) -> TraceEntry:
    """Return an entry whose end says whether it counts."""
    if entry.end is None:
        return entry
    return msgspec.structs.replace(entry, end=msgspec.structs.replace(entry.end, counts=counts))
