"""
Tests of documents that a model writes: kept where they are proven, asked for again where not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.instance import TaskDocument
from surefoot.forms.letters.asking import (
    Letter,
    WantedLetter,
    ask_documents,
    prompt_for,
    prompt_words,
    read_reply,
)
from surefoot.forms.letters.verifying import verify
from surefoot.forms.letters.writing import LEVELS, write_document
from surefoot.forms.values.making import make_instance

FORM: Final = find_form("personal_loan_application")
MADE: Final = [make_instance(FORM, seed=1, index=index) for index in range(3)]
WANTED: Final = [WantedLetter(FORM, item, "letter", "paraphrased") for item in MADE]


def good(wanted: WantedLetter) -> TaskDocument:
    """Return what the grammar would write of the kind and level that are wanted."""
    form, instance = wanted.form, wanted.instance
    return write_document(form, instance, kind=wanted.kind, level=wanted.level, seed=9)


class Chat:
    """Say what a script holds for each round, and remember the prompts."""

    def __init__(self, *rounds: Sequence[str]) -> None:
        self.rounds = list(rounds)
        self.asked: list[list[str]] = []

    def __call__(self, prompts: Sequence[str]) -> Iterable[str]:
        """Reply to a round."""
        self.asked.append(list(prompts))
        return iter(self.rounds[len(self.asked) - 1])


def test_replies_that_prove_every_value_are_kept() -> None:
    """What is proven at once is asked once, the rest again with what was wrong."""
    first, second, third = (good(item).text for item in WANTED)
    chat = Chat([f"\n{first}\n", "I would rather not.", third], [second])
    letters = ask_documents(WANTED, chat)

    assert [item.replies for item in letters] == [1, 2, 1]
    for wanted, letter, text in zip(WANTED, letters, (first, second, third), strict=True):
        assert letter.document is not None
        assert letter.document.text.strip() == text.strip()
        assert verify(wanted.form, wanted.instance, letter.document) == ()
    assert [len(item) for item in chat.asked] == [3, 1]
    assert chat.asked[1][0].startswith(chat.asked[0][1])
    assert "First name: missing" in chat.asked[1][0]


def test_what_cannot_be_proven_is_given_up() -> None:
    """After so many replies that leave a value out there is no document, only the doubt."""
    document = good(WANTED[0])
    income = next(span for span in document.spans if span.field == "monthly_income")
    cut = document.text[: income.start] + "enough" + document.text[income.end :]
    chat = Chat(*[[cut]] * 4)
    (letter,) = ask_documents(WANTED[:1], chat, tries=4)

    assert (letter.document, letter.replies, len(chat.asked)) == (None, 4, 4)
    assert [(doubt.field, doubt.why) for doubt in letter.doubts] == [("monthly_income", "missing")]


def test_who_gives_no_reply_is_left_alone() -> None:
    """No reply ends the matter, in the first round or a later one; nothing wanted asks nothing."""
    chat = Chat(["", "No.", good(WANTED[2]).text], [""])
    silent, doubted, kept = ask_documents(WANTED, chat)

    assert silent == Letter()
    assert (doubted.document, doubted.replies) == (None, 1)
    assert doubted.doubts
    assert kept.document is not None
    assert [len(item) for item in chat.asked] == [3, 1]
    assert ask_documents([], Chat()) == []


@pytest.mark.parametrize("reply", ["", "\x00", "[" * 5000, "1 " * 3000, "</think>"])
def test_any_reply_is_read(reply: str) -> None:
    """Hostile replies are read without an error, and prove nothing."""
    assert verify(FORM, MADE[0], read_reply(WANTED[0], reply))


def test_reasoning_and_control_characters_are_no_part_of_a_text() -> None:
    """Values named while thinking repeat nothing, and no control character comes through."""
    text = good(WANTED[0]).text
    found = read_reply(WANTED[0], f"<think>{text}</think>\n\x00{text}\x1b\r\n")

    assert found.text == f"{text.strip()}\n"
    assert verify(FORM, MADE[0], found) == ()


def test_values_are_found_without_anybody_noting_where() -> None:
    """In documents of every other form, two levels in turn, all values are found and proven."""
    for number, form in enumerate(list(catalogue().values())[::2]):
        instance, level = make_instance(form, seed=3, index=0), LEVELS[number % 2]
        text = write_document(form, instance, level=level, seed=3).text
        found = read_reply(WantedLetter(form, instance, "letter", level), text)
        assert verify(form, instance, found) == (), form.id


def test_a_prompt_holds_every_value_and_refuses_another_form() -> None:
    """All values stand in the prompt in full; an instance of another form is an error."""
    form = find_form("scholarship_application")
    wanted = WantedLetter(form, make_instance(form, seed=1, index=0), "letter", "derived")
    prompt = prompt_for(wanted)
    assert str(wanted.instance.values["essay"]) in prompt
    assert str(wanted.instance.values["student_id"]) in prompt
    with pytest.raises(InvalidInputError, match="scholarship_application"):
        prompt_for(msgspec.structs.replace(wanted, instance=MADE[0]))


def test_words_of_prompts_are_those_that_no_value_determines() -> None:
    """Kinds, levels and rules stand in them, values do not."""
    words = prompt_words()
    assert "Do not name a value again" in words
    assert "thread of two to four e-mails" in words
    assert str(MADE[0].values["last_name"]) not in words
