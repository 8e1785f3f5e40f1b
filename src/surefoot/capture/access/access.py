"""
How pages behind a sign-in are reached, by name alone: what a plan may hold.

Files and variables of the environment are named and never read here, so that whatever stands in
a plan can be published. A session that is renewed is the same plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError

HEADER: Final = re.compile(
    r"([A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}): ?([\x21-\x7e](?:[ -~]*[\x21-\x7e])?)"
)
# The value that a variable of the environment has, also behind the kind of an authorization.
VARIABLE: Final = re.compile(r"((?:[A-Za-z]{1,20} )?)\$([A-Za-z_]\w{0,80})")
# Headers whose values are most likely secrets, which no plan may hold.
SECRET_HEADER: Final = re.compile(
    r"auth|cookie|token|secret|session|password|key|credential|csrf|xsrf|jwt", re.IGNORECASE
)
OURS: Final = frozenset({"host", "content-length", "connection", "transfer-encoding", "cookie"})


class Access(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Name what opens the pages of a product, and what proves that they are open.

    ``state`` is a file of Playwright's storage state, ``login`` a Python file with an async
    function ``login(page)``. ``headers`` are spelt "NAME: VALUE", the value of a secret one
    "$VARIABLE"; they go to the origins of the pages alone. ``credentials`` is the variable that
    holds USER:PASSWORD for HTTP authentication. ``signed_in`` and ``ready`` are CSS selectors of
    what every page has to show. ``public`` says that a sign-in page is what is meant. Where it is
    ``read_only``, requests that may write are held back. ``allow``
    are further origins that pages may load from, ``ca`` a file of certificates to be trusted.
    ``clock`` is the moment at which pages believe to be, in ISO 8601, "" for the usual one.
    """

    state: str = ""
    login: str = ""
    headers: tuple[str, ...] = ()
    credentials: str = ""
    signed_in: str = ""
    ready: str = ""
    public: bool = False
    read_only: bool = False
    allow: tuple[str, ...] = ()
    ca: str = ""
    clock: str = ""

    def __post_init__(self) -> None:
        read_header_names(self.headers)
        if self.state and self.login:
            raise InvalidInputError(
                "one way to sign in",
                found="a storage state and a login script",
                remedy="leave one of --storage-state and --login out",
            )

    @property
    def signs_in(self) -> bool:
        """Tell whether pages are opened as somebody."""
        return bool(self.state or self.login or self.headers or self.credentials)


def read_header_names(headers: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """
    Return the name and the value of each header as it is spelt, "$VARIABLE" as that.

    Raises InvalidInputError, which repeats no value, for a header that is malformed or our own,
    and for a value in clear that may be a secret.

    >>> read_header_names(["Authorization: Bearer $TOKEN", "X-Tenant: blue"])
    (('Authorization', 'Bearer $TOKEN'), ('X-Tenant', 'blue'))
    """
    found = []
    for number, text in enumerate(headers, start=1):
        match = HEADER.fullmatch(text)
        name = match[1] if match else ""
        if match is None or name.lower() in OURS:
            raise InvalidInputError(
                "headers written 'NAME: $VARIABLE', and none that the browser sets itself",
                found=f"number {number} (its value is not shown)",
                remedy="write --header 'Authorization: Bearer $TOKEN'",
            )
        if SECRET_HEADER.search(name) and not VARIABLE.fullmatch(match[2]):
            raise InvalidInputError(
                f"the value of '{name}' by the name of a variable of the environment",
                found="a value in clear (it is not shown)",
                remedy=f"write --header '{name}: $VARIABLE', in single quotes",
            )
        found.append((name, match[2]))
    return tuple(found)
