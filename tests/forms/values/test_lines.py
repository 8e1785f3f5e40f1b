"""
Tests of instances as JSON Lines.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import Document, FileValue, Instance, Span, Value
from surefoot.forms.values.lines import read_instances, write_instances

VALUES: st.SearchStrategy[Value] = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=9),
    st.booleans(),
    st.lists(st.text("ab", max_size=3), max_size=3).map(tuple),
    st.builds(FileValue, st.text("ab.", max_size=5), st.just("0" * 64)),
)
DOCUMENT = Document("letter", "labelled", "I am Ana.", (Span("name", 5, 8, "verbatim"),))


@settings(max_examples=30)
@given(values=st.dictionaries(st.text("abc", min_size=1), VALUES, max_size=4))
def test_instances_come_back(
    values: dict[str, Value], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What was written is read again, every kind of value and the document with it."""
    path = tmp_path_factory.mktemp("lines") / "instances.jsonl"
    made = [Instance("form", 1, 7, 0, values), Instance("form", 1, 7, 1, {}, DOCUMENT)]

    assert write_instances(path, made) == len(made)
    assert list(read_instances(path)) == made


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"form": "f", "version": 1, "seed": 1, "index": 0}',
        b'{"form": "f", "version": 1, "seed": 1, "index": 0, "values": {"a": 1}}',
        b'{"form": "f", "version": 1, "seed": 1, "index": 0, "values": {"a": [1]}}',
        b'{"form": "f", "version": 1, "seed": 1, "index": 0, "values": {"a": {"name": "b"}}}',
        b'{"form": "f", "form": "g", "version": 1, "seed": 1, "index": 0, "values": {}}',
        b'{"form": "f", "version": 1, "seed": NaN, "index": 0, "values": {}}',
        b'{"form": "\\ud800", "version": 1, "seed": 1, "index": 0, "values": {}}',
        b"[" * 100_000,
        b" " * (1 << 20) + b"{}",
    ],
)
def test_a_hostile_line_is_refused(line: bytes, tmp_path: Path) -> None:
    """A line that is no instance is refused with its number, after those before it."""
    path = tmp_path / "instances.jsonl"
    write_instances(path, [Instance("form", 1, 7, 0, {})])
    path.write_bytes(path.read_bytes() + line + b"\n")

    read = read_instances(path)
    assert next(read).form == "form"
    with pytest.raises(InvalidInputError, match="2"):
        next(read)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A file that is not there is refused."""
    with pytest.raises(InvalidInputError):
        list(read_instances(tmp_path / "none.jsonl"))
