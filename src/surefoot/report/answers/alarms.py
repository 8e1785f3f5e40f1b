"""
What a report says first of a model whose replies are no result: why, what came, what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.core.question import Answer, Unparsed
from surefoot.models.checking.likely import RawReply, likely_formats
from surefoot.phrasing.headlines import lost_sentence
from surefoot.report.html.document import Alarm, quoted_replies
from surefoot.run.asking.runs import FinishedRun
from surefoot.score.conditions.lost import LostReplies
from surefoot.score.summary import Summary

TRIED: Final = 50  # replies that every format is tried on


def alarms(summary: Summary, runs: Iterable[FinishedRun]) -> tuple[Alarm, ...]:
    """Say of each model of which nothing can be claimed why that is, and what to do."""
    known = {run.name: run for run in runs}
    return tuple(
        Alarm(
            lost_sentence(lost),
            _remedy(run, unread, lost),
            quoted_replies(answer.raw for answer in loud),
        )
        for lost in summary.lost
        if (run := known.get(lost.model)) is not None
        for unread in ([answer for answer in run.answers if isinstance(answer.parsed, Unparsed)],)
        for loud in (run.answers if lost.check else unread,)
    )


def _remedy(run: FinishedRun, unread: Sequence[Answer], lost: LostReplies) -> str:
    if lost.check:
        return (
            "Check that the server shows the model its pictures, and that --format is the "
            "model's own, before anything is concluded."
        )
    asked = {question.id: question for question in run.questions}
    raw = [
        RawReply(answer.raw, asked[answer.question].width, asked[answer.question].height)
        for answer in unread
        if asked[answer.question].asks == "place"
    ][:TRIED]
    likely = likely_formats(raw)
    if likely.names:
        given = " or ".join(f"--format {name}" for name in likely.names)
        reads = f"reads {likely.read} of {len(raw)} of these replies"
        return f"Run it again with {given}, which {reads}."
    reasons = Counter(failure.reason for failure in run.failures)
    if reasons:
        (reason, times), *_ = reasons.most_common(1)
        return f"Most failed as '{reason}' ({times:,} times): mend that, then --retry-failed."
    return "No format reads them: look at what came, and at the limit of tokens (--max-tokens)."
