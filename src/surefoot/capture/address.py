"""
Where a page is found: addresses that anybody can open again, and what opening one gives.
"""

from __future__ import annotations

import abc
import contextlib
import re
import urllib.parse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, Self, TypeAlias, TypeVar

import msgspec

from surefoot.capture.actions import Action, parse_actions, spell_actions
from surefoot.capture.captured import Capture
from surefoot.capture.contents import Contents
from surefoot.capture.parallel.languages import LOCALES
from surefoot.capture.routes import Folder, Upstream
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.registry import Registry

T = TypeVar("T")
# Says a line to the user, and asks: whether what a line says may be done.
Tell: TypeAlias = Callable[[str], None]
Agreed: TypeAlias = Callable[[str], bool]
LABEL_LENGTH: Final = 50
HTML_SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml"})


class Address(msgspec.Struct, frozen=True, order=True):
    """
    Name one page so that anybody can open it again.

    ``page`` is a stable short name without any path of this machine. ``site`` names what it
    shares its templates with (web site, app, program): the pages of one site are one cluster
    of every interval, and fall into one split. ``scripted`` is false where no timer, frame
    or observer ever fires (MHTML).

    The address of a state behind clicks spells the page and the actions that lead there.
    """

    spec: str
    page: str
    site: str
    scripted: bool = True

    @property
    def actions(self) -> tuple[Action, ...]:
        """Return what is done once the page has settled, before it is captured."""
        return parse_actions(self.spec)[1]

    @property
    def entry(self) -> Address:
        """Return the page that the actions begin from."""
        spec, actions = parse_actions(self.spec)
        page = self.page.removesuffix(_behind(actions))
        return msgspec.structs.replace(self, spec=spec, page=page)

    def after(self, *actions: Action) -> Address:
        """
        Return the address of the state that further actions lead to.

        >>> address = Address("app:x/", "x-1/", "app-x").after(Action("click", "a-1"))
        >>> address.spec, address.page, address.entry.page
        ('app:x/ >> click a-1', 'x-1/~b0e6ae82', 'x-1/')
        """
        entry, path = self.entry, (*self.actions, *actions)
        spec, page = spell_actions(entry.spec, path), entry.page + _behind(path)
        return msgspec.structs.replace(self, spec=spec, page=page)


def _behind(actions: tuple[Action, ...]) -> str:
    return f"~{digest(actions)[:8]}" if actions else ""


class OpenedAddress(msgspec.Struct, frozen=True):
    """
    Pair the URL to navigate to with what the site host serves, None for a file.

    ``size`` is a file's length in bytes. ``mark`` is a CSS selector of what the page has if it
    is the one that is meant, "" for none. Where ``restores`` holds, whatever a visit writes is
    undone before the next one, so that actions may write.
    Where it is ``frozen``, the document was recorded without its scripts, and is to be thawed.
    """

    url: str
    route: Folder | Upstream | None
    size: int = 0
    mark: str = ""
    restores: bool = False
    frozen: bool = False


class Services:
    """
    Hold what was started for addresses, once each, and end it all on exit.

    ``contents`` are the digests of the local files that a plan is made of; what they do not
    name is not checked.
    """

    def __init__(self, contents: Contents | None = None) -> None:
        self.contents: Contents = contents or {}
        self._running: dict[str, Any] = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start with nothing running."""
        return self

    def __exit__(self, *_: object) -> None:
        """End everything that was started."""
        self._stack.close()

    def get(self, key: str, start: Callable[[], contextlib.AbstractContextManager[T]]) -> T:
        """
        Return what is running under a key, starting it at the first call.

        >>> with Services() as services:
        ...     services.get("answer", lambda: contextlib.nullcontext(42))
        42
        """
        if key not in self._running:
            self._running[key] = self._stack.enter_context(start())
        value: T = self._running[key]
        return value


class Source(abc.ABC):
    """
    A kind of source: ``NAME:REST`` on the command line, and what it finds there.

    ``version`` is raised whenever the same pages would give other labels or pixels; it is
    part of every plan. A source is either a PageSource or a StillSource.
    """

    name: str
    version: int

    @abc.abstractmethod
    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the pages or screens that REST names, in a stable order.

        The ``spec`` of each address, "NAME:" and what names it alone, gives that address
        again. Raises InvalidInputError where there are none.
        """

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:  # noqa: ARG002
        """
        Return the digests of the local files that these addresses serve, by place and name.

        There are none where all comes from elsewhere.
        """
        return {}

    def locale(self, address: Address, language: str) -> str:  # noqa: ARG002
        """
        Return the tag by which a page is asked for a language, "" where it has none such.

        ``language`` is a BCP 47 tag; one of a language alone gets its usual territory.
        """
        return LOCALES.get(language, language)

    def prepare(self, addresses: Iterable[Address], tell: Tell, agreed: Agreed) -> None:  # noqa: ARG002
        """
        Bring what these addresses need and is not here; large things are asked for first.

        Raises MissingComponentError where it does not come, or nobody agreed.
        """
        return


class PageSource(Source):
    """A kind of source whose pages a browser opens, anew under every edit."""

    def trusted(self, address: Address) -> bool:  # noqa: ARG002
        """Tell whether a page runs no code but that of whoever captures it."""
        return False

    def lost(self, address: Address, services: Services) -> tuple[str, ...]:  # noqa: ARG002
        """
        Return the pages of an address's site that what was written since has made vanish.

        They answer with an error, or lead elsewhere than they did in the first state. What
        cannot be written to loses nothing.
        """
        return ()

    @abc.abstractmethod
    def open(self, address: Address, services: Services) -> OpenedAddress:
        """Return where to navigate and what to serve."""

    def open_as(self, address: Address, services: Services, settings: Settings) -> OpenedAddress:  # noqa: ARG002
        """Return the same for a page that is another one under other settings."""
        return self.open(address, services)


class StillSource(Source):
    """A kind of source without web pages: each screen is recorded once, with its picture."""

    @abc.abstractmethod
    def identity(self, addresses: Iterable[Address]) -> dict[str, str]:
        """Return what determines the pixels of these screens beside settings: versions, fonts."""

    @abc.abstractmethod
    def record(self, address: Address, settings: Settings) -> Capture:
        """Return one screen and its picture; raises CaptureError."""


# mypy wants a type that can be made; a registry only asks what is an instance of it.
SOURCES: Final[Registry[Source]] = Registry(
    Source,  # type: ignore[type-abstract]
    "surefoot.capture.sources",
    what="source",
)


def origin_for(name: str) -> str:
    """
    Return a stable secure-context origin for a name.

    >>> origin_for("npm-@coreui/icons@1.0")
    'http://npm-coreui-icons-1-0.localhost'
    """
    label = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "site"
    if len(label) > LABEL_LENGTH:
        label = f"{label[:LABEL_LENGTH].rstrip('-')}-{sha256(name.encode())[:8]}"
    return f"http://{label}.localhost"


def html_pages(root: Path, under: str = "") -> tuple[str, ...]:
    """
    Return a folder's HTML files, percent-encoded and relative to its root, sorted.

    ``under`` is a file or a folder of the root. Raises InvalidInputError where there is
    none, or where it lies outside the root.
    """
    base = root.resolve()
    start = base.joinpath(urllib.parse.unquote(under)).resolve()
    if not start.is_relative_to(base) or not start.exists():
        raise InvalidInputError(f"'{under}' inside {root.name}", found="no such file or folder")
    files = [start] if start.is_file() else start.rglob("*")
    pages = sorted(
        urllib.parse.quote(file.relative_to(base).as_posix())
        for file in files
        if file.suffix.lower() in HTML_SUFFIXES and file.is_file()
    )
    if not pages:
        raise InvalidInputError(
            f"HTML pages in {root.name}/{under}",
            found="none",
            remedy="name a folder that has some",
        )
    return tuple(pages)
