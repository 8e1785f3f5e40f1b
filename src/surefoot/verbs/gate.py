"""
``surefoot gate``: whether a release is worse than its baseline, as a verdict for a build.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Unpack

from surefoot.api.asking import AskingOptions
from surefoot.api.options import AnyPath, JsonFileOption, RetryOption, path_or_none
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.units import GateUnit

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.models.function import PointingFunction
    from surefoot.report.gate import GateReport
    from surefoot.score.gate import Verdict

CODES: Final[dict[Verdict, int]] = {"passed": 0, "failed": 1, "cannot tell": 2}


def gate(  # noqa: PLR0913 - one argument an option
    run: Annotated[AnyPath, CliArgument("The run over this release.", shell=Path)],
    *,
    against: Annotated[AnyPath, CliOption("The baseline's file.", shell=Path, metavar="FILE")],
    model: Annotated[
        str | PointingFunction | None,
        CliOption("The model, to ask again what it hit before and misses now.", shell=str | None),
    ] = None,
    max_drop: Annotated[
        float | None,
        CliOption(
            "The mean drop that is borne, in points; 5 if not given, 10 below 40 elements.",
            minimum=0,
            maximum=100,
        ),
    ] = None,
    min_hit: Annotated[
        float, CliOption("The rate of hits to reach, in percent.", minimum=0, maximum=100)
    ] = 0.0,
    unit: Annotated[
        GateUnit,
        CliOption(
            "What a mean drop speaks of: these elements alone, or all pages of which those that "
            "were captured are a sample."
        ),
    ] = "element",
    update: Annotated[
        bool, CliOption("Make this run the baseline, whatever it is.", flag="--update")
    ] = False,
    retry_failed: RetryOption = False,
    progress: bool | Console = False,
    **asking: Unpack[AskingOptions],
) -> GateReport | None:
    """
    Tell whether agents find a product's elements as well as in its baseline.

    Elements are found again by their names and landmarks, then by their neighbours, whatever
    the port or path; what came, went or has another name is listed. A release fails where an
    element that the model surely hit is lost, and where losses over all elements are surely
    there and may exceed --max-drop. It passes where the drop is surely within it. Between the
    two nothing can be told, and what it would take is said. A product's elements are all there
    are, and no sample of others; where only some of its pages are captured, --unit page has the
    drop stand for the others, which takes five pages at least, and does not go with --min-hit.

    A baseline needs 10 answers to each question (surefoot run --samples 10), a release 1 to 3.
    A question that was firm and is missed is asked again, up to 10 times, below RUN-again.

    Exits with 0 where the release passes, 1 where it fails, 2 where nothing can be told. None
    comes back where the baseline was written and there was none of this model and product.

    Raises InvalidInputError for a file that is no baseline, for one of another model, where the
    two releases have no element in common, and for --min-hit together with --unit page.
    """
    from surefoot.core.canonical import digest
    from surefoot.report.gate import GateReport
    from surefoot.run.asking.runs import open_run
    from surefoot.run.gates.again import with_again, write_suspects
    from surefoot.run.gates.baseline import read_baseline, read_run, write_baseline
    from surefoot.run.gates.matching import pair_releases
    from surefoot.score.gate import judge_release
    from surefoot.verbs.run import run as ask

    folder, file = Path(run), Path(against)
    asked = open_run(folder)
    now = read_run(asked)
    if update and not file.exists():
        write_baseline(file, now)
        return None
    before = read_baseline(file)
    if update and before.head.model != now.head.model:  # nothing to compare: the model is another
        write_baseline(file, now)
        return None
    if before.head.model != now.head.model:
        other = " with other settings" if before.head.name == now.head.name else ""
        raise InvalidInputError(
            f"a run of {before.head.name} as the baseline was asked",
            found=now.head.name + other,
            remedy="give --update to make this run the baseline",
        )
    release = pair_releases(before, now)
    if update and not release.questions:
        write_baseline(file, now)
        return None
    if not release.questions:
        raise InvalidInputError(
            f"elements of {file.name} in {folder}",
            found="none",
            remedy="capture the same pages, or give --update",
        )
    counts = release.counts()
    suspects = {count.id: count.open for count in counts if count.open}
    if suspects and model is not None:
        again = Path(f"{folder}-again", digest(sorted(suspects))[:8])
        bench = write_suspects(asked.bench, again / "bench", suspects)
        ask(
            bench,
            model=model,
            out=again / "run",
            samples=max(suspects.values()),
            self_check=False,
            retry_failed=retry_failed,
            keep_going=True,
            progress=progress,
            **asking,
        )
        answered = read_run(open_run(again / "run"))
        if answered.head.model != now.head.model:
            raise InvalidInputError(
                f"--model to be {now.head.name} as {folder} was asked",
                found=f"{answered.head.name}, or other settings",
                remedy="give the model and the options of that run",
            )
        counts = with_again(counts, answered.questions)
    margin = None if max_drop is None else max_drop / 100
    unseen = len(release.unasked)
    found = judge_release(counts, margin=margin, least=min_hit / 100, unseen=unseen, unit=unit)
    if update:
        write_baseline(file, now)
    return GateReport(now.head.name, found, release, tuple(counts))


def command(
    work: Callable[[], GateReport | None],
    *,
    against: Path,
    junit: Annotated[
        Path | None, CliOption("Write a test case a question, in JUnit's XML.", metavar="FILE")
    ] = None,
    summary: Annotated[
        Path | None, CliOption("Write the verdict as Markdown.", metavar="FILE")
    ] = None,
    annotate: Annotated[
        bool, CliOption("Print annotations for GitHub Actions.", flag="--annotate")
    ] = False,
    json: JsonFileOption = None,
) -> None:
    """Print the verdict and why, write reports; exits with 1 or 2 where it did not pass."""
    import typer

    from surefoot.cli.output import say, say_written, write_json
    from surefoot.core.files import write_atomic

    found = work()
    if found is None:
        say_written(against)
        return
    for line in (*found.sentences(), *(found.annotations() if annotate else ())):
        say(line)
    for file, data in ((junit, found.junit), (summary, lambda: found.markdown().encode())):
        if (path := path_or_none(file)) is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, data())
            say_written(path)
    write_json(json, found)
    if code := CODES[found.finding.verdict]:
        raise typer.Exit(code)


VERB = CliVerb(
    "gate",
    "Judge",
    "Tell in a build whether a release is worse.",
    gate,
    command,
    (
        "surefoot gate out/run-ocr --against gate.jsonl --update",
        "surefoot gate out/run-next --against gate.jsonl --model ocr --summary out/gate.md",
        "surefoot gate out/run-next --against gate.jsonl --max-drop 10 --junit out/gate.xml",
        "surefoot gate out/run-next --against gate.jsonl --unit page",
    ),
)
