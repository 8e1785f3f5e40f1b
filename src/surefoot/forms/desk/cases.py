"""
A run together with what would be right in it, which no folder of a server knows.
"""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError, UserError
from surefoot.forms.desk.keys import EpisodeKeys, Handed, episodes_of, find_episode, keep_episode
from surefoot.forms.desk.standing import PERSON, FormStanding, stand
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.letters.writing import USUAL
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.server.runs import FormRun, find_run, open_run, record
from surefoot.forms.server.schema import connect_reader
from surefoot.forms.specification import LANGUAGES, Form
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.making import make_instance

_SHOWN: Final = 20
_KNOWN: Final = 256


class Offer(msgspec.Struct, frozen=True):
    """Say which forms can be tried, the seed of their values, and how they look at first."""

    forms: tuple[Form, ...]
    rendering: Rendering = Rendering()
    seed: int = 0


class RunInstance(msgspec.Struct, frozen=True):
    """Hold a run, its instance and its keys."""

    run: FormRun
    instance: Instance
    episode: EpisodeKeys

    @property
    def pages(self) -> str:
        """Return the prefix of the desk's own pages about the run, which show its score."""
        return f"/run/{self.episode.secret}/"

    @property
    def files(self) -> dict[str, str]:
        """Return the name of the file to upload for each field that takes one."""
        return {
            field.id: value.name
            for field in self.run.form.fields
            if isinstance(value := self.instance.values.get(field.id), FileValue)
        }

    def file(self, name: str) -> bytes:
        """Return the file to upload in a field; raises InvalidInputError for any other."""
        form = self.run.form
        fields = [field for field in form.fields if field.id == name and name in self.files]
        return b"".join(file_bytes(form, self.instance, field) for field in fields)


class Cases:
    """
    Open runs in a server's folder and find them again, with their instances.

    Of the forms' own database only the run that is opened is written.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.find = functools.lru_cache(_KNOWN)(self._find)
        self.case = functools.lru_cache(_KNOWN)(self._case)

    def open(
        self,
        form: Form,
        rendering: Rendering,
        *,
        instance: int | None = None,
        seed: int | None = None,
        handed: Handed = USUAL,
        agent: str = "",
    ) -> RunInstance:
        """
        Begin a run of a form, by default with the next instance of the desk's own seed.

        Without an ``agent`` it is a person's. Raises InvalidInputError for an instance that
        there cannot be.
        """
        drawn = self.seed if seed is None else seed
        index = self._opened(form, drawn) if instance is None else instance
        make_instance(form, seed=drawn, index=index)
        token = open_run(self.folder, form, rendering, instance=index, seed=drawn)
        return self.case(keep_episode(self.folder, token, handed=handed, agent=agent))

    def stand(self, case: RunInstance) -> FormStanding:
        """Judge a run as it stands now."""
        kept = record(self.folder, case.run.token)
        return stand(case.run.form, case.instance, kept, agent=case.episode.agent or PERSON)

    def latest(self) -> tuple[RunInstance, ...]:
        """
        Return the runs that persons opened last, newest first, whose values can be made.

        Those of agents are left out: whoever sees the list can read their score.
        """
        own = [item for item in reversed(episodes_of(self.folder)) if not item.agent][:_SHOWN]
        found = []
        for episode in own:
            with contextlib.suppress(UserError):
                found.append(self.case(episode))
        return tuple(found)

    def _opened(self, form: Form, seed: int) -> int:
        """Count the runs of a form under a seed, whose instances are used up."""
        query = (
            "SELECT COUNT(*) FROM runs WHERE seed = ? AND json_extract(CAST(form AS TEXT), '$.id')"
            " = ?"
        )
        with contextlib.closing(connect_reader(self.folder)) as connection:
            (count,) = connection.execute(query, (seed, form.id)).fetchone()
        return int(count)

    def _find(self, *, id: str = "", secret: str = "") -> RunInstance:  # noqa: A002
        """Raise UnknownNameError for a key that no run bears."""
        return self.case(find_episode(self.folder, id=id, secret=secret))

    def _case(self, episode: EpisodeKeys) -> RunInstance:
        with contextlib.closing(connect_reader(self.folder)) as connection:
            run = find_run(connection, episode.token)
        made = make_instance(run.form, seed=run.seed, index=run.instance)
        return RunInstance(run, made, episode)


def checked_look(rendering: Rendering) -> Rendering:
    """
    Return a rendering that can be drawn here.

    Raises UnknownNameError for the renderer, InvalidInputError for its theme, layout or the
    language, and MissingComponentError where the renderer is not installed.
    """
    renderer = RENDERERS.get(rendering.renderer)
    parts = {
        "theme": (rendering.theme, ("", *renderer.themes)),
        "layout": (rendering.layout, ("", *renderer.layouts)),
        "language": (rendering.language, LANGUAGES),
    }
    for what, (name, known) in parts.items():
        if name not in known:
            raise InvalidInputError(
                f"a {what} of the renderer '{renderer.name}'",
                found=f"'{name[:64]}'",
                remedy=f"choose among {', '.join(filter(None, known))}",
            )
    renderer.require()
    return rendering
