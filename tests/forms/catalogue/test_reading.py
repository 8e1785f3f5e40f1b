"""
Forms are read from TOML, and whatever is no form is refused with what to do about it.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.forms.catalogue.reading import LARGEST_FORM, catalogue, find_form, read_form
from surefoot.forms.specification import Kind

SMALL = """
id = "small"
code = "Z1"
domain = "Tests"
title = { en = "Small" }

[[pages]]
title = { en = "One" }

[[pages.fields]]
id = "pet"
kind = "radio"
fill = "option"
label = { en = "Pet", fr = "Animal" }
options = [{ value = "cat", label = { en = "Cat" } }, { value = "dog", label = { en = "Dog" } }]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a form of one's own may lie."""
    return tmp_path / "small.toml"


def test_a_form_of_ones_own_is_read(path: Path) -> None:
    """A TOML file becomes the form that it says, by path and by the path as a name."""
    path.write_text(SMALL, "utf-8")
    form = read_form(path)
    assert [field.kind for field in form.fields] == [Kind.RADIO]
    assert [option.value for option in form.fields[0].options] == ["cat", "dog"]
    assert form.fields[0].label == {"en": "Pet", "fr": "Animal"}
    assert find_form(str(path)) == form


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('id = "small"', "id = small", "at line 2"),
        ('id = "small"', "", "no field 'id'"),
        ('id = "small"', 'id = "../small"', "in 'id'"),
        ('code = "Z1"', 'code = "Z1"\nlegnth = 3', "unknown field 'legnth'"),
        ('code = "Z1"', 'code = "Z1"\ncode = "Z2"', "at line 4"),
        ('code = "Z1"', "code = 5", "a whole number instead of text in 'code'"),
        ('code = "Z1"', "code = 2026-13-45", "at line 3"),
        ('code = "Z1"', f"code = {'9' * 5000}", "digits"),
        ('code = "Z1"', f"code = {'[' * 99999}", "nesting without end"),
        ('kind = "radio"', 'kind = "dial"', "field 'pet' of kind 'dial'"),
        ('kind = "radio"', 'kind = "radio"\nlowest = "three"', "in 'pages[0].fields[0].lowest'"),
        ('kind = "radio"', 'kind = "string"', "field 'pet' of kind string with 2 options"),
        ('value = "dog"', 'value = "cat"', "two options of one value in 'pet'"),
        ("[[pages]]", "[pages]", "an object instead of a list"),
        (SMALL, "", "no field"),
    ],
    ids=range(15),
)
def test_what_is_no_form_is_refused(path: Path, old: str, new: str, found: str) -> None:
    """Broken TOML, wrong keys, types and values say the file, the place in it, and a remedy."""
    assert old in SMALL
    path.write_text(SMALL.replace(old, new, 1), "utf-8")
    with pytest.raises(InvalidInputError) as caught:
        read_form(path)
    assert str(path) in str(caught.value)
    assert found in str(caught.value)
    assert "docs/forms.md" in str(caught.value)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00", b"PK\x03\x04", b'id = "\xed\xa0\x80"'])
def test_bytes_that_are_no_text_are_refused(path: Path, data: bytes) -> None:
    """A file of another kind is no form."""
    path.write_bytes(data)
    with pytest.raises(InvalidInputError, match=r"small\.toml"):
        read_form(path)


def test_a_huge_file_is_refused_unread(path: Path) -> None:
    """A file over the limit is refused by its size, also where it holds a good form."""
    padding = "#" + "x" * (LARGEST_FORM - len(SMALL.encode()) - 1)
    path.write_text(SMALL + padding, "utf-8")
    assert read_form(path).id == "small"
    with path.open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(InvalidInputError, match=f"more than {LARGEST_FORM} bytes"):
        read_form(path)
    os.truncate(path, 1 << 40)
    with pytest.raises(InvalidInputError, match=f"more than {LARGEST_FORM} bytes"):
        read_form(path)


def test_what_is_no_file_is_refused(path: Path) -> None:
    """A missing file, a folder and a pipe are refused at once."""
    with pytest.raises(InvalidInputError, match="no such file"):
        find_form(str(path))
    with pytest.raises(InvalidInputError, match="no such file"):
        read_form(path.parent)
    os.mkfifo(path)
    with pytest.raises(InvalidInputError, match="no such file"):
        read_form(path)


@given(cut=st.integers(0, len(SMALL)), junk=st.text(max_size=8) | st.sampled_from('[]{}"=.\n'))
def test_any_damage_gives_a_form_or_the_reason(
    tmp_path_factory: pytest.TempPathFactory, cut: int, junk: str
) -> None:
    """Text put anywhere into a form leaves a form or an InvalidInputError, nothing else."""
    path = tmp_path_factory.getbasetemp() / "damaged.toml"
    path.write_text(SMALL[:cut] + junk + SMALL[cut:], "utf-8", newline="")
    with contextlib.suppress(InvalidInputError):
        assert len(read_form(path).fields) == 1


def test_forms_are_found_by_id_and_code() -> None:
    """An id and a code, in any case, mean the same form."""
    rental = catalogue()["real_estate_rental"]
    assert find_form("real_estate_rental") is rental
    assert find_form("B12") is rental
    assert find_form("b12") is rental


def test_an_unknown_name_gets_the_nearest() -> None:
    """A misspelt name is answered with the names that come nearest."""
    with pytest.raises(UnknownNameError, match="Did you mean 'real_estate_rental'"):
        find_form("real_estate_rentals")


def test_a_caller_cannot_change_the_catalogue() -> None:
    """Each call returns a dictionary of its own."""
    catalogue().clear()
    assert catalogue()
