"""
A text file of numbered parts, such as FormFactory's letters: taken apart at its numbers.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from surefoot.core.errors import InvalidInputError

MOST_BYTES: Final = 16 * 2**20
LONGEST: Final = 50_000  # characters of a part
_NUMBER: Final = re.compile(r"^[ \t]*(\d{1,6})([.)])", re.MULTILINE)


def read_parts(path: Path, count: int) -> tuple[str, ...]:
    """
    Return the parts of a UTF-8 file, 1 to ``count``, without their numbers.

    Raises InvalidInputError for a file that cannot be read, or that has others.
    """
    what = f"{count} texts numbered '1.' or '1)' in '{path.name}'"
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidInputError(f"at most {MOST_BYTES:,} bytes in '{path.name}'", found="more")
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(what, found=error) from error
    parts = numbered_parts(text)
    if len(parts) != count:
        raise InvalidInputError(what, found=str(len(parts)))
    for number, part in enumerate(parts, start=1):
        if not part or len(part) > LONGEST or "\x00" in part:
            found = f"no. {number} of {len(part):,} characters"
            raise InvalidInputError(
                f"texts of 1 to {LONGEST:,} characters, none of them NUL, in '{path.name}'",
                found=f"{found}, with NUL" if "\x00" in part else found,
            )
    return parts


def numbered_parts(text: str) -> tuple[str, ...]:
    r"""
    Take a text apart at the numbers 1, 2, 3 and so on that begin a line.

    The sign behind the first of them stands behind all: a list within a part may use the other.
    A list that uses the same sign and goes on where the parts do cannot be told from them.

    >>> numbered_parts("1) Bug\n1. open\n2. crash\n\n2) Fine\n")
    ('Bug\n1. open\n2. crash', 'Fine')
    """
    sign = ""
    starts: list[tuple[int, int]] = []
    for found in _NUMBER.finditer(text):
        if int(found[1]) == len(starts) + 1 and sign in {"", found[2]}:
            sign = found[2]
            starts.append(found.span())
    ends = [*(start for start, _ in starts[1:]), len(text)][: len(starts)]
    return tuple(text[begin:end].strip() for (_, begin), end in zip(starts, ends, strict=True))
