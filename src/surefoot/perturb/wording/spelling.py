"""
Spelling errors: a neighbouring key, a letter left out, two letters swapped.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Instruction
from surefoot.core.seeds import random_source
from surefoot.perturb.wording.lexicon import load_lexicon
from surefoot.perturb.wording.quotes import QuoteSpan, free_words, quoted_spans, with_words

__all__ = ["SLIPS", "Slip", "misspell", "spelling"]

Slip: TypeAlias = Literal["keyboard", "deletion", "swap"]

SHORTEST: Final = 4  # shorter words become others too easily
ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")  # each half a key further right


def _neighbours() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for number, row in enumerate(ROWS):
        above = ROWS[number - 1] if number else ""
        below = ROWS[number + 1] if number + 1 < len(ROWS) else ""
        for at, key in enumerate(row):
            beside = row[max(0, at - 1) : at] + row[at + 1 : at + 2]
            found[key] = beside + above[at : at + 2] + below[max(0, at - 1) : at + 1]
    return found


NEIGHBOURS: Final = _neighbours()


def _keyboard(word: str, draw: random.Random) -> str:
    places = [at for at in range(1, len(word)) if word[at].lower() in NEIGHBOURS]
    if not places:
        return word
    at = draw.choice(places)
    wrong = draw.choice(NEIGHBOURS[word[at].lower()])
    return word[:at] + (wrong.upper() if word[at].isupper() else wrong) + word[at + 1 :]


def _deletion(word: str, draw: random.Random) -> str:
    at = draw.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _swap(word: str, draw: random.Random) -> str:
    places = [at for at in range(1, len(word) - 1) if word[at] != word[at + 1]]
    if not places:
        return word
    at = draw.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


SLIPS: Final[Mapping[Slip, Callable[[str, random.Random], str]]] = {
    "keyboard": _keyboard,
    "deletion": _deletion,
    "swap": _swap,
}


def misspell(word: str, slip: Slip, draw: random.Random) -> str:
    """
    Return a word with one error after its first letter, "" where it cannot be misspelt.

    It has four letters at least, and does not become a word that instructions use.

    >>> misspell("button", "deletion", random.Random(1))
    'buton'
    """
    if len(word) < SHORTEST or not word.isalpha():
        return ""
    reserved = load_lexicon().reserved.words
    for _ in range(4 * len(word)):
        wrong = SLIPS[slip](word, draw)
        if wrong != word and wrong.lower() not in reserved:
            return wrong
    return ""


def spelling(
    instruction: Instruction, seed: int, *, slip: Slip, errors: int = 1, in_names: bool = False
) -> Instruction | None:
    """
    Misspell words of an English instruction, as many as ``errors`` where it has so many.

    Only words outside of quotes are changed, or with ``in_names`` only words inside of the
    names that are quoted; never the value to type or to select. Returns None where no word
    can be misspelt. Raises InvalidInputError for fewer errors than one.
    """
    if errors < 1:
        raise InvalidInputError("at least one spelling error", found=str(errors))
    spans = quoted_spans(instruction)
    if instruction.language != "en":
        return None
    name = f"spelling-{slip}-in-names" if in_names else f"spelling-{slip}"
    draw = random_source(seed, name, instruction.text)
    words = list(_in_names(instruction.text, spans) if in_names else _free(instruction, spans))
    draw.shuffle(words)
    changes: dict[QuoteSpan, str] = {}
    for word in words:
        wrong = misspell(instruction.text[word.start : word.end], slip, draw)
        if wrong and len(changes) < errors:
            changes[word] = wrong
    if not changes:
        return None
    text = with_words(instruction.text, changes)
    return msgspec.structs.replace(instruction, text=text, wording=name)


def _free(instruction: Instruction, spans: tuple[QuoteSpan, ...]) -> tuple[QuoteSpan, ...]:
    return free_words(instruction.text, spans)


def _in_names(text: str, spans: tuple[QuoteSpan, ...]) -> tuple[QuoteSpan, ...]:
    names = [span for span in spans if not span.value]
    return tuple(
        word
        for word in free_words(text, ())
        if any(span.start <= word.start and word.end <= span.end for span in names)
    )
