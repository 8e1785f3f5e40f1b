"""
What several functions take: paths, pages of others, models and how they are asked.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypedDict

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.registry import suggest
from surefoot.models import ModelSpec, Options, named_function
from surefoot.models.function import PointingFunction

if TYPE_CHECKING:
    from rich.console import Console


AnyPath: TypeAlias = str | PathLike[str]


class SamplingOptions(TypedDict, total=False):
    """
    Say how a model's server draws replies, and how long they are waited for.

    ``temperature`` is 0 if not given, or the server's own with ``top_p``; ``max_tokens`` 0
    leaves the format's limit; ``timeout`` is in seconds for one reply, and a request that
    failed is sent again up to ``retries`` times. ``extra_body`` are further fields of each
    request, and part of the plan. ``header`` go with each request; their values are kept as
    secret as keys.

    ``image_pixels`` are a server's own limits of pictures, "LEAST:MOST" or "LEAST:MOST:SIDE",
    where they are not the format's.

    ``device``, ``dtype`` and ``quantization`` ("none", "4bit", "8bit") say how ``hf:`` loads a
    model, ``adapter`` is a folder with a LoRA adapter for it.
    """

    temperature: float
    top_p: float
    max_tokens: int
    timeout: float
    retries: int
    extra_body: Mapping[str, object]
    header: Mapping[str, str]
    image_pixels: str
    device: str
    dtype: str
    quantization: str
    adapter: AnyPath


class AskingOptions(SamplingOptions, total=False):
    """
    Say how a model is asked: the options of ``surefoot run`` about it, by their names.

    ``format`` is how its replies are read, chosen by its name where it is not given;
    ``prompt_file`` a file with its family's official prompt; ``key_variable`` the environment
    variable of its server's key; ``seed`` that of sampling; ``workers`` how many requests are
    in flight, 8 if not given.
    """

    format: str
    prompt_file: AnyPath | None
    key_variable: str
    seed: int
    workers: int


_ASKING: Final = sorted(inspect.get_annotations(AskingOptions))


def asking_options(given: AskingOptions) -> Options:
    """
    Return what a model's backend is told; raises UnknownNameError for an option of another name.

    >>> asking_options({"workers": 2}).concurrency
    2
    """
    for name in sorted(
        given.keys() - set(_ASKING)
    ):  # any keyword passes for a TypedDict at run time
        raise UnknownNameError(
            "an option of how a model is asked", found=f"'{name}'", remedy=suggest(name, _ASKING)
        )
    usual = Options()
    top_p = given.get("top_p")
    # A share to draw from means nothing where the likeliest word is taken.
    temperature = usual.temperature if top_p is None else None
    return Options(
        prompt_file=str(given.get("prompt_file") or ""),
        key_variable=given.get("key_variable", ""),
        seed=given.get("seed", 0),
        concurrency=given.get("workers", usual.concurrency),
        temperature=given.get("temperature", temperature),
        max_tokens=given.get("max_tokens", usual.max_tokens),
        timeout=given.get("timeout", usual.timeout),
        attempts=given.get("retries", usual.attempts - 1) + 1,
        extra={**({} if top_p is None else {"top_p": top_p}), **given.get("extra_body", {})},
        headers=given.get("header", {}),
        image_pixels=given.get("image_pixels", usual.image_pixels),
        device=given.get("device", usual.device),
        dtype=given.get("dtype", usual.dtype),
        quantization=given.get("quantization", "none").replace("none", ""),
        adapter=str(given.get("adapter") or ""),
    )


def model_spec(model: str | PointingFunction, name: str, version: str) -> ModelSpec:
    """
    Return a model as it is opened; a function by its name and version.

    Raises InvalidInputError for a name or version of what has its own, and for a function
    without a name.
    """
    if callable(model):
        return named_function(model, name, version or "1")
    if name or version:
        raise InvalidInputError(
            "a name and a version for a function alone",
            found=f"'{name or version}' for '{model}'",
            remedy="leave it out",
        )
    return model


def console_for(progress: bool | Console) -> Console | None:  # noqa: FBT001 - a keyword's value
    """Return where progress is shown: stderr, a console of the caller's, or nowhere."""
    if not isinstance(progress, bool):
        return progress
    if not progress:
        return None
    from rich.console import Console

    return Console(file=sys.stderr)


def paths(given: AnyPath | Iterable[AnyPath]) -> list[Path]:
    """
    Return one path or several as a list.

    >>> [path.name for path in paths("out/run")], [path.name for path in paths(["a", "b"])]
    (['run'], ['a', 'b'])
    """
    several = [given] if isinstance(given, str | PathLike) else given
    return [Path(path) for path in several]


def listed(given: str | Iterable[str]) -> tuple[str, ...]:
    """
    Return names that were given one by one or separated by commas.

    >>> listed("original, zoom:1.5"), listed(["original"])
    (('original', 'zoom:1.5'), ('original',))
    """
    several = given.split(",") if isinstance(given, str) else given
    return tuple(name.strip() for name in several if name.strip())


@contextlib.contextmanager
def unconfined_pages(*, allowed: bool) -> Iterator[None]:
    """Let this process and its workers open pages of others without a sandbox for a block."""
    from surefoot.capture.web.room import UNCONFINED

    before = os.environ.get(UNCONFINED)
    if allowed:
        os.environ[UNCONFINED] = "1"
    try:
        yield
    finally:
        if allowed and before is None:
            del os.environ[UNCONFINED]
        elif allowed and before is not None:
            os.environ[UNCONFINED] = before
