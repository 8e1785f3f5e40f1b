"""
Tests of résumés as PDF.
"""

from __future__ import annotations

import base64
import re
import zlib

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.letters.printing import is_printable, resume_pdf
from surefoot.forms.letters.writing import write_document
from surefoot.forms.values.making import make_instance

FORM = find_form("association_membership")
INSTANCE = make_instance(FORM, seed=1, index=0)
RESUME = write_document(FORM, INSTANCE, kind="resume", level="paraphrased", seed=1)


def words_of(pdf: bytes) -> str:
    """Return the text that the content streams of a PDF show."""
    found = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    shown = [zlib.decompress(base64.a85decode(item.strip(), adobe=False)) for item in cut(found)]
    return " ".join(re.findall(r"\((.*?)\) Tj", b" ".join(shown).decode("latin-1")))


def cut(streams: list[bytes]) -> list[bytes]:
    """Take the end mark of ASCII85 off."""
    return [stream.strip().removesuffix(b"~>") for stream in streams]


def test_a_resume_is_printed_whole_and_the_same_each_time() -> None:
    """The pages show the name and the e-mail address, and two prints are the same bytes."""
    pdf = resume_pdf(RESUME)
    assert pdf == resume_pdf(RESUME)
    shown = words_of(pdf)
    assert str(INSTANCE.values["full_name"]) in shown
    assert str(INSTANCE.values["email"]) in shown
    assert "# " not in shown


def test_other_documents_and_letters_are_refused() -> None:
    """A letter is no résumé, and what the fonts lack is an error, not an empty box."""
    foreign = msgspec.structs.replace(RESUME, text="# 王伟")
    letter = msgspec.structs.replace(RESUME, kind="letter")
    assert [is_printable(document) for document in (RESUME, letter, foreign)] == [
        True,
        False,
        False,
    ]
    with pytest.raises(InvalidInputError, match="letter"):
        resume_pdf(letter)
    with pytest.raises(InvalidInputError, match="Western"):
        resume_pdf(foreign)


def test_marks_of_markup_are_shown_as_they_are() -> None:
    """Angle brackets and ampersands of a value reach the page."""
    pdf = resume_pdf(msgspec.structs.replace(RESUME, text="### A & B\n\n* C <d@example.org>\n"))
    assert "A & B" in words_of(pdf)
    assert "*" not in words_of(pdf)
    assert "<d@example.org>" in words_of(pdf).replace(" ", "")
