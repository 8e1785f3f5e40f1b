"""
The units of a run over forms: which form, filled in by whom, drawn how.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.question import Usage
from surefoot.forms.driver.agent import AGENTS
from surefoot.forms.driver.episode import LeftPage
from surefoot.forms.driver.executor import ExecutedAction
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView, LiveField
from surefoot.forms.letters.writing import USUAL
from surefoot.forms.rendering import RENDERERS, Direction, Renderer, Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.specification import LANGUAGES, Form
from surefoot.forms.values.formfactory import PublishedRecord
from surefoot.models import Options
from surefoot.run.engine.pool import Unit
from surefoot.run.forms.models import AskOptions
from surefoot.run.forms.speakers import is_model, speaker_identities
from surefoot.run.forms.words import FieldWords

Handover: TypeAlias = Literal["lines", "labelled", "paraphrased", "derived", "published"]
"""
What a person hands over with a form: one line a field, a document of that level, or the letter
that was published with the values.
"""


HandsName: TypeAlias = Literal["browser", "x11"]
"""
What moves the pointer: the browser's own mouse, unseen, or X events on a screen.
"""


class FormUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    State all that one episode depends on; ``asked`` is given where the agent is a model.

    ``text`` is what is handed over where the grammar would not write it. ``given`` holds the
    right values where they are published ones, and not made. ``change`` is a variant that each
    of its pages is shown in, "" for none.
    """

    form: Form
    instance: int
    seed: int
    rendering: Rendering
    agent: str
    view: FormView
    level: Handover
    limits: EpisodeLimits
    asked: AskOptions | None = None
    hands: HandsName = "browser"
    text: str = ""
    given: PublishedRecord | None = None
    change: str = ""


class Turn(msgspec.Struct, frozen=True):
    """
    Record what was shown, the reply to it, and what came of it.

    ``unread`` lists why parts of the reply were no actions; ``usage`` is what it took.
    """

    image: str
    width: int
    height: int
    page: int
    fields: tuple[LiveField, ...]
    buttons: dict[str, Box]
    reply: str
    unread: tuple[str, ...]
    effects: tuple[ExecutedAction, ...]
    usage: Usage = Usage()


class FormResult(msgspec.Struct, frozen=True):
    """
    Hold what came of one episode: its score and its turns.

    How long each action took is the one thing that varies between two runs of a plan; it
    lies in a table of its own.

    ``filled`` holds the pages as they were left, ``words`` for each field what was asked for
    and what it held at the end; ``seed`` is that of the values, ``source`` who published
    them, "" where they were made.
    """

    id: str
    score: EpisodeScore
    turns: tuple[Turn, ...]
    filled: tuple[LeftPage, ...] = ()
    ruler: int = 0
    level: Handover = "lines"
    title: str = ""
    seed: int = 0
    words: tuple[FieldWords, ...] = ()
    hands: HandsName = "browser"
    source: str = ""
    change: str = ""


class FormChoices(msgspec.Struct, frozen=True):
    """
    Choose forms, how many instances of each, agents, and how the forms are drawn.

    ``letters`` are texts to hand over in place of the grammar's, by form, index and level.
    Where there are ``records``, they are filled in, and no instances are made.
    """

    forms: tuple[Form, ...]
    agents: tuple[str, ...]
    renderings: tuple[Rendering, ...]
    instances: int = 1
    seed: int = 0
    views: tuple[FormView, ...] = (FormView(),)
    levels: tuple[Handover, ...] = (USUAL,)
    limits: EpisodeLimits = EpisodeLimits()
    asked: AskOptions = AskOptions()
    options: Options = Options()
    hands: HandsName = "browser"
    letters: Mapping[tuple[str, int, str], str] = {}
    records: tuple[PublishedRecord, ...] = ()
    changes: tuple[str, ...] = ("",)

    def identity(self) -> dict[str, object]:
        """Return what determines the results, as data for a plan."""
        agents = self.agent_identities()
        used = [RENDERERS.get(rendering.renderer) for rendering in self.renderings]
        letters = digest(sorted(self.letters.items())) if self.letters else ""
        records = digest(self.records) if self.records else ""
        return {
            "forms": {form.id: digest(form) for form in self.forms},
            "instances": self.instances,
            "seed": self.seed,
            "agents": [agents[name] for name in self.agents],
            "renderings": msgspec.to_builtins(self.renderings),
            "renderers": sorted({f"{renderer.name}@{renderer.version}" for renderer in used}),
            "views": msgspec.to_builtins(self.views),
            "levels": list(self.levels),
            "limits": msgspec.to_builtins(self.limits),
            "hands": self.hands,
            **({"letters": letters} if letters else {}),
            **({"records": records} if records else {}),
            **({"changes": list(self.changes)} if any(self.changes) else {}),
        }

    def agent_identities(self) -> dict[str, object]:
        """Return for each agent what determines its replies: "NAME@VERSION", or a model's."""
        models = speaker_identities(self.agents, self.asked, self.options)
        kinds = {name: AGENTS.get(name) for name in self.agents if name not in models}
        own = {name: f"{kind.name}@{kind.version}" for name, kind in kinds.items()}
        return {**models, **own}


def renderings_of(
    renderers: Sequence[str],
    languages: Sequence[str],
    *,
    themes: Sequence[str] = (),
    layouts: Sequence[str] = (),
    directions: Sequence[Direction] = ("",),
    seed: int = 0,
    hands: HandsName = "browser",
) -> tuple[Rendering, ...]:
    """
    Return every combination, in order; a renderer without a named theme is left out of it.

    Themes whose lists the browser draws outside of the page need the hands "x11". Raises
    UnknownNameError for a renderer, and InvalidInputError for a language, and for a
    theme or layout that none of the renderers has or these hands cannot reach.

    >>> [item.language for item in renderings_of(["plain"], ["en", "th"])]
    ['en', 'th']
    """
    known = [RENDERERS.get(name) for name in renderers]
    _check(languages, set(LANGUAGES), "language")
    offered = {item.name: _themes(item, hands) for item in known}
    if hands == "browser":
        _check_reachable(themes, known)
    _check(themes, {theme for item in offered.values() for theme in item}, "theme")
    _check(layouts, {layout for item in known for layout in item.layouts}, "layout")
    return tuple(
        Rendering(renderer.name, theme, layout, language, direction, seed)
        for renderer in known
        for theme in [
            item for item in themes or ("",) if not item or item in offered[renderer.name]
        ]
        for layout in [item for item in layouts or ("",) if not item or item in renderer.layouts]
        for language in languages
        for direction in directions
    )


def units_of(choices: FormChoices) -> Iterator[Unit]:
    """Return one unit for each form, instance, rendering, view, level, change and agent."""
    acting = choices.agent_identities()
    for (form, index, record), rendering, view, level, change, agent in itertools.product(
        _tasks(choices),
        choices.renderings,
        choices.views,
        choices.levels,
        choices.changes,
        choices.agents,
    ):
        unit = FormUnit(form, index, choices.seed, rendering, agent, view, level, choices.limits)
        text = choices.letters.get((form.id, index, level), "")
        given = record
        if record is not None:
            text = record.text if level == "published" else ""
            given = msgspec.structs.replace(record, text="")
        unit = msgspec.structs.replace(
            unit, hands=choices.hands, text=text, given=given, change=change
        )
        drawn_by = RENDERERS.get(rendering.renderer).version
        # Who acts is told by the identity; where a record of it lies is no part of that.
        key = digest([msgspec.structs.replace(unit, agent=""), acting[agent], drawn_by])
        if is_model(agent):
            unit = msgspec.structs.replace(unit, asked=choices.asked)
        name = f"form '{form.id}', instance {index}"
        yield Unit(key, {"id": key, "unit": msgspec.to_builtins(unit)}, name)


def _tasks(choices: FormChoices) -> list[tuple[Form, int, PublishedRecord | None]]:
    """Return what is to be filled in: the index of an instance, or a record and its number."""
    forms = {form.id: form for form in choices.forms}
    if choices.records:
        return [(forms[record.form], record.number, record) for record in choices.records]
    return [(form, index, None) for form in choices.forms for index in range(choices.instances)]


def _themes(renderer: Renderer, hands: HandsName) -> tuple[str, ...]:
    return renderer.themes + (renderer.screen_themes if hands == "x11" else ())


def _check_reachable(themes: Sequence[str], known: Sequence[Renderer]) -> None:
    """Refuse themes whose lists the browser's own mouse cannot click on."""
    for name in themes:
        if any(name in renderer.screen_themes for renderer in known):
            raise InvalidInputError(
                "a theme whose lists lie in the page",
                found=f"'{name}', whose lists only X events reach",
                remedy="add --x11",
            )


def _check(names: Sequence[str], known: set[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise InvalidInputError(
                f"a {what} of the renderers",
                found=f"'{name}'",
                remedy=f"choose among {', '.join(sorted(known))}",
            )
