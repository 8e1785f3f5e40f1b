"""
The languages in which a model writes actions, and the one door for more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Unparsed
from surefoot.core.registry import Registry
from surefoot.forms.driver.actions import Action
from surefoot.forms.driver.calls import Argument, Call, quoted, read_calls, spelled

Read: TypeAlias = Action | Unparsed


class Parameter(msgspec.Struct, frozen=True):
    """Name one argument of a verb; ``default`` None makes it obligatory."""

    name: str
    kind: Literal["number", "text"] = "number"
    default: Argument | None = None


class Verb(msgspec.Struct, frozen=True):
    """
    Turn a call into an action: its name, its parameters, what they build, what it does.

    One that is not ``told`` is understood, and in no prompt.
    ``build`` gets one value a parameter, in order, of the kind that was asked for; it may
    raise InvalidInputError.
    """

    name: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., Action]
    does: str
    told: bool = True

    @property
    def usage(self) -> str:
        """Return how the verb is written, for a prompt."""
        return f"{self.name}({', '.join(map(_shown, self.parameters))})"


class ActionLanguage(msgspec.Struct, frozen=True):
    """
    Read and write actions as calls.

    ``write`` returns the call of an action. Coordinates are pixels of the screenshot.
    ``prepare`` makes calls of what is written otherwise, before it is read. A language whose
    replies are no calls at all brings ``reads`` in place of ``verbs``, and says in ``manner``
    and ``lines`` how a model is to write.
    """

    name: str
    version: int
    summary: str
    verbs: tuple[Verb, ...]
    write: Callable[[Action], str]
    prepare: Callable[[str], str] | None = None
    reads: Callable[[str], tuple[Read, ...]] | None = None
    manner: str = ""
    lines: tuple[str, ...] = ()

    def read(self, reply: str) -> tuple[Read, ...]:
        """
        Return the actions of a whole reply, and an Unparsed for each thing that is none.

        Nothing of the reply is ever evaluated.
        """
        if self.reads is not None:
            return self.reads(reply)
        verbs = {verb.name: verb for verb in self.verbs}
        found = read_calls(self.prepare(reply) if self.prepare else reply, verbs)
        return tuple(
            _built(verbs[item.name], item) if isinstance(item, Call) else item for item in found
        )

    def explain(self) -> str:
        """Return one line a verb, for a prompt."""
        told = (f"{verb.usage}: {verb.does}" for verb in self.verbs if verb.told)
        return "\n".join(self.lines or told)


ACTION_LANGUAGES: Final[Registry[ActionLanguage]] = Registry(
    ActionLanguage, "surefoot.forms.driver.languages", what="language of actions"
)


def call(name: str, *arguments: Argument) -> str:
    """
    Return a call as text.

    >>> call("Type", "Ann"), call("Click", 1.0, 2.5)
    ('Type("Ann")', 'Click(1, 2.5)')
    """
    written = [
        quoted(argument) if isinstance(argument, str) else spelled(argument)
        for argument in arguments
    ]
    return f"{name}({', '.join(written)})"


def _built(verb: Verb, found: Call) -> Read:
    values = _bound(verb, found)
    if isinstance(values, str):
        return Unparsed(f"line {found.line}: {values}; it is {verb.usage}")
    try:
        return verb.build(*values)
    except InvalidInputError as error:
        return Unparsed(f"line {found.line}: {error}")


def _bound(verb: Verb, found: Call) -> list[Argument] | str:
    """Return one value a parameter, or what is wrong."""
    names = [item.name for item in verb.parameters]
    if len(found.positional) > len(names):
        return f"{verb.name} with {len(found.positional)} arguments"
    given = dict(zip(names, found.positional, strict=False))
    for name in found.named:
        if name not in names or name in given:
            return f"{verb.name} with '{name}'"
    given |= found.named
    values: list[Argument] = []
    for parameter in verb.parameters:
        value = given.get(parameter.name, parameter.default)
        if value is None:
            return f"{verb.name} without {parameter.name}"
        if isinstance(value, str) != (parameter.kind == "text"):
            return f"{verb.name} where {parameter.name} is no {parameter.kind}"
        values.append(value)
    return values


def _shown(parameter: Parameter) -> str:
    if parameter.default is None:
        return f'"{parameter.name}"' if parameter.kind == "text" else parameter.name
    default = parameter.default
    written = quoted(default) if isinstance(default, str) else spelled(default)
    return f"{parameter.name}={written}"
