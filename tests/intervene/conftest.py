"""
A benchmark of drawn screens in two languages, and a model whose states are planted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from surefoot.core.canonical import sha256
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.question import Question
from surefoot.core.seeds import derive_seed
from surefoot.intervene.steering import (
    InjectedState,
    PromptTurn,
    SingleFloats,
    SteeredReply,
    Steering,
    kept_length,
)
from surefoot.models.model import Reply
from surefoot.run.folders.folder import read_questions
from surefoot_studies.tiny.bench import write_choices

WIDTH: Final = 64
TOPICS: Final = 4


class PlantedModel:
    """
    Answer rightly where a state has turned to the English side, at one layer alone.

    An item is of a topic, which its states tell. From a state to its English one leads the
    topic's own direction, or where ``shared`` is true one for all. ``base`` is how long the part
    of a state is that tells the topic. ``asked`` counts batches.
    """

    layers = 4
    name = "planted"
    deciding = 2

    def __init__(self, *benches: Path, shared: bool = False, base: float = 4.0) -> None:
        self._known: defaultdict[str, list[Question]] = defaultdict(list)
        for bench in benches:
            for question in read_questions(bench):
                self._known[question.image].append(question)
        self._shared = shared
        self._base = base
        random = np.random.default_rng(7)
        axes, _ = np.linalg.qr(random.standard_normal((WIDTH, WIDTH)))
        self._ways, self._topics = axes[:TOPICS], axes[TOPICS : 2 * TOPICS]
        self._rest = axes[2 * TOPICS :]
        self.asked = 0

    def identity(self) -> dict[str, object]:
        """Return what determines replies."""
        return {"planted": [self._shared, self._base]}

    def states(self, turns: Sequence[PromptTurn], layers: Sequence[int]) -> SingleFloats:
        """Return planted states."""
        self.asked += 1
        rows = [[self._state(self._question(turn), layer) for layer in layers] for turn in turns]
        return np.array(rows, np.float32)

    def replies(
        self, turns: Sequence[PromptTurn], *, max_tokens: int, steering: Steering | None = None
    ) -> list[SteeredReply]:
        """Return the right label where the state has turned."""
        assert max_tokens > 0
        self.asked += 1
        questions = [self._question(turn) for turn in turns]
        states = np.array([self._state(one, self.deciding) for one in questions], np.float32)
        told: list[InjectedState | None] = [None] * len(turns)
        if steering is not None:
            at = np.array([self._state(one, steering.layer) for one in questions], np.float32)
            added = steering.alpha * steering.vectors(at)
            if steering.layer == self.deciding:
                states = kept_length(states, added)
            told = [InjectedState(1.0, float(np.linalg.norm(row)), 5.0) for row in added]
        return [
            SteeredReply(Reply(self._label(one, state)), row)
            for one, state, row in zip(questions, states, told, strict=True)
        ]

    def _label(self, question: Question, state: SingleFloats) -> str:
        right = question.answers[0]
        wrong = next(label for label in question.options if label != right)
        return right if state @ self._way(question) > 0 else wrong

    def _question(self, turn: PromptTurn) -> Question:
        shown = self._known[sha256(turn.images[0])]
        return next(one for one in shown if one.instruction.text in turn.messages.user)

    def _topic(self, question: Question) -> int:
        return derive_seed(0, "topic", question.pair) % TOPICS

    def _way(self, question: Question) -> SingleFloats:
        return np.asarray(self._ways[0 if self._shared else self._topic(question)])

    def _state(self, question: Question, layer: int) -> SingleFloats:
        random = np.random.default_rng(derive_seed(1, "noise", question.pair, str(layer)))
        base = self._base * self._topics[self._topic(question)]
        base = base + 0.2 * self._base * random.standard_normal(len(self._rest)) @ self._rest / 7
        lucky = derive_seed(2, "lucky", question.pair) % 4 == 0
        english = question.cell.variant == ORIGINAL
        return np.asarray(base + (1.0 if english or lucky else -1.0) * self._way(question))


@pytest.fixture(scope="session")
def benches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return three folders of choices in English and French that share no screen."""
    out = tmp_path_factory.mktemp("benches")
    counts = {"memory": 40, "validation": 12, "test": 24}
    return {
        split: write_choices(out / split, split, screens=count, languages=("en", "fr"))
        for split, count in counts.items()
    }
