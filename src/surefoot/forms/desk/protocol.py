"""
What programs and a desk say to each other about episodes, as JSON.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from surefoot.forms.desk.keys import Handed
from surefoot.forms.instance import Value
from surefoot.forms.letters.writing import USUAL
from surefoot.forms.rendering import Direction
from surefoot.forms.scoring.episodes import EpisodeScore

_SEEDS: Final = 1 << 53  # JSON's whole numbers


class EpisodeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Ask for an episode: a form by id or code, its values, its look, and what is handed over.

    Without an ``instance`` it is the form's next one that nobody was given yet. ``agent`` is
    what who plays is called in scores and reports.
    """

    form: str
    instance: Annotated[int, msgspec.Meta(ge=0, le=_SEEDS)] | None = None
    seed: Annotated[int, msgspec.Meta(ge=-_SEEDS, le=_SEEDS)] | None = None
    renderer: str = "plain"
    theme: str = ""
    layout: str = ""
    language: str = "en"
    direction: Direction = ""
    level: Handed = USUAL
    agent: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] = "agent"


class EpisodeFile(msgspec.Struct, frozen=True):
    """Name a file to upload, and where it can be fetched."""

    name: str
    url: str


class OpenedEpisode(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hand over an episode: what an agent may see, and the ``secret``, which it may not.

    ``url`` is the form; ``paper`` says what to enter; the secret opens the score.
    """

    id: str
    url: str
    paper: str
    files: tuple[EpisodeFile, ...]
    form: str
    title: str
    instance: int
    seed: int
    level: Handed
    language: str
    secret: str = ""


class ToldScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold the score of an episode as it stands, and if asked for the right values by field.

    The desk sees what the page told it and what was sent: not what an agent said, nor where
    it clicked.
    """

    score: EpisodeScore
    values: dict[str, Value] = {}
