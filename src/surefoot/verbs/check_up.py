"""
``surefoot check-up``: a model is asked a whole suite, and its card is written.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Unpack

from surefoot.api.asking import AskingOptions, SamplingOptions
from surefoot.api.options import (
    AnyPath,
    RetryOption,
    SelfCheckOption,
    UnconfinedOption,
    paths,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError, UnknownNameError

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.benches import Bench
    from surefoot.api.checked_up import CheckUp
    from surefoot.api.filled_forms import FilledForms
    from surefoot.api.runs import ModelRun
    from surefoot.models.function import PointingFunction
    from surefoot.run.engine.outcome import Outcome
    from surefoot.run.suites.design import SuiteDesign


SCALE: Final = ("oracle", "center")  # what says where a rate can lie
OF_WORDS: Final = {"hidden": ("nearest-label",)}  # and what a reader of words alone has
FORMS_SCALE: Final = ("oracle", "null")
FORM_OPTIONS: Final = frozenset(
    {*SamplingOptions.__annotations__, "format", "key_variable", "self_check"}
)


def check_up(  # noqa: PLR0913 - one argument an option
    model: Annotated[
        str | PointingFunction, CliArgument("The model; see surefoot models.", shell=str)
    ],
    *,
    out: Annotated[
        AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
    ],
    suite: Annotated[
        str,
        CliOption("quick, standard, full, or a file that may extend one.", metavar="SUITE"),
    ] = "standard",
    screens: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption(
            "A folder SCREENS in place of the suite's own sources; may be repeated.",
            shell=list[Path] | None,
        ),
    ] = (),
    built: Annotated[
        AnyPath | None,
        CliOption(
            "A suite that was built already, as for another model.",
            shell=Path | None,
            metavar="SUITE",
        ),
    ] = None,
    self_check: SelfCheckOption = True,
    browsers: Annotated[int, CliOption("How many browsers work at once.", minimum=1)] = 2,
    retry_failed: RetryOption = False,
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
    tell: Callable[[str | Outcome], None] = lambda _: None,
    **asking: Unpack[AskingOptions],
) -> CheckUp:
    """
    Ask a model every question of a suite, and write its card.

    Captures the suite's sources, builds each pillar over the same elements, asks the model and
    what gives each pillar its scale (the oracle, the middle of the picture, and for what is
    hidden the nearest label), has forms filled in, looks for what the misses have in common, and
    writes card.html. A check-up that was stopped goes on when the same command is given again;
    several models share a suite with --built.

    In Python, ``tell`` is given each step's name before it, and its outcome after it.

    Raises as ``capture``, ``build`` and ``run`` do, and InvalidInputError for the scale itself.
    """
    from surefoot.api.checked_up import CheckUp
    from surefoot.api.suites import Suite
    from surefoot.run.suites.design import read_suite
    from surefoot.score.pillars import LEVELS
    from surefoot.verbs.build import build
    from surefoot.verbs.card import card
    from surefoot.verbs.diagnose import diagnose
    from surefoot.verbs.run import run

    if model in (*LEVELS, *OF_WORDS["hidden"]):
        raise InvalidInputError(
            "a model whose standing a card can say",
            found=f"'{model}', which gives every card its scale",
            remedy="name another one, such as ocr",
        )
    folder, design = Path(out), read_suite(suite)
    browse: dict[str, Any] = {
        "workers": browsers,
        "retry_failed": retry_failed,
        "unconfined": unconfined,
        "progress": progress,
    }
    outcomes: list[Outcome] = []
    runs: list[ModelRun | FilledForms] = []
    scale: list[ModelRun] = []
    filled: list[FilledForms] = []

    def done(outcome: Outcome) -> None:
        outcomes.append(outcome)
        tell(outcome)

    if built is None:
        captured = paths(screens) or _captured(design, folder, done, tell, browse)
        tell("building the suite")
        done(build("suite", screens=captured, out=folder / "suite", suite=suite, **browse).outcome)
    bench = Suite(folder / "suite" if built is None else built)
    ask = functools.partial(
        run,
        model=model,
        self_check=self_check,
        retry_failed=retry_failed,
        progress=progress,
        **asking,
    )
    for pillar, questions in bench.benches.items():
        tell(f"asking {len(questions)} questions of {pillar}")
        answered = _answered(ask, questions, folder / "runs" / pillar, tell)
        if answered is None:
            continue
        done(answered.outcome)
        runs.append(answered)
        for name in (*SCALE, *OF_WORDS.get(pillar, ())):
            place = folder / "scale" / name / pillar
            scale.append(run(questions, model=name, out=place, keep_going=True))
    if design.forms.forms and isinstance(model, str):
        tell(f"filling in {design.forms.forms} forms")
        of_forms: dict[str, Any] = {**browse, "forms": design.forms.forms}
        del of_forms["unconfined"]
        how = {"self_check": self_check, **asking}
        filled = _filled(model, folder, done, tell, of_forms, how)
        runs += filled
    shown: list[AnyPath] = list(runs)
    if design.diagnosis.questions:
        tell("looking for causes")
        asked = [bench.benches[name] for name in design.order]
        found = diagnose(
            [*asked, *filled[:1]],
            model=model,
            out=folder / "diagnosis",
            budget=design.diagnosis.questions,
            self_check=self_check,
            retry_failed=retry_failed,
            progress=progress,
            **asking,
        )
        done(found.outcome)
        shown.append(found)
    tell("the card")
    written = card(shown, scale=scale, out=folder / "card.html")
    return CheckUp(bench, tuple(runs), written, tuple(outcomes))


def _answered(
    ask: Callable[..., ModelRun],
    questions: Bench,
    out: Path,
    tell: Callable[[str | Outcome], None],
) -> ModelRun | None:
    """Ask a pillar; None where all of it are choices, and the model cannot make them."""
    from surefoot.run.asking.broken import BrokenRunError

    try:
        return ask(questions, out=out)
    except BrokenRunError as error:
        # A model that points alone, such as ocr, has no place in a pillar of choices.
        if any(question.asks == "place" for question in questions):
            raise
        tell(f"   the pillar is left out: {error}")
        return None


def _filled(
    model: str,
    folder: Path,
    done: Callable[[Outcome], None],
    tell: Callable[[str | Outcome], None],
    of_forms: dict[str, Any],
    asking: Mapping[str, Any],
) -> list[FilledForms]:
    """Let a model fill forms in, and then what gives forms their scale; nothing if it cannot."""
    from surefoot.verbs.forms_run import run_forms

    how = {key: value for key, value in asking.items() if key in FORM_OPTIONS}
    try:
        own = run_forms(agent=model, out=folder / "runs" / "forms", **of_forms, **how)
    except UnknownNameError as error:
        tell(f"   forms are left out: {error}")
        return []
    done(own.outcome)
    # The card finds the scale of forms among the runs itself.
    return [own, run_forms(agent=FORMS_SCALE, out=folder / "scale" / "forms", **of_forms)]


def _captured(
    design: SuiteDesign,
    folder: Path,
    done: Callable[[Outcome], None],
    tell: Callable[[str | Outcome], None],
    browse: Mapping[str, Any],
) -> list[Path]:
    """Capture a suite's sources, and those in several languages; return the folders."""
    from surefoot.verbs.capture import capture

    several, found = design.languages, []
    for name, sources, pages, languages in (
        ("screens", design.sources, design.pages, ()),
        ("languages", several.sources, several.pages, several.languages),
    ):
        if sources:
            tell(f"capturing {' '.join(sources)}")
            out = folder / name
            taken = capture(sources, out=out, limit=pages, parallel=languages, **browse)
            done(taken.outcome)
            found.append(taken.folder)
    return found


def command(work: functools.partial[CheckUp]) -> None:
    """Print each step, what the card says first, and where it lies."""
    from surefoot.cli.output import report_failures, say, say_written, suggest, tell

    found = work(tell=tell)
    for sentence in found.card.sentences:
        say(sentence)
    say_written(found.card.path)
    report_failures(found.outcomes)
    suggest("view", *(run.folder for run in found.runs))


VERB = CliVerb(
    "check-up",
    "Start",
    "Ask a model a whole suite, and write its card.",
    check_up,
    command,
    (
        "surefoot check-up ocr --suite quick --out out/ocr",
        "surefoot check-up openai:gta1@http://127.0.0.1:8000/v1 --out out/gta1",
        (
            "surefoot check-up openai:uground@http://127.0.0.1:8000/v1 --built out/gta1/suite "
            "--out out/uground"
        ),
    ),
)
