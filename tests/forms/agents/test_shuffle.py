"""
What the shuffle agent enters is wrong everywhere it can be.
"""

from __future__ import annotations

import pytest

from surefoot.forms.agents.shuffle import decoys, misplaced
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.specification import Form, Kind
from surefoot.forms.values.constraints import broken
from surefoot.forms.values.making import make_instance

FORMS = tuple(catalogue().values())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.code)
def test_values_stand_in_wrong_fields_of_their_page(form: Form) -> None:
    """Each page keeps all its texts, a lone one apart, and no text without a double stays."""
    values = make_instance(form, seed=1, index=0).values

    wrong = misplaced(form, values)

    assert wrong.keys() == values.keys()
    for page in form.pages:
        chosen = {Kind.DROP_DOWN, Kind.RADIO, Kind.MULTI_CHOICE, Kind.CHECKBOX, Kind.FILE}
        texts = [
            field.id for field in page.fields if field.kind not in chosen and field.id in values
        ]
        before = [str(values[name]) for name in texts]
        after = [str(wrong[name]) for name in texts]
        assert sorted(before) == sorted(after) or len(texts) == 1
        if len(set(before)) == len(before):
            assert not any(a == b for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.code)
def test_decoys_are_accepted_and_not_right(form: Form) -> None:
    """They break no rule of the form, files apart, and agree with few right values."""
    instance = make_instance(form, seed=1, index=0)

    found = decoys(form, instance)

    files = {field.id for field in form.fields if field.kind is Kind.FILE}
    assert [breach for breach in broken(form, found) if breach.field not in files] == []
    free = [
        name
        for name, value in instance.values.items()
        if isinstance(value, str) and not (form.field(name) or form.fields[0]).options
    ]
    assert [name for name in free if found.get(name) == instance.values[name]] == []
