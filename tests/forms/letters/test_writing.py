"""
Tests of the documents that a person would hand over.
"""

from __future__ import annotations

import pytest

from surefoot.core.errors import UnknownNameError
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.instance import FileValue
from surefoot.forms.letters.proof.amounts import amounts_in
from surefoot.forms.letters.tables import sentences, telegrams
from surefoot.forms.letters.writing import KINDS, LEVELS, Level, kinds_of, write_document
from surefoot.forms.values.making import instances, make_instance
from surefoot.forms.values.normalise import normalise, same_value

UNDERIVED = {
    "university_job_application",  # no date, amount or option
    "conference_speaker_application",
    "bug_report",
    "grant_application",
    "surgery_consent",
    "paper_submission",
    "background_check_authorization",
}


def test_the_same_arguments_write_the_same_document() -> None:
    """Characters and spans follow from the arguments alone, and another seed writes others."""
    form = find_form("real_estate_rental")
    instance = make_instance(form, seed=1, index=0)
    first, again, other = (
        write_document(form, instance, kind="letter", level="derived", seed=seed)
        for seed in (3, 3, 4)
    )
    assert first == again
    assert first.text != other.text


@pytest.mark.parametrize("level", LEVELS)
def test_every_kind_says_every_value_of_every_form_in_its_span(level: Level) -> None:
    """All kinds of all forms have one span a value, and verbatim ones read as the value."""
    for form in catalogue().values():
        instance = make_instance(form, seed=2, index=1)
        for kind in KINDS:
            document = write_document(form, instance, kind=kind, level=level, seed=1)
            assert (document.kind, document.level) == (kind, level)
            assert sorted(item.field for item in document.spans) == sorted(instance.values)
            for span in document.spans:
                field, gold = form.field(span.field), instance.values[span.field]
                text = document.text[span.start : span.end]
                if isinstance(gold, FileValue):
                    assert text == gold.name
                elif span.how == "verbatim":
                    assert field is not None
                    assert same_value(normalise(field, text), gold)
                assert level == "derived" or span.how != "derived"


def test_labels_stand_before_labelled_values() -> None:
    """At the easiest level each value has its own line behind a label."""
    form = find_form("personal_loan_application")
    instance = make_instance(form, seed=2, index=3)
    document = write_document(form, instance, kind="letter", level="labelled", seed=1)
    lines = document.text.splitlines()
    for field in form.fields:
        if field.id in instance.values:
            assert sum(line.startswith(f"{field.label['en']}: ") for line in lines) == 1


def test_two_values_have_to_be_worked_out_wherever_the_form_allows_it() -> None:
    """Of the 25 forms, all but a named few always have two or more derived values."""
    fewest = {
        form.id: min(
            sum(
                span.how == "derived"
                for span in write_document(form, one, level="derived", seed=1).spans
            )
            for one in instances(form, 4, 4)
        )
        for form in catalogue().values()
    }
    assert {name for name, count in fewest.items() if count < 2} == UNDERIVED


def test_a_kind_suits_the_form_and_the_seed_chooses_it() -> None:
    """A job gets a résumé or a letter, a bug none of both, and several instances all kinds."""
    job, bug = find_form("university_job_application"), find_form("bug_report")
    assert {"resume", "letter"} == set(kinds_of(job))
    assert not {"resume", "letter"} & set(kinds_of(bug))
    written = {
        write_document(bug, instance, level="labelled", seed=1).kind
        for instance in instances(bug, 1, 12)
    }
    assert written == set(kinds_of(bug))


def test_an_unknown_kind_or_level_is_refused() -> None:
    """Names that do not exist are refused with the nearest ones."""
    form = find_form("bank_account_opening")
    instance = make_instance(form, seed=1, index=0)
    with pytest.raises(UnknownNameError, match="thread"):
        write_document(form, instance, kind="threads", level="derived", seed=1)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="labelled"):
        write_document(form, instance, level="labeled", seed=1)  # type: ignore[arg-type]


def test_no_sentence_of_the_grammar_holds_a_number() -> None:
    """A number in a sentence could be taken for a value, so the tables have none."""
    table = sentences()
    groups = [table.mine, table.any, table.derived, table.texts, *table.boxes.values()]
    groups += [telegrams().mine, telegrams().any]
    texts = [text for group in groups for texts in group.values() for text in texts]
    assert len(texts) > 200
    assert not [text for text in texts if list(amounts_in(text))]
