"""
The values behind the names of an access: they live in memory, and go to named origins alone.
"""

from __future__ import annotations

import functools
import os
import re
import time
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from surefoot.capture.access.access import VARIABLE, Access, read_header_names
from surefoot.capture.access.states import HOW, JWT, expired, read_state, secrets_in
from surefoot.capture.actions import parse_actions
from surefoot.core.errors import InvalidInputError
from surefoot.core.foreign.scrubbing import Scrubber

T = TypeVar("T")
LIVE: Final = ("http:", "https:")
GONE: Final = "***"
# A value in an address that its name says to be a secret.
IN_ADDRESS: Final = re.compile(
    r"""([?&\#;][\w.-]*(?:token|secret|auth|session|sid|code|signature|sig|jwt|passw|ticket|key)
    [\w.-]*=)[^&\#;\s]+""",
    re.IGNORECASE | re.VERBOSE,
)


class Secrets(msgspec.Struct, frozen=True):
    """
    Hold what an access names: variables by name, headers, a name and a password, a state.

    ``state`` is Playwright's storage state. Nothing of it shows in its ``repr``.
    """

    variables: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    credentials: tuple[str, str] | None = None
    state: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return "Secrets(***)"

    def __bool__(self) -> bool:
        return bool(self.variables or self.headers or self.credentials or self.state)

    def values(self) -> list[str]:
        """Return every value that nothing which is written may repeat."""
        credentials = list(self.credentials or ())
        if self.credentials:
            credentials.append(":".join(self.credentials))
        found = [*self.variables.values(), *self.headers.values(), *credentials]
        # What follows the kind of an authorization is the secret of it.
        found += [value.partition(" ")[2] for value in self.headers.values() if " " in value]
        return list(dict.fromkeys((*found, *secrets_in(self.state or {}))))


NONE: Final = Secrets()


def read_secrets(access: Access, specs: Iterable[str], *, now: float | None = None) -> Secrets:
    """
    Read what an access and the actions of pages name, from the environment and from its file.

    ``specs`` are the specifications of the pages. A login script is not run here. Raises
    InvalidInputError, which repeats no value, for a variable that is not set, a file that is no
    state, and a state that has expired for every page of the live web.
    """
    wanted = list(specs)
    typed = {name for spec in wanted for name in variables_of(spec)}
    headers = {}
    for name, value in read_header_names(access.headers):
        match = VARIABLE.fullmatch(value)
        headers[name] = f"{match[1]}{_variable(match[2])}" if match else value
        if not (headers[name].isascii() and headers[name].isprintable()):
            raise InvalidInputError(
                f"a value of printable ASCII for the header '{name}'",
                found="another (it is not shown)",
            )
    credentials = None
    if access.credentials:
        user, colon, password = _variable(access.credentials).partition(":")
        if not colon:
            raise InvalidInputError(
                f"USER:PASSWORD in the variable {access.credentials}",
                found="no colon (its value is not shown)",
            )
        credentials = (user, password)
    state = read_state(access.state) if access.state else None
    hosts = {urllib.parse.urlsplit(spec).hostname or "" for spec in wanted if is_live(spec)}
    ended = expired(state, hosts, time.time() if now is None else now) if state and hosts else ""
    if ended:
        raise InvalidInputError(
            f"a state in {access.state} that can still sign in",
            found=f"one that expired {ended}",
            remedy=f"renew it: {HOW.format(url='URL', file=access.state)}",
        )
    return Secrets({name: _variable(name) for name in sorted(typed)}, headers, credentials, state)


def is_live(spec: str) -> bool:
    """Tell whether a specification is a page of a live server."""
    return spec.startswith(LIVE)


def variables_of(spec: str) -> list[str]:
    """
    Return the variables whose values the actions of a specification type.

    >>> variables_of('http://a.example/ >> type input-1 "ann" >> type input-2 $PASSWORD')
    ['PASSWORD']
    """
    return [action.variable for action in parse_actions(spec)[1] if action.variable]


def hiding(values: Iterable[str]) -> Callable[[str], str]:
    """
    Return what takes secrets out of a text: these values, tokens, and what an address calls one.

    >>> hiding(["hunter2-hunter2"])("/x?q=1&access_token=4711 of hunter2-hunter2")
    '/x?q=1&access_token=*** of ***'
    """
    scrub = Scrubber(*values)

    @functools.cache
    def hide(text: str) -> str:
        return IN_ADDRESS.sub(rf"\1{GONE}", JWT.sub(GONE, scrub(text)))

    return hide


def scrubbed(value: T, kind: type[T], hide: Callable[[str], str]) -> T:
    """Return a record without the secrets in any of its texts."""

    def clean(part: Any) -> Any:  # noqa: ANN401 - a part of a JSON value
        if isinstance(part, str):
            return hide(part)
        if isinstance(part, dict):
            return {clean(name): clean(inner) for name, inner in part.items()}
        if isinstance(part, list | tuple):
            return [clean(inner) for inner in part]
        return part

    return msgspec.convert(clean(msgspec.to_builtins(value)), kind)


def _variable(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise InvalidInputError(
            f"the variable {name} in the environment",
            found="none",
            remedy=f"set it without writing it down, as in: read -rs {name}; export {name}",
        )
    return value
