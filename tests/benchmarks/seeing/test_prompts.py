"""
What models that see are asked: our sentences, or a user's in their place.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.seeing.prompts import filled, read_seeing_prompts
from surefoot.core.errors import InvalidInputError


def test_a_users_entries_take_the_place_of_ours(tmp_path: Path) -> None:
    """What a file leaves out stays as it is."""
    file = tmp_path / "prompts.toml"
    file.write_text('check = "Is it {cue}?"\n[identifiers]\ntext = "by its words"\n', "utf-8")
    own, given = read_seeing_prompts(), read_seeing_prompts(file)

    assert (given.check, given.identifiers.text) == ("Is it {cue}?", "by its words")
    assert given.identifiers.location == own.identifiers.location
    same = msgspec.structs.replace(given, check=own.check, identifiers=own.identifiers)
    assert same == own


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('check = "Is it so?"', "{cue}"),
        ('judge = "{count} of {elements}"', "{instruction}"),
        ('looks = "{cue}"', "looks"),
        ("check = 3", "prompts"),
        ("identifiers = 3", "prompts"),
        ("check = ", "prompts"),
    ],
)
def test_what_cannot_be_asked_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """A template without its placeholder, an unknown entry and no TOML are told by name."""
    file = tmp_path / "prompts.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(InvalidInputError, match=said):
        read_seeing_prompts(file)
    with pytest.raises(InvalidInputError, match="prompts in"):
        read_seeing_prompts(tmp_path / "none.toml")


def test_values_are_not_read_as_templates() -> None:
    """An instruction that holds a placeholder is put in as it is."""
    values = {"instruction": "Click '{count}'", "count": "3"}

    assert filled("{instruction} of {count}", values) == "Click '{count}' of 3"
