"""
A settled page as documents and files that draw it without its scripts, its server and its secrets.
"""

from __future__ import annotations

import base64
import html
import mimetypes
import re
import urllib.parse
from collections.abc import Callable
from typing import Final

import msgspec
from playwright.sync_api import Error, Response

from surefoot.capture.access.access import SECRET_HEADER
from surefoot.capture.access.secrets import GONE, hiding
from surefoot.capture.routes import MORE_TYPES, TYPES
from surefoot.capture.sources.recorded import ORIGIN
from surefoot.capture.web.visit import Visit
from surefoot.capture.web.world import World
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box

SHEET: Final = "text/css"
TEXTS: Final = ("text/", "image/svg+xml")
SUFFIXES: Final = {kind: suffix for suffix, kind in MORE_TYPES.items()} | {
    "text/css": ".css", "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif",
    "image/svg+xml": ".svg", "application/font-woff": ".woff", "application/font-woff2": ".woff2",
}  # fmt: skip
# An address in a style sheet: in url(), in quotes or bare, or what is imported.
ADDRESS: Final = re.compile(
    r"""(?P<begin>url\(\s*|@import\s+)(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|"""
    r"""(?P<bare>[^\s"'()]+)(?=\s*\)))""",
    re.IGNORECASE,
)
CHARSET: Final = re.compile(rb'@charset "([\w-]+)"', re.IGNORECASE)
CONTENT_CHARSET: Final = re.compile(r"charset=\"?([\w-]+)", re.IGNORECASE)
DATA: Final = "data:"


class FrozenPage(msgspec.Struct, frozen=True):
    """
    Hold a page as files by name, ``document`` that of the page itself.

    ``lost`` says what could not be kept, and ``hidden`` how many texts and addresses had a secret
    in them. ``ignored`` are the ids of elements that nobody is to be asked for, and ``boxes``
    where those parts lie, in pixels of the image. ``busy`` holds where the page says that more is
    to come; ``target`` is the fragment that it is opened with.
    """

    document: str
    files: dict[str, bytes]
    lost: tuple[str, ...] = ()
    hidden: int = 0
    ignored: frozenset[str] = frozenset()
    boxes: tuple[Box, ...] = ()
    busy: bool = False
    target: str = ""


class _Frozen(msgspec.Struct, frozen=True):
    documents: tuple[tuple[tuple[str, ...], ...], ...]
    lost: tuple[str, ...]
    boxes: tuple[Box, ...]
    ignored: frozenset[str]
    busy: bool
    target: str


def freeze(visit: Visit, world: World, scale: float, ignore: tuple[str, ...] = ()) -> FrozenPage:
    """
    Freeze a page that has settled, and whose listeners were heard.

    ``scale`` is image pixels per CSS pixel, ``ignore`` are CSS selectors of parts that change.
    Raises InvalidInputError for a selector that is none.
    """
    if strange := world.call(list[str], "notSelectors", list(ignore)):
        raise InvalidInputError(
            "CSS selectors of what to ignore", found=", ".join(map(repr, strange))
        )
    found = world.call(_Frozen, "frozen", list(ignore), scale, world.written())
    kept = _Kept(visit, world)
    names: list[str] = []
    # A frame is listed behind the document that holds it, whose markup names it.
    for parts in reversed(found.documents):
        text = "".join(kept.written(part, names[::-1], len(found.documents)) for part in parts)
        names.append(kept.keep(text.encode(), ".html"))
    return FrozenPage(
        names[-1],
        kept.files,
        tuple(dict.fromkeys((*found.lost, *kept.lost))),
        kept.hidden,
        found.ignored,
        found.boxes,
        found.busy,
        found.target,
    )


class _Kept:
    """Keep the files of a page by their digests, and say where each address leads then."""

    def __init__(self, visit: Visit, world: World) -> None:
        secrets = visit.all_secrets(world)
        self.files: dict[str, bytes] = {}
        self.lost: list[str] = []
        self.hidden = 0
        self._hiding = hiding(secrets)
        self._secrets = [secret.encode() for secret in secrets]
        self._responses = visit.responses()
        parts = urllib.parse.urlsplit(visit.page.url)
        self._own = f"{parts.scheme}://{parts.netloc}"
        self._places: dict[str, str] = {}
        self._kinds: dict[str, Callable[..., str]] = {
            "a": self._attribute,
            "c": self._sheet,
            "m": str,
            "p": self._picture,
            "t": lambda text: _escaped(self.hide(text)),
            "u": lambda name, *address: f' {name}="{_escaped(self._address(*address))}"',
        }

    def written(self, part: tuple[str, ...], frames: list[str], count: int) -> str:
        """Return the markup of a part; ``frames`` are the last of ``count`` documents."""
        kind, *values = part
        if kind == "d":
            name, number = values
            return f' {name}="/{frames[int(number) - count + len(frames)]}"'
        return self._kinds[kind](*values)

    def keep(self, data: bytes, suffix: str) -> str:
        """Keep a file, and return its name."""
        name = sha256(data) + suffix
        self.files[name] = data
        return name

    def hide(self, text: str) -> str:
        """
        Return a text without secrets, and count it where it had any.

        It is as long as it was, so that lines break where they did.
        """
        hidden = self._hiding(text)
        if hidden == text:
            return text
        self.hidden += 1
        return hidden.replace(GONE, GONE + "*" * (len(text) - len(hidden)), 1)

    def _attribute(self, name: str, value: str) -> str:
        if SECRET_HEADER.search(name) and name.startswith("data-"):
            value = ""
        elif value.startswith(self._own):
            value = ORIGIN + value.removeprefix(self._own)
        shown = value if value.startswith(DATA) else self.hide(value)
        return f' {name}="{_escaped(shown)}"'

    def _sheet(self, name: str, base: str, text: str) -> str:
        placed = self._placed(text, base)
        return f' {name}="{_escaped(placed)}"' if name else placed.replace("</style", r"<\/style")

    def _picture(self, name: str, data: str) -> str:
        content = base64.b64decode(data.partition(",")[2])
        return f' {name}="/{self.keep(content, ".png")}"'

    def _address(self, address: str, size: str = "") -> str:
        return f"{self._place(address)} {size}".strip()

    def _place(self, address: str) -> str:
        """Return where an address leads in the recording."""
        if address.startswith(DATA):
            return address
        bare, sign, fragment = address.partition("#")
        if bare not in self._places:
            own = bare == self._own or bare.startswith(f"{self._own}/")
            there = ORIGIN + bare.removeprefix(self._own) if own else bare
            self._places[bare] = self.hide(there)  # also where a style sheet imports itself
            name = self._file(bare)
            if name:
                self._places[bare] = f"/{name}"
        return self._places[bare] + sign + fragment

    def _file(self, address: str) -> str:
        """Return the name under which what an address gave is kept, "" where it gave nothing."""
        response = self._responses.get(address)
        if response is None:
            return ""
        declared = response.headers.get("content-type", "")
        kind = declared.partition(";")[0].strip().lower()
        if kind == "text/html":  # an error in the place of a picture, a font or a sheet
            return ""
        try:
            data = response.body()
        except Error:
            self.lost.append(f"what came of {self._hiding(address)}")
            return ""
        if kind == SHEET or response.request.resource_type == "stylesheet":
            text = _decoded(data, declared)
            return self.keep(self._placed(text, response.url).encode(), ".css")
        if kind.startswith(TEXTS):
            data = self.hide(data.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
        elif any(secret in data for secret in self._secrets):
            self.lost.append(f"{self._hiding(address)}, which holds a secret")
            return ""
        return self.keep(data, _suffix(kind, response))

    def _placed(self, text: str, base: str) -> str:
        """Return a style sheet, or a style, with addresses of the recording."""

        def placed(found: re.Match[str]) -> str:
            address = (found["double"] or found["single"] or found["bare"] or "").strip()
            if not address or address.startswith(("#", DATA)):
                return found[0]
            place = self._place(_joined(base, address)).replace('"', "%22")
            return f'{found["begin"]}"{place}"'

        return ADDRESS.sub(placed, self.hide(text))


def _joined(base: str, address: str) -> str:
    try:
        return urllib.parse.urljoin(base, address)
    except ValueError:
        return address


def _decoded(data: bytes, declared: str) -> str:
    named = CONTENT_CHARSET.search(declared)
    written = CHARSET.match(data)
    charset = named[1] if named else written[1].decode("ascii") if written else "utf-8"
    try:
        return CHARSET_RULE.sub("", data.decode(charset, "replace").removeprefix("\ufeff"))
    except LookupError:
        return data.decode("utf-8", "replace")


CHARSET_RULE: Final = re.compile(r'^@charset "[^"]*";')


def _suffix(kind: str, response: Response) -> str:
    path = urllib.parse.urlsplit(response.url).path.rpartition("/")[2]
    own = f".{path.rpartition('.')[2].lower()}" if "." in path else ""
    if known := SUFFIXES.get(kind) or mimetypes.guess_extension(kind):
        return known
    return own if own in TYPES.types_map[True] or own in MORE_TYPES else ".bin"


def _escaped(text: str) -> str:
    return html.escape(text).replace("\r", "&#13;")
