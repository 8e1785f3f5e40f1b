"""
What another machine must have in common with this one to do its units: told by a worker there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from surefoot.capture.address import SOURCES, PageSource
from surefoot.capture.contents import Contents, verify
from surefoot.capture.sources import address_of, contents_of
from surefoot.capture.web.browser import Browser
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.version import __version__
from surefoot.run.engine.processes import RAY, Workers
from surefoot.run.engine.worker import UnitFunction

LIVE: Final = frozenset({"http", "https"})
SHARE: Final = "put the files at the same path there, or leave --engine out"


@contextlib.contextmanager
def machine_facts(*, contents: Contents | None = None) -> Iterator[UnitFunction]:
    """
    Tell the version and, where it ``renders``, the renderer of this machine.

    Raises CaptureError where the files of ``sources`` are not those of ``contents`` here.
    """

    def work(body: dict[str, Any]) -> bytes:
        now = contents_of([address_of(spec) for spec in body["sources"]])
        for place, known in (contents or {}).items():
            if place in now:
                verify(place, known, now[place], remedy=SHARE)
        renderer: dict[str, str] = {}
        if body["renders"]:
            with Browser() as browser:
                renderer = browser.identity
        return canonical_json({"version": __version__, "renderer": renderer})

    yield work


def on_engine(
    workers: Workers, engine: str, renderer: Mapping[str, str], sources: Sequence[str]
) -> Workers:
    """
    Return workers that an engine starts: "" for this machine, "ray" or "ray:ADDRESS".

    Machines of a cluster must have the same ``renderer`` and the files of ``sources``; without
    either no page is opened. Raises InvalidInputError for another engine, and for a source that
    is on this machine alone, whatever others have.

    >>> on_engine(Workers(factory="m:f"), "ray", {}, ["https://example.org/"]).engine
    'ray'
    """
    if not engine:
        return workers
    if engine.partition(":")[0] != RAY:
        raise InvalidInputError("the engine ray or ray:ADDRESS", found=f"'{engine}'")
    contents = msgspec.convert(workers.arguments.get("contents") or {}, Contents)
    places = {place.partition(":")[0] for place in contents}
    for spec in sources:
        if not _is_shareable(spec, places):
            raise InvalidInputError(
                "sources that other machines can open, for --engine ray",
                found=spec,
                remedy="record its pages first (surefoot record), or leave --engine out",
            )
    return msgspec.structs.replace(
        workers, engine=engine, renderer=renderer, sources=tuple(dict.fromkeys(sources))
    )


def _is_shareable(spec: str, places: set[str]) -> bool:
    """Tell whether a source is a live page of others, or known by the digests of its files."""
    name = spec.partition(":")[0]
    source = SOURCES.get(name)
    if name in LIVE and isinstance(source, PageSource):
        return not source.trusted(address_of(spec))
    return name in places
