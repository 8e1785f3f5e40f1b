"""
Published values: how many are asked for, and how many no form takes, by reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.values.formfactory import NO_VALUE

REASONS: Final = {
    "no-field": "our form does not ask for it",
    "not-an-option": "none of the options",
    "malformed": "not written as its kind of field has to be",
}


class PublishedValues(msgspec.Struct, frozen=True):
    """
    Count the published values of attempts.

    ``asked`` are scored, ``unticked`` are boxes to be left alone, and ``left_out`` says of the
    others, by reason, why no form takes them. ``unknown`` counts fields of ours for which
    nothing was published: they count nowhere, whatever they hold.
    """

    asked: int
    unticked: int
    left_out: dict[str, int]
    unknown: int


def count_published(scores: Iterable[EpisodeScore]) -> PublishedValues:
    """Count what was published for attempts, of which each is one attempt at a record."""
    asked = unticked = 0
    reasons: Counter[str] = Counter()
    for score in scores:
        reasons.update(score.left_out.values())
        asked += sum(field.asked for field in score.fields)
        unticked += sum(
            not field.asked and field.field not in score.left_out for field in score.fields
        )
    unknown = reasons.pop(NO_VALUE, 0)
    return PublishedValues(asked, unticked, dict(reasons.most_common()), unknown)


def published_sentence(found: PublishedValues) -> str:
    """
    Say how many published values are asked for, and how many are not.

    >>> published_sentence(PublishedValues(9, 0, {"malformed": 1}, 2))[:45]
    'Of 10 published values 9 are asked for, 0 are'
    """
    out = sum(found.left_out.values())
    total = found.asked + found.unticked + out
    boxes = "is a box" if found.unticked == 1 else "are boxes"
    why = ", ".join(
        f"{REASONS.get(why, why)} ({count:,})" for why, count in found.left_out.items()
    )
    return (
        f"Of {total:,} published values {found.asked:,} are asked for, {found.unticked:,} {boxes} "
        f"to be left unticked and {out:,} are left out{f': {why}' if why else ''}."
    )
