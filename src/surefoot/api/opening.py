"""
Opening whatever Surefoot wrote, by what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from surefoot.api.benches import Bench
from surefoot.api.diagnoses import ModelDiagnosis
from surefoot.api.filled_forms import FilledForms
from surefoot.api.options import AnyPath
from surefoot.api.runs import ModelRun
from surefoot.api.screens import Screens
from surefoot.api.suites import Suite
from surefoot.core.errors import InvalidInputError
from surefoot.run.asking.partial import is_partial
from surefoot.run.folders.folder import WRITERS, FolderKind, read_manifest

AnyFolder: TypeAlias = Screens | Bench | ModelRun | ModelDiagnosis | FilledForms
_OPENERS: Final[dict[FolderKind, Callable[[AnyPath], AnyFolder]]] = {
    "screens": Screens,
    "bench": Bench,
    "run": ModelRun,
    "diagnosis": ModelDiagnosis,
    "forms": FilledForms,
    "suite": Suite,
}


def open(folder: AnyPath) -> AnyFolder:  # noqa: A001 - reads best as surefoot.open
    """
    Open whatever Surefoot wrote: screens, a benchmark or suite, a run, a diagnosis, filled forms.

    A run may be unfinished. Raises InvalidInputError for a folder that is none of these.
    """
    kind = "run" if is_partial(Path(folder)) else read_manifest(Path(folder)).kind
    if kind not in _OPENERS:
        raise InvalidInputError(
            f"screens, a benchmark, a run, a diagnosis or filled-in forms in {folder}",
            found=f"what `{WRITERS[kind]}` writes",
            remedy="open the run that was made with it",
        )
    return _OPENERS[kind](folder)


def open_screens(folder: AnyPath) -> Screens:
    """Open what ``capture`` wrote; raises InvalidInputError for any other folder."""
    return Screens(folder)


def open_bench(folder: AnyPath) -> Bench:
    """Open what ``build`` or an import wrote; raises InvalidInputError for any other folder."""
    return Bench(folder)


def open_run(folder: AnyPath, *, bench: AnyPath | None = None) -> ModelRun:
    """
    Open what ``run`` wrote; raises InvalidInputError for any other folder.

    ``bench`` is where its benchmark lies, if that was moved.
    """
    return ModelRun(folder, bench=bench)


def open_diagnosis(folder: AnyPath) -> ModelDiagnosis:
    """Open what ``diagnose`` wrote; raises InvalidInputError for any other folder."""
    return ModelDiagnosis(folder)


def open_forms(folder: AnyPath) -> FilledForms:
    """Open what ``run_forms`` wrote; raises InvalidInputError for any other folder."""
    return FilledForms(folder)
