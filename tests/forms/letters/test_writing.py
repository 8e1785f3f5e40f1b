"""
Tests of the documents that a person would hand over.
"""

from __future__ import annotations

import re

import pytest

from surefoot.core.errors import UnknownNameError
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.instance import FileValue
from surefoot.forms.letters.proof.amounts import amounts_in
from surefoot.forms.letters.tables import choices, sentences, telegrams
from surefoot.forms.letters.verifying import verify
from surefoot.forms.letters.writing import KINDS, LEVELS, Level, kinds_of, write_document
from surefoot.forms.values.making import instances, make_instance
from surefoot.forms.values.normalise import normalise, same_value


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


@pytest.mark.parametrize(
    "level", [pytest.param(level, marks=pytest.mark.long) for level in LEVELS[:-1]] + [LEVELS[-1]]
)
def test_every_kind_says_every_value_of_every_form_in_its_span(level: Level) -> None:
    """All kinds of all forms have one span a value, and verbatim ones read as the value."""
    for form in catalogue().values():
        instance = make_instance(form, seed=2, index=1)
        for kind in KINDS:
            document = write_document(form, instance, kind=kind, level=level, seed=1)
            assert (document.kind, document.level) == (kind, level)
            assert sorted(item.field for item in document.spans) == sorted(instance.values)
            assert verify(form, instance, document) == ()
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
    """At the easiest level each value stands in running text, right behind a label of its own."""
    form = find_form("personal_loan_application")
    instance = make_instance(form, seed=2, index=3)
    document = write_document(form, instance, kind="letter", level="labelled", seed=1)
    for span in document.spans:
        field = form.field(span.field)
        assert field is not None
        assert document.text[: span.start].endswith(f"{field.label['en']}: ")


def share_of_two(level: Level) -> float:
    """Return how many values of one paper of each form stand beside another of their field."""
    told = beside = 0
    for form in catalogue().values():
        instance = make_instance(form, seed=4, index=0)
        document = write_document(form, instance, level=level, seed=1)
        told += len(document.spans)
        beside += len({item.field for item in document.others})
    return beside / told


def test_levels_differ_in_how_many_values_have_another_beside_them() -> None:
    """Few labelled values have a rival of their type, more paraphrased, most derived ones."""
    labelled, paraphrased, derived = map(share_of_two, LEVELS)
    assert 0.1 < labelled < paraphrased < derived


def test_a_curriculum_vitae_has_a_history() -> None:
    """What somebody was stands under what they are, each with its years."""
    form = find_form("association_membership")
    instance = make_instance(form, seed=2, index=3)
    text = write_document(form, instance, kind="resume", level="derived", seed=1).text
    history = text.split("## Employment\n\n")[1].split("\n\n")[0]
    now, then = history.splitlines()
    assert re.match(r"- 20\d\d to the present: work as ", now)
    assert re.match(r"- (19|20)\d\d to 20\d\d: work(ed)? as ", then)
    assert str(instance.values["current_employer"]) in now
    assert str(instance.values["current_employer"]) not in then


def test_a_thread_corrects_in_its_last_mail_what_the_first_said() -> None:
    """What is corrected stands before its correction, and both values stand in that."""
    form = find_form("literary_magazine_submission")
    instance = make_instance(form, seed=4711, index=5)
    document = write_document(form, instance, kind="thread", level="derived", seed=4711)
    named = [item.field for item in document.others]
    twice = {name for name in named if named.count(name) == 2}
    assert twice
    for span in document.spans:
        if span.field in twice:
            early, late = sorted(
                item.start for item in document.others if item.field == span.field
            )
            assert early < min(late, span.start)
            assert "---" in document.text[early : span.start]


def test_a_circular_lists_what_does_not_apply() -> None:
    """Each value with a rival has a line that applies, and the rival one that does not."""
    form = find_form("personal_loan_application")
    instance = make_instance(form, seed=2, index=3)
    for level in LEVELS:
        document = write_document(form, instance, kind="circular", level=level, seed=1)
        rivals = {item.field: "does not apply: " for item in document.others}
        for item in document.others:
            line = document.text[: item.start].rpartition("\n- ")[2]
            assert line.startswith("does not apply: ")
        for span in document.spans:
            line = document.text[: span.start].rpartition("\n- ")[2]
            assert line.startswith("applies: ") == (span.field in rivals)


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
    table = sentences("en")
    groups = [table.mine, table.any, table.derived, table.texts, *table.boxes.values()]
    groups += [telegrams("en").mine, telegrams("en").any]
    groups += [choices("en").pairs, choices("en").overs, choices("en").beside, choices("en").picks]
    texts = [text for group in groups for texts in group.values() for text in texts]
    assert len(texts) > 200
    assert not [text for text in texts if list(amounts_in(text))]
