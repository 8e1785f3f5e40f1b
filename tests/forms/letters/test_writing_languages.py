"""
Tests of papers in other languages than English.
"""

from __future__ import annotations

import re

import pytest

from surefoot.core.errors import UnknownNameError
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.instance import Instance, TaskDocument
from surefoot.forms.letters.proof.cues import cues
from surefoot.forms.letters.proof.roles import is_foreign
from surefoot.forms.letters.tables import choices, distractors, frames, sentences, telegrams
from surefoot.forms.letters.verifying import verify, without
from surefoot.forms.letters.writing import LEVELS, Level, write_document
from surefoot.forms.specification import LANGUAGES, Form, Kind, said
from surefoot.forms.values.making import make_instance

OTHERS = tuple(language for language in LANGUAGES if language != "en")
SCRIPTS = {
    "zh": r"[\u4e00-\u9fff]",
    "ja": r"[\u3040-\u30ff]",
    "th": r"[\u0e00-\u0e7f]",
    "ru": r"[\u0430-\u044f]",
    "ar": r"[\u0600-\u06ff]",
    "fr": r"\b(?:je|mon|ma|le|la|est|de|du)\b",
}
"""
What a text of the language is full of.
"""


def written(
    form: Form, level: Level, language: str, index: int = 0
) -> tuple[Instance, TaskDocument]:
    """Return the values of an instance and a paper that says them."""
    instance = make_instance(form, seed=6, index=index)
    return instance, write_document(form, instance, level=level, seed=6, language=language)


@pytest.mark.parametrize("language", OTHERS)
def test_papers_of_every_form_prove_their_values_in_the_language(language: str) -> None:
    """At the hardest level each paper says every value, provably, and in its language."""
    for form in list(catalogue().values())[::2]:
        instance, document = written(form, "derived", language)
        assert document.language == language
        assert verify(form, instance, document) == ()
        assert len(re.findall(SCRIPTS[language], document.text.casefold())) >= 5
        assert {span.field for span in document.spans} == set(instance.values)


@pytest.mark.parametrize("language", OTHERS)
def test_a_value_cut_out_is_missed(language: str) -> None:
    """The readers of a language name the very field whose value is taken out."""
    for code in ("B14", "C12", "F13"):
        form = find_form(code)
        for level in LEVELS[1:]:
            instance, document = written(form, level, language)
            for field in instance.values:
                doubts = verify(form, instance, without(document, field))
                assert (field, "missing") in [(doubt.field, doubt.why) for doubt in doubts]


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
def test_papers_of_every_level_prove_their_values(language: str) -> None:
    """Four instances of each form, at each level, and every value cut out of one of them."""
    for form in catalogue().values():
        for level in LEVELS:
            for index in range(4):
                instance, document = written(form, level, language, index)
                assert verify(form, instance, document) == ()
            for field in instance.values:
                doubts = verify(form, instance, without(document, field))
                assert (field, "missing") in [(doubt.field, doubt.why) for doubt in doubts]


def test_labels_and_dates_are_those_of_the_language() -> None:
    """A labelled paper has the labels of the form as shown; others have the language's dates."""
    form = find_form("E13")
    _, labelled = written(form, "labelled", "fr")
    dates = {}
    for language in LANGUAGES:
        instance, document = written(form, "paraphrased", language)
        span = next(item for item in document.spans if item.field == "preferred_date")
        dates[language] = document.text[span.start : span.end]

    labels = [
        said(field.label, "fr") for field in form.fields if field.kind is not Kind.DESCRIPTION
    ]
    assert sum(f"{label} : " in labelled.text for label in labels) >= 3
    year = str(instance.values["preferred_date"])[:4]
    assert str(int(year) + 543) in dates["th"]
    assert all(year in dates[language] for language in LANGUAGES if language != "th")
    assert len(set(dates.values())) >= 5


def test_a_form_without_the_language_is_told_in_english() -> None:
    """Papers fall back to English where the form has no title in the language."""
    form = find_form("E13")
    bare = Form(
        form.id, form.code, form.domain, {"en": form.title["en"]}, form.pages, version=form.version
    )
    instance = make_instance(form, seed=6, index=0)
    document = write_document(bare, instance, level="labelled", seed=6, language="ja")

    assert document == write_document(bare, instance, level="labelled", seed=6)


def test_an_unknown_language_is_refused() -> None:
    """Papers are written in the languages of the forms alone."""
    form = find_form("E13")
    instance = make_instance(form, seed=6, index=0)
    with pytest.raises(UnknownNameError, match="'tlh'"):
        write_document(form, instance, level="labelled", seed=6, language="tlh")


@pytest.mark.parametrize("language", OTHERS)
def test_tables_have_the_keys_of_the_english_ones(language: str) -> None:
    """Whatever the grammar asks of a language is there: a sentence for each maker, way and box."""
    ours, english = sentences(language), sentences("en")
    assert set(ours.mine) >= set(english.mine)
    assert set(ours.any) >= set(english.any)
    assert set(ours.derived) >= set(english.derived) - {"person.birth_date"}
    assert set(ours.texts) >= set(english.texts)
    assert {field: set(said) for field, said in ours.boxes.items()} == {
        field: set(said) for field, said in english.boxes.items()
    }
    assert set(telegrams(language).any) >= set(telegrams("en").any)
    assert set(choices(language).pairs) >= set(choices("en").pairs)
    assert set(choices(language).overs) == set(choices("en").overs)
    assert set(choices(language).beside) == set(choices("en").beside)
    assert set(frames(language).whose) == set(frames("en").whose)
    assert set(cues(language).picks) == set(cues("en").picks)


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_somebody_elses_says_so_and_nothing_else_does(language: str) -> None:
    """Readers rule out every sentence with a value that does not count, and no other."""
    table, choice = sentences(language), choices(language)
    theirs = [*choice.labelled, *choice.asides, *sum(choice.beside.values(), ()), choice.struck]
    theirs += [text for item in distractors(language) for text in item.texts]
    own = [*sum(table.mine.values(), ()), *sum(table.any.values(), ()), choice.applies]
    own += [*sum(telegrams(language).any.values(), ()), *sum(choice.pairs.values(), ())]

    assert [text for text in theirs if not is_foreign(text, language)] == []
    assert [text for text in own if is_foreign(text, language)] == []


def test_forms_have_every_kind_that_papers_are_tried_with() -> None:
    """The forms whose values are cut out hold boxes, choices, dates, amounts, files and texts."""
    kinds = {field.kind for code in ("B14", "C12", "F13") for field in find_form(code).fields}
    assert {Kind.CHECKBOX, Kind.DROP_DOWN, Kind.DATE, Kind.NUMBER, Kind.FILE} <= kinds
