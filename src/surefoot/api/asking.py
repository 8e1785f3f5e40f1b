"""
How a model is asked: the options that all verbs share which ask models.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypedDict

import msgspec

from surefoot.api.options import AnyPath, FormatOption, KeyVariableOption
from surefoot.api.parameters import CliOption, taken_keywords
from surefoot.core.errors import InvalidInputError, UnknownNameError

if TYPE_CHECKING:
    from surefoot.models import ModelSpec, Options
    from surefoot.models.function import PointingFunction


_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_RESERVED: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
    }
)
_SECRET_FIELD: Final = re.compile(
    r"(^|[_-])(api[_-]?key|key|secret|password|authorization)$", re.IGNORECASE
)


def read_body(text: str) -> Mapping[str, object]:
    """
    Read further fields of a request from a JSON object, "" for none.

    Raises InvalidInputError for anything else, and for a field that would hold a secret:
    plans are published. Nothing of the text is repeated.

    >>> read_body('{"top_k": 5, "seed": null}')
    {'top_k': 5, 'seed': None}
    """
    if not text:
        return {}
    try:
        found = msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise InvalidInputError(
            "a JSON object after --extra-body", found=error, remedy="""write '{"top_k": 5}'"""
        ) from error
    for name in _fields(found):
        if _SECRET_FIELD.search(name):
            raise InvalidInputError(
                "fields after --extra-body that may stand in a plan",
                found=f"'{name}'",
                remedy="give a key with --key-variable, another secret with --header",
            )
    return found


def read_headers(given: Iterable[str]) -> dict[str, str]:
    """
    Read headers written 'NAME: VALUE' or NAME=VALUE; '$VARIABLE' is read from the environment.

    Raises InvalidInputError without repeating a value.

    >>> read_headers(["X-Tenant: blue", "x-team=red"])
    {'X-Tenant': 'blue', 'x-team': 'red'}
    """
    found: dict[str, str] = {}
    for number, text in enumerate(given, start=1):
        name, value, *_ = (part.strip() for part in (*re.split("[:=]", text, maxsplit=1), ""))
        variable = value.removeprefix("$") if value.startswith("$") else ""
        value = os.environ.get(variable, "").strip() if variable else value
        fits = _NAME.fullmatch(name) and name.casefold() not in _RESERVED
        if not (fits and value and value.isascii() and value.isprintable()):
            shown = f"'{name}'" if _NAME.fullmatch(name) and ":" in text else f"number {number}"
            empty = f", whose variable {variable} is not set" if variable and not value else ""
            raise InvalidInputError(
                "headers written 'NAME: VALUE', of printable ASCII, that are not our own",
                found=f"the header {shown}{empty} (its value is not shown)",
                remedy="write --header 'X-Tenant: $TENANT_KEY'",
            )
        found[name] = value
    return found


def _fields(value: object) -> list[str]:
    """Return the names of all fields, at any depth."""
    if isinstance(value, dict):
        return [*map(str, value), *(name for part in value.values() for name in _fields(part))]
    if isinstance(value, list):
        return [name for part in value for name in _fields(part)]
    return []


class SamplingOptions(TypedDict, total=False):
    """
    Say how a model's server draws replies, how long they are waited for, how ``hf:`` loads.

    ``extra_body`` and ``header`` are mappings; what is not given is as in the command's help.
    """

    temperature: Annotated[
        float,
        CliOption(
            "How freely replies are drawn.",
            shell=float | None,
            minimum=0,
            default=None,
            shown="0; the server's own with --top-p",
        ),
    ]
    top_p: Annotated[
        float,
        CliOption(
            "Draw from this share.",
            shell=float | None,
            minimum=0,
            maximum=1,
            default=None,
            shown="the server's own",
        ),
    ]
    max_tokens: Annotated[
        int, CliOption("Most tokens of a reply; 0 for the format's.", minimum=0, default=0)
    ]
    timeout: Annotated[
        float, CliOption("Seconds that are waited for one reply.", minimum=0.1, default=120.0)
    ]
    retries: Annotated[
        int, CliOption("How often a request that failed is sent again.", minimum=0, default=5)
    ]
    extra_body: Annotated[
        Mapping[str, object],
        CliOption(
            "Further fields of each request, as a JSON object; null takes a field out. "
            "They are part of the plan.",
            shell=str,
            read=read_body,
            metavar="JSON",
            default="",
        ),
    ]
    header: Annotated[
        Mapping[str, str],
        CliOption(
            "A header of each request; '$VARIABLE' in place of the value reads it from the "
            "environment. Values are kept as secret as keys. May be repeated.",
            shell=list[str] | None,
            read=read_headers,
            metavar="'NAME: VALUE'",
            default=None,
        ),
    ]
    image_pixels: Annotated[
        str,
        CliOption(
            "The server's own limits of a picture's pixels, where they are not the format's; "
            "LEAST:MOST:SIDE where it limits the longest side.",
            metavar="LEAST:MOST",
            default="",
        ),
    ]
    device: Annotated[
        Literal["auto", "cpu", "cuda"], CliOption("Where hf: runs a model.", default="auto")
    ]
    dtype: Annotated[
        Literal["auto", "float32", "bfloat16", "float16"],
        CliOption("What hf: computes in; auto: float32 on a processor.", default="auto"),
    ]
    quantization: Annotated[
        Literal["none", "4bit", "8bit"],
        CliOption("How hf: packs the weights, on a GPU alone.", default="none"),
    ]
    adapter: Annotated[
        AnyPath,
        CliOption(
            "A folder with a LoRA adapter for hf:.",
            shell=Path | None,
            default=None,
            only="folder",
        ),
    ]


class AskingOptions(SamplingOptions, total=False):
    """Say how a model is asked about a benchmark."""

    format: FormatOption
    prompt_file: Annotated[
        AnyPath | None,
        CliOption("A file with the family's official prompt.", shell=Path | None, default=None),
    ]
    key_variable: KeyVariableOption
    seed: Annotated[int, CliOption("The seed of sampling, and of what is drawn.", default=0)]
    workers: Annotated[int, CliOption("How many requests are in flight.", minimum=1, default=8)]


def asking_options(given: Mapping[str, Any]) -> Options:
    """
    Return how a backend asks; raises UnknownNameError for an option of another name.

    >>> asking_options({"workers": 2}).concurrency
    2
    """
    from surefoot.core.registry import suggest
    from surefoot.models import Options

    known = taken_keywords(AskingOptions)
    for name in sorted(given.keys() - known.keys()):  # any keyword passes for a TypedDict
        raise UnknownNameError(
            "an option of how a model is asked",
            found=f"'{name}'",
            remedy=suggest(name, sorted(known)),
        )
    asked = {name: item.default for name, item in known.items()} | dict(given)
    top_p = asked["top_p"]
    # A share to draw from means nothing where the likeliest word is taken.
    likeliest = 0.0 if top_p is None else None
    return Options(
        prompt_file=str(asked["prompt_file"] or ""),
        key_variable=asked["key_variable"],
        seed=asked["seed"],
        concurrency=asked["workers"],
        temperature=given.get("temperature", likeliest),
        max_tokens=asked["max_tokens"],
        timeout=asked["timeout"],
        attempts=asked["retries"] + 1,
        extra={**({} if top_p is None else {"top_p": top_p}), **(asked["extra_body"] or {})},
        headers=asked["header"] or {},
        image_pixels=asked["image_pixels"],
        device=asked["device"],
        dtype=asked["dtype"],
        quantization=asked["quantization"].replace("none", ""),
        adapter=str(asked["adapter"] or ""),
    )


def model_spec(model: str | PointingFunction, name: str, version: str) -> ModelSpec:
    """
    Return a model as it is opened; a function by its name and version.

    Raises InvalidInputError for a name or version of what has its own, and for a function
    without a name.
    """
    if callable(model):
        from surefoot.models import named_function

        return named_function(model, name, version or "1")
    if name or version:
        raise InvalidInputError(
            "a name and a version for a function alone",
            found=f"'{name or version}' for '{model}'",
            remedy="leave it out",
        )
    return model
