"""
``surefoot site``: which of a product's controls agents miss, and what would help, proven.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Unpack

import msgspec

from surefoot.api.options import (
    AnyPath,
    FormatOption,
    JsonFileOption,
    KeyVariableOption,
    PagesOption,
    RetryOption,
    SeedOption,
    SelfCheckOption,
    SourcesArgument,
    UnconfinedOption,
    console_for,
    listed,
    unconfined_pages,
)
from surefoot.api.parameters import CliOption
from surefoot.api.reaching import ReachingOptions
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.runs import ModelRun
    from surefoot.models.function import PointingFunction
    from surefoot.report.site.report import SiteReport
    from surefoot.run.engine.outcome import Outcome
    from surefoot.run.fixes.asking import SiteAnswers
    from surefoot.run.fixes.rules import ControlFacts

VARIANTS: Final = "original,precision,text_shrink,style-dark-mode"
TARGETS: Final = 1000  # a page: all of it
PAGE: Final = "site.html"


def site(  # noqa: PLR0913 - one argument an option
    sources: SourcesArgument,
    *,
    out: Annotated[
        AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
    ],
    model: Annotated[
        str | PointingFunction | None,
        CliOption("The model that is asked; without one, rules alone.", shell=str | None),
    ] = None,
    variants: Annotated[
        str | Iterable[str],
        CliOption("The changes that controls are asked under, the original first.", shell=str),
    ] = VARIANTS,
    samples: Annotated[
        int, CliOption("How often each question is asked, each time a sample.", minimum=1)
    ] = 3,
    fail_on: Annotated[
        str | Iterable[str],
        CliOption(
            "Exit with 1 where a control breaks one of these rules: unlabelled, covered, "
            "ambiguous, look-alike, icon-alone, small, low-contrast.",
            shell=str,
            metavar="RULES",
        ),
    ] = (),
    against: Annotated[
        AnyPath | None,
        CliOption(
            "A file of the faults that are known, so that --fail-on looks at new ones alone.",
            shell=Path | None,
            metavar="FILE",
        ),
    ] = None,
    update: Annotated[
        bool,
        CliOption("Write the faults that are there now to --against.", flag="--update"),
    ] = False,
    seed: SeedOption = 0,
    format: FormatOption = "",  # noqa: A002 - as the option is called everywhere
    key_variable: KeyVariableOption = "",
    temperature: Annotated[
        float, CliOption("How freely the model's replies are drawn.", minimum=0)
    ] = 0.0,
    self_check: SelfCheckOption = True,
    limit: PagesOption = 0,
    browsers: Annotated[int, CliOption("How many browsers work at once.", minimum=1)] = 2,
    retry_failed: RetryOption = False,
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
    tell: Callable[[str | Outcome], None] = lambda _: None,
    **reaching: Unpack[ReachingOptions],
) -> SiteReport:
    """
    Tell which of a product's controls agents miss, and which edits of it would help.

    Without a model, rules say what makes controls hard to find: no name, a name that is not to
    be seen, one that others have, small, faint, covered, or like another. The same pages give
    the same findings every time.

    With a model every control that has a name of its own is asked for, on the page and under a
    few changes of it. Missed ones are asked again: unchanged, with each edit that could help,
    and with the same edit at other controls. An edit is recommended only where it brings back
    more than both, over controls, corrected for the kinds of edits that were tried.

    Writes site.html, with pictures and the CSS or HTML of each edit. A command that was stopped
    goes on when it is given again.

    In Python, ``tell`` is given each step's name before it, and its outcome after it.

    A product that has faults begins with --against FILE --update; from then on --fail-on fails
    for those alone that the file has not.

    Raises as ``capture``, ``build`` and ``run`` do, UnknownNameError for a rule that there is
    none of, and InvalidInputError for a file of known faults that is none.
    """
    from surefoot.core.errors import InvalidInputError, UnknownNameError
    from surefoot.core.registry import suggest
    from surefoot.report.site.page import write_site
    from surefoot.report.site.report import site_report
    from surefoot.run.fixes.known import changed_faults, write_faults
    from surefoot.run.fixes.rules import RULES, site_facts
    from surefoot.verbs.capture import capture
    from surefoot.verbs.run import run

    for rule in listed(fail_on):
        if rule not in RULES:
            raise UnknownNameError("a rule", found=f"'{rule}'", remedy=suggest(rule, list(RULES)))
    if update and against is None:
        raise InvalidInputError(
            "--against FILE, to write the faults to",
            found="--update alone",
            remedy="name the file",
        )
    folder = Path(out)
    how: dict[str, Any] = {"retry_failed": retry_failed, "progress": progress}
    browse = {**how, "workers": browsers, "unconfined": unconfined}
    tell("capturing the pages")
    screens = capture(sources, out=folder / "screens", limit=limit, **browse, **reaching)
    tell(screens.outcome)
    facts = site_facts(screens.folder)
    answers = None
    if model is not None:
        ask = functools.partial(
            run,
            model=model,
            samples=samples,
            format=format,
            key_variable=key_variable,
            temperature=temperature,
            seed=seed,
            **how,
        )
        first = functools.partial(ask, self_check=self_check)
        again = functools.partial(ask, self_check=False, keep_going=True)
        answers = _answered(folder, facts, listed(variants), seed, tell, (first, again), browse)
    found = site_report(screens.folder, facts, answers, seed=seed)
    if against is not None and update:
        write_faults(Path(against), found.findings)
    if against is not None:
        changed = changed_faults(Path(against), found.findings)
        found = msgspec.structs.replace(found, changed=changed)
    write_site(found, folder / PAGE)
    return found


def _answered(
    folder: Path,
    facts: Mapping[str, Sequence[ControlFacts]],
    variants: Sequence[str],
    seed: int,
    tell: Callable[[str | Outcome], None],
    asks: tuple[Callable[..., ModelRun], Callable[..., ModelRun]],
    browse: dict[str, Any],
) -> SiteAnswers:
    """Ask for every control, and for what is missed again, with fixes and without."""
    from surefoot.run.fixes.asking import build_fixes, read_missed, with_fixes
    from surefoot.run.folders.folder import read_questions
    from surefoot.verbs.build import build

    tell("rendering changes, proving instructions")
    bench = build(
        "perturbed",
        screens=folder / "screens",
        out=folder / "bench",
        variants=variants,
        kinds=("direct",),
        targets=TARGETS,
        hidden_names=True,
        seed=seed,
        **browse,
    )
    tell(bench.outcome)
    first, again = asks
    tell("asking for every control")
    tell(first(bench, out=folder / "run").outcome)
    found = read_missed(folder / "run", facts, variants)
    if not found.missed:
        return found
    tell(f"rendering fixes of {len(found.missed)} controls")
    with unconfined_pages(allowed=browse["unconfined"]):
        made = build_fixes(
            found.missed,
            facts,
            folder / "screens",
            folder / "bench",
            folder / "fixes",
            seed=seed,
            workers=browse["workers"],
            retry_failed=browse["retry_failed"],
            console=console_for(browse["progress"]),
        )
    tell(made)
    if not read_questions(folder / "fixes"):
        return found
    tell("asking again")
    tell(again(folder / "fixes", out=folder / "run-fixes").outcome)
    return with_fixes(found, folder / "run-fixes")


def command(
    work: functools.partial[SiteReport],
    *,
    out: Path,
    fail_on: str,
    json: JsonFileOption = None,
) -> None:
    """Print each step and what is found; exits with 1 by --fail-on, or where anything failed."""
    import typer

    from surefoot.cli.output import report_failures, say, say_written, tell, write_json

    steps: list[str | Outcome] = []

    def announce(step: str | Outcome) -> None:
        tell(step)
        steps.append(step)

    found = work(tell=announce)
    for sentence in found.sentences():
        say(sentence)
    say_written(out / PAGE)
    write_json(json, found)
    faults = found.findings if found.changed is None else found.changed.new
    broken = [fault for fault in faults if fault.rule in listed(fail_on)]
    if broken:
        raise typer.Exit(1)
    # A page that was not there has not passed.
    report_failures(step for step in steps if not isinstance(step, str))


VERB = CliVerb(
    "site",
    "Judge",
    "Tell what agents miss on a site, and what would help.",
    site,
    command,
    (
        "surefoot site npm:startbootstrap-sb-admin-2@4.1.4 --limit 3 --out out/site",
        "surefoot site site/ --out out/site --fail-on unlabelled,covered",
        "surefoot site site/ --out out/site --against faults.jsonl --update",
        "surefoot site site/ --out out/site --against faults.jsonl --fail-on unlabelled,small",
        "surefoot site npm:uikit@2.27.4 --limit 3 --model ocr --samples 1 --out out/site-ocr",
        "surefoot site https://app.example/orders --storage-state state.json --out out/site",
    ),
)
