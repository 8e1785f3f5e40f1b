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
    """Return what was asked and lost of each model."""
    kinds = (slice(None), rows.lost["unparsed"], rows.lost["failed"])
    counts = np.stack(
        [np.bincount(rows.condition[kind], minlength=len(rows.conditions)) for kind in kinds]
    )
    home = [condition.model for condition in rows.conditions]
    found = []
    for model in dict.fromkeys(home):
        own = [item == model for item in home]
        asked, unparsed, failed = counts[:, own].sum(axis=1).tolist()
        found.append(LostReplies(model, asked, unparsed, failed))
    return tuple(found)
