"""
Models of which too many replies were lost for any effect to be claimed.

Replies that say nothing readable, or never came, are mostly the fault of a format, a server or
a limit of tokens: a set-up that does not work, and no result of a model.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from surefoot.score.conditions.rows import Rows

MOST_LOST: Final = 0.2  # of a model's replies, unparsed or failed


class LostReplies(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Count what a model was asked, and the replies that were unparsed or failed.

    ``check`` says what else is no result: that its self-check hit nothing, "" where it did.

    >>> LostReplies("ocr", 10, 2, 0).most, LostReplies("ocr", 10, 2, 1).most
    (False, True)
    """

    model: str
    asked: int
    unparsed: int
    failed: int
    check: str = ""

    @property
    def most(self) -> bool:
        """Tell whether so many are lost that nothing can be claimed of the model."""
        return self.unparsed + self.failed > MOST_LOST * self.asked


def lost_models(rows: Rows) -> tuple[LostReplies, ...]:
    """Return the models of which over a fifth of the replies are lost."""
    home = np.array([condition.model for condition in rows.conditions], dtype=object)
    asked = home[rows.condition]
    found = []
    for model in dict.fromkeys(home):
        own = asked == model
        unparsed, failed = (int(rows.lost[kind][own].sum()) for kind in ("unparsed", "failed"))
        found.append(LostReplies(model, int(own.sum()), unparsed, failed))
    return tuple(one for one in found if one.most)
