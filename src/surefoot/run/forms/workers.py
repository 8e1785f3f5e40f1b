"""
What a worker process of a run over forms does: serve one form, let an agent answer it, judge.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from surefoot.capture.web.browser import Browser
from surefoot.core.canonical import record_json
from surefoot.core.question import Unparsed
from surefoot.core.store import ObjectStore
from surefoot.forms.driver.agent import Agent, FormTask, open_agent
from surefoot.forms.driver.changed import read_change
from surefoot.forms.driver.episode import EpisodeStep, run_episode
from surefoot.forms.driver.screen import X11Screen, open_screen
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.letters.writing import write_document
from surefoot.forms.scoring.episodes import judge_episode
from surefoot.forms.scoring.fields import score_fields
from surefoot.forms.scoring.trace import attempt_of
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve
from surefoot.forms.specification import Form, said
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.making import make_instance
from surefoot.forms.values.spelling import labelled_lines
from surefoot.models import Options
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.forms.models import EpisodeCase, FormModel
from surefoot.run.forms.speakers import Speakers
from surefoot.run.forms.units import FormResult, FormUnit, HandsName, Turn
from surefoot.run.forms.words import words_of


def prepare_task(
    form: Form, instance: Instance, folder: Path, *, language: str = "en", text: str = ""
) -> FormTask:
    """
    Write the instance's files into a folder, which is made, and return the whole task.

    ``text`` is what a person would hand over; without one it is one labelled line a field.
    ``language`` is the one that the form is shown in. The task holds the right values: see
    FormTask.bare.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    for field in form.fields:
        value = instance.values.get(field.id)
        if isinstance(value, FileValue):
            (folder / value.name).write_bytes(file_bytes(form, instance, field))
            names.append(value.name)
    given = text or labelled_lines(form, instance)
    return FormTask(given, language, folder, tuple(names), form, instance)


@contextlib.contextmanager
def filler(
    *, folder: str, options: Mapping[str, object] | None = None, hands: HandsName = "browser"
) -> Iterator[UnitFunction]:
    """
    Turn a unit into a FormResult; pictures go to the store, the server's rest is dropped.

    ``options`` are those of models, as JSON; the ``hands`` "x11" need a screen.
    """
    store = ObjectStore(Path(folder))
    speakers = Speakers(msgspec.convert(options or {}, Options))
    with (
        contextlib.closing(speakers),
        tempfile.TemporaryDirectory() as scratch,
        open_screen() if hands == "x11" else contextlib.nullcontext() as screen,
        Browser(screen.display if screen else "") as browser,
        serve(Path(scratch) / "server") as base,
    ):
        desk = _Desk(browser, base, Path(scratch), store, speakers, screen)

        def work(body: dict[str, Any]) -> bytes:
            unit = msgspec.convert(body["unit"], FormUnit)
            filled = desk.fill_in(unit, body["id"])
            return record_json(filled, FormResult, what="the result of a form")

        yield work


class _Desk:
    """Hold a browser and a server, and put one form after the other on it."""

    def __init__(
        self,
        browser: Browser,
        base: str,
        scratch: Path,
        store: ObjectStore,
        speakers: Speakers,
        screen: X11Screen | None,
    ) -> None:
        self.screen = screen
        self.browser, self.base, self.scratch, self.store = browser, base, scratch, store
        self.speakers = speakers

    def fill_in(self, unit: FormUnit, name: str) -> FormResult:
        form, rendering = unit.form, unit.rendering
        instance = _instance(unit)
        server = self.scratch / "server"
        token = open_run(server, form, rendering, instance=unit.instance, seed=unit.seed)
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            task = _task(unit, instance, Path(folder))
            episode = run_episode(
                self.browser,
                f"{self.base}/r/{token}/",
                self._agent(unit, task),
                task,
                view=unit.view,
                limits=unit.limits,
                keep=self.store.put,
                screen=self.screen,
                change=read_change(unit.change, form.id, unit.seed),
            )
        kept = record(server, token)
        attempt = attempt_of(form, episode, kept)
        fields = score_fields(form, instance, attempt, language=rendering.language)
        score = judge_episode(
            form,
            instance,
            kept,
            fields,
            agent=episode.agent,
            ended=episode.ended,
            left_out=unit.given.left_out if unit.given else None,
        )
        return FormResult(
            name,
            score,
            tuple(map(_lasting, episode.steps)),
            episode.left,
            ruler=unit.view.ruler,
            level=unit.level,
            title=said(form.title, "en"),
            seed=unit.seed,
            words=words_of(form, instance, attempt),
            hands=unit.hands,
            source="formfactory" if unit.given else "",
            change=unit.change,
        )

    def _agent(self, unit: FormUnit, task: FormTask) -> Agent:
        if unit.asked is None:
            return open_agent(unit.agent, task)
        speaker = self.speakers.get(unit.agent, unit.asked)
        ruler = unit.view.ruler
        case = EpisodeCase(
            unit.form.id, unit.instance, unit.seed, unit.rendering, ruler, unit.level, unit.change
        )
        return FormModel(speaker.manner, task.bare(), ruler, speaker.talk(case))


def _instance(unit: FormUnit) -> Instance:
    """Return the right values: the record's, or those that the seed makes."""
    if unit.given is None:
        return make_instance(unit.form, seed=unit.seed, index=unit.instance)
    form = unit.form
    return Instance(form.id, form.version, unit.seed, unit.instance, unit.given.values)


def _task(unit: FormUnit, instance: Instance, folder: Path) -> FormTask:
    """Lay out what the agent is given: the text of the unit's level, and the files."""
    text = unit.text
    if not (text or unit.level == "lines" or unit.level == "published"):  # noqa: PLR1714 (mypy)
        text = write_document(
            unit.form,
            instance,
            level=unit.level,
            seed=unit.seed,
            language=unit.rendering.language,
        ).text
    return prepare_task(unit.form, instance, folder, language=unit.rendering.language, text=text)


def _lasting(step: EpisodeStep) -> Turn:
    """Keep a step for good, but for whether the page came to rest, which nothing hangs on."""
    return Turn(
        step.image,
        step.width,
        step.height,
        step.page,
        step.fields,
        step.buttons,
        step.reply,
        tuple(item.why for item in step.read if isinstance(item, Unparsed)),
        tuple(msgspec.structs.replace(effect, settled=True) for effect in step.effects),
        step.usage,
    )
