"""
Language views by name: an instruction becomes another wording of itself, or none.

Spelling errors are a neighbouring key, a letter left out, two letters swapped; synonyms say an
interface's verbs and nouns in other words, from a whitelist that is proven; paraphrases are the
same request in another sentence, the reference itself unchanged.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Instruction
from surefoot.core.seeds import random_source
from surefoot.perturb.wording.lexicon import load_lexicon, proven_synonyms
from surefoot.perturb.wording.quotes import QuoteSpan, free_words, quoted_spans, with_words

Slip: TypeAlias = Literal["keyboard", "deletion", "swap"]

WORDED: Final = "en"  # the language that the words and frames are of
SHORTEST: Final = 4  # shorter words become others too easily
ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")  # each half a key further right
SYNONYM: Final = "synonym"
PARAPHRASE: Final = "paraphrase"

_VERB: Final = re.compile(r"(?:Click|Type|Select)\b")
_REGION: Final = re.compile(
    r" (?:at the (?:top|bottom)|on the (?:left|right) side|in the middle"
    r"|in the (?:top|bottom) (?:left|right) corner) of the (?:screen|window)$"
)
Wording: TypeAlias = Callable[[Instruction, int], Instruction | None]


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
    if instruction.language != WORDED:
        return None
    name = f"spelling-{slip}-in-names" if in_names else f"spelling-{slip}"
    draw = random_source(seed, name, instruction.text)
    words = list(
        _in_names(instruction.text, spans) if in_names else free_words(instruction.text, spans)
    )
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


def _in_names(text: str, spans: tuple[QuoteSpan, ...]) -> tuple[QuoteSpan, ...]:
    names = [span for span in spans if not span.value]
    return tuple(
        word
        for word in free_words(text, ())
        if any(span.start <= word.start and word.end <= span.end for span in names)
    )


def synonyms(instruction: Instruction, seed: int) -> Instruction | None:
    """
    Say the verb and every noun of an English instruction that the whitelist has otherwise.

    What is quoted stays. Returns None where no word has a synonym. Raises
    MissingComponentError where WordNet, which proves them, is not installed.
    """
    if instruction.language != WORDED:
        return None
    table = proven_synonyms()
    known = {**table["noun"], **table["verb"]}
    draw = random_source(seed, SYNONYM, instruction.text)
    changes: dict[QuoteSpan, str] = {}
    for span in _found(instruction, table["verb"], table["noun"]):
        word = instruction.text[span.start : span.end]
        chosen = draw.choice(known[word.lower()])
        changes[span] = chosen[0].upper() + chosen[1:] if word[0].isupper() else chosen
    if not changes:
        return None
    text = with_words(instruction.text, changes)
    return msgspec.structs.replace(instruction, text=text, wording=SYNONYM)


def _found(
    instruction: Instruction, verbs: Mapping[str, object], nouns: Mapping[str, object]
) -> list[QuoteSpan]:
    """
    Return where known words stand outside of quotes, the longest first at each place.

    A verb counts only where the request begins: "where you choose 'Country'" is no request.
    """
    pattern = re.compile(
        rf"(?:^|(?<=, ))(?:{_any(verbs)})(?![\w-])|(?<![\w-])(?:{_any(nouns)})(?![\w-])",
        re.IGNORECASE,
    )
    spans = quoted_spans(instruction)
    return [
        QuoteSpan(*match.span())
        for match in pattern.finditer(instruction.text)
        if not any(match.start() < span.end and span.start < match.end() for span in spans)
    ]


def _any(words: Mapping[str, object]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


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
    text = random_source(seed, PARAPHRASE, instruction.text).choice(found)
    return msgspec.structs.replace(instruction, text=text, wording=PARAPHRASE)


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
    if instruction.language != WORDED:
        return ()
    text, frames = instruction.text, load_lexicon().frames
    after = [item.format(text=text) for item in frames.after]
    if not _VERB.match(text):
        return tuple(after)
    sentence = text[0].lower() + text[1:]
    around = [item.format(said=sentence) for item in frames.around]
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
        if not any(span.start <= match.start() < span.end for span in spans)
    ]
    return QuoteSpan(starts[-1], len(instruction.text)) if starts else None


def wordings(errors: int = 1) -> Mapping[str, Wording]:
    """
    Return every wording by its name; ``errors`` is how many words are misspelt.

    Each takes an instruction and a seed, and returns the instruction in other words, its
    ``wording`` set, or None where it has no words to change.

    >>> list(wordings())[-2:]
    ['synonym', 'paraphrase']
    """
    found: dict[str, Wording] = {}
    for in_names, ending in ((False, ""), (True, "-in-names")):
        for slip in SLIPS:
            found[f"spelling-{slip}{ending}"] = functools.partial(
                spelling, slip=slip, errors=errors, in_names=in_names
            )
    return {**found, "synonym": synonyms, "paraphrase": paraphrase}


WORDINGS: Final = wordings()
