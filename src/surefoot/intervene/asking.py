"""
Questions asked of a model while something is added to its states, or nothing.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import decode, record_json
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question
from surefoot.core.seeds import derive_seed
from surefoot.core.store import ObjectStore
from surefoot.intervene.batches import QuestionBatch, batches_of, work_through
from surefoot.intervene.items import ENGLISH, ParallelItem, ReasoningMode, turn_of
from surefoot.intervene.memory import ParallelMemory
from surefoot.intervene.retrieval import DirectionKind, LayerMemory, vectors
from surefoot.intervene.steering import (
    InjectedState,
    InjectionPlace,
    SingleFloats,
    Steerable,
    Steering,
)
from surefoot.models import worded
from surefoot.models.reading import writable
from surefoot.models.replies.answering import CUT
from surefoot.models.replies.letters import label_probabilities
from surefoot.models.wording import Wording
from surefoot.run.engine.progress import Progress

# The longest reply, in tokens, where none is given.
TOKENS: Final[Mapping[ReasoningMode, int]] = {"off": 64, "on": 1024}


class InjectionSetting(msgspec.Struct, frozen=True):
    """Say what is added in one language: where, how strongly, and of which kind."""

    layer: int
    alpha: float
    at: InjectionPlace
    top_k: int
    kind: DirectionKind = "xli"
    seed: int = 0


class SteeredAnswer(msgspec.Struct, frozen=True):
    """Hold an answer, and what was added on its way, None where nothing was."""

    answer: Answer
    injected: InjectedState | None = None


class SteeredAsker:
    """
    Ask the items of a benchmark of a model, in batches that the ledger keeps.

    ``seconds`` and ``asked`` add up over all that was asked, by the name of the condition.
    """

    def __init__(
        self,
        model: Steerable,
        memory: ParallelMemory,
        bench: Path,
        ledger: Ledger,
        *,
        max_tokens: int,
        batch: int,
    ) -> None:
        self._model = model
        self._memory = memory
        self._images = functools.lru_cache(maxsize=64)(ObjectStore(bench).get)
        self._ledger = ledger
        self._max_tokens = max_tokens
        self._batch = batch

    def ask(
        self,
        items: Iterable[ParallelItem],
        language: str,
        setting: InjectionSetting | None,
        progress: Progress,
        wording: Wording | None = None,
    ) -> tuple[dict[str, SteeredAnswer], float]:
        """
        Return the answers in a language by item, and the seconds that all of them took.

        What an earlier command has asked is not asked again, and its seconds count.
        """
        return self.ask_several(items, [(language, setting, wording)], progress)[0]

    def ask_several(
        self,
        items: Iterable[ParallelItem],
        conditions: Sequence[tuple[str, InjectionSetting | None, Wording | None]],
        progress: Progress,
    ) -> list[tuple[dict[str, SteeredAnswer], float]]:
        """Return the same as ``ask`` for several conditions, which one progress counts."""
        there = tuple(items)
        work: dict[str, Callable[[QuestionBatch], bytes]] = {}
        batches: list[list[QuestionBatch]] = []
        for language, setting, wording in conditions:
            own = []
            for dimension, questions in _by_dimension(there, language).items():
                known = self._determined(setting, dimension, language, wording)
                units = batches_of(questions, self._batch, known)
                compute = functools.partial(self._computed, setting, dimension, language, wording)
                work |= dict.fromkeys((unit.key for unit in units), compute)
                own += units
            batches.append(own)
        every = {unit.key: unit for own in batches for unit in own}
        work_through(
            list(every.values()), lambda unit: work[unit.key](unit), self._ledger, progress
        )
        return [self._kept(own) for own in batches]

    def _determined(
        self,
        setting: InjectionSetting | None,
        dimension: str,
        language: str,
        wording: Wording | None,
    ) -> dict[str, object]:
        return {
            "model": self._model.identity(),
            "worded": worded.identity() if wording is None else wording.identity(),
            "max_tokens": self._tokens(wording),
            "setting": setting,
            "pool": [dimension, language] if setting else [],
        }

    def _tokens(self, wording: Wording | None) -> int:
        return max(self._max_tokens, wording.max_tokens) if wording else self._max_tokens

    def _computed(
        self,
        setting: InjectionSetting | None,
        dimension: str,
        language: str,
        wording: Wording | None,
        unit: QuestionBatch,
    ) -> bytes:
        turns = [
            turn_of(item, self._images, messages=wording.messages(item) if wording else None)
            for item in unit.questions
        ]
        steering = self._steering(setting, dimension, language) if setting else None
        replies = self._model.replies(turns, max_tokens=self._tokens(wording), steering=steering)
        answers = []
        for question, spoken in zip(unit.questions, replies, strict=True):
            text, cut = writable(spoken.reply.text), spoken.reply.cut
            choices = {} if cut else label_probabilities(spoken.reply.tokens, question.options)
            parsed = CUT if cut else worded.read_reply(text, question)
            answer = Answer(question.id, text, parsed, spoken.reply.usage, choices)
            answers.append(SteeredAnswer(answer, spoken.injected))
        return record_json(answers, list[SteeredAnswer], what="answers")

    def _steering(self, setting: InjectionSetting, dimension: str, language: str) -> Steering:
        memory = self._memory.at(setting.layer, language, dimension)
        seed = derive_seed(setting.seed, "xli", language, dimension, str(setting.layer))
        directions = functools.partial(_vectors, memory, setting, seed)
        return Steering(setting.layer, setting.alpha, setting.at, directions)

    def _kept(self, units: Sequence[QuestionBatch]) -> tuple[dict[str, SteeredAnswer], float]:
        found: dict[str, SteeredAnswer] = {}
        seconds = 0.0
        for unit in units:
            payload = self._ledger.payload(unit.key)
            answers = decode(payload, list[SteeredAnswer], what="answers in a ledger")
            pairs = zip(unit.questions, answers, strict=True)
            found |= {question.pair: answer for question, answer in pairs}
            seconds += self._ledger.seconds(unit.key) or 0.0
        return found, seconds


def is_right(question: Question, answer: Answer) -> bool:
    """Tell whether an answer names an option that is right; what cannot be read is not."""
    return getattr(answer.parsed, "label", None) in question.answers


def _by_dimension(items: Iterable[ParallelItem], language: str) -> Mapping[str, list[Question]]:
    found: defaultdict[str, list[Question]] = defaultdict(list)
    for item in items:
        if language in item.questions:
            found["" if language == ENGLISH else item.dimension].append(item.questions[language])
    return dict(sorted(found.items()))


def _vectors(
    memory: LayerMemory, setting: InjectionSetting, seed: int, states: SingleFloats
) -> SingleFloats:
    return vectors(memory, states, count=setting.top_k, kind=setting.kind, seed=seed)
