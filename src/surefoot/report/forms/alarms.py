"""
What a report on forms says first of an agent whose replies held no actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from surefoot.phrasing.headlines import lost_sentence
from surefoot.report.html.document import Alarm, quoted_replies
from surefoot.run.forms.units import FormResult, Turn
from surefoot.score.conditions.lost import LostReplies


def lost_agents(results: Iterable[FormResult]) -> tuple[LostReplies, ...]:
    """Return the agents of which over a fifth of the replies held no action at all."""
    turns = _turns(results)
    found = (LostReplies(agent, len(own), len(_idle(own)), 0) for agent, own in turns.items())
    return tuple(replies for replies in found if replies.most)


def form_alarms(results: Iterable[FormResult]) -> tuple[Alarm, ...]:
    """Say of each such agent why its replies are no result, and what to do."""
    found = list(results)
    turns = _turns(found)
    return tuple(
        Alarm(lost_sentence(lost), _remedy(idle), quoted_replies(turn.reply for turn in idle))
        for lost in lost_agents(found)
        for idle in (_idle(turns[lost.model]),)
    )


def _turns(results: Iterable[FormResult]) -> dict[str, list[Turn]]:
    turns: dict[str, list[Turn]] = {}
    for result in results:
        turns.setdefault(result.score.agent, []).extend(result.turns)
    return turns


def _idle(turns: Iterable[Turn]) -> list[Turn]:
    return [
        turn for turn in turns if turn.unread and not any(effect.own for effect in turn.effects)
    ]


def _remedy(idle: Sequence[Turn]) -> str:
    (reason, times), *_ = Counter(why for turn in idle for why in turn.unread).most_common(1)
    return (
        f"Most often ({times:,} times): {reason}. Give the --format of the model's family, or "
        "look at what came."
    )
