"""
Text from outside, as a terminal may be given it.
"""

from __future__ import annotations

import contextlib
import re
import struct
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, TextIO, cast

# What a terminal obeys (C0 but for tab and line feed, C1), what reorders or hides letters (all
# that Unicode calls ignorable by default, separators, anchors of annotations, blanks that are
# letters or signs), and halves of letters, which nothing can write.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS: Final = "\u200c\u200d"
_STYLES: Final = "\ufe0e\ufe0f"  # of a sign: as text, as a picture
_KEYCAP: Final = "\u20e3"
_LATIN: Final = "\u02ff"


def harmless(text: str) -> str:
    r"""
    Return text in which what a terminal would obey, and what hides, is spelled as JSON does.

    What joins letters of scripts that are written joined, or the parts of an emoji, stays.

    >>> harmless("\x1b[2J gone")
    '\\u001b[2J gone'
    """
    return _OBEYED.sub(_spelt, text)


def _spelt(found: re.Match[str]) -> str:
    letter, text = found[0], found.string
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    if letter in _JOINERS and _is_joined(before) and _is_joined(after):
        return letter
    if letter in _STYLES and (after == _KEYCAP or unicodedata.category(before or " ") == "So"):
        return letter
    if letter > "\uffff":
        first, second = struct.unpack(">HH", letter.encode("utf-16-be"))
        return f"\\u{first:04x}\\u{second:04x}"
    return f"\\u{ord(letter):04x}"


def _is_joined(letter: str) -> bool:
    """Tell whether a letter is of a script, or a sign, that a joiner may stand beside."""
    emoji = letter == "\ufe0f"
    return letter > _LATIN and (emoji or not _OBEYED.match(letter)) and not letter.isspace()


class PlainStream:
    """
    Write to a stream nothing but harmless text; all else is the stream's own.

    ``raw`` is the stream itself, for what draws on a terminal on purpose.
    """

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Write text, harmless; return the length of what was given."""
        self.raw.write(harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts, harmless, one behind the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.raw, name)


@contextlib.contextmanager
def plain_output() -> Iterator[None]:
    """Let nothing but harmless text reach stdout and stderr for the length of a block."""
    out, err = map(_plain, (sys.stdout, sys.stderr))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


def _plain(stream: TextIO | None) -> TextIO | None:
    """Return a stream of harmless text, None where a shell closed it."""
    return None if stream is None else cast("TextIO", PlainStream(stream))
