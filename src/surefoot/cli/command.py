"""
A command made of a verb: its options from the function's parameters, its help from its words.
"""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from surefoot.api.parameters import CliArgument, Taken, taken_by
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError

_IN_PYTHON = ("In Python, ", "Raises ")


def command_of(verb: CliVerb) -> Callable[..., None]:
    """Return the function that typer makes a command of; InvalidInputError for half a verb."""
    work, shown = verb.function, verb.command
    if work is None or shown is None:
        raise InvalidInputError(
            "a verb with a function that works and a command that prints", found=f"'{verb.name}'"
        )
    given_to_work, given_to_shown = taken_by(work), taken_by(shown)
    takes_progress = "progress" in inspect.signature(work).parameters
    names = [name for name in inspect.signature(shown).parameters if name != "work"]

    def run(**typed: Any) -> None:  # noqa: ANN401 - whatever the verb takes
        typed = {name: _plain(value) for name, value in typed.items()}
        given = {
            name: item.how.read(typed[name]) if item.how.read else typed[name]
            for name, item in given_to_work.items()
            if typed[name] not in (None, [])  # what is not given is the function's to choose
        }
        if takes_progress:
            from surefoot.cli.output import console

            given["progress"] = console()
        shown(functools.partial(work, **given), **{name: typed[name] for name in names})

    taken = {**given_to_work, **given_to_shown}
    parameters = [_parameter(item) for item in taken.values()]
    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {item.name: item.annotation for item in parameters}
    run.__doc__ = help_of(work)
    return run


def help_of(function: Callable[..., Any]) -> str:
    """
    Return what a function's docstring says to everybody, without what is for Python alone.

    >>> help_of(help_of)
    "Return what a function's docstring says to everybody, without what is for Python alone."
    """
    paragraphs = []
    for paragraph in (inspect.getdoc(function) or "").split("\n\n"):
        if paragraph.startswith((*_IN_PYTHON, ">>> ")):
            break
        paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


def unless_below(run: Callable[..., None]) -> Callable[..., None]:
    """Let a verb with others below it do its own work where none of these is named."""

    @functools.wraps(run)
    def callback(context: typer.Context, **typed: Any) -> None:  # noqa: ANN401 - as above
        if context.invoked_subcommand is None:
            run(**typed)

    own = inspect.signature(run)
    context = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    vars(callback)["__signature__"] = own.replace(parameters=[context, *own.parameters.values()])
    callback.__annotations__ = {"context": typer.Context, **run.__annotations__}
    return callback


def _plain(value: object) -> object:
    """Return what was typed, the text of each choice."""
    if isinstance(value, list | tuple):
        return [part.value if isinstance(part, enum.Enum) else part for part in value]
    return value


def _parameter(item: Taken) -> inspect.Parameter:
    """Return a parameter as typer reads it."""
    how, kind = item.how, item.shell
    several = next((part for part in (kind, *get_args(kind)) if get_origin(part) is list), None)
    if several and get_origin(choice := get_args(several)[0]) is Literal:
        # Of lists typer takes no Literal, but an Enum.
        kind = list[enum.StrEnum("Choice", {text: text for text in get_args(choice)})] | None  # type: ignore[misc]
    declare = typer.Argument if isinstance(how, CliArgument) else typer.Option
    declared = declare(
        *([how.flag] if how.flag else []),
        help=how.help,
        metavar=how.metavar,
        min=how.minimum,
        max=how.maximum,
        show_default=how.shown or True,
        file_okay=how.only != "folder",
        dir_okay=how.only != "file",
    )
    default = item.default
    if default == ():
        default = "" if kind is str else None
    return inspect.Parameter(
        item.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, declared],
    )
