"""
Tests of the files that instances upload.
"""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
from typing import Final

import msgspec
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import FileValue
from surefoot.forms.specification import Kind
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.making import make_instance

FORM: Final = catalogue()["real_estate_rental"]


def test_bytes_have_the_hash_that_the_instance_names() -> None:
    """Each file is a PDF or a PNG by its name, and its SHA-256 stands in the instance."""
    seen = set()
    for index in range(8):
        instance = make_instance(FORM, seed=1, index=index)
        for name, value in instance.values.items():
            field = FORM.field(name)
            if field is None or not isinstance(value, FileValue):
                continue
            data = file_bytes(FORM, instance, field)
            assert hashlib.sha256(data).hexdigest() == value.sha256
            if value.name.endswith(".pdf"):
                assert data.startswith(b"%PDF")
                assert b"%%EOF" in data[-20:]
            else:
                darkest, lightest = Image.open(io.BytesIO(data)).convert("L").getextrema()
                assert (darkest, lightest) == (0, 255)
            seen.add((value.name[-4:], value.sha256))
    assert {suffix for suffix, _ in seen} == {".pdf", ".png"}
    assert len(seen) == 16


def test_bytes_are_the_same_in_another_process() -> None:
    """Another process makes the same bytes."""
    code = (
        "import hashlib\n"
        "from surefoot.forms.catalogue.reading import find_form\n"
        "from surefoot.forms.values.files import file_bytes\n"
        "from surefoot.forms.values.making import make_instance\n"
        "form = find_form('B12')\n"
        "made = make_instance(form, seed=1, index=2)\n"
        "files = [file_bytes(form, made, form.field(n)) for n in ('id_proof', 'income_proof')]\n"
        "print(*[hashlib.sha256(each).hexdigest() for each in files])\n"
    )
    command = [sys.executable, "-c", code]
    other = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    values = make_instance(FORM, seed=1, index=2).values
    own = [values["id_proof"], values["income_proof"]]

    assert [item.sha256 for item in own if isinstance(item, FileValue)] == other


def test_no_password_stands_in_a_file() -> None:
    """What is secret in an instance is not drawn: another password, the same bytes."""
    form = catalogue()["contractor_onboarding"]
    made = make_instance(form, seed=1, index=0)
    file = next(field for field in form.fields if isinstance(made.values.get(field.id), FileValue))
    text = next(field for field in form.fields if isinstance(made.values.get(field.id), str))
    secret = msgspec.structs.replace(text, kind=Kind.PASSWORD)
    fields = tuple(secret if field is text else field for field in form.fields)
    page = msgspec.structs.replace(form.pages[0], fields=fields)
    hidden = msgspec.structs.replace(form, pages=(page,))
    changed = msgspec.structs.replace(made, values=made.values | {text.id: "another"})

    assert file_bytes(hidden, made, file) == file_bytes(hidden, changed, file)
    assert file_bytes(form, made, file) != file_bytes(form, changed, file)


def test_a_field_without_a_file_is_refused() -> None:
    """A field that holds no file, or one of another type, is refused."""
    instance = make_instance(FORM, seed=1, index=0)
    name, proof = FORM.field("full_name"), FORM.field("id_proof")
    assert name is not None
    assert proof is not None
    with pytest.raises(InvalidInputError, match="full_name"):
        file_bytes(FORM, instance, name)

    word = {**instance.values, "id_proof": FileValue("a.docx", "0" * 64)}
    with pytest.raises(InvalidInputError, match=r"a\.docx"):
        file_bytes(FORM, msgspec.structs.replace(instance, values=word), proof)
