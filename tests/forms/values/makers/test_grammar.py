"""
Tests of the grammar: every slot is filled for every topic, and shared words agree.
"""

from __future__ import annotations

import itertools
import re
from random import Random
from typing import Final

import msgspec
import pytest

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.specification import Field, Form, Kind, Page
from surefoot.forms.values.makers.cast import subjects
from surefoot.forms.values.makers.grammar import load_grammar
from surefoot.forms.values.makers.scene import FieldContext

GRAMMAR: Final = load_grammar()
TABLES: Final = GRAMMAR.phrases | GRAMMAR.slots


def scene(common: int = 0, **values: str) -> FieldContext:
    """Return what a maker sees in a form of one field."""
    field = Field("it", Kind.STRING, {"en": "It"}, "name.area")
    form = Form("it", "X", "T", {"en": "It"}, (Page({"en": "P"}, (field,)),))
    subject = subjects(form, Random(1))["applicant"]  # noqa: S311
    return FieldContext(field, subject, Random(common), values=values, common=common)  # noqa: S311


def varied(slot: str, topic: str) -> set[str]:
    """Return the words of a topic for which a slot has words of its own."""
    head = f"{slot}@{topic}="
    return {key.removeprefix(head) for key in GRAMMAR.slots if key.startswith(head)}


def words_of(topic: str) -> set[str]:
    """Return every word that a shared slot may have."""
    return {
        word
        for key, words in GRAMMAR.slots.items()
        for word in words
        if key.partition("@")[0] == topic
    }


def test_every_slot_has_words() -> None:
    """Each slot named in a template has words, whatever it varies with."""
    texts = itertools.chain.from_iterable(TABLES.values())
    named = {slot for text in texts for slot in re.findall(r"{(\w+)}", text)}
    for slot in named - GRAMMAR.slots.keys():
        assert any(words_of(topic) == varied(slot, topic) for topic in GRAMMAR.shared), slot
    assert all(len(set(words)) == len(words) > 0 for words in TABLES.values())


def test_every_topic_exists() -> None:
    """Words are given for options of the catalogue, or for words of a shared slot."""
    options = {
        (field.id, option.value)
        for form in catalogue().values()
        for field in form.fields
        for option in field.options
    }
    for key in TABLES:
        topic, _, value = key.partition("@")[2].partition("=")
        if topic in GRAMMAR.shared:
            assert value in words_of(topic), key
        elif topic:
            assert (topic, value) in options or key.endswith(("@career=early", "@career=late")), (
                key
            )


def test_shared_words_are_the_same_throughout() -> None:
    """One instance speaks of one screen, another of another."""
    words = {GRAMMAR.expand("{screen}", scene(n), set()) for n in range(20)}
    assert len(words) > 3
    both = GRAMMAR.expand("{screen}/{screen}", scene(5), set()).split("/")
    assert both[0] == both[1]


@pytest.mark.parametrize("common", range(8))
def test_words_go_with_what_is_chosen(common: int) -> None:
    """Words of an option are taken where the field holds it, and those of all others elsewhere."""
    chosen = scene(common, category="renewable-energy")
    assert (
        GRAMMAR.expand("{task}", chosen, set()) in GRAMMAR.slots["task@category=renewable-energy"]
    )
    other = scene(common, category="artificial-intelligence")
    assert GRAMMAR.expand("{task}", other, set()) in GRAMMAR.slots["task"]
    several = msgspec.structs.replace(chosen, values={"category": ("x", "renewable-energy")})
    assert (
        GRAMMAR.expand("{task}", several, set()) in GRAMMAR.slots["task@category=renewable-energy"]
    )
