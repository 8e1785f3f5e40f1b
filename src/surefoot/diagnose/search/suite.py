"""
A suite: the pools of several benchmarks as one, in which each asks by its own rules.

An element that several of them ask about is one element, and what is asked about it keeps the
benchmark, its pillar, so that answers are compared within a pillar alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from surefoot.core.edit import Resize, Tone
from surefoot.core.instruction import Expression
from surefoot.core.question import Question
from surefoot.diagnose.search.arms import Arm, Subject
from surefoot.diagnose.search.pool import (
    BenchPictures,
    BenchPool,
    distinct,
    open_pools,
    population_of,
)
from surefoot.diagnose.search.recorded import CANNOT, FORMS, form_trails
from surefoot.diagnose.search.trail import Trail
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.asking.recorded import RecordedForms
from surefoot.score.stats.units import Population, Unit


class SuitePool:
    """
    Give the elements of several pools, and of each all that is asked about it.

    The pools share their scenes and pictures. Words that stand in two of them on one screen are
    asked once, for the pillar that comes first.
    """

    def __init__(
        self, pools: Sequence[BenchPool], scenes: Scenes, pictures: BenchPictures, unit: Unit
    ) -> None:
        self.pools = tuple(pools)
        self.unit, self.scenes, self.pictures = unit, scenes, pictures
        self._own = [{subject.pair: subject for subject in pool.subjects()} for pool in self.pools]
        self._strange = [
            {stranger.pair: stranger for stranger in pool.strangers()} for pool in self.pools
        ]

    @classmethod
    def of(cls, pools: Sequence[BenchPool]) -> SuitePool:
        """Return one pool or several as a suite; they share their scenes and pictures."""
        return cls(pools, pools[0].scenes, pools[0].pictures, pools[0].unit)

    def subjects(self) -> tuple[Subject, ...]:
        """Return every element that a question of any pool is about."""
        found: dict[str, Subject] = {}
        for own in self._own:
            found = {**own, **found}
        return tuple(found[pair] for pair in sorted(found))

    def strangers(self) -> tuple[Subject, ...]:
        """Return the controls that no question of any pool is about."""
        asked = {pair for own in self._own for pair in own}
        found: dict[str, Subject] = {}
        for strange in self._strange:
            found = {
                **{pair: subject for pair, subject in strange.items() if pair not in asked},
                **found,
            }
        return tuple(found[pair] for pair in sorted(found))

    def population(self, subjects: Iterable[Subject]) -> Population:
        """Count what some elements are a sample of."""
        return population_of(subjects, self.scenes, self.unit)

    def sketch(self, subject: Subject) -> Arm:
        """Return what is known of an element before anything is said of it, as an arm."""
        pool, own = next(self._asking(subject))
        return pool.sketch(own)

    def arms(self, subject: Subject) -> tuple[Arm, ...]:
        """Return what the pools ask about an element, the cheapest of each pool first."""
        found: dict[str, Arm] = {}
        for pool, own in self._asking(subject):
            for arm in pool.arms(own):
                found.setdefault(arm.question.id, arm)
        return tuple(found.values())

    def arm(self, subject: Subject, expression: Expression, screen: str = "") -> Arm | None:
        """Return an expression as an arm of the first pool in which it holds."""
        made = (pool.arm(own, expression, screen) for pool, own in self._asking(subject))
        return next(filter(None, made), None)

    def changed(self, subject: Subject, arm: Arm, edit: Resize | Tone) -> Arm | None:
        """Return the same words on a picture of another size or light, None without any."""
        for pool, own in self._asking(subject, arm.pillar):
            return pool.changed(own, arm, edit)
        return None

    def milder(self, subject: Subject, arm: Arm) -> Arm | None:
        """Return the same words on a view that changes the screen half as much, if any."""
        for pool, own in self._asking(subject, arm.pillar):
            return pool.milder(own, arm)
        return None

    def stand_in(self, question: Question) -> Question | None:
        """Return what resolvers judge in the place of a question."""
        shows = (pool for pool in self.pools if pool.shows(question.screen))
        pool = next(shows, None)
        return question if pool is None else pool.stand_in(question)

    def vouched(self, question: Question) -> bool:
        """Tell whether a question holds by the word of its source."""
        return any(pool.vouched(question) for pool in self.pools)

    def cannot_ask(self, pillar: str) -> str:
        """Say why a pillar has no questions but its own, "" where it makes others."""
        return next((pool.cannot_ask for pool in self.pools if pool.pillar == pillar), CANNOT)

    def _asking(self, subject: Subject, pillar: str = "") -> Iterator[tuple[BenchPool, Subject]]:
        """Yield the pools that know an element, with what it is there; of a pillar, if given."""
        for pool, own, strange in zip(self.pools, self._own, self._strange, strict=True):
            known = own.get(subject.pair) or strange.get(subject.pair)
            if known is not None and pillar in {"", pool.pillar}:
                yield pool, known


class OpenedSuite(msgspec.Struct, frozen=True, eq=False):
    """Hold several folders as one pool, and what runs over forms among them have answered."""

    pool: SuitePool
    recorded: tuple[Trail, ...] = ()
    agents: tuple[str, ...] = ()
    unknown: int = 0


def open_suite(
    benches: Sequence[Path],
    own: Path,
    *,
    seed: int,
    most: int,
    unit: Unit = "site",
    forms: Mapping[Path, RecordedForms] | None = None,
) -> OpenedSuite:
    """
    Read folders BENCH as one suite, with what runs over ``forms`` have answered.

    ``own`` is the folder for pictures that are made. Clusters are elements where all is from one
    site. Raises InvalidInputError as ``open_pool`` does.
    """
    pictures = BenchPictures(own, *benches)
    pools = open_pools(benches, pictures, seed=seed, most=most, unit=unit, alone=not forms)
    scenes = pools[0].scenes if pools else Scenes((), pictures.get)
    suite = SuitePool(pools, scenes, pictures, pools[0].unit if pools else unit)
    return with_forms(OpenedSuite(suite), forms or {})


def with_forms(suite: OpenedSuite, forms: Mapping[Path, RecordedForms]) -> OpenedSuite:
    """Return a suite with what runs over forms have answered, by their folders."""
    pool, filled = suite.pool, list(forms.values())
    known = [item.pillar for item in pool.pools]
    pool.pictures.take(forms)
    names = distinct([*known, *[FORMS] * len(filled)])[len(known) :]
    trails: list[Trail] = []
    for name, item in zip(names, filled, strict=True):
        pool.scenes.screens |= {screen.id: screen for screen in item.screens}
        trails += form_trails(item, pool.scenes, name, pool.unit)
    return msgspec.structs.replace(
        suite,
        recorded=tuple(trails),
        agents=tuple(dict.fromkeys(item.agent for item in filled)),
        unknown=sum(item.unknown for item in filled),
    )
