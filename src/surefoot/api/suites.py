"""
The questions of all pillars of a suite that ``surefoot.build("suite", ...)`` wrote.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from surefoot.api.benches import Bench
from surefoot.api.pictures import PicturedQuestion, PicturedScreen
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.run.folders.folder import MANIFEST, FolderKind
from surefoot.run.suites.folder import read_benches, read_targets

if TYPE_CHECKING:
    from surefoot.benchmarks.suite import SuiteTarget


class Suite(Bench):
    """
    Offer the questions of a suite, pillar after pillar, and its elements.

    Each pillar is a benchmark of its own in ``benches``; a question may stand in two of them.
    """

    kind: ClassVar[FolderKind] = "suite"

    def __len__(self) -> int:
        """Count the questions of all pillars."""
        return sum(map(len, self.benches.values()))

    def __iter__(self) -> Iterator[PicturedQuestion]:
        """Yield the questions, pillar by pillar, in the order of their ids."""
        for bench in self.benches.values():
            yield from bench

    @functools.cached_property
    def benches(self) -> dict[str, Bench]:
        """Return the benchmark of each pillar; raises InvalidInputError for a changed one."""
        found = {}
        for pillar, digest in read_benches(self.folder).items():
            found[pillar] = Bench(self.folder / pillar)
            if sha256((self.folder / pillar / MANIFEST).read_bytes()) != digest:
                raise InvalidInputError(
                    f"the pillar {pillar} as the suite built it",
                    found="another benchmark",
                    remedy="build the suite again",
                )
        return found

    @functools.cached_property
    def targets(self) -> tuple[SuiteTarget, ...]:
        """Return every element that a pillar considered, and whether it was chosen."""
        return read_targets(self.folder)

    def screen(self, screen_id: str) -> PicturedScreen | None:
        """Return the screen with this id, None where no pillar has one."""
        found = (bench.screen(screen_id) for bench in self.benches.values())
        return next((screen for screen in found if screen is not None), None)
