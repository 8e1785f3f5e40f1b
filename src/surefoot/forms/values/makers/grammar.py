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
from random import Random
from typing import Final

import msgspec

from surefoot.forms.values.makers.scene import Maker, Scene

__all__ = ["Grammar", "grammar_makers", "load_grammar"]

_SLOT: Final = re.compile(r"\{(\w+)\}")
_FEWEST, _MOST = 2, 4


class Grammar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold templates by maker and words by slot; a word may hold slots itself."""

    phrases: dict[str, tuple[str, ...]]
    slots: dict[str, tuple[str, ...]]

    def expand(self, template: str, random: Random, used: set[str]) -> str:
        """Fill every slot, with no word twice as long as there are others."""

        def fill(match: re.Match[str]) -> str:
            words = self.slots[match[1]]
            word = random.choice([each for each in words if each not in used] or words)
            used.add(word)
            return self.expand(word, random, used)

        return _SLOT.sub(fill, template)


@functools.cache
def load_grammar(name: str) -> Grammar:
    """Read "phrases" or "texts"."""
    text = files("surefoot.forms.values.makers").joinpath(f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Grammar)


def grammar_makers() -> Mapping[str, Maker]:
    """Return a maker for each name of both grammars."""
    phrases: dict[str, Maker] = {
        name: partial(_phrase, name=name) for name in load_grammar("phrases").phrases
    }
    texts: dict[str, Maker] = {
        name: partial(_text, name=name) for name in load_grammar("texts").phrases
    }
    return phrases | texts


def _phrase(scene: Scene, *, name: str) -> str:
    grammar = load_grammar("phrases")
    made = grammar.expand(scene.random.choice(grammar.phrases[name]), scene.random, set())
    return made[:1].upper() + made[1:]


def _text(scene: Scene, *, name: str) -> str | None:
    """
    Write some sentences of a topic, in the order in which the topic lists them.

    The field's lengths are kept to: sentences are added up to the shortest and left out
    beyond the longest. Where a field "pets" says no, there is none to tell of.
    """
    if name == "text.pet_details" and scene.values.get("pets") == "no":
        return None
    grammar, random, used = load_grammar("texts"), scene.random, set[str]()
    templates = grammar.phrases[name]
    wanted = random.randint(_FEWEST, min(_MOST, len(templates)))
    order = random.sample(range(len(templates)), len(templates))
    kept: dict[int, str] = {}
    for number in order:
        length = sum(len(each) + 1 for each in kept.values())
        if len(kept) >= wanted and length > scene.field.shortest:
            break
        sentence = grammar.expand(templates[number], random, used)
        if not scene.field.longest or length + len(sentence) <= scene.field.longest:
            kept[number] = sentence[:1].upper() + sentence[1:]
    return " ".join(kept[number] for number in sorted(kept))
