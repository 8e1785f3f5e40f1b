"""
The models that see the picture, as a benchmark is handed them.
"""

from __future__ import annotations

import msgspec

from surefoot.benchmarks.seeing.prompts import SeeingPrompts
from surefoot.benchmarks.writing import Chat


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold a writer and a judge that see, and what they are asked.

    Both take requests as ``pictures.spell`` writes them. ``judge`` is None where nobody judges,
    and ``judge_name`` "" then.
    """

    write: Chat
    prompts: SeeingPrompts
    judge: Chat | None = None
    judge_name: str = ""
