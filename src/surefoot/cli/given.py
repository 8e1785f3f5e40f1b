"""
The command line as it was given, for those who note how a folder was made.
"""

from __future__ import annotations

import contextvars
import itertools
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

GIVEN: Final[contextvars.ContextVar[tuple[str, ...]]] = contextvars.ContextVar("given", default=())
_OPTION: Final = "--header="
_SIGN: Final = re.compile(r"[:=]\s*")
_KEEPS_SECRET: Final = re.compile("KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH", re.IGNORECASE)
_SECRET: Final = re.compile(r"//[^/@\s]*@|(?i:key|token|secret|password)=")


def without_secrets(text: str) -> str:
    """Return text without the values of the environment's keys, tokens and passwords."""
    from surefoot.core.foreign.scrubbing import Scrubber

    given = GIVEN.get()
    for header in _headers(given):
        text = Scrubber(header)(text)
    named = {after for word, after in itertools.pairwise(given) if word == "--key-variable"}
    for name, value in sorted(os.environ.items()):
        if (name in named or _KEEPS_SECRET.search(name)) and not value.startswith("/"):
            text = Scrubber(value)(text)
    return text


def given_command(given: Sequence[str] | None = None) -> str:
    """
    Return the command line as it was given, "" for none; of headers the names alone.

    >>> given_command(("run", "--header", "X-Tenant: blue-42", "--header=X-Team: $TEAM"))
    "surefoot run --header 'X-Tenant: ***' '--header=X-Team: $TEAM'"
    """
    given = GIVEN.get() if given is None else given
    words = [_without_value(before, word) for before, word in _pairs(given)]
    return shlex.join(["surefoot", *words]) if words else ""


def _pairs(given: Sequence[str]) -> Iterable[tuple[str, str]]:
    return zip(("", *given), given, strict=False)


def _without_value(before: str, word: str) -> str:
    """Return a word of a command line; if it is a header, its value hidden."""
    if before == "--header":
        option, header = "", word
    elif word.startswith(_OPTION):
        option, header = _OPTION, word.removeprefix(_OPTION)
    else:
        return word
    name, *value = _SIGN.split(header, maxsplit=1)
    known = value and value[0].startswith("$")  # a variable's name, no secret
    return word if known else f"{option}{name}: ***"


def _headers(given: Sequence[str]) -> Iterable[str]:
    """Yield each part of each header's value that was given as it is."""
    for before, word in _pairs(given):
        if _without_value(before, word) != word:
            yield from re.split(r"[:=\s]+", word.removeprefix(_OPTION))


def note_command(folder: Path) -> None:
    """
    Note in a folder's ledger the command line that wrote it, and from where it was given.

    A hint for ``surefoot verify``, and no part of the plan. Nothing is noted of a command
    line that holds what looks like a secret.
    """
    from surefoot.core.ledger import note_hint
    from surefoot.run.folders.folder import COMMAND

    line = given_command()
    if GIVEN.get() and not _SECRET.search(line):
        note_hint(folder, COMMAND, f"{os.path.relpath(Path.cwd(), folder.resolve())}\n{line}")
