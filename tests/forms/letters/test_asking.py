"""
Tests of documents that a model writes: kept where they are proven, replaced where not.
"""

from __future__ import annotations

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.letters.asking import ask_document, prompt_for, read_reply
from surefoot.forms.letters.verifying import verify
from surefoot.forms.letters.writing import LEVELS, write_document
from surefoot.forms.values.making import make_instance

FORM = find_form("personal_loan_application")
INSTANCE = make_instance(FORM, seed=1, index=0)
GOOD = write_document(FORM, INSTANCE, kind="letter", level="paraphrased", seed=9)


def test_a_reply_that_proves_every_value_is_kept() -> None:
    """The second reply is good, is kept with spans of its own, and nothing is asked again."""
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return "I would rather not." if len(asked) == 1 else f"\n{GOOD.text}\n"

    made = ask_document(FORM, INSTANCE, ask, kind="letter", level="paraphrased", seed=1)
    assert made.text.strip() == GOOD.text.strip()
    assert verify(FORM, INSTANCE, made) == ()
    assert len(asked) == 2
    assert "First name: missing" in asked[1]
    assert asked[1].startswith(asked[0])


def test_the_grammar_writes_where_a_model_cannot() -> None:
    """After so many replies that leave a value out, the grammar's own document comes back."""
    income = next(each for each in GOOD.spans if each.field == "monthly_income")
    cut = GOOD.text[: income.start] + "enough" + GOOD.text[income.end :]
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return cut

    made = ask_document(FORM, INSTANCE, ask, kind="notes", level="derived", seed=1, tries=4)
    assert len(asked) == 4
    assert made == write_document(FORM, INSTANCE, kind="notes", level="derived", seed=1)


@pytest.mark.parametrize("reply", ["", "\x00", "[" * 5000, "1 " * 3000])
def test_any_reply_is_read(reply: str) -> None:
    """Hostile replies are read without an error, and prove nothing."""
    assert verify(FORM, INSTANCE, read_reply(FORM, INSTANCE, reply, "letter", "derived"))


def test_values_are_found_without_anybody_noting_where() -> None:
    """In documents of every other form, the levels in turn, all values are found and proven."""
    for number, form in enumerate(list(catalogue().values())[::2]):
        instance, level = make_instance(form, seed=3, index=0), LEVELS[number % 3]
        text = write_document(form, instance, level=level, seed=3).text
        found = read_reply(form, instance, text, "letter", level)
        assert verify(form, instance, found) == (), form.id


def test_a_prompt_holds_every_value_and_refuses_another_form() -> None:
    """All values stand in the prompt in full; an instance of another form is an error."""
    form = find_form("scholarship_application")
    instance = make_instance(form, seed=1, index=0)
    prompt = prompt_for(form, instance, "letter", "derived")
    assert str(instance.values["essay"]) in prompt
    assert str(instance.values["student_id"]) in prompt
    with pytest.raises(InvalidInputError, match="scholarship_application"):
        prompt_for(form, INSTANCE, "letter", "derived")
