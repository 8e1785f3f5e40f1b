"""
Questions of what few have: drawn at random among those with a feature that is asked too seldom.

Of questions drawn at random a class of one in a hundred gets two, and nothing can be said of
it. So each feature that enough questions have, on two sites at least, gets as many answers as
a cause needs, the rarest first. What is drawn counts for all its features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import Arm
from surefoot.run.turns import in_turns

WANTED: Final = 12  # answers of each feature
LEAST: Final = 20  # questions that have it
LEAST_SITES: Final = 2


def rare_arms(left: Sequence[Arm], asked: Sequence[Arm], *, most: int, seed: int) -> list[Arm]:
    """
    Return arms to ask so that each feature has answers enough, ``most`` at most.

    ``left`` could be asked, ``asked`` were. Sites take turns, and in them elements.
    """
    having: dict[str, list[Arm]] = {}
    for arm in sorted(left, key=lambda one: one.question.id):
        for feature in arm.features:
            having.setdefault(feature, []).append(arm)
    known = Counter(feature for arm in asked for feature in arm.features)
    chosen: dict[str, Arm] = {}
    for feature in sorted(having, key=lambda name: (len(having[name]) + known[name], name)):
        arms = having[feature]
        sites = {arm.question.cluster for arm in arms}
        if len(arms) + known[feature] < LEAST or len(sites) < LEAST_SITES:
            continue
        for arm in _drawn(arms, seed, feature):
            if known[feature] >= WANTED or len(chosen) >= most:
                break
            if arm.question.id not in chosen:
                chosen[arm.question.id] = arm
                known.update(arm.features)
    return list(chosen.values())


def _drawn(arms: Sequence[Arm], seed: int, feature: str) -> list[Arm]:
    order = list(arms)
    random_source(seed, "rare", feature).shuffle(order)
    return in_turns(
        in_turns(order, lambda arm: arm.question.pair), lambda arm: arm.question.cluster
    )
