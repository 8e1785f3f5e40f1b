"""
Texts of numbered parts, such as published letters, and files that are none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.values.numbered import numbered_parts, read_parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1. one\n\n2. two", ("one", "two")),
        ("1)[Address]\nAnn\n\n2) two", ("[Address]\nAnn", "two")),
        ("1) a\n1. first\n2. second\n2) b", ("a\n1. first\n2. second", "b")),
        ("1. one\n7. not the next\n2. two", ("one\n7. not the next", "two")),
        ("Preface\n1. one\r\n2. two\r\n", ("one", "two")),
        ("at 10. or 1) within a line", ()),
        ("", ()),
    ],
)
def test_parts_begin_where_the_count_goes_on(text: str, parts: tuple[str, ...]) -> None:
    """A part begins at the next number, with the sign of the first; lists stay whole."""
    assert numbered_parts(text) == parts


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\xff\xfe1. a\n2. b", b"1. a\n", b"1. a\n2. b\n3. c\n", b"1. a\n2.\n"),
        *(b"1. a\x00\n2. b", b"1. " + b"a" * 60_000 + b"\n2. b", b"1. " * 100_000),
        *(b"\n" * 100_000, b" " * 200_000, b"9" * 200_000, "\u0661. a\n\u0662. b\n3. c".encode()),
    ],
    ids=lambda data: repr(data[:8]),
)
def test_a_hostile_file_is_refused(data: bytes, tmp_path: Path) -> None:
    """A file without its two parts, or with what is no text, is refused by its name."""
    path = tmp_path / "NDA.txt"
    path.write_bytes(data)

    with pytest.raises(InvalidInputError, match=r"NDA\.txt"):
        read_parts(path, 2)


def test_a_file_that_is_none_or_too_large_is_refused(tmp_path: Path) -> None:
    """A folder, nothing, and more bytes than any letters have are refused, unread."""
    (tmp_path / "folder").mkdir()
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as stream:
        stream.truncate(2**33)

    for name in ("folder", "nothing", "huge.txt"):
        with pytest.raises(InvalidInputError, match=name):
            read_parts(tmp_path / name, 1)
