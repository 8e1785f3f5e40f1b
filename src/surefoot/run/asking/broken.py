"""
A set-up that does not work, told by the first replies and not by the last.

Most replies that say no place, or are none, are the fault of a format, a server or a limit of
tokens, and no result of a model. So a run looks at its first replies, and stops.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from surefoot.core.errors import SurefootError
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.question import Answer, Question, Unparsed
from surefoot.models import Model, SelfCheck
from surefoot.models.checking.likely import RawReply, likely_formats
from surefoot.models.function import FunctionResponder
from surefoot.models.replies.answering import CUT
from surefoot.run.asking.answers import read_answers
from surefoot.run.engine.progress import Tally
from surefoot.score.conditions.lost import MOST_LOST

FIRST: Final = 50  # replies after which a run looks at what it got
SHOWN: Final = 3  # raw replies in a message
LONGEST: Final = 90  # characters of each


class BrokenRunError(SurefootError):
    """
    Say that a run's set-up does not work, and what is kept of it all the same.

    ``tally`` counts the questions, and ``failures`` are those that are kept.
    """

    tally: Tally = Tally()
    failures: tuple[Failure, ...] = ()


class Watch:
    """
    Look at what a run got: when it begins, at its fiftieth reply, and when it has ended.

    ``wanted`` are its questions by unit key.
    """

    def __init__(self, model: Model, ledger: Ledger, wanted: Mapping[str, Question]) -> None:
        self._model = model
        self._ledger = ledger
        self._wanted = wanted
        self._before = ledger.finished() & wanted.keys()
        self._failed_before = sum(failure.key in wanted for failure in ledger.failures())

    def __call__(self, tally: Tally) -> None:
        """Raise BrokenRunError where too many of this command's first fifty replies are lost."""
        failed = tally.failed - self._failed_before
        if tally.done + failed == FIRST and failed + tally.unparsed > MOST_LOST * FIRST:
            self._stop()

    def check_kept(self) -> None:
        """Raise BrokenRunError where an earlier command got as many, too many of them lost."""
        if len(self._before) >= FIRST:
            self._stop()

    def settled(self, error: BrokenRunError) -> BrokenRunError:
        """Return what stopped the run, counted anew with the replies that were in flight then."""
        answers, found = read_answers(self._ledger, self._wanted.keys() - self._before)
        error = self.broken() or error
        error.failures = tuple(failure for failure in found if failure.key in self._wanted)
        error.tally = Tally(
            total=len(self._wanted),
            kept=len(self._before) - self._failed_before,
            done=len(answers),
            failed=len(error.failures),
            unparsed=sum(isinstance(answer.parsed, Unparsed) for answer in answers),
            cost=math.fsum(answer.usage.cost for answer in answers),
        )
        return error

    def broken(self) -> BrokenRunError | None:
        """Return what is wrong with all that the ledger has, None where little enough is."""
        answers, failures = read_answers(self._ledger, self._wanted)
        asked = {question.id: question for question in self._wanted.values()}
        failed = [failure for failure in failures if failure.key in self._wanted]
        return broken_replies(self._model, answers, failed, asked)

    def _stop(self) -> None:
        error = self.broken()
        if error is not None:
            raise error


def broken_replies(
    model: Model,
    answers: Iterable[Answer],
    failures: Sequence[Failure],
    questions: Mapping[str, Question],
) -> BrokenRunError | None:
    """
    Return what to say where more than a fifth of the questions had no readable reply, or None.

    ``questions`` are those of the answers, by id.
    """
    unparsed = count = cut = 0
    raw: list[RawReply] = []
    for answer in answers:
        count += 1
        if isinstance(answer.parsed, Unparsed):
            unparsed += 1
            if answer.parsed == CUT:
                cut += 1
                continue
            asked = questions[answer.question]
            if len(raw) < FIRST and asked.asks == "place":
                raw.append(RawReply(answer.raw, asked.width, asked.height))
    total = count + len(failures)
    if unparsed + len(failures) <= MOST_LOST * total:
        return None
    found = [f"{unparsed} of {total} replies unparsed" + _quoted(reply.text for reply in raw)]
    if cut:
        found.append(f"{cut} of them {CUT.why.partition(';')[0]}")
    if failures:
        (reason, times), *_ = Counter(failure.reason for failure in failures).most_common(1)
        example = next(failure.message for failure in failures if failure.reason == reason)
        last = (example.strip().splitlines() or [""])[-1]
        found.append(f"{len(failures)} failed, {times} of them as '{reason}' ({last[:300]})")
    return BrokenRunError(
        f"replies that the format '{model.format.name}' reads to four fifths or more",
        found="; ".join(found if unparsed else found[1:]),
        remedy=_advice(
            model, raw, "what was replied to is kept; --keep-going asks all the same", cut=cut
        ),
    )


def broken_check(found: SelfCheck, model: Model, anyway: str) -> BrokenRunError | None:
    """
    Return what to say where the self-check hit nothing at all, or None.

    ``anyway`` says how to go on all the same.
    """
    if found.hits:
        return None
    parsed = f"{found.parsed} of {found.asked} replies parsed"
    if found.cut:
        parsed += f", {found.cut} {CUT.why.partition(';')[0]}"
    likely = "check that the server shows the model its pictures"
    if isinstance(model.responder, FunctionResponder):
        likely = "return x and y in pixels of the picture"
    return BrokenRunError(
        f"{model.name} to hit some of the self-check's {found.asked} plain buttons",
        found=f"none hit and {parsed}" + _quoted(reply.text for reply in found.replies),
        remedy=_advice(model, found.replies, anyway, cut=found.cut)
        if found.parsed < found.asked
        else f"{likely}; {anyway}",
    )


def _quoted(texts: Iterable[str]) -> str:
    """Return some raw replies, different ones, each on one line and cut."""
    lines = dict.fromkeys(" ".join(text.split()) or "(nothing)" for text in texts)
    shown = [line if len(line) <= LONGEST else f"{line[:LONGEST]}..." for line in lines][:SHOWN]
    return ": " + ", ".join(f"'{line}'" for line in shown) if shown else ""


def _advice(model: Model, raw: Sequence[RawReply], anyway: str, *, cut: int = 0) -> str:
    if cut > len(raw):
        return f"raise --max-tokens: replies were cut before they had ended; {anyway}"
    names, read = likely_formats(raw)
    other = [name for name in names if name != model.format.name]
    if other:
        several = " or ".join(f"--format {name}" for name in other)
        return f"give {several}, which reads {read} of {len(raw)}, and another --out; {anyway}"
    if not raw:
        return f"mend what failed; {anyway}"
    limit = "raise --max-tokens if they are cut"
    return f"{limit}, look at the raw replies, or give another --format and --out; {anyway}"
