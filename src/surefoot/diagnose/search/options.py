"""
What a user may choose about a diagnosis; all of it goes into the plan.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.diagnose.selection import Selection
from surefoot.score.stats.units import Unit

PlannerName: TypeAlias = Literal["search", "heuristics", "random", "llm"]


class DiagnoseOptions(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the numbers of a diagnosis.

    An element is left after ``rounds`` planned rounds (the paper's T) of ``width``
    questions each, or with ``failures`` failing instructions (its S). ``seeds`` of its
    cheapest instructions are asked first. ``most`` is the largest number of generated
    instructions an element, ``together`` how many elements are asked about at once, which
    see each other's results only between rounds. ``limit`` elements at most, and
    ``budget`` questions of the search at most; 0 means all. ``shrink`` is the largest
    number of questions that reducing one failing instruction may take, 0 for none. With
    ``baseline`` random valid instructions are asked about the same elements as well.
    ``planner_model`` names the model of the planner "llm". With ``twice`` every miss is asked
    once more, and only what is missed both times has failed. Before anything steers the
    search, ``explore`` questions are drawn at random, of each element four at most: they are
    what the search is held against. Then ``rare`` at most, and half as many as these, are drawn
    among those that have what few have. ``thorough`` goes through all rounds of every element,
    however little promises to fail. With ``freely`` the elements are all controls of the
    benchmark's screens, not those alone that its questions are about. Each cause that is
    named is held to ``confirm`` fresh questions within and as many without it, 0 for none, and
    to as many once more where they cannot tell.
    ``unit`` is what the elements are a sample of, and intervals are over.
    ``select`` says which failing instruction stands for an element: that with the "fewest"
    loose matches, or the "first" that was found.
    """

    planner: PlannerName = "search"
    planner_model: str = ""
    rounds: int = 10
    width: int = 2
    failures: int = 5
    seeds: int = 1
    most: int = 40
    together: int = 4
    limit: int = 0
    budget: int = 0
    shrink: int = 12
    baseline: bool = False
    twice: bool = True
    explore: int = 200
    rare: int = 100
    thorough: bool = False
    freely: bool = False
    confirm: int = 20
    unit: Unit = "site"
    select: Selection = "fewest"
    seed: int = 0


# What holds where a command line or a call says nothing else.
USUAL: Final = DiagnoseOptions()
