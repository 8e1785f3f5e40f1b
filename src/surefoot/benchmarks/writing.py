"""
Instructions in a language model's words, kept only where they still mean the same element.

The model never judges: its phrase is read by ``refer.free_parse``, and what was read is
proven on the screen as any other expression is. What cannot be read, or means something
else, is dropped and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.instruction import Instruction
from surefoot.refer.generate.hold import holds
from surefoot.refer.read.free_parse import free_parse
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.say.kinds import kind_of, specificity_of
from surefoot.refer.scene.scene import Scene

# Takes prompts and returns one reply to each, "" where the model gave none.
Chat: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
Fate = Literal[
    "kept", "no reply", "unchanged", "not understood", "another action", "not proven",
    "said before", "none written", "unreadable", "no visual cue",
]  # fmt: skip
WRITER: Final = "writer"
# The examples are in words that ``free_parse`` reads, to show how plain the reply has to be.
EXAMPLES: Final = (
    ("Click the 'Save' button", "Press the button labelled 'Save'."),
    ("Click the link directly below 'Total'", "Tap the link immediately below 'Total'."),
    ("Type 'Ann' into the 'Name' field", "Enter 'Ann' in the 'Name' field."),
    ("Click the third item in the 'Tools' list", "In the 'Tools' list, press the 3rd item."),
)
_TASK: Final = (
    "Say the instruction in other words, for a person at a computer.\n"
    "Ask for exactly the same thing, by the same description. Copy every text in quotation "
    "marks letter by letter, with its quotation marks. Add nothing. Reply with one sentence "
    "and nothing else."
)
_SHOWN: Final = tuple(f"Instruction: {asked}\nOther words: {said}" for asked, said in EXAMPLES)
PROMPT: Final = "\n\n".join((_TASK, *_SHOWN, "Instruction: {text}\nOther words:"))


class WrittenPhrase(msgspec.Struct, frozen=True):
    """
    Hold what became of one instruction that a model was asked to say in its own words.

    ``phrase`` is the model's, ``detail`` why it was not kept, ``instruction`` None unless
    the fate is "kept".
    """

    phrase: str
    fate: Fate
    detail: str = ""
    instruction: Instruction | None = None


def prompt_for(instruction: Instruction) -> str:
    """Return what a model is asked, to have an instruction in its own words."""
    return PROMPT.replace("{text}", instruction.text)


def write(instruction: Instruction, scene: Scene, chat: Chat) -> Instruction | None:
    """Return an English instruction in a model's words, or None where they cannot be kept."""
    return write_all([instruction], scene, chat)[0].instruction


def write_all(
    instructions: Sequence[Instruction], scene: Scene, chat: Chat
) -> tuple[WrittenPhrase, ...]:
    """
    Ask a model to say English instructions about one scene in its own words.

    A phrase is kept where reading it gives the same action and value, and an expression
    that means the same element alone, under both readings. The instruction then has the
    model's words, the expression that was read in them, and the wording "writer".
    """
    replies = chat([prompt_for(instruction) for instruction in instructions])
    return tuple(
        judged(instruction, " ".join(reply.split()), scene)
        for instruction, reply in zip(instructions, replies, strict=True)
    )


def judged(asked: Instruction, phrase: str, scene: Scene) -> WrittenPhrase:
    """
    Read a phrase by rule, and tell whether it means what an instruction asks for.

    Of the instruction, its target, action, value, words and ``name_visible`` count.
    """
    if not phrase:
        return WrittenPhrase(phrase, "no reply")
    if phrase.casefold().rstrip(".") == asked.text.casefold():
        return WrittenPhrase(phrase, "unchanged")
    read = free_parse(phrase)
    if read is None:
        return WrittenPhrase(phrase, "not understood")
    if (read.action, read.value) != (asked.action, asked.value):
        return WrittenPhrase(phrase, "another action", f"{read.action} '{read.value}'")
    expression = read.expression
    hidden = not asked.name_visible
    rejection = holds(expression, asked.target, scene, hidden_names=hidden)
    if rejection is not None:
        return WrittenPhrase(
            phrase, "not proven", f"{rejection.reason} {rejection.detail}".strip()
        )
    place = None if expression.landmark is None else landmark_place(scene, expression.landmark)
    kept = msgspec.structs.replace(
        asked,
        text=phrase,
        kind=kind_of(expression),
        specificity=specificity_of(expression),
        expression=expression,
        landmark="" if place is None else scene.elements[place].id,
        wording=WRITER,
    )
    return WrittenPhrase(phrase, "kept", instruction=kept)
