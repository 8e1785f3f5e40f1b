"""
Expand names and sentences from templates with slots.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec

from surefoot.core.seeds import random_source
from surefoot.forms.values.makers.scene import FieldContext, Maker

Table: TypeAlias = dict[str, tuple[str, ...]]
_SLOT: Final = re.compile(r"\{(\w+)\}")
_FEWEST, _MOST = 2, 4
_ALWAYS: Final = "!"
_EARLY: Final = 30  # years of age below which nobody is the chief of anything


class Grammar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold templates by maker and words by slot; a word may hold slots itself.

    A slot of ``shared`` has one word throughout an instance. "slot@name=value" outranks
    "slot" where the field ``name`` holds that option, or the shared slot ``name`` that word,
    and where ``name`` is "career" and the person is early or late in it; of several, the
    first counts. A template that begins with "!" is in every text.
    """

    phrases: Table
    slots: Table
    shared: tuple[str, ...] = ()

    def expand(self, template: str, scene: FieldContext, used: set[str]) -> str:
        """Fill every slot, with no word twice as long as there are others."""

        def fill(match: re.Match[str]) -> str:
            word = self.word(match[1], scene, used)
            used.add(word)
            return self.expand(word, scene, used)

        return _SLOT.sub(fill, template)

    def word(self, slot: str, scene: FieldContext, used: set[str]) -> str:
        """Draw a word for a slot, always the same one where it is shared."""
        words = self.fitting(self.slots, slot, scene)
        if slot in self.shared:
            return random_source(scene.common, slot).choice(words)
        return scene.random.choice([item for item in words if item not in used] or words)

    def fitting(self, table: Table, name: str, scene: FieldContext) -> tuple[str, ...]:
        """Return what a table has under a name for a scene."""
        for topic, value in _variants().get(name, ()):
            if self._is_topic(topic, value, scene):
                return table[f"{name}@{topic}={value}"]
        return table[name]

    def _is_topic(self, topic: str, value: str, scene: FieldContext) -> bool:
        if topic == "career":
            return value == ("early" if scene.subject.person.age < _EARLY else "late")
        if topic in self.shared:
            return value == self.word(topic, scene, set())
        held = scene.values.get(topic)
        return value in held if isinstance(held, tuple) else value == held


@functools.cache
def load_grammar() -> Grammar:
    """Read the tables of names and of texts as one."""
    folder = files("surefoot.forms.values.makers")
    parts = [
        msgspec.convert(tomllib.loads(folder.joinpath(name).read_text("utf-8")), Grammar)
        for name in ("phrases.toml", "texts.toml")
    ]
    names, texts = parts
    return Grammar(
        names.phrases | texts.phrases, names.slots | texts.slots, names.shared + texts.shared
    )


@functools.cache
def _variants() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the topics for which a name of either table has words of its own."""
    grammar = load_grammar()
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for key in (*grammar.phrases, *grammar.slots):
        name, varied, topic = key.partition("@")
        if varied:
            label, _, value = topic.partition("=")
            found[name] = (*found.get(name, ()), (label, value))
    return found


def grammar_makers() -> Mapping[str, Maker]:
    """Return a maker for each name of the grammar."""
    return {
        name: partial(_text if name.startswith("text.") else _phrase, name=name)
        for name in load_grammar().phrases
        if "@" not in name
    }


def _phrase(scene: FieldContext, *, name: str) -> str:
    grammar = load_grammar()
    template = scene.random.choice(grammar.fitting(grammar.phrases, name, scene))
    made = grammar.expand(template, scene, set())
    return made[:1].upper() + made[1:]


def _text(scene: FieldContext, *, name: str) -> str:
    """
    Write some sentences of a topic, in the order in which the topic lists them.

    The field's lengths are kept to: sentences are added up to the shortest and left out
    beyond the longest.
    """
    grammar, random, used = load_grammar(), scene.random, set[str]()
    templates = grammar.fitting(grammar.phrases, name, scene)
    wanted = random.randint(_FEWEST, min(_MOST, len(templates)))
    order = random.sample(range(len(templates)), len(templates))
    order.sort(key=lambda number: not templates[number].startswith(_ALWAYS))
    kept: dict[int, str] = {}
    for number in order:
        length = sum(len(item) + 1 for item in kept.values())
        if len(kept) >= wanted and length > scene.field.shortest:
            break
        sentence = grammar.expand(templates[number].removeprefix(_ALWAYS), scene, used)
        if not scene.field.longest or length + len(sentence) <= scene.field.longest:
            kept[number] = sentence[:1].upper() + sentence[1:]
    return " ".join(kept[number] for number in sorted(kept))
