"""
A reader of WordNet's own files, as far as it takes to prove two words synonyms.

The files ``index.POS`` and ``data.POS`` are those of WordNet 3.0 (wndb(5WN)), which Debian
ships as wordnet-base. An index line lists a word's synsets by their byte offsets into the
data file; a data line lists a synset's pointers, of which ``@`` leads to the broader one.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Final, Literal, TypeAlias

from surefoot.core.errors import InvalidInputError, MissingComponentError

PartOfSpeech: TypeAlias = Literal["noun", "verb"]
Evidence: TypeAlias = Literal["", "same", "broader"]

FOLDER: Final = Path("/usr/share/wordnet")
PACKAGE: Final = "wordnet-base"
HYPERNYM: Final = "@"
HEX: Final = 16
LONGEST: Final = 20_000  # bytes of a line


def wordnet_folder() -> Path:
    """
    Return where WordNet's files lie: ``WNSEARCHDIR``, or where Debian puts them.

    Raises MissingComponentError where they do not.
    """
    folder = Path(os.environ.get("WNSEARCHDIR") or FOLDER)
    wanted = [folder / f"{kind}.{pos}" for kind in ("index", "data") for pos in ("noun", "verb")]
    if not all(path.is_file() for path in wanted):
        raise MissingComponentError(
            f"WordNet's files in {folder}",
            found="none" if not folder.is_dir() else "not all of them",
            remedy=f"install them: apt-get install -y --no-install-recommends {PACKAGE}",
        )
    return folder


class WordNet:
    """Look words up in a folder of WordNet's files; each file is read on first use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._index = functools.lru_cache(maxsize=None)(self._read_index)
        self._data = functools.lru_cache(maxsize=None)(self._read_data)

    def synsets(self, word: str, pos: PartOfSpeech) -> frozenset[int]:
        """Return the synsets of a word or phrase, by offset; none for an unknown one."""
        return self._index(pos).get("_".join(word.lower().split()), frozenset())

    def evidence(self, word: str, other: str, pos: PartOfSpeech) -> Evidence:
        """
        Tell what WordNet knows of two words: one synset, or one directly broader, or nothing.

        Raises InvalidInputError where its files are damaged.
        """
        first, second = self.synsets(word, pos), self.synsets(other, pos)
        if first & second:
            return "same"
        above = {place for synset in first for place in self._broader(synset, pos)}
        below = {place for synset in second for place in self._broader(synset, pos)}
        return "broader" if above & second or below & first else ""

    def _broader(self, synset: int, pos: PartOfSpeech) -> list[int]:
        line = self._data(pos)[synset : synset + LONGEST].split(b"\n", 1)[0]
        fields = line.decode("ascii", "replace").split(" | ")[0].split()
        try:
            after = 4 + 2 * int(fields[3], HEX)
            pointers = fields[after + 1 : after + 1 + 4 * int(fields[after])]
            pairs = zip(pointers[::4], pointers[1::4], strict=True)
            found = [int(to) for kind, to in pairs if kind[0] == HYPERNYM]
            here = int(fields[0])
        except (ValueError, IndexError) as error:
            raise self._damaged(f"data.{pos}", f"at byte {synset}: {line[:60]!r}") from error
        if here != synset:
            raise self._damaged(f"data.{pos}", f"another synset at byte {synset}")
        return found

    def _read_index(self, pos: PartOfSpeech) -> dict[str, frozenset[int]]:
        found: dict[str, frozenset[int]] = {}
        text = (self.folder / f"index.{pos}").read_text("ascii", "replace")
        for line in text.splitlines():
            if line.startswith(" ") or not line.strip():
                continue  # the licence, which each file begins with
            fields = line.split()
            try:
                count = int(fields[2])
                offsets = frozenset(int(field) for field in fields[-count:])
            except (ValueError, IndexError) as error:
                raise self._damaged(f"index.{pos}", repr(line[:60])) from error
            found[fields[0]] = offsets
        return found

    def _read_data(self, pos: PartOfSpeech) -> bytes:
        return (self.folder / f"data.{pos}").read_bytes()

    def _damaged(self, name: str, found: str) -> InvalidInputError:
        return InvalidInputError(
            f"a file of WordNet in {self.folder / name}",
            found=found,
            remedy=f"install {PACKAGE} again",
        )
