"""
What a bag of words finds, and what it is not told.
"""

from __future__ import annotations

import os
import subprocess
import sys

import msgspec
import pytest

from surefoot.forms.agents.words import filled_up, open_words, read_by_words
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.driver.agent import FormTask
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.letters.writing import LEVELS, write_document
from surefoot.forms.specification import Form, Kind
from surefoot.forms.values.constraints import broken
from surefoot.forms.values.making import make_instance


def files_of(instance: Instance) -> list[str]:
    """Return the names of an instance's files."""
    return [value.name for value in instance.values.values() if isinstance(value, FileValue)]


def found(form: Form, level: str) -> tuple[int, int]:
    """Count the values of an instance that are found in its paper, and all of them."""
    instance = make_instance(form, seed=3, index=0)
    level_ = next(item for item in LEVELS if item == level)
    text = write_document(form, instance, level=level_, seed=3).text
    values = read_by_words(form, text, files=files_of(instance))
    asked = {name: value for name, value in instance.values.items() if value not in (False, ())}
    right = sum(
        getattr(values.get(name), "name", values.get(name)) == getattr(value, "name", value)
        for name, value in asked.items()
    )
    return right, len(asked)


def test_each_field_takes_the_value_nearest_to_its_label() -> None:
    """Values of one kind go where the words of the label stand, whatever their order."""
    form = find_form("B12")
    text = (
        "Max of Ostwald Court asks about a flat. The maximum monthly rent is USD 1,685, his gross "
        "monthly income USD 4,700.\nDate of birth: 3/25/1978. He would move in on the preferred "
        "date, 2026-12-03. E-mail address: max@mail.example. Pets? He has none to describe.\n\n"
        "Additional comments: \u201cI can do small repairs.\u201d"
    )

    values = read_by_words(form, text)

    assert values["max_rent"] == "1685"
    assert values["monthly_income"] == "4700"
    assert values["date_of_birth"] == "1978-03-25"
    assert values["preferred_move_date"] == "2026-12-03"
    assert values["email"] == values["email_repeated"] == "max@mail.example"
    assert values["additional_info"] == "I can do small repairs."


@pytest.mark.long
def test_more_is_found_where_values_stand_under_their_labels() -> None:
    """Of labelled papers most is found, and much less of those that are to be read."""
    shares = {}
    for level in ("labelled", "derived"):
        counts = [found(form, level) for form in catalogue().values()]
        shares[level] = sum(one for one, _ in counts) / sum(many for _, many in counts)

    assert shares["labelled"] > 0.7
    assert shares["derived"] < shares["labelled"] - 0.2


def test_right_values_are_not_looked_at() -> None:
    """A task with other right values, or none, makes the agent enter the same."""
    form = find_form("A15")
    instance = make_instance(form, seed=1, index=0)
    other = make_instance(form, seed=2, index=5)
    bare = msgspec.structs.replace(instance, values={})
    text = write_document(form, instance, level="paraphrased", seed=1).text

    told = [
        open_words(FormTask(text, form=form, instance=one)).values
        for one in (instance, other, bare)
    ]

    assert told[0] == told[1] == told[2]
    assert told[0]["email"] == instance.values["email"]


@pytest.mark.parametrize("form", catalogue().values(), ids=lambda form: form.code)
def test_what_is_entered_is_accepted(form: Form) -> None:
    """Whatever the text says, no field but a file is left that the form would refuse."""
    for text in ("", "Yours, 1 2 3 Ann ann@mail.example 2026-01-02 2025-01-02 $9"):
        values = filled_up(form, read_by_words(form, text))

        wrong = broken(form, values)
        kinds = {field.id: field.kind for field in form.fields}
        assert [breach for breach in wrong if kinds[breach.field] is not Kind.FILE] == []


@pytest.mark.long
def test_the_order_of_a_set_decides_nothing() -> None:
    """A value as far from its label as can be is left alone, however a run hashes its words."""
    script = (
        "from surefoot.forms.agents.words import read_by_words\n"
        "from surefoot.forms.catalogue.reading import catalogue\n"
        "letter = 'On 01/24/2025 ' + 'we met some good old friends. ' * 9\n"
        "print([read_by_words(form, letter) for form in catalogue().values()])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3", "4")
    }
    assert len(told) == 1


def test_files_go_where_their_names_lead() -> None:
    """A file is placed by its own name, and by where the text names it, once each."""
    form = find_form("A13")
    names = ["letter-ann.pdf", "b.pdf"]
    text = "My transcript of records is in b.pdf. The letter lies beside it."

    values = read_by_words(form, text, files=names)

    assert values["transcript"] == FileValue("b.pdf", "0" * 64)
    assert values["recommendation_letter"] == FileValue("letter-ann.pdf", "0" * 64)


@pytest.mark.parametrize("language", ["zh", "fr", "ru", "ja", "th"])
def test_labels_are_those_of_the_form_s_language(language: str) -> None:
    """Lines under a form's own labels are found in every language, spaces or none."""
    form = find_form("E12")
    instance = make_instance(form, seed=4, index=0)
    lines = "\n".join(
        f"{field.label[language]}: {instance.values[field.id]}"
        for field in form.fields
        if not field.options
    )

    values = read_by_words(form, lines, language=language)

    wanted = {field.id for field in form.fields if not field.options}
    assert {name: values.get(name) for name in wanted} == {
        name: instance.values[name] for name in wanted
    }


@pytest.mark.parametrize(
    "text",
    [
        *(" " * 60_000, "\u201c" * 60_000, ":" * 60_000, "name " * 12_000, "a" * 60_000),
        *("\n \n" * 20_000, "1-" * 30_000, "* " * 30_000, "a.b@" * 15_000, "\x00"),
    ],
    ids=lambda text: repr(text[:4]),
)
def test_hostile_texts_are_read(text: str) -> None:
    """Text that no letter would hold is read to the end, and gives no value of a kind."""
    values = read_by_words(find_form("B14"), text)

    assert not {"email", "phone", "date_of_birth"} & values.keys()
