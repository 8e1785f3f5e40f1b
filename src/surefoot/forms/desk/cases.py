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
from surefoot.forms.desk.standing import FormStanding, stand
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.server.runs import FormRun, find_run, open_run, record
from surefoot.forms.server.schema import connect_reader
from surefoot.forms.specification import LANGUAGES, Form
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.making import make_instance

__all__ = ["Cases", "Offer", "RunInstance", "checked_look"]

_SHOWN: Final = 20
_KNOWN: Final = 256


class Offer(msgspec.Struct, frozen=True):
    """Say which forms can be tried, the seed of their values, and how they look at first."""

    forms: tuple[Form, ...]
    rendering: Rendering = Rendering()
    seed: int = 0


class RunInstance(msgspec.Struct, frozen=True):
    """Hold a run and its instance."""

    run: FormRun
    instance: Instance

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

    The folder itself is only read, but for the run that is opened.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.find = functools.lru_cache(_KNOWN)(self._find)

    def open(self, form: Form, rendering: Rendering) -> str:
        """Begin a run with the next instance of a form, and return its token."""
        index = self._opened(form)
        return open_run(self.folder, form, rendering, instance=index, seed=self.seed)

    def stand(self, case: RunInstance) -> FormStanding:
        """Judge a run as it stands now."""
        return stand(case.run.form, case.instance, record(self.folder, case.run.token))

    def latest(self) -> tuple[RunInstance, ...]:
        """Return the runs that were opened last, newest first, whose values can be made."""
        query = "SELECT token FROM runs ORDER BY id DESC LIMIT ?"
        with contextlib.closing(connect_reader(self.folder)) as connection:
            tokens = [token for (token,) in connection.execute(query, (_SHOWN,))]
        found = []
        for token in tokens:
            with contextlib.suppress(UserError):
                found.append(self.find(token))
        return tuple(found)

    def _opened(self, form: Form) -> int:
        """Count the runs of a form under this seed, whose instances are used up."""
        query = (
            "SELECT COUNT(*) FROM runs WHERE seed = ? AND json_extract(CAST(form AS TEXT), '$.id')"
            " = ?"
        )
        with contextlib.closing(connect_reader(self.folder)) as connection:
            (count,) = connection.execute(query, (self.seed, form.id)).fetchone()
        return int(count)

    def _find(self, token: str) -> RunInstance:
        """Raise UnknownNameError for a token that no run bears."""
        with contextlib.closing(connect_reader(self.folder)) as connection:
            run = find_run(connection, token)
        return RunInstance(run, make_instance(run.form, seed=run.seed, index=run.instance))


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
