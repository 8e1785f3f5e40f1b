"""
The words and frames of language views, read from english.toml and proven as far as it says.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib.resources import files

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.perturb.wording.wordnet import PartOfSpeech, WordNet, wordnet_folder


class SentenceFrames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold sentences to say an instruction in: ``around`` a verb, or ``after`` anything."""

    around: tuple[str, ...]
    after: tuple[str, ...]


class _Reserved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: frozenset[str]


class Lexicon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold, by word, its synonyms with the reason that allows each; "" leaves it to WordNet.

    ``reserved`` are words that no misspelling may become.
    """

    verbs: Mapping[str, Mapping[str, str]]
    nouns: Mapping[str, Mapping[str, str]]
    reserved: _Reserved
    frames: SentenceFrames


@functools.lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Read the lexicon; raises InvalidInputError for a table that is malformed."""
    text = files("surefoot.perturb.wording").joinpath("english.toml").read_text("utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), Lexicon)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InvalidInputError("english.toml to hold a lexicon", found=error) from error


@functools.lru_cache(maxsize=1)
def proven_synonyms() -> Mapping[PartOfSpeech, Mapping[str, tuple[str, ...]]]:
    """
    Return the synonyms that the lexicon lists, by word, in its order.

    Raises MissingComponentError where WordNet is not installed, and InvalidInputError for
    a pair without a reason that WordNet does not prove.
    """
    wordnet, lexicon = WordNet(wordnet_folder()), load_lexicon()
    tables: dict[PartOfSpeech, Mapping[str, Mapping[str, str]]] = {
        "verb": lexicon.verbs,
        "noun": lexicon.nouns,
    }
    for pos, table in tables.items():
        for word, synonyms in table.items():
            for synonym, reason in synonyms.items():
                if not reason and not wordnet.evidence(word, synonym, pos):
                    raise InvalidInputError(
                        f"WordNet to know '{synonym}' as a synonym of '{word}'",
                        found="no synset of both, and none directly broader",
                        remedy="say in english.toml why the pair is allowed",
                    )
    return {
        pos: {word: tuple(synonyms) for word, synonyms in table.items()}
        for pos, table in tables.items()
    }
