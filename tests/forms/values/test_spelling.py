"""
Values in words: what a person would hand over, and what a report shows.
"""

from __future__ import annotations

import pytest

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.specification import Field, Form, Kind, Option, Page
from surefoot.forms.values.making import make_instance
from surefoot.forms.values.normalise import normalise
from surefoot.forms.values.spelling import labelled_lines, spelled_texts

PET = Field(
    "pet",
    Kind.MULTI_CHOICE,
    {"en": "Pet", "fr": "Animal"},
    "options",
    options=(Option("cat", {"en": "Cat", "fr": "Chat"}), Option("dog", {"en": "Dog"})),
)
PROOF = Field("proof", Kind.FILE, {"en": "Proof"}, "file.identity", accepts=(".pdf",))
AGREE = Field("agree", Kind.CHECKBOX, {"en": "Agree"}, "consent")
NOTE = Field("note", Kind.STRING, {"en": "Note"}, "text.comments", required=False)
FORM = Form(
    "small", "Z1", "tests", {"en": "Small"}, (Page({"en": "One"}, (PET, PROOF, AGREE, NOTE)),)
)


def test_lines_say_each_value_by_english_labels() -> None:
    """Options stand by their labels, files by their names, and an empty field has no line."""
    values: dict[str, Value] = {
        "pet": ("cat", "dog"),
        "proof": FileValue("me.pdf", "ab" * 32),
        "agree": True,
    }
    instance = Instance("small", 1, 0, 0, values)

    assert labelled_lines(FORM, instance) == "Pet: Cat, Dog\nProof: me.pdf\nAgree: yes"


def test_of_a_file_that_arrived_the_hash_is_left_out() -> None:
    """A control that holds a file is spelled by the file's name, others by all they hold."""
    assert spelled_texts(PROOF, ("me.pdf", "ab" * 32)) == "me.pdf"
    assert spelled_texts(PET, ("cat", "bird")) == "Cat, bird"
    assert spelled_texts(NOTE, ()) == ""


@pytest.mark.parametrize("form", catalogue().values(), ids=lambda form: form.code)
def test_what_is_spelled_is_read_again_as_the_same_value(form: Form) -> None:
    """No value is lost in its words: the normaliser reads each line as the value it says."""
    instance = make_instance(form, seed=3, index=0)
    lines = labelled_lines(form, instance).splitlines()

    given = [field for field in form.fields if field.id in instance.values]
    assert len(lines) == len(given)
    for field, line in zip(given, lines, strict=True):
        value = instance.values[field.id]
        words = line.removeprefix(f"{field.label['en']}: ")
        read = tuple(words.split(", ")) if field.kind is Kind.MULTI_CHOICE else words
        if not isinstance(value, FileValue):
            assert normalise(field, read) == value
