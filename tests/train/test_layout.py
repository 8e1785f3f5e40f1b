"""
Layouts: equal bytes from equal examples, and words that trainers would take for pictures.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Instruction
from surefoot.train.layout import LAYOUTS, MARKS, turns_in_strings
from tests.train.conftest import MakeData, MakeExample


def hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file by its path in a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", sorted(LAYOUTS.entries))
def test_written_twice_the_bytes_are_the_same(name: str, make_data: MakeData) -> None:
    """Two DATA of the same examples, in different places, have the same layout to the byte."""
    first, second = (hashes(make_data(name, where) / name) for where in ("data", "elsewhere"))
    assert first
    assert first == second


@pytest.mark.parametrize("mark", MARKS)
def test_words_with_a_trainers_mark_are_refused(mark: str, make_example: MakeExample) -> None:
    """A page's own '<image>' would be one picture too many: the error names the example."""
    plain = make_example()
    instruction: Instruction = msgspec.structs.replace(
        plain.question.instruction, text=f"the {mark} button"
    )
    example = make_example(instruction=instruction)
    with pytest.raises(InvalidInputError, match="which trainers replace") as raised:
        turns_in_strings(example)
    assert example.id in str(raised.value)


def test_the_picture_stands_where_the_prompt_has_it(make_example: MakeExample) -> None:
    """Marks stand before or behind the words, a system text in a turn of its own."""
    example = make_example()
    words = example.messages.user
    assert turns_in_strings(example)[-1]["content"] == f"<image>{words}"
    messages = msgspec.structs.replace(example.messages, system="Be brief.", image_first=False)
    assert turns_in_strings(msgspec.structs.replace(example, messages=messages)) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": f"{words}<image>"},
    ]
