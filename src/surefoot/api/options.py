"""
What several verbs take, as arguments and as options, and what is made of it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from surefoot.api.parameters import CliArgument, CliOption
from surefoot.score.stats.units import Unit

if TYPE_CHECKING:
    from rich.console import Console

AnyPath: TypeAlias = str | PathLike[str]

BenchArgument: TypeAlias = Annotated[AnyPath, CliArgument("The folder BENCH.", shell=Path)]
BrowsersOption: TypeAlias = Annotated[
    int, CliOption("How many browsers work in parallel.", flag="--workers", minimum=1)
]
EngineOption: TypeAlias = Annotated[
    str,
    CliOption(
        "What runs the browsers: this machine, or the machines of a Ray cluster (extra ray).",
        default="",
        metavar="ray[:ADDRESS]",
    ),
]
DetectorOption: TypeAlias = Annotated[
    str,
    CliOption(
        "What finds elements in pictures that come without any: pixels, pixels:rapidocr, "
        "omniparser:DIR, hugging-face:DIR.",
        metavar="NAME[:ARGUMENT]",
    ),
]
FormNamesOption: TypeAlias = Annotated[
    Iterable[str],
    CliOption("A form's id, its code, or a .toml file; may be repeated.", shell=list[str] | None),
]
FormatOption: TypeAlias = Annotated[
    str,
    CliOption(
        "The format of the model's replies; chosen by the model's name if not given.", default=""
    ),
]
JsonOption: TypeAlias = Annotated[
    bool, CliOption("Print the outcome as JSON, for programs.", flag="--json")
]
JsonFileOption: TypeAlias = Annotated[
    Path | None, CliOption("Write every number to this file.", only="file")
]
KeyVariableOption: TypeAlias = Annotated[
    str,
    CliOption(
        "The environment variable that holds the server's key. OPENAI_API_KEY, "
        "ANTHROPIC_API_KEY and GEMINI_API_KEY go to their makers' own servers unless one is named "
        "here.",
        default="",
    ),
]
LabelOption: TypeAlias = Annotated[
    Iterable[str],
    CliOption("What a run is called; once for every run, in their order.", shell=list[str] | None),
]
MovedBenchOption: TypeAlias = Annotated[
    AnyPath | None, CliOption("The benchmark's folder, if it was moved.", shell=Path | None)
]
MetricsOption: TypeAlias = Annotated[
    Iterable[str],
    CliOption("A further metric to compute and compare; may be repeated.", shell=list[str] | None),
]
ModelOption: TypeAlias = Annotated[str, CliOption("The model; see surefoot models.")]
PagesOption: TypeAlias = Annotated[
    int, CliOption("At most this many pages, taken from all sites in turn; 0 for all.", minimum=0)
]
RetryOption: TypeAlias = Annotated[
    bool, CliOption("Retry what failed before.", flag="--retry-failed")
]
ShardOption: TypeAlias = Annotated[
    str,
    CliOption(
        "Do part I of N alone, as on one machine of N; `surefoot merge` unites the parts.",
        metavar="I/N",
    ),
]
RunOption: TypeAlias = Annotated[
    AnyPath, CliOption("The folder RUN to write or resume.", shell=Path, only="folder")
]
ScreensOption: TypeAlias = Annotated[
    AnyPath, CliOption("The folder SCREENS to write or resume.", shell=Path, only="folder")
]
SeedOption: TypeAlias = Annotated[int, CliOption("The seed that everything random derives from.")]
SelfCheckOption: TypeAlias = Annotated[
    bool,
    CliOption(
        "First check that the model's coordinates are in the format's space.",
        flag="--self-check/--no-self-check",
    ),
]
SharedOption: TypeAlias = Annotated[
    bool, CliOption("Score only what all runs were asked.", flag="--shared-only")
]
SourcesArgument: TypeAlias = Annotated[
    AnyPath | Iterable[AnyPath],
    CliArgument(
        "URL, .html, .mhtml, folder:DIR, npm:PACKAGE@VERSION, django-admin:, demo:, app:NAME, "
        "desktop:COMMAND, android:DIR, screens:DIR, pictures:DIR, recorded:DIR, @FILE with one on "
        "each line or a site map, or a source of an installed package",
        shell=list[str],
        metavar="SOURCE...",
    ),
]
SpreadOption: TypeAlias = Annotated[
    Literal["centroid", "pairwise"],
    CliOption("What a click's deviation is measured from (sensitivity)."),
]
StandardOption: TypeAlias = Annotated[
    Iterable[AnyPath],
    CliOption(
        "Runs on a standard set, to stand beside these (sensitivity: to order the models).",
        shell=list[Path] | None,
    ),
]
VerdictsOption: TypeAlias = Annotated[
    Iterable[AnyPath],
    CliOption(
        "A file of judged failures, with the columns item, mode and model.",
        shell=list[Path] | None,
        metavar="FILE",
    ),
]
ToJudgeOption: TypeAlias = Annotated[
    AnyPath | None,
    CliOption(
        "Also write the failures as a sheet, to fill in the column mode for --verdicts.",
        shell=Path | None,
        metavar="FILE",
        only="file",
    ),
]
TablesOption: TypeAlias = Annotated[
    AnyPath | None,
    CliOption(
        "Also write every table of the report as CSV and parquet.",
        shell=Path | None,
        metavar="FOLDER",
        only="folder",
    ),
]
ToleranceOption: TypeAlias = Annotated[
    float, CliOption("Total growth of each side of a target's box, in pixels.")
]
UnconfinedOption: TypeAlias = Annotated[
    bool,
    CliOption(
        "Open pages of others even where no sandbox confines the browser.", flag="--unconfined"
    ),
]
UnitOption: TypeAlias = Annotated[
    Unit,
    CliOption(
        "What the questions are a sample of, and intervals are over: sites, pages of these "
        "sites, or just these elements. Of one site always its elements or pages.",
    ),
]


def console_for(progress: bool | Console) -> Console | None:  # noqa: FBT001 - a keyword's value
    """Return where progress is shown: stderr, a console of the caller's, or nowhere."""
    if not isinstance(progress, bool):
        return progress
    if not progress:
        return None
    from rich.console import Console

    return Console(file=sys.stderr)


def paths(given: AnyPath | Iterable[AnyPath]) -> list[Path]:
    """
    Return one path or several as a list.

    >>> [path.name for path in paths("out/run")], [path.name for path in paths(["a", "b"])]
    (['run'], ['a', 'b'])
    """
    several = [given] if isinstance(given, str | PathLike) else given
    return [Path(path) for path in several]


def source_names(given: AnyPath | Iterable[AnyPath]) -> list[str]:
    """
    Return one source or several as they are written, a path as its name.

    >>> source_names("demo:"), source_names([Path("shop.html"), "npm:x@1.0.0"])
    (['demo:'], ['shop.html', 'npm:x@1.0.0'])
    """
    several = [given] if isinstance(given, str | PathLike) else given
    return [os.fspath(source) for source in several]


def path_or_none(given: AnyPath | None) -> Path | None:
    """
    Return a path, None where none is given.

    >>> path_or_none(None), path_or_none("out").name
    (None, 'out')
    """
    return None if given is None else Path(given)


def listed(given: str | Iterable[str]) -> tuple[str, ...]:
    """
    Return names that were given one by one or separated by commas.

    >>> listed("original, zoom:1.5"), listed(["original"])
    (('original', 'zoom:1.5'), ('original',))
    """
    several = given.split(",") if isinstance(given, str) else given
    return tuple(name.strip() for name in several if name.strip())


@contextlib.contextmanager
def unconfined_pages(*, allowed: bool) -> Iterator[None]:
    """Let this process and its workers open pages of others without a sandbox for a block."""
    from surefoot.capture.web.room import UNCONFINED

    before = os.environ.get(UNCONFINED)
    if allowed:
        os.environ[UNCONFINED] = "1"
    try:
        yield
    finally:
        if allowed and before is None:
            del os.environ[UNCONFINED]
        elif allowed and before is not None:
            os.environ[UNCONFINED] = before
