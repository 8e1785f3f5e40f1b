"""
What the plan of a finished run over forms recorded, so that a replay can be of the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import read_plan
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import Form
from surefoot.run.forms.units import Handover, HandsName


class RecordedChoices(msgspec.Struct, frozen=True):
    """
    Hold what a run was made with, as its plan says it.

    ``digests`` are those of the forms by id; ``letters`` is that of the texts that a folder
    of ``surefoot forms build`` gave, "" where the grammar wrote all.
    """

    digests: dict[str, str] = msgspec.field(name="forms")
    instances: int
    seed: int
    renderings: tuple[Rendering, ...]
    views: tuple[FormView, ...]
    levels: tuple[Handover, ...]
    limits: EpisodeLimits
    hands: HandsName = "browser"
    letters: str = ""
    changes: tuple[str, ...] = ("",)

    def forms(self) -> tuple[Form, ...]:
        """
        Return the forms that were filled in, from the catalogue and in its order.

        Raises InvalidInputError for one that is not there as it was, and where letters were
        handed over that only the folder they lay in holds.
        """
        if self.letters:
            raise InvalidInputError(
                "the letters that were handed over",
                found="only their digest",
                remedy="name the folder that they were taken from by --bench",
            )
        known: Mapping[str, Form] = catalogue()
        for name, expected in self.digests.items():
            if name not in known or digest(known[name]) != expected:
                raise InvalidInputError(
                    f"the form '{name}' as it was recorded",
                    found="another in the catalogue" if name in known else "none in the catalogue",
                    remedy="name its file by --form, or the folder it was taken from by --bench",
                )
        return tuple(form for name, form in known.items() if name in self.digests)


class _Plan(msgspec.Struct, frozen=True):
    choices: RecordedChoices


def read_choices(folder: Path) -> RecordedChoices:
    """Read what a run over forms was made with; raises InvalidInputError for no such run."""
    try:
        return msgspec.convert(read_plan(folder), _Plan).choices
    except msgspec.ValidationError as error:
        raise InvalidInputError(
            f"the plan of a run over forms in {folder}", found=error
        ) from error
