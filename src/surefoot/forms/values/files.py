"""
Real files for the fields that ask for one: PDF and PNG, the same bytes each time.
"""

from __future__ import annotations

import io
import textwrap
from pathlib import PurePosixPath
from random import Random
from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.core.seeds import random_source
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.specification import Field, Form, said

_WIDTH, _HEIGHT = 640, 480  # pixels
_MARGIN: Final = 32
_LINE: Final = 22
_COLUMNS: Final = 62
_MOST_LINES: Final = 12
_TITLE_SIZE, _TEXT_SIZE = 22, 14
_SHAPES: Final = 6
_PAGE_TOP, _PAGE_LEFT = 770, 72  # points from the foot and the left of an A4 page


def file_bytes(form: Form, instance: Instance, field: Field) -> bytes:
    """
    Return the bytes of the file that an instance uploads in a field.

    They follow from the form, the instance and the field alone: a title, and lines with
    what the instance says elsewhere. Raises InvalidInputError where the instance has no
    file there, or one that is neither PDF nor PNG.
    """
    value = instance.values.get(field.id)
    if not isinstance(value, FileValue):
        raise InvalidInputError(f"a file for field '{field.id}'", found=repr(value))
    title, lines = _content(form, instance, field)
    suffix = PurePosixPath(value.name).suffix
    random = random_source(instance.seed, "form-file", form.id, str(instance.index), field.id)
    if suffix == ".pdf":
        return _pdf(title, lines)
    if suffix == ".png":
        return _png(title, lines, random)
    raise InvalidInputError("a file that ends in .pdf or .png", found=f"'{value.name}'")


def _content(form: Form, instance: Instance, field: Field) -> tuple[str, list[str]]:
    title = f"{said(field.label, 'en')} ({instance.seed}-{instance.index})"
    lines = [said(form.title, "en"), ""]
    for other in form.fields:
        value = instance.values.get(other.id)
        if isinstance(value, str) and not other.traits.secret:
            shown = f"{said(other.label, 'en')}: {value}"
            lines += textwrap.wrap(shown, _COLUMNS) or [""]
    return title, lines[:_MOST_LINES]


def _pdf(title: str, lines: list[str]) -> bytes:
    """Draw one page, without the time of day or anything else that changes."""
    from reportlab.pdfgen.canvas import Canvas

    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(595, 842), invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(_PAGE_LEFT, _PAGE_TOP, title)
    canvas.setFont("Helvetica", 11)
    for number, line in enumerate(lines, 2):
        canvas.drawString(_PAGE_LEFT, _PAGE_TOP - number * 16, line)
    canvas.save()
    return target.getvalue()


def _png(title: str, lines: list[str], random: Random) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", (_WIDTH, _HEIGHT), "white")
    draw = ImageDraw.Draw(picture)
    for _ in range(_SHAPES):
        left, top = random.randrange(_WIDTH - 160), random.randrange(_HEIGHT - 120)
        shade = random.randrange(200, 250)
        box = (left, top, left + random.randrange(40, 160), top + random.randrange(40, 120))
        draw.rectangle(box, fill=shade)
    draw.text((_MARGIN, _MARGIN), title, "black", ImageFont.load_default(_TITLE_SIZE))
    font = ImageFont.load_default(_TEXT_SIZE)
    for number, line in enumerate(lines, 2):
        draw.text((_MARGIN, _MARGIN + number * _LINE), line, "black", font)
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=1)
    return target.getvalue()
