"""
Pages that have a part which a study writes, between two marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic


def write_between(page: Path, begin: str, end: str, lines: Iterable[str]) -> None:
    """Write lines into a page, between its marks; raises InvalidInputError without them."""
    text = page.read_text("utf-8")
    head, begun, rest = text.partition(begin)
    _, ended, tail = rest.partition(end)
    if not begun or not ended:
        raise InvalidInputError(f"'{begin}' and '{end}' in {page}", found="not both")
    body = "\n".join(lines)
    write_atomic(page, f"{head}{begin}\n\n{body}\n\n{end}{tail}".encode())
