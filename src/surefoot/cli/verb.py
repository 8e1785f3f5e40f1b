"""
A verb of the command line, and where all verbs are found.

A verb is a file of ``surefoot.verbs`` with a function, which Python callers have, and a
`CliVerb` that says how a command is made of it; an outside package names its module under the
entry-point group ``surefoot.verbs``.
"""

from __future__ import annotations

import importlib
import importlib.util
import keyword
from collections.abc import Callable
from typing import Any, Final

import msgspec

from surefoot.core.registry import Registry

TASKS: Final = ("Start", "Collect", "Build", "Ask", "Judge", "Explain", "Share", "More")


class CliVerb(msgspec.Struct, frozen=True):
    """
    Describe a command: the function that does the work, and what is printed of it.

    ``name`` is what a person types, "forms/run" where it stands below another verb; ``task`` is
    the heading that the program's help has it under. The options of the command are the
    parameters of ``function`` that have a `CliOption`, then those of ``command``, which is given
    the work to do and those of the parameters that it names. Without a ``function`` the verb
    only has others below it. The help is the function's docstring, up to what is for Python.
    """

    name: str
    task: str
    summary: str
    function: Callable[..., Any] | None = None
    command: Callable[..., None] | None = None
    examples: tuple[str, ...] = ()
    version: int = 1

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words that a person types."""
        return tuple(self.name.split("/"))


VERBS: Final = Registry(CliVerb, "surefoot.verbs", what="verb")


def find_verbs(first: str) -> list[CliVerb]:
    """
    Return a verb and those below it, importing no other of ours; [] where there is none.

    >>> [verb.name for verb in find_verbs("apps")]
    ['apps', 'apps/install', 'apps/check', 'apps/remove']
    """
    name = first.replace("-", "_")
    module = f"surefoot.verbs.{name}{'_' * keyword.iskeyword(name)}"
    if name.isidentifier() and importlib.util.find_spec(module):
        known = vars(importlib.import_module(module)).values()
        verbs = [value for value in known if isinstance(value, CliVerb)]
    else:
        verbs = list(VERBS.entries.values())
    below = (verb for verb in verbs if verb.words[0] == first)
    return sorted(below, key=lambda verb: len(verb.words))
