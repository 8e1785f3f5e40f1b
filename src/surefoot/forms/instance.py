"""
One filled-in form as it ought to be: the values, the text that holds them, the files.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec


class FileValue(msgspec.Struct, frozen=True):
    """Name a file to upload, with the SHA-256 of its bytes in hexadecimal digits."""

    name: str
    sha256: str


Value: TypeAlias = str | bool | tuple[str, ...] | FileValue
"""
A value in the one form in which values are compared.

Text, e-mail, URL, password and description as they are; a telephone number in E.164; a
number as a plain decimal ("1250.5"); a date in ISO 8601; the value of an option; the sorted
values of several options; true or false for a checkbox; a FileValue for a file.
"""


class ValueSpan(msgspec.Struct, frozen=True):
    """
    Say where in a document a field's value stands.

    ``start`` and ``end`` count characters of the text. ``how``: "verbatim" (as the form
    takes it), "reworded" (another surface form of the same value), "derived" (the value
    follows from what is said).
    """

    field: str
    start: int
    end: int
    how: Literal["verbatim", "reworded", "derived"]


class OtherSpan(msgspec.Struct, frozen=True):
    """
    Say where in a document a value stands that is of a field's kind and is not the field's.

    Somebody else's, one of old, one that is corrected later, or the one of two that is not
    chosen: the document says so.
    """

    field: str
    start: int
    end: int


class TaskDocument(msgspec.Struct, frozen=True):
    """
    Hold the input that a person would hand over, with where each value stands in it.

    ``kind``: "letter", "resume", "thread" (of e-mails), "notes" or "circular" (a form letter
    that lists what does not apply). ``level``: "labelled", "paraphrased" or "derived".
    ``others`` are the values in it that do not count. ``language`` is that of its sentences.
    """

    kind: Literal["letter", "resume", "thread", "notes", "circular"]
    level: Literal["labelled", "paraphrased", "derived"]
    text: str
    spans: tuple[ValueSpan, ...]
    others: tuple[OtherSpan, ...] = ()
    language: str = "en"


class Instance(msgspec.Struct, frozen=True):
    """
    Give every field of a form its right value; optional fields may be missing.

    ``index`` numbers the instances of one form under one seed, from 0.
    """

    form: str
    version: int
    seed: int
    index: int
    values: dict[str, Value]
