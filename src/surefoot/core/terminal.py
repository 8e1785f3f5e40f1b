"""
Text from outside, as a terminal may be given it.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO, cast

__all__ = ["PlainStream", "harmless", "plain_output"]

# What a terminal obeys (C0 but for tab and line feed, C1), what reorders or hides letters (the
# bidirectional controls, the byte order mark), and halves of letters, which nothing can write.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def harmless(text: str) -> str:
    r"""
    Return text in which what a terminal would obey is spelled out, as JSON spells it.

    >>> harmless("\x1b[2J gone")
    '\\u001b[2J gone'
    """
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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
