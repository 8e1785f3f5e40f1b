"""
A model's words are kept where they mean the same element, and dropped and counted elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from surefoot.benchmarks.writing import EXAMPLES, prompt_for, write, write_all
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import Element, Screen
from surefoot.refer.read.free_parse import free_parse
from surefoot.refer.say.realise import instruct
from surefoot.refer.scene.scene import Scene


def button(id_: str, box: Box, name: str) -> Element:
    """Return a button that shows its name."""
    return Element(
        id_, "button", box, name=name, name_boxes=(box,), text=name, text_boxes=(box,),
        font_px=14.0, visible_fraction=1.0, hits=(True,) * 5,
        attributes={"background": "#ddd"},
    )  # fmt: skip


SAVE = button("save", Box(10, 10, 90, 34), "Save")
OPEN = button("open", Box(10, 110, 90, 134), "Open")
SCENE = Scene(Screen("s", "p", "x", "", 400, 300, 1.0, "web", "en", (SAVE, OPEN)))
ASKED = instruct(Expression(role="button", name="Save"), SAVE, SCENE)


def says(phrase: str) -> Instruction | None:
    """Return what is kept of an instruction for which a model says this."""

    def chat(prompts: Sequence[str]) -> Sequence[str]:
        assert prompts == [prompt_for(ASKED)]
        return [phrase]

    return write(ASKED, SCENE, chat)


def test_other_words_for_the_same_element_are_kept() -> None:
    """Text, expression, kind and wording are those of the new phrase."""
    kept = says("Press the topmost button, please.")
    assert kept is not None
    assert kept.text == "Press the topmost button, please."
    assert (kept.target, kept.kind, kept.wording) == ("save", "ordinal", "writer")
    assert kept.specificity == "medium"
    beside = says("Tap the button directly above 'Open'")
    assert beside is not None
    assert (beside.kind, beside.landmark) == ("relational", "open")


@pytest.mark.parametrize(
    ("phrase", "fate"),
    [
        ("", "no reply"),
        ("click the 'Save' button.", "unchanged"),
        ("Press the 'Save' button next to 'Open'", "not understood"),
        ("Sure! Here it is: press 'Save'", "not understood"),
        ("Type 'x' into the 'Save' field", "another action"),
        ("Press the 'Open' button", "not proven"),
        ("Press the button", "not proven"),
        ("Press the 'Store' button", "not proven"),
        ("Press the 'Save' button", "kept"),
    ],
)
def test_each_phrase_meets_its_fate(phrase: str, fate: str) -> None:
    """What is unread, unchanged, another action or another element is dropped and named."""
    (written,) = write_all([ASKED], SCENE, lambda _: [phrase])
    assert written.fate == fate
    assert (written.instruction is None) == (fate != "kept")


def test_each_phrase_of_many_has_its_fate() -> None:
    """Of several phrases each is judged by itself, in the order of what was asked."""
    phrases = ["Press the 'Save' button", "Press it", "", "Tap 'Save'"]
    written = write_all([ASKED] * 4, SCENE, lambda _: phrases)
    assert [phrase.fate for phrase in written] == ["kept", "not understood", "no reply", "kept"]


@pytest.mark.parametrize(("asked", "said"), EXAMPLES)
def test_the_examples_that_a_model_is_shown_mean_what_they_should(asked: str, said: str) -> None:
    """Both sides are read, and ask for the same thing: the words differ, the meaning does not."""
    assert free_parse(said) == free_parse(asked) is not None
    assert asked != said
    assert f"{asked}\nOther words: {said}\n" in prompt_for(ASKED)
    assert prompt_for(ASKED).endswith(f"Instruction: {ASKED.text}\nOther words:")
