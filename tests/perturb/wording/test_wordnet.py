"""
WordNet's files are read as wndb(5WN) says, and damage in them is told.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.perturb.wording.wordnet import WordNet, wordnet_folder

LICENCE = "  1 This software and database is being provided to you.\n"


def folder_of(path: Path, *, verbs: str = "", data: str = "") -> Path:
    """Write a folder with these verbs and no nouns."""
    for name, text in (("index.verb", verbs), ("data.verb", data), ("index.noun", ""),
                       ("data.noun", "")):  # fmt: skip
        (path / name).write_text(LICENCE + text if name.startswith("index") else text)
    return path


def two_synsets() -> tuple[str, str]:
    """Return an index and data in which "grab hold" is a narrower word for "take"."""
    first = "00000000 35 v 02 take 0 seize 0 000 | get hold of\n"
    second = f"{len(first):08d} 35 v 01 grab_hold 0 001 @ 00000000 v 0000 01 + 08 00 | take fast\n"
    index = (
        "take v 1 0 1 0 00000000  \nseize v 1 0 1 0 00000000  \n"
        f"grab_hold v 1 1 @ 1 0 {len(first):08d}  \n"
    )
    return index, first + second


def test_small_files_are_read(tmp_path: Path) -> None:
    """One synset of two words, and a narrower one, are told from words apart."""
    index, data = two_synsets()
    wordnet = WordNet(folder_of(tmp_path, verbs=index, data=data))

    assert wordnet.evidence("take", "seize", "verb") == "same"
    assert wordnet.evidence("Grab hold", "seize", "verb") == "broader"
    assert wordnet.evidence("take", "grab hold", "verb") == "broader"
    assert wordnet.evidence("take", "unknown", "verb") == ""
    assert wordnet.evidence("take", "seize", "noun") == ""


@pytest.mark.parametrize(
    ("verbs", "data"),
    [
        ("take v x 0 1 0 00000000\n", ""),
        ("take\n", ""),
        ("take v 1 0 1 0 offset\n", ""),
        ("take v 1 0 1 0 00000000\n", ""),
        ("take v 1 0 1 0 00000000\n", "00000007 35 v 01 take 0 000 | x\n"),
        ("take v 1 0 1 0 00000000\n", "00000000 35 v zz take 0 000 | x\n"),
        ("take v 1 0 1 0 00000000\n", "00000000 35 v 01 take 0 001 @\n"),
        ("take v 1 0 1 0 00000000\n", "\x00\xff" * 30),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, verbs: str, data: str) -> None:
    """Lines that are no lines of WordNet are named, with what would mend them."""
    wordnet = WordNet(folder_of(tmp_path, verbs=verbs, data=data))
    with pytest.raises(InvalidInputError, match="wordnet-base"):
        wordnet.evidence("take", "other", "verb")


def test_its_absence_is_told_with_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the files, or with some of them, the error names the package to install."""
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    with pytest.raises(MissingComponentError, match="wordnet-base"):
        wordnet_folder()
    (tmp_path / "index.verb").touch()
    with pytest.raises(MissingComponentError, match="not all of them"):
        wordnet_folder()
    assert wordnet_folder.__doc__


def test_a_folder_of_ones_own_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WordNet's own variable names the folder."""
    monkeypatch.setenv("WNSEARCHDIR", str(folder_of(tmp_path)))
    assert wordnet_folder() == tmp_path
