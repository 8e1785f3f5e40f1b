"""
Which format reads raw replies, where the one that was chosen does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from surefoot.core.geometry import Box, Point
from surefoot.models.format import Format
from surefoot.models.opening import FORMATS

LETTERS: Final = re.compile(r"[A-Za-z_]+")


class RawReply(NamedTuple):
    """Hold a reply as it came, and the size in pixels of the picture that it is about."""

    text: str
    width: int
    height: int


class LikelyFormats(NamedTuple):
    """Name the formats that read most replies, and say how many: none, where none reads half."""

    names: tuple[str, ...]
    read: int


def likely_formats(replies: Sequence[RawReply]) -> LikelyFormats:
    """
    Return the registered formats that find a place on the picture in most of the replies.

    Of formats that read as many, those are taken that need the words around the numbers: any
    numbers are read by some. Formats that differ in their coordinate space alone may be left;
    the self-check tells those apart.

    >>> said = RawReply("Action: click(start_box='(320,200)')", 640, 400)
    >>> likely_formats([said] * 3)
    LikelyFormats(names=('ui-tars-1.5',), read=3)
    """
    counts = {form.name: _read(form, replies) for form in FORMATS.entries.values()}
    most = max(counts.values(), default=0)
    if 2 * most <= len(replies):
        return LikelyFormats((), 0)
    names = tuple(name for name, count in counts.items() if count == most)
    bare = [reply._replace(text=LETTERS.sub("", reply.text)) for reply in replies]
    exact = tuple(name for name in names if 2 * _read(FORMATS.get(name), bare) < most)
    return LikelyFormats(exact or names, most)


def _read(form: Format, replies: Sequence[RawReply]) -> int:
    """Count the replies in which a format finds a place on the picture."""
    return sum(_is_on_picture(form.parse(*reply), reply) for reply in replies)


def _is_on_picture(place: object, reply: RawReply) -> bool:
    point = place.center if isinstance(place, Box) else place
    return isinstance(point, Point) and Box(0, 0, reply.width, reply.height).contains(point)
