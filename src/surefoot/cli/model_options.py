"""
The options that every verb has which asks models: how they sample, and how long is waited.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

import typer

from surefoot.core.errors import InvalidInputError

__all__ = ["Sampling", "asks_models", "read_body", "read_headers"]

TemperatureOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0,
        show_default="0; the server's own with --top-p",
        help="How freely replies are drawn.",
    ),
]
TopPOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--top-p", min=0, max=1, show_default="the server's own", help="Draw from this share."
    ),
]
MaxTokensOption: TypeAlias = Annotated[
    int, typer.Option("--max-tokens", min=0, help="Most tokens of a reply; 0 for the format's.")
]
TimeoutOption: TypeAlias = Annotated[
    float, typer.Option("--timeout", min=0.1, help="Seconds that are waited for one reply.")
]
RetriesOption: TypeAlias = Annotated[
    int, typer.Option("--retries", min=0, help="How often a request that failed is sent again.")
]
ExtraBodyOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--extra-body",
        metavar="JSON",
        help="Further fields of each request, as a JSON object; null takes a field out. "
        "They are part of the plan.",
    ),
]
HeaderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="'NAME: VALUE'",
        help="A header of each request; '$VARIABLE' in place of the value reads it from the "
        "environment. Values are kept as secret as keys. May be repeated.",
    ),
]

Sampling: TypeAlias = dict[str, Any]

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


def asks_models(verb: Callable[..., None]) -> Callable[..., None]:
    """
    Give a verb the options of models; it takes them together as ``sampling``.

    ``sampling`` are arguments of the verb's function in `surefoot.api`.
    """
    own = inspect.signature(verb, eval_str=True)
    added = inspect.signature(_sampling, eval_str=True).parameters
    kept = [item for name, item in own.parameters.items() if name != "sampling"]
    parameters = [*kept, *added.values()]

    @functools.wraps(verb)
    def with_sampling(**given: Any) -> None:  # noqa: ANN401 - whatever the verb takes
        sampling = _sampling(**{name: given.pop(name) for name in added})
        verb(**given, sampling=sampling)

    # What typer reads options from.
    vars(with_sampling)["__signature__"] = own.replace(parameters=parameters)
    with_sampling.__annotations__ = {item.name: item.annotation for item in parameters}
    return with_sampling


def _sampling(
    *,
    temperature: TemperatureOption = None,
    top_p: TopPOption = None,
    max_tokens: MaxTokensOption = 0,
    timeout: TimeoutOption = 120.0,
    retries: RetriesOption = 5,
    extra_body: ExtraBodyOption = "",
    header: HeaderOption = None,
) -> Sampling:
    given = {
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "timeout": timeout,
        "retries": retries,
        "extra_body": read_body(extra_body),
        "header": read_headers(header or ()),
    }
    return {name: value for name, value in given.items() if value is not None}


def read_body(text: str) -> Mapping[str, object]:
    """
    Read further fields of a request from a JSON object, "" for none.

    Raises InvalidInputError for anything else, and for a field that would hold a secret:
    plans are published. Nothing of the text is repeated.

    >>> read_body('{"top_k": 5, "seed": null}')
    {'top_k': 5, 'seed': None}
    """
    import msgspec

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


def read_headers(given: Sequence[str]) -> dict[str, str]:
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
