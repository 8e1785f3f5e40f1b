"""
What models that see the picture are asked, from ``prompts.toml`` or a user's own file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError

_PLACEHOLDER: Final = re.compile(r"\{(task|identifier|instruction|count|cue)\}")
_NEEDED: Final = {
    "write": {"task", "identifier"},
    "cue": {"instruction"},
    "judge": {"instruction", "count"},
    "check": {"cue"},
}


class _Identifiers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    appearance: str
    location: str
    function: str
    text: str


class SeeingPrompts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold the templates of the five requests, and how each identifier is asked for.

    ``dull`` asks whether a screen is worth a question, ``write`` for instructions, ``cue`` for
    a visual cue in one, ``judge`` for what an instruction means, ``check`` whether a cue is seen.
    """

    dull: str
    write: str
    cue: str
    judge: str
    check: str
    identifiers: _Identifiers


def filled(template: str, values: Mapping[str, str]) -> str:
    """
    Put values into a template; a placeholder inside a value stays as it is.

    >>> filled("{cue} of {other}", {"cue": "a {cue}"})
    'a {cue} of {other}'
    """
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template).strip()


def read_seeing_prompts(path: Path | None = None) -> SeeingPrompts:
    """
    Return our prompts, with those that a user's TOML file has in their place.

    Raises InvalidInputError for a file that cannot be read, an entry that is none of ours, and
    a template that lacks what is to be put in.

    >>> "{cue}" in read_seeing_prompts().check
    True
    """
    own = resources.files("surefoot.benchmarks.seeing").joinpath("prompts.toml")
    tables = tomllib.loads(own.read_text("utf-8"))
    try:
        given = {} if path is None else tomllib.loads(path.read_text("utf-8"))
        identifiers = {**tables["identifiers"], **given.get("identifiers", {})}
        prompts = msgspec.convert({**tables, **given, "identifiers": identifiers}, SeeingPrompts)
    except (OSError, ValueError, TypeError) as error:
        raise InvalidInputError(
            f"prompts in {path}",
            found=error,
            remedy="write TOML with entries of benchmarks/seeing/prompts.toml",
        ) from error
    for name, needed in _NEEDED.items():
        lacking = sorted(needed - set(_PLACEHOLDER.findall(getattr(prompts, name))))
        if lacking:
            raise InvalidInputError(
                f"{{{lacking[0]}}} in the prompt '{name}' of {path}",
                found="none",
                remedy="mark the place where it goes",
            )
    return prompts
