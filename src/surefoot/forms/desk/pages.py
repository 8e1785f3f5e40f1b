"""
The pages of the desk as HTML text: the forms to choose from, the papers, the score.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.forms.desk.cases import Offer, RunInstance
from surefoot.forms.desk.standing import Standing, State
from surefoot.forms.letters.writing import LEVELS, Level, Sort, kinds_of, write_document
from surefoot.forms.rendering import RENDERERS
from surefoot.forms.specification import LANGUAGES, Form, said

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["Handed", "draw_index", "draw_papers", "draw_score", "draw_standing"]

_FOLDER: Final = Path(__file__).parent / "templates"
_LANGUAGES: Final = dict(
    zip(LANGUAGES, ["English", "中文", "Français", "Русский", "日本語", "ไทย"], strict=True)
)
_LEVELS: Final[dict[Level, str]] = dict(
    zip(
        LEVELS, ["named line by line", "told in sentences", "partly to be worked out"], strict=True
    )
)
_KINDS: Final[dict[Sort, str]] = {
    "letter": "letter",
    "resume": "résumé",
    "thread": "thread of e-mails",
    "notes": "sheet of notes",
}
_STATES: Final[dict[State, str]] = {
    "sent": "Right, and sent",
    "right": "Right, not sent yet",
    "strayed": "In the wrong field",
    "lost": "Was there, is gone",
    "wrong": "Not the right value",
    "empty": "Still empty",
    "extra": "Should stay empty",
    "spare": "Rightly left alone",
}


class Handed(msgspec.Struct, frozen=True):
    """Choose the paper to fill in from; without a kind, the run's seed chooses."""

    level: Level = "labelled"
    kind: Sort | None = None


def draw_index(offer: Offer, chosen: str, runs: Sequence[tuple[RunInstance, Standing]]) -> str:
    """Draw the forms by domain, the ways to draw them, and the runs opened so far."""
    domains: dict[str, list[Form]] = {}
    for form in offer.forms:
        domains.setdefault(form.domain, []).append(form)
    return _draw(
        "index.html.j2",
        domains=domains,
        renderers=RENDERERS.entries.values(),
        renderer=RENDERERS.get(chosen),
        rendering=offer.rendering,
        languages=_LANGUAGES,
        runs=runs,
    )


def draw_papers(case: RunInstance, address: str, handed: Handed) -> str:
    """Draw what a person is handed: where the form is, the paper to read, the files."""
    run = case.run
    paper = write_document(
        run.form, case.instance, kind=handed.kind, level=handed.level, seed=run.seed
    )
    return _draw(
        "papers.html.j2",
        case=case,
        address=address,
        paper=paper,
        kinds={kind: _KINDS[kind] for kind in kinds_of(run.form)},
        levels=_LEVELS,
        here="papers",
    )


def draw_score(case: RunInstance, address: str, standing: Standing, *, told: bool) -> str:
    """Draw the page of the score; ``told`` shows the right values too."""
    return _draw(
        "score.html.j2",
        case=case,
        address=address,
        standing=standing,
        told=told,
        states=_STATES,
        here="score",
    )


def draw_standing(standing: Standing, *, told: bool) -> str:
    """Draw the part of the score's page that changes."""
    return _draw("standing.html.j2", standing=standing, told=told, states=_STATES)


def _draw(template: str, **parts: object) -> str:
    return _templates().get_template(template).render(said=said, **parts)


@functools.cache
def _templates() -> Environment:
    """Return the desk's templates; what they write is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
