"""
Asking with a memory: every answer goes through the ledger, and none is asked for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from surefoot.core.errors import ModelError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question
from surefoot.diagnose.search.arms import Arm, ArmResult, asked_again
from surefoot.run.asking.answers import Answerer, answer_all, answer_key
from surefoot.run.engine.outcome import record_of
from surefoot.run.engine.progress import Progress

FIRST: Final = 16  # questions of which one at least must have a reply
LONGEST: Final = 300  # letters of what a server said


class Asker:
    """
    Ask a model through a ledger; a diagnosis that goes on replays what is in it.

    ``images`` returns the bytes of an image's SHA-256. Results come in the order of the
    questions and do not depend on how many are in flight. With ``twice`` what is missed is
    asked a second time.
    """

    def __init__(
        self,
        model: Answerer,
        images: Callable[[str], bytes],
        ledger: Ledger,
        *,
        concurrency: int = 8,
        twice: bool = False,
    ) -> None:
        self._model = model
        self._identity = model.identity()
        self._images = images
        self._ledger = ledger
        self._concurrency = concurrency
        self._twice = twice
        self._known: dict[str, Answer | None] = {}
        self.questions: dict[str, Question] = {}

    async def ask(self, questions: Sequence[Question]) -> list[Answer | None]:
        """
        Return the answer to each question, None where there is none that can be read.

        A missing component or a full disk ends the diagnosis, as it ends a run; raises
        ModelError where none of the first questions has a reply.
        """
        keys = [answer_key(question, self._identity) for question in questions]
        new = dict(zip(keys, questions, strict=True))
        new = {key: item for key, item in new.items() if key not in self._known}
        if len(self._known) < FIRST:
            await self._put(dict(list(new.items())[:FIRST]))
            self._require_replies()
        await self._put({key: item for key, item in new.items() if key not in self._known})
        return [self._known[key] for key in keys]

    async def _put(self, asked: dict[str, Question]) -> None:
        if asked:
            await answer_all(
                asked.values(),
                self._images,
                self._model,
                self._ledger,
                concurrency=self._concurrency,
                progress=Progress("asking"),
            )
            self._remember(asked)

    def _require_replies(self) -> None:
        """Raise ModelError where none of the first questions had a reply."""
        if len(self._known) < FIRST or any(answer is not None for answer in self._known.values()):
            return
        reason, message = next(
            ((failure.reason, failure.message) for failure in self._ledger.failures()), ("", "")
        )
        last = (message.strip().splitlines() or [""])[-1]
        raise ModelError(
            reason or "no-reply",
            expected=f"a reply to some of the first {len(self._known)} questions",
            found=f"none: {reason} ({last[:LONGEST]})",
            remedy="mend what failed, and give the same command with --retry-failed",
        )

    async def results(self, arms: Sequence[Arm], round_: int = 0) -> list[ArmResult]:
        """
        Ask arms, and those that were missed once more where everything is asked twice.

        The second asking is another sample of the question: the same picture and words.
        """
        answers = await self.ask([arm.question for arm in arms])
        found = [ArmResult(arm, answer, round_) for arm, answer in zip(arms, answers, strict=True)]
        missed = [result for result in found if result.missed] if self._twice else []
        again = await self.ask([asked_again(result.arm.question) for result in missed])
        replies = {
            result.arm.question.id: answer for result, answer in zip(missed, again, strict=True)
        }
        return [
            msgspec.structs.replace(result, again=replies.get(result.arm.question.id))
            for result in found
        ]

    def _remember(self, asked: dict[str, Question]) -> None:
        failed = {failure.key for failure in self._ledger.failures()}
        for key, question in asked.items():
            self.questions[question.id] = question
            record = None
            if key not in failed:
                record = record_of(key, self._ledger.payload(key), Answer)
            self._known[key] = record if isinstance(record, Answer) else None
