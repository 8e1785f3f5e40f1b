"""
Synonyms: an interface's verbs and nouns in other words, from a whitelist that is proven.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from surefoot.core.instruction import Instruction
from surefoot.core.seeds import random_source
from surefoot.perturb.wording.lexicon import proven_synonyms
from surefoot.perturb.wording.quotes import QuoteSpan, quoted_spans, with_words

__all__ = ["synonyms"]

NAME: Final = "synonym"


def synonyms(instruction: Instruction, seed: int) -> Instruction | None:
    """
    Say the verb and every noun of an English instruction that the whitelist has otherwise.

    What is quoted stays. Returns None where no word has a synonym. Raises
    MissingComponentError where WordNet, which proves them, is not installed.
    """
    if instruction.language != "en":
        return None
    table = proven_synonyms()
    known = {**table["noun"], **table["verb"]}
    draw = random_source(seed, NAME, instruction.text)
    changes: dict[QuoteSpan, str] = {}
    for span in _found(instruction, table["verb"], table["noun"]):
        word = instruction.text[span.start : span.end]
        chosen = draw.choice(known[word.lower()])
        changes[span] = chosen[0].upper() + chosen[1:] if word[0].isupper() else chosen
    if not changes:
        return None
    text = with_words(instruction.text, changes)
    return msgspec.structs.replace(instruction, text=text, wording=NAME)


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
        if not any(match.start() < each.end and each.start < match.end() for each in spans)
    ]


def _any(words: Mapping[str, object]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))
