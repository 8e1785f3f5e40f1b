"""
How far an episode may go, in actions, replies, seconds, characters and bytes.
"""

from __future__ import annotations

import math

import msgspec

from surefoot.core.errors import InvalidInputError


class EpisodeLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Bound one episode; the agent's own bounds end it, the others fail it.

    The agent's: ``actions``, ``replies``, ``seconds`` from the first observation to the
    last effect (its own thinking counts), ``typed`` characters, ``upload_bytes`` of one
    file. The page's: ``step_s`` seconds for one action or observation, after which the
    browser is killed, ``rest_s`` seconds to come to rest, ``memory_bytes`` of the browser,
    ``tall`` pixels that a window which follows its page may reach.
    """

    actions: int = 500
    replies: int = 100
    seconds: float = 1800.0
    typed: int = 100_000
    upload_bytes: int = 20 * 2**20
    step_s: float = 60.0
    rest_s: float = 5.0
    memory_bytes: int = 2 * 2**30
    tall: int = 8_000

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not 0 < getattr(self, name) < math.inf:
                raise InvalidInputError(
                    f"the limit '{name}' above 0 and finite", found=str(getattr(self, name))
                )
