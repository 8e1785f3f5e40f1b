"""
What a verb takes, said once: in the annotation of a function's parameter.

``workers: Annotated[int, CliOption("How many browsers work in parallel.", minimum=1)] = 2`` is an
argument for who calls the function, and the option ``--workers`` of the command that is made of
it. A parameter without an `CliOption` or `CliArgument` is for callers alone.
"""

from __future__ import annotations

import builtins
import collections
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

NO_DEFAULT: Final = inspect.Parameter.empty


class CliOption(msgspec.Struct, frozen=True):
    """
    Say how a command takes a parameter: its help, bounds, and how what is typed is read.

    ``shell`` is the type that the command line gives, the parameter's own if None; ``read``
    makes of that what the function takes. ``flag`` spells the option where its name does not;
    ``default`` is for a keyword of a TypedDict, which has none, and ``shown`` stands in the help
    in place of a default. ``only`` says whether a path is a "file" or a "folder".
    """

    help: str
    shell: Any = None
    read: Callable[[Any], object] | None = None
    flag: str = ""
    metavar: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    default: Any = NO_DEFAULT
    shown: str = ""
    only: Literal["", "file", "folder"] = ""


class CliArgument(CliOption, frozen=True):
    """Say how a command takes a parameter that is given by its place, and not by its name."""


class Taken(msgspec.Struct, frozen=True):
    """Hold a parameter that a command takes: its name, type, default and how it is taken."""

    name: str
    kind: Any
    default: Any
    how: CliOption

    @property
    def shell(self) -> Any:  # noqa: ANN401 - a type of any form
        """Return the type that the command line gives."""
        return self.how.shell or self.kind


class _Unknown:
    """Stand for a class that is imported for type checkers alone."""

    def __class_getitem__(cls, _: object) -> type:
        return cls


class _Names(collections.ChainMap[str, Any]):
    """Hold the names of a module; what it imports for type checkers alone is anything."""

    def __missing__(self, key: str) -> object:
        return _Unknown


def taken_by(function: Callable[..., Any]) -> dict[str, Taken]:
    """
    Return the parameters of a function that a command takes, by name, in their order.

    The keywords of ``**options: Unpack[...]`` come last.

    >>> def ask(bench: Annotated[str, CliArgument("The folder.")], *, progress: bool = False): ...
    >>> [taken.how.help for taken in taken_by(ask).values()]
    ['The folder.']
    """
    function = inspect.unwrap(function)
    names = _Names({}, function.__globals__, vars(builtins))
    hints = get_type_hints(function, localns=names, include_extras=True)
    found: dict[str, Taken] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            found |= taken_keywords(get_args(hints[name])[0])
        elif taken := _taken(name, hints.get(name), parameter.default):
            found[name] = taken
    return found


def taken_keywords(keywords: Any) -> dict[str, Taken]:  # noqa: ANN401 - a TypedDict
    """Return the keywords of a TypedDict that a command takes, by name, in their order."""
    hints = get_type_hints(keywords, include_extras=True)
    found = (_taken(name, annotation, NO_DEFAULT) for name, annotation in hints.items())
    return {taken.name: taken for taken in found if taken}


def _taken(name: str, annotation: object, default: object) -> Taken | None:
    kind, *extras = get_args(annotation) if get_origin(annotation) is Annotated else (None,)
    how = next((extra for extra in extras if isinstance(extra, CliOption)), None)
    if how is None:
        return None
    return Taken(name, kind, how.default if default is NO_DEFAULT else default, how)
