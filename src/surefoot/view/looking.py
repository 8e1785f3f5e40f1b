"""
What the pages read: the table, selections that were made lately, screens and pictures.
"""

from __future__ import annotations

import functools
from pathlib import Path

import msgspec

from surefoot.core.errors import UserError
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.phrasing.headlines import headline_sentences
from surefoot.refer.scene.scene import Scene
from surefoot.report.answers.scored import Choices, score_runs, scoring_named
from surefoot.run.asking.runs import RunFolder, benchmark_name
from surefoot.run.folders.folder import read_manifest
from surefoot.score.metric import Ruler
from surefoot.score.stats.arrays import Ints
from surefoot.score.stats.units import Unit
from surefoot.view.episodes import PlayableEpisode, read_episodes
from surefoot.view.lines import TableLines
from surefoot.view.opening import GivenFolders
from surefoot.view.pictures import CroppedPictures
from surefoot.view.selection import Selection, select
from surefoot.view.table import QuestionTable, build_table

_SELECTIONS = 64
_SCENES = 4


class ScreensFile(msgspec.Struct, frozen=True, eq=False):
    """Hold a folder's screens, and the line of each by its id."""

    folder: Path
    lines: TableLines[Screen]
    places: dict[str, int]

    @property
    def name(self) -> str:
        """Return what the folder is called."""
        return self.folder.name


class LookedAt:
    """Hold what one server shows."""

    def __init__(
        self, given: GivenFolders, *, tolerance: float = 0.0, unit: Unit = "site"
    ) -> None:
        self.given = given
        self.tolerance = tolerance
        self.unit: Unit = unit
        self.table: QuestionTable = build_table(given, tolerance=tolerance, unit=unit)
        self.pictures = CroppedPictures()
        self.screens = tuple(map(_screens, (*given.screens, *_with_screens(self.table))))
        self._kept = functools.lru_cache(_SELECTIONS)(self._select)
        self.scene = functools.lru_cache(_SCENES)(self._scene)

    def rows(self, selection: Selection) -> Ints:
        """Return the rows of a selection; the latest ones are remembered."""
        return self._kept(selection, self.table.told.is_set())

    @functools.cached_property
    def episodes(self) -> list[tuple[PlayableEpisode, ...]]:
        """Return the episodes of each run, none where it has no traces."""
        return [read_episodes(run) for run in self.table.runs]

    @functools.cached_property
    def sentences(self) -> list[str]:
        """Return what is said first of the runs, benchmark by benchmark, as ``score`` does."""
        asked: dict[Path, list[RunFolder]] = {}
        for run in self.given.runs:
            asked.setdefault(run.bench, []).append(run)
        said = []
        for bench, runs in asked.items():
            choices = Choices(ruler=Ruler(tolerance=self.tolerance), unit=self.unit)
            try:
                named = scoring_named(benchmark_name(runs[0].folder, bench))
                scoring = msgspec.structs.replace(named, modes=False)
                said += headline_sentences(score_runs(runs, scoring, choices))
            except UserError as error:  # what cannot be scored can be looked at
                said.append(str(error))
        return said

    def forget(self) -> None:
        """Forget the selections that were made."""
        self._kept.cache_clear()

    def _select(self, selection: Selection, told: bool) -> Ints:  # noqa: FBT001 - part of the key
        del told
        return select(self.table, selection)

    def _scene(self, row: int) -> Scene | None:
        """Return the scene of a question's screen, None where the benchmark has none."""
        bench = self.table.benches[int(self.table.bench[row])]
        screen = bench.screen(self.table.question(row).screen)
        if screen is None:
            return None
        store = ObjectStore(bench.folder)
        there = bool(screen.image) and store.path(screen.image).is_file()
        return Scene(screen, pixels_of(store.get(screen.image)) if there else None)


def _with_screens(table: QuestionTable) -> list[Path]:
    return [bench.folder for bench in table.benches if bench.screens is not None]


def _screens(folder: Path) -> ScreensFile:
    read_manifest(folder)
    lines = TableLines(folder / "screens.jsonl", Screen)
    return ScreensFile(folder, lines, {name: line for line, name in enumerate(lines.ids())})
