"""
The level of every test on fresh questions, so that all of them together keep one.

A diagnosis may test several causes, and one of them more than once: with more questions where
the first ones cannot tell, or under other bounds. So the level of 0.05 (one side) is spent as it
goes (Bonferroni's inequality over unequal parts). The first cause that is tested has half of it,
the second a quarter, and so on; of its own part a cause spends half on its first test, and a
quarter on its second, which is the last. The parts never add up to more than the whole, whatever
is named, so that of all models without a cause at most one in twenty has one confirmed. What is
named under other bounds, or under another name that goes with it (a phi coefficient of 0.6 or
more over the answers), counts as the same cause.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from surefoot.diagnose.causes.table import SAME, phi_of, slice_of
from surefoot.diagnose.findings import Weakness
from surefoot.diagnose.search.arms import ArmResult

LEVEL: Final = 0.05  # of all tests of a diagnosis
TESTS: Final = 2  # of one cause


class Spending:
    """
    Give each test its part of the level.

    >>> spending = Spending()
    >>> spending.level(0, 0), spending.level(0, 1), spending.level(1, 0), spending.level(0, 2)
    (0.0125, 0.00625, 0.00625, 0.0)
    """

    def __init__(self) -> None:
        self._causes: list[list[Weakness]] = []
        self._tests: list[int] = []

    @staticmethod
    def level(cause: int, tests: int) -> float:
        """Return the level of a cause's next test, by its order and the tests that it had."""
        return 0.0 if tests >= TESTS else LEVEL * 0.5 ** (cause + 1) * 0.5 ** (tests + 1)

    def spend(self, weakness: Weakness, answers: Sequence[ArmResult]) -> tuple[float, int]:
        """
        Return the level of a test of what was named, and which test of its cause it is.

        ``answers`` tell which of the former causes it is. The level is 0 where it is spent.
        """
        place = self._place(weakness, answers)
        level = self.level(place, self._tests[place])
        if level:
            self._tests[place] += 1
            self._causes[place].append(weakness)
        return level, self._tests[place]

    def is_spent(self, weakness: Weakness, answers: Sequence[ArmResult]) -> bool:
        """Tell whether no test is left for what was named."""
        found = self._find(weakness, answers)
        return found is not None and self._tests[found] >= TESTS

    def _find(self, weakness: Weakness, answers: Sequence[ArmResult]) -> int | None:
        for place, several in enumerate(self._causes):
            if any(is_same_cause(weakness, other, answers) for other in several):
                return place
        return None

    def _place(self, weakness: Weakness, answers: Sequence[ArmResult]) -> int:
        found = self._find(weakness, answers)
        if found is not None:
            return found
        self._causes.append([weakness])
        self._tests.append(0)
        return len(self._causes) - 1


def is_same_cause(one: Weakness, other: Weakness, answers: Sequence[ArmResult]) -> bool:
    """
    Tell whether two findings are of one cause.

    Confusions and what replies show are known by their names; slices by what they are about,
    whatever the bounds, or by the questions that they hold of.
    """
    if one.comparison.contrast != other.comparison.contrast:
        return False
    if not one.sliced:
        return one.comparison.varies == other.comparison.varies
    mine, theirs = slice_of(one.comparison.value), slice_of(other.comparison.value)
    if mine.names == theirs.names:
        return True
    arms = [answer.arm for answer in answers]
    first, second = (
        np.array([cause.holds(arm.features, arm.measures) for arm in arms], dtype=bool)
        for cause in (mine, theirs)
    )
    return bool(phi_of(first[:, None], second)[0] >= SAME)
