"""
What a suite's file may say, and how it is refused.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.run.suites.design import PRESETS, read_suite


def test_presets_grow() -> None:
    """Each preset asks under as many conditions as the one before, or more, in every pillar."""
    smaller, *larger = map(read_suite, PRESETS)
    for design in larger:
        for pillar in design.pillars:
            before, after = smaller.options(pillar), design.options(pillar)
            assert set(before.variants) <= set(after.variants)
            assert set(before.kinds) <= set(after.kinds)
        assert smaller.targets.words < design.targets.words
        smaller = design


def test_pillars_are_built_in_one_order_whatever_the_file_has() -> None:
    """Perturbed comes first and hidden last, also where JSON or another file turns them round."""
    design = read_suite("quick")
    turned = msgspec.structs.replace(design, pillars=dict(reversed(design.pillars.items())))
    assert design.order == turned.order == ["perturbed", "sensitivity", "hidden"]


def test_a_file_lies_over_what_it_extends(tmp_path: Path) -> None:
    """Keys of a file win, all others are those of the suite beside it, and of the preset below."""
    (tmp_path / "base.toml").write_text('name = "b"\nextends = "quick"\n[targets]\nsite = 5\n')
    own = tmp_path / "own.toml"
    own.write_text(
        'name = "own"\nextends = "base.toml"\n[pillars.hidden]\nvariants = ["original"]\n'
    )
    found, quick = read_suite(own), read_suite("quick")

    assert (found.name, found.targets.site, found.targets.words) == ("own", 5, quick.targets.words)
    assert found.pillars["hidden"].variants == ("original",)
    assert found.pillars["hidden"].set == quick.pillars["hidden"].set
    assert found.pillars["perturbed"] == quick.pillars["perturbed"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "suite's file"),
        ("\0", "suite's file"),
        ("name = 3\nextends = 'quick'", "'name'"),
        ("extends = 3", "`extends`"),
        ("extends = 'own.toml'", "extend each other"),
        ("extends = 'absent.toml'", "No such file"),
        ("extends = 'quick'\nbudgets = 1", "budgets"),
        ("extends = 'quick'\n[targets]\nsite = 0", ">= 1"),
        ("extends = 'quick'\n[targets]\nshared = 1.5", "<= 1.0"),
        ("extends = 'quick'\ntargets = 3", "object"),
        ("extends = 'quick'\npillars = []", "object"),
        ("name = 'x'\npillars = {}", "a pillar"),
        ("extends = 'quick'\n[pillars.multilingual]", "multilingual"),
        ("extends = 'quick'\n[pillars.hiddn]", "hiddn"),
        ("extends = 'quick'\n[pillars.hidden]\nvariants = ['statc']", "statc"),
        ("extends = 'quick'\n[pillars.hidden]\nkinds = ['direct']", "direct"),
        ("extends = 'quick'\n[pillars.hidden.set]\nmasks = 'some'", "some"),
        ("extends = 'quick'\n[pillars.hidden.set]\nmask = 1", "mask"),
        ("extends = 'quick'\n[pillars.hidden]\nover = ['original']", "bases"),
        ("extends = 'quick'\n[pillars.hidden]\nover = ['thme']", "thme"),
        ("extends = 'quick'\n[pillars.hidden]\ndesign = 'some'", "some"),
    ],
)
def test_a_wrong_file_is_refused_by_what_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    """No damaged, circular, misspelt or contradictory file is read, and the error names it."""
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises((InvalidInputError, UnknownNameError)) as error:
        read_suite(file)
    assert words in str(error.value)


def test_a_folder_is_no_suite(tmp_path: Path) -> None:
    """A folder in place of a file, and bytes that are no text, are refused as such."""
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for path in (tmp_path, tmp_path / "bytes.toml"):
        with pytest.raises(InvalidInputError):
            read_suite(path)
