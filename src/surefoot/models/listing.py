"""
What can be named after ``--model`` and ``--format``.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.models.opening import BACKENDS, FORMATS, WRAPPERS

OWN: Final = "Surefoot's own"


class ListedBackend(msgspec.Struct, frozen=True):
    """Name what runs models: its name, how a model of it is written, and what it is."""

    name: str
    usage: str
    summary: str


class ListedFormat(msgspec.Struct, frozen=True):
    """
    Name a way in which models reply: its coordinate space, and the document that says so.

    ``models`` are patterns of the names of models that it is chosen for.
    """

    name: str
    version: int
    space: str
    summary: str = ""
    source: str = ""
    models: tuple[str, ...] = ()


class ModelLists(msgspec.Struct, frozen=True):
    """Hold all that is installed; the fields stay as they are."""

    backends: tuple[ListedBackend, ...]
    formats: tuple[ListedFormat, ...]
    wrappers: tuple[ListedBackend, ...] = ()


def list_models() -> ModelLists:
    """
    Return the backends that run models, the formats that they reply in, and the wrappers.

    >>> [backend.usage for backend in list_models().backends if backend.name == "ocr"]
    ['ocr']
    """
    return ModelLists(
        tuple(
            ListedBackend(item.name, item.usage, item.summary)
            for item in BACKENDS.entries.values()
        ),
        tuple(
            ListedFormat(
                item.name,
                item.version,
                item.space.kind,
                item.summary,
                item.source or OWN,
                item.models,
            )
            for item in FORMATS.entries.values()
        ),
        tuple(
            ListedBackend(item.name, item.usage, item.summary)
            for item in WRAPPERS.entries.values()
        ),
    )
