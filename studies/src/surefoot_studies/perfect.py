"""
Fill in every form perfectly, in every look and language: what is not right is the harness's fault.

Each form is filled in three times: by the oracle, which acts through the page, and by a model
that is told boxes and values and asked over HTTP, once page by page and once step by step.
"""

from __future__ import annotations

import collections
import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.capture.web.browser import Browser
from surefoot.core.canonical import canonical_json, digest
from surefoot.core.ledger import Ledger
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.specification import Form
from surefoot.models import Options
from surefoot.phrasing.tables import table_lines
from surefoot.run.engine.outcome import Outcome, results_of
from surefoot.run.engine.pool import Unit, run_units
from surefoot.run.engine.processes import Workers
from surefoot.run.engine.progress import Progress
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.forms.models import AskOptions
from surefoot.run.forms.running import FORMS_VERSION
from surefoot.run.forms.units import FormChoices, FormResult, units_of
from surefoot.run.forms.workers import filler
from surefoot_studies.told import ASKED, ScriptedServer, replies, scripted_server

if TYPE_CHECKING:
    from rich.console import Console


PLAYERS: Final = ("oracle", *ASKED)
UNIT_S: Final = 900.0
OPTIONS: Final = Options(attempts=1)
# Themes of these are whole libraries of widgets; those of the others are colours and lines.
LIBRARIES: Final = frozenset({"rjsf"})


class PerfectPlay(msgspec.Struct, frozen=True):
    """
    Say how one form, drawn in one way, was filled in: for each player what was not right.

    ``wrong`` holds ids of fields, or how the episode ended where only that was not right.
    """

    form: str
    rendering: Rendering
    wrong: dict[str, tuple[str, ...]]


def looks(languages: Sequence[str]) -> tuple[Rendering, ...]:
    """
    Return each renderer, and each library of widgets, in each language.

    >>> [f"{look.renderer} {look.theme}".strip() for look in looks(["en"])]
    ['plain', 'rjsf core', 'rjsf bootstrap', 'rjsf mui', 'rjsf antd', 'surveyjs']
    """
    return tuple(
        Rendering(renderer.name, theme, language=language)
        for renderer in sorted(RENDERERS.entries.values(), key=lambda renderer: renderer.name)
        for theme in (renderer.themes if renderer.name in LIBRARIES else ("",))
        for language in languages
    )


def fill_in_perfectly(
    forms: Sequence[Form],
    renderings: Sequence[Rendering],
    out: Path,
    *,
    workers: int = 2,
    console: Console | None = None,
) -> tuple[list[PerfectPlay], Outcome]:
    """Fill in every form in every look, or go on with it; raises PlanMismatchError."""
    units = [_unit(form, look) for form in forms for look in renderings]
    with Browser() as browser:
        browser_identity = browser.identity
    plan = {
        "kind": "perfect",
        "forms": FORMS_VERSION,
        "browser": browser_identity,
        "units": digest([unit.key for unit in units]),
    }
    pool = Workers(factory="surefoot_studies.perfect:player", count=workers, unit_s=UNIT_S)
    with Ledger.open(out, plan) as ledger, Progress("filling in", console) as progress:
        tally = run_units(units, ledger, pool, progress=progress)
        plays, failures = results_of(units, ledger, PerfectPlay)
    return plays, Outcome(out, tally, failures)


@contextlib.contextmanager
def player() -> Iterator[UnitFunction]:
    """Turn a unit into a PerfectPlay, in a worker process."""
    with (
        tempfile.TemporaryDirectory() as folder,
        filler(folder=folder, options=msgspec.to_builtins(OPTIONS)) as fill_in,
        scripted_server() as server,
    ):

        def work(body: dict[str, Any]) -> bytes:
            form = msgspec.convert(body["form"], Form)
            rendering = msgspec.convert(body["rendering"], Rendering)
            return canonical_json(play(fill_in, server, form, rendering))

        yield work


def play(work: UnitFunction, server: ScriptedServer, form: Form, look: Rendering) -> PerfectPlay:
    """Let the oracle and both manners of the model fill in a form; ``work`` is a filler's."""
    oracle = _filled(work, "oracle", form, look, AskOptions())
    wrong = {"oracle": _wrong(oracle)}
    for policy, asked in ASKED.items():
        server.put(replies(oracle, form, look, policy))
        wrong[policy] = _wrong(_filled(work, f"openai:told@{server.base}", form, look, asked))
    return PerfectPlay(form.id, look, wrong)


def perfect_lines(plays: Sequence[PerfectPlay]) -> Iterator[str]:
    """Yield a table of how many forms each player filled in rightly, and then what was wrong."""
    by_look: dict[tuple[str, str, str], list[PerfectPlay]] = collections.defaultdict(list)
    for item in plays:
        look = item.rendering
        by_look[look.renderer, look.theme, look.language].append(item)
    rows = [
        (*look, *(f"{_right(found, name)} of {len(found)}" for name in PLAYERS))
        for look, found in sorted(by_look.items())
    ]
    told = tuple(f"model, {name} by {name}" for name in ASKED)
    yield from table_lines(("renderer", "theme", "language", "oracle", *told), tuple(rows))
    for item in plays:
        for name, wrong in item.wrong.items():
            if wrong:
                yield f"{item.form} in {_told(item.rendering)} by {name}: {', '.join(wrong)}"


def _right(plays: Sequence[PerfectPlay], name: str) -> int:
    return sum(not item.wrong[name] for item in plays)


def _filled(
    fill_in: UnitFunction, agent: str, form: Form, look: Rendering, asked: AskOptions
) -> FormResult:
    choices = FormChoices((form,), (agent,), (look,), asked=asked, options=OPTIONS)
    (unit,) = units_of(choices)
    return msgspec.json.decode(fill_in(dict(unit.body)), type=FormResult)


def _wrong(result: FormResult) -> tuple[str, ...]:
    score = result.score
    fields = tuple(field.field for field in score.fields if field.asked and not field.submitted)
    return fields or (() if score.right else (score.ended,))


def _unit(form: Form, look: Rendering) -> Unit:
    drawn_by = RENDERERS.get(look.renderer).version
    body = {"form": msgspec.to_builtins(form), "rendering": msgspec.to_builtins(look)}
    key = digest([FORMS_VERSION, drawn_by, form, look])
    return Unit(key, body, f"form '{form.id}' in {_told(look)}")


def _told(look: Rendering) -> str:
    return " ".join(filter(None, (look.renderer, look.theme, look.language)))
