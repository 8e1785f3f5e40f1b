"""
How pages behind a sign-in are reached: the options that verbs share which open pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypedDict

import msgspec

from surefoot.api.options import AnyPath
from surefoot.api.parameters import CliOption, taken_keywords
from surefoot.core.errors import UnknownNameError

if TYPE_CHECKING:
    from surefoot.capture.access.access import Access

LoginOption: TypeAlias = Annotated[
    AnyPath | None,
    CliOption(
        "A Python file whose async function login(page) signs in, by Playwright's async API.",
        shell=Path | None,
        metavar="FILE",
        default=None,
    ),
]
SignedInOption: TypeAlias = Annotated[
    str,
    CliOption(
        "A CSS selector of what every page shows to one who is signed in.",
        metavar="SELECTOR",
        default="",
    ),
]
AllowOption: TypeAlias = Annotated[
    Iterable[str],
    CliOption(
        "A further origin that pages may load from; may be repeated.",
        shell=list[str] | None,
        metavar="ORIGIN",
        default=(),
    ),
]
CaOption: TypeAlias = Annotated[
    AnyPath | None,
    CliOption(
        "A file of certificates (PEM) to believe besides the usual ones.",
        shell=Path | None,
        metavar="FILE",
        default=None,
    ),
]


class ReachingOptions(TypedDict, total=False):
    """Say how the pages of a live server are reached, and what proves that they are."""

    storage_state: Annotated[
        AnyPath | None,
        CliOption(
            "A file of Playwright's storage state, as surefoot login writes it.",
            shell=Path | None,
            metavar="FILE",
            default=None,
        ),
    ]
    login: LoginOption
    header: Annotated[
        Iterable[str],
        CliOption(
            "A header for the pages' own origins; '$VARIABLE' in place of the value reads it from "
            "the environment, as a secret has to be. May be repeated.",
            shell=list[str] | None,
            metavar="'NAME: VALUE'",
            default=(),
        ),
    ]
    http_credentials: Annotated[
        str,
        CliOption(
            "The environment variable that holds USER:PASSWORD for HTTP authentication.",
            metavar="VARIABLE",
            default="",
        ),
    ]
    signed_in: SignedInOption
    ready: Annotated[
        str,
        CliOption(
            "A CSS selector of what every page shows once it is there.",
            metavar="SELECTOR",
            default="",
        ),
    ]
    public: Annotated[
        bool,
        CliOption(
            "Keep pages that look like a sign-in page, or like another address.", default=False
        ),
    ]
    read_only: Annotated[
        bool,
        CliOption(
            "Let only GET and HEAD pass to a live server, as surefoot explore always does.",
            flag="--read-only",
            default=False,
        ),
    ]
    allow: AllowOption
    ca: CaOption


def reaching_access(given: Mapping[str, Any]) -> Access | msgspec.UnsetType:
    """
    Return how pages are reached, unset where nothing is given.

    Raises UnknownNameError for an option of another name, and InvalidInputError for one that is
    malformed.

    >>> reaching_access({}), reaching_access({"signed_in": "#leave"}).signed_in
    (UNSET, '#leave')
    """
    from surefoot.capture.access.access import Access
    from surefoot.core.registry import suggest

    known = taken_keywords(ReachingOptions)
    for name in sorted(given.keys() - known.keys()):  # any keyword passes for a TypedDict
        raise UnknownNameError(
            "an option of how pages are reached",
            found=f"'{name}'",
            remedy=suggest(name, sorted(known)),
        )
    asked = {name: item.default for name, item in known.items()} | dict(given)
    access = Access(
        state=str(asked["storage_state"] or ""),
        login=str(asked["login"] or ""),
        headers=tuple(asked["header"] or ()),
        credentials=asked["http_credentials"],
        signed_in=asked["signed_in"],
        ready=asked["ready"],
        public=asked["public"],
        read_only=asked["read_only"],
        allow=tuple(asked["allow"] or ()),
        ca=str(asked["ca"] or ""),
    )
    return msgspec.UNSET if access == Access() else access
