"""
The parts of an archived page as files, so that it can be served as the page that it was.

Chromium shows an archive itself with every form control grey and disabled. Served from a
folder, the same document has them as they were. No script runs: archives have none, and what
else says so is taken out.
"""

from __future__ import annotations

import email
import email.policy
import html
import mimetypes
import re
import urllib.parse
from email.message import Message
from pathlib import Path
from typing import Final

import msgspec

FIRST_PAGE: Final = "index.html"
# Where the archive's own address is unknown, for what is relative to it.
NOWHERE: Final = "http://archive.invalid/"
PAGES: Final = frozenset({"application/xhtml+xml", "text/html"})
SHEET: Final = "text/css"
NO_SCRIPTS: Final = '<meta http-equiv="Content-Security-Policy" content="script-src \'none\'">'
TAG: Final = re.compile(r"<(?!a\b|area\b)[a-zA-Z][^>]*>")
LINK: Final = re.compile(
    r"""(\b(?:src|href|poster|data|background)\s*=\s*)("[^"]*"|'[^']*')""", re.IGNORECASE
)
SOURCES: Final = re.compile(r"""(\bsrcset\s*=\s*)("[^"]*"|'[^']*')""", re.IGNORECASE)
STYLES: Final = re.compile(r"""(\bstyle\s*=\s*)("[^"]*"|'[^']*')""", re.IGNORECASE)
STYLE_TEXT: Final = re.compile(r"(<style\b[^>]*>)(.*?)(</style>)", re.IGNORECASE | re.DOTALL)
ADDRESS: Final = re.compile(r"""(url\(\s*["']?|@import\s+["'])([^"'()\s]+)""", re.IGNORECASE)
# What a page says of its scripts' rights, of its next page and of where it was.
RULING: Final = re.compile(
    r"""<meta\b(?=[^>]*http-equiv\s*=\s*["']?(?:content-security-policy|refresh))""",
    re.IGNORECASE,
)
SHADOW: Final = re.compile(r"(<template\b[^>]*?)\bshadowmode=", re.IGNORECASE)
HEAD: Final = re.compile(r"<head\b[^>]*>|<!doctype[^>]*>", re.IGNORECASE)


class _Part(msgspec.Struct, frozen=True):
    name: str
    kind: str
    base: str
    content: bytes


def unpack(archive: bytes, folder: Path, origin: str) -> bool:
    """
    Write the parts of an archive into a folder, the page itself as ``FIRST_PAGE``.

    What they refer to is written as an address under the ``origin``. Tell whether there is a
    page among them.
    """
    message = email.message_from_bytes(archive, policy=email.policy.compat32)
    home = str(message.get("Snapshot-Content-Location", "")).strip() or NOWHERE
    parts: list[_Part] = []
    places: dict[str, str] = {}
    for part in message.walk():
        if part.is_multipart():
            continue
        found = _read(part, home, len(parts), first=not any(_is_page(item) for item in parts))
        parts.append(found)
        for address in _addresses(part, home):
            places.setdefault(address, f"{origin}/{found.name}")
    for found in parts:
        (folder / found.name).write_bytes(_rewritten(found, places))
    return any(_is_page(part) for part in parts)


def _is_page(part: _Part) -> bool:
    return part.kind in PAGES


def _read(part: Message, home: str, number: int, *, first: bool) -> _Part:
    kind = part.get_content_type()
    location = str(part.get("Content-Location", "")).strip()
    base = home if location.startswith("cid:") else _joined(home, location)
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    page = kind in PAGES
    suffix = ".html" if page else mimetypes.guess_extension(kind) or ""
    name = FIRST_PAGE if page and first else f"part-{number}{suffix}"
    return _Part(name, kind, base, content)


def _addresses(part: Message, home: str) -> list[str]:
    """Return by which addresses others refer to a part."""
    location = str(part.get("Content-Location", "")).strip()
    named = str(part.get("Content-ID", "")).strip().strip("<>")
    found = [f"cid:{named}"] if named else []
    return [*found, _joined(home, location)] if location else found


def _rewritten(part: _Part, places: dict[str, str]) -> bytes:
    # Latin-1 gives every byte back; what is looked for is ASCII.
    text = part.content.decode("latin-1")
    if part.kind == SHEET:
        return _sheet(text, part.base, places).encode("latin-1")
    if part.kind not in PAGES:
        return part.content
    text = RULING.sub('<meta data-was="" ', text)
    text = SHADOW.sub(r"\1shadowrootmode=", text)
    text = STYLE_TEXT.sub(
        lambda found: found[1] + _sheet(found[2], part.base, places) + found[3], text
    )
    text = TAG.sub(lambda found: _tag(found[0], part.base, places), text)
    head = HEAD.search(text)
    at = head.end() if head else 0
    return (text[:at] + NO_SCRIPTS + text[at:]).encode("latin-1")


def _tag(text: str, base: str, places: dict[str, str]) -> str:
    def one(found: re.Match[str]) -> str:
        return f'{found[1]}"{_placed(html.unescape(found[2][1:-1]), base, places)}"'

    def several(found: re.Match[str]) -> str:
        items = (item.split() for item in html.unescape(found[2][1:-1]).split(","))
        kept = (" ".join([_placed(item[0], base, places), *item[1:]]) for item in items if item)
        return f'{found[1]}"{", ".join(kept)}"'

    def style(found: re.Match[str]) -> str:
        return found[1] + _sheet(found[2], base, places)

    return STYLES.sub(style, SOURCES.sub(several, LINK.sub(one, text)))


def _placed(address: str, base: str, places: dict[str, str]) -> str:
    """Return where a part is served, the address itself where it is of no part."""
    whole = address if address.startswith("cid:") else _joined(base, address)
    bare, sign, fragment = whole.partition("#")
    found = places.get(bare)
    return html.escape(address if found is None or not address else found + sign + fragment)


def _joined(base: str, address: str) -> str:
    try:
        return urllib.parse.urljoin(base, address)
    except ValueError:
        return address


def _sheet(text: str, base: str, places: dict[str, str]) -> str:
    def placed(found: re.Match[str]) -> str:
        quote = "&quot;" if found[2].startswith("&quot;") else ""
        address = html.unescape(found[2]).strip('"')
        return found[1] + quote + _placed(address, base, places) + quote

    return ADDRESS.sub(placed, text)
