"""
Paraphrases: the same request in another sentence, the reference itself unchanged.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from surefoot.core.instruction import Instruction
from surefoot.core.seeds import random_source
from surefoot.perturb.wording.lexicon import load_lexicon
from surefoot.perturb.wording.quotes import QuoteSpan, quoted_spans

__all__ = ["paraphrase", "paraphrases"]

NAME: Final = "paraphrase"

_VERB: Final = re.compile(r"(?:Click|Type|Select)\b")
_REGION: Final = re.compile(
    r" (?:at the (?:top|bottom)|on the (?:left|right) side|in the middle"
    r"|in the (?:top|bottom) (?:left|right) corner) of the (?:screen|window)$"
)


def paraphrase(instruction: Instruction, seed: int) -> Instruction | None:
    """
    Say an English instruction in another sentence, drawn by the seed; None where none fits.

    >>> from surefoot.core.instruction import Expression, Instruction
    >>> save = Instruction("Click the 'Save' button", "en", "direct", "high",
    ...                    Expression(role="button", name="Save"), "a")
    >>> paraphrase(save, 3).text in paraphrases(save)
    True
    """
    found = paraphrases(instruction)
    if not found:
        return None
    text = random_source(seed, NAME, instruction.text).choice(found)
    return msgspec.structs.replace(instruction, text=text, wording=NAME)


def paraphrases(instruction: Instruction) -> tuple[str, ...]:
    """
    Return every sentence of the table that says an instruction; none in another language.

    A field's value comes after the field, a container or a region before the verb, where
    nothing but the target can be meant to lie in it.

    >>> from surefoot.core.instruction import Expression, Instruction
    >>> save = Instruction("Click the 'Save' button", "en", "direct", "high",
    ...                    Expression(role="button", name="Save"), "a")
    >>> paraphrases(save)[0]
    "Please click the 'Save' button"
    """
    if instruction.language != "en":
        return ()
    text, frames = instruction.text, load_lexicon().frames
    after = [each.format(text=text) for each in frames.after]
    if not _VERB.match(text):
        return tuple(after)
    said = text[0].lower() + text[1:]
    around = [each.format(said=said) for each in frames.around]
    return (*around, *after, *_turned(instruction))


def _turned(instruction: Instruction) -> list[str]:
    """Return the sentence that says first where to act and then what to do."""
    text, expression = instruction.text, instruction.expression
    spans = quoted_spans(instruction)
    place = _field(instruction, spans)
    if place is None and expression.landmark is None:
        place = _region(text) or _container(instruction, spans)
    if place is None:
        return []
    where, rest = text[place.start : place.end].strip(), text[: place.start].strip()
    return [f"{where[0].upper()}{where[1:]}, {rest[0].lower()}{rest[1:]}"]


def _field(instruction: Instruction, spans: tuple[QuoteSpan, ...]) -> QuoteSpan | None:
    """Find "in the 'City' field" of "Type 'Berlin' in the 'City' field"."""
    if not instruction.value or not spans or not spans[0].value:
        return None
    begin = spans[0].end + 1
    rest = instruction.text[begin:]
    return QuoteSpan(begin, len(instruction.text)) if rest.startswith(" in ") else None


def _region(text: str) -> QuoteSpan | None:
    match = _REGION.search(text)
    return QuoteSpan(match.start(), match.end()) if match else None


def _container(instruction: Instruction, spans: tuple[QuoteSpan, ...]) -> QuoteSpan | None:
    """Find the last "in the ..." outside of quotes, which says the container."""
    expression = instruction.expression
    if expression.container is None or expression.region is not None:
        return None
    starts = [
        match.start()
        for match in re.finditer(r" in the ", instruction.text)
        if not any(each.start <= match.start() < each.end for each in spans)
    ]
    return QuoteSpan(starts[-1], len(instruction.text)) if starts else None
