"""
Print a résumé as PDF, the same bytes each time.
"""

from __future__ import annotations

import html
import io
from collections.abc import Iterator
from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import TaskDocument

_MARGIN: Final = 64  # points
_STYLES: Final = (
    ("# ", "Title"),
    ("## ", "Heading2"),
    ("### ", "Heading3"),
    ("- ", "Bullet"),
    ("* ", "Bullet"),
    ("", "BodyText"),
)


def is_printable(document: TaskDocument) -> bool:
    """
    Say whether a document is a résumé in letters that the standard fonts of PDF have.

    >>> from surefoot.forms.instance import TaskDocument
    >>> is_printable(TaskDocument("resume", "labelled", "# Name: Zoë", ()))
    True
    """
    return document.kind == "resume" and not _lacking(document.text)


def resume_pdf(document: TaskDocument) -> bytes:
    """
    Return a résumé's Markdown as a PDF of A4 pages, with headings, bullets and paragraphs.

    The bytes follow from the text alone. Raises InvalidInputError for another kind of
    document, and for characters that the standard fonts of PDF lack.
    """
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    if document.kind != "resume":
        raise InvalidInputError("a résumé", found=f"a document of kind '{document.kind}'")
    lacking = _lacking(document.text)
    if lacking:
        raise InvalidInputError(
            "letters of Western European languages", found=f"'{lacking[0]}'", remedy="use Markdown"
        )
    target = io.BytesIO()
    sheet = getSampleStyleSheet()
    pages = SimpleDocTemplate(
        target,
        pagesize=A4,
        invariant=1,
        **dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), _MARGIN),
    )
    bullet = "\N{BULLET}"
    pages.build(
        [
            Paragraph(html.escape(text), sheet[style], bullet if style == "Bullet" else None)
            for style, text in _lines(document.text)
        ]
    )
    return target.getvalue()


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line that is not empty with the style of its mark, the mark taken off."""
    for line in filter(str.strip, text.splitlines()):
        mark, style = next(item for item in _STYLES if line.startswith(item[0]))
        yield style, line.removeprefix(mark)


def _lacking(text: str) -> list[str]:
    """Return the characters that cannot be printed."""
    return sorted(
        item for item in set(text) if item != "\n" and not item.encode("cp1252", "ignore")
    )
