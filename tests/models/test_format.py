"""
Prompts, and prompt files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Unparsed
from surefoot.models.format import Prompt, Prompts, read_prompts
from surefoot.models.opening import FORMATS
from surefoot.models.reading import MAX_REPLY_CHARS

OWN = Prompts(Prompt("plain {instruction}"), Prompt("think {instruction}"))


def test_placeholders_are_filled_once() -> None:
    """Braces of JSON and placeholders inside an instruction stay as they are."""
    prompt = Prompt('{"do": "{instruction}"} {width}', system="{height} {other}")
    filled = prompt.fill("{width}{instruction}", 3, 4)
    assert filled.user == '{"do": "{width}{instruction}"} 3'
    assert filled.system == "4 {other}"


def test_text_file_is_the_user_template(tmp_path: Path) -> None:
    """A text file replaces both user prompts and drops our system text."""
    file = tmp_path / "official.txt"
    file.write_text("Do: {instruction}", encoding="utf-8")
    assert read_prompts(file, OWN) == Prompts(
        Prompt("Do: {instruction}"), Prompt("Do: {instruction}")
    )


def test_toml_file_may_give_one_of_two(tmp_path: Path) -> None:
    """A TOML file replaces the tables that it has and keeps ours for the rest."""
    file = tmp_path / "official.toml"
    file.write_text(
        '[reasoning]\nuser = "R {instruction}"\nsystem = "S"\nimage_first = false\n',
        encoding="utf-8",
    )
    assert read_prompts(file, OWN) == Prompts(
        OWN.plain, Prompt("R {instruction}", "S", image_first=False)
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", "[plain"),
        ("a.toml", '[plain]\nusr = "{instruction}"'),
        ("a.toml", '[other]\nuser = "{instruction}"'),
        ("a.toml", '[plain]\nuser = "nothing"'),
        ("a.txt", "no place for it"),
    ],
)
def test_bad_prompt_files_are_refused(tmp_path: Path, name: str, text: str) -> None:
    """A malformed file, an unknown key and a template without instruction are errors."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"a\.t"):
        read_prompts(file, OWN)


def test_missing_prompt_file(tmp_path: Path) -> None:
    """A missing file is the user's mistake, with its name."""
    with pytest.raises(InvalidInputError, match="gone"):
        read_prompts(tmp_path / "gone.txt", OWN)


def test_replies_beyond_the_limit_are_unparsed() -> None:
    """A reply over a million characters is not searched at all."""
    reply = '{"x": 1, "y": 2}' + " " * MAX_REPLY_CHARS
    assert isinstance(FORMATS.get("json").parse(reply, 9, 9), Unparsed)
