"""
What people say of samples, as rates with their intervals, and which samples pass.

A sheet of ``surefoot audit`` has the column ``rating`` for the sample as a whole and one for each
criterion. A cell is "yes" ("right"), "no" ("wrong") or "unclear"; an empty one says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.run.ratings import RATING, RatingLines, Ratings, ratings_of
from surefoot.score.stats.agreement import UNRATED
from surefoot.score.stats.clusters import RATE, intervals, ratio
from surefoot.score.stats.intervals import Interval

# The five criteria of GUI-Perturbed's filter (section 3.5), in our words.
CRITERIA: Final[Mapping[str, str]] = {
    "box_right": "the box is that of the target",
    "box_centred": "the middle of the box is on the target's middle",
    "realistic": "the text and what is around it are realistic",
    "page_plausible": "the page is not extremely unrealistic",
    "one_meaning": "the words mean the target and nothing else",
}
_YES: Final = frozenset({"yes", "y", "right", "valid"})
_NO: Final = frozenset({"no", "n", "wrong", "invalid", "unclear", "i"})


class PeopleVerdict(msgspec.Struct, frozen=True):
    """
    Hold how many items people pass by one column of their sheets.

    An item passes where more than half of those who said something say yes. The interval is
    over sites where every item has one, else over items.
    """

    criterion: str
    people: int
    items: int
    passed: int
    rate: float
    interval: Interval | None


def people_verdicts(read: RatingLines) -> tuple[PeopleVerdict, ...]:
    """
    Return the rate of every column that anybody filled in, ``rating`` first.

    Raises InvalidInputError as ``verdicts_of`` does.
    """
    return tuple(_rate(name, found) for name, found in verdicts_of(read).items())


def verdicts_of(read: RatingLines) -> dict[str, Ratings]:
    """
    Return what was filled in, by column.

    Raises InvalidInputError where a cell is no verdict, or nobody said anything.
    """
    there = read.columns
    found: dict[str, Ratings] = {}
    for name in (RATING, *CRITERIA):
        if name in there:
            ratings = ratings_of(read, column=name, empty=True)
            _check(ratings, name)
            if (ratings.table != UNRATED).any():
                found[name] = ratings
    if not found:
        raise InvalidInputError(
            f"verdicts in {', '.join(map(str, read.files))}",
            found="none",
            remedy=f"write yes, no or unclear in the columns {RATING}, {', '.join(CRITERIA)}",
        )
    return found


def failed_columns(read: RatingLines) -> dict[str, tuple[str, ...]]:
    """
    Return for each item that was rated the columns by which it fails, none where it passes.

    Raises InvalidInputError as ``verdicts_of`` does.
    """
    failed: dict[str, list[str]] = {}
    for name, ratings in verdicts_of(read).items():
        for item, passed in _passed(ratings):
            failed.setdefault(item, []).extend([] if passed else [name])
    return {item: tuple(names) for item, names in failed.items()}


def pass_rate(
    name: str, passed: Mapping[str, bool], sites: Mapping[str, str], people: int
) -> PeopleVerdict:
    """Return how many items pass, with its interval over sites where every item has one."""
    over = "sites" if all(sites[item] for item in passed) else "items"
    names = {item: sites[item] if over == "sites" else item for item in passed}
    codes = {site: at for at, site in enumerate(dict.fromkeys(names.values()))}
    sums = np.zeros((2, len(codes), 1))
    for item, holds in passed.items():
        sums[:, codes[names[item]], 0] += (holds, 1)
    found = ratio(sums[0], sums[1])
    return PeopleVerdict(
        criterion=name,
        people=people,
        items=len(passed),
        passed=sum(passed.values()),
        rate=float(found.value[0]),
        interval=intervals(found, RATE, over=over)[0],
    )


def _check(ratings: Ratings, name: str) -> None:
    for category in ratings.categories:
        if category not in _YES | _NO:
            raise InvalidInputError(
                f"yes, no or unclear in the column '{name}'", found=f"'{category[:40]}'"
            )


def _passed(ratings: Ratings) -> Iterator[tuple[str, bool]]:
    yes = [at for at, name in enumerate(ratings.categories) if name in _YES]
    for item, row in zip(ratings.items, ratings.table, strict=True):
        given = row[row != UNRATED]
        if len(given):
            yield item, int(np.isin(given, yes).sum()) * 2 > len(given)


def _rate(name: str, ratings: Ratings) -> PeopleVerdict:
    sites = dict(zip(ratings.items, ratings.sites, strict=True))
    people = int((ratings.table != UNRATED).any(axis=0).sum())
    return pass_rate(name, dict(_passed(ratings)), sites, people)
