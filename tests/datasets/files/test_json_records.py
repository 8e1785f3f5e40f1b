"""
Records of JSON files: each as its own bytes, whatever stands in it, in bounded memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.files import json_records
from surefoot.datasets.files.json_records import (
    Entry,
    array_records,
    decode_record,
    line_records,
    map_records,
    section_records,
)

Reader = Callable[[Path], Iterator[Entry]]
texts = st.text(st.characters(codec="utf-8"), max_size=12)
values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
    | st.sampled_from(['"]}', "\\", '\\"', "[{"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
records = st.dictionaries(texts, values, max_size=4)
anywhere = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(folder: Path, data: bytes) -> Path:
    """Write a file."""
    path = folder / "set.json"
    path.write_bytes(data)
    return path


@anywhere
@given(
    rows=st.lists(records | st.lists(values, max_size=3), max_size=6),
    indent=st.sampled_from([None, 0, 2]),
    ascii_only=st.booleans(),
    block=st.integers(1, 40),
)
def test_an_array_is_split_into_what_it_holds(
    tmp_path: Path, rows: list[Any], indent: int | None, *, ascii_only: bool, block: int
) -> None:
    """However it is spelt, and wherever a block of the file ends, every record comes whole."""
    path = written(tmp_path, json.dumps(rows, indent=indent, ensure_ascii=ascii_only).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_records, "BLOCK", block)
        found = list(array_records(path))
    assert [json.loads(entry.data) for entry in found] == rows
    assert [entry.number for entry in found] == list(range(1, len(rows) + 1))


@anywhere
@given(rows=st.dictionaries(texts, records, max_size=6), indent=st.sampled_from([None, 2]))
def test_an_object_is_split_into_its_members(
    tmp_path: Path, rows: dict[str, Any], indent: int | None
) -> None:
    """Each member comes with its key, in the order of the file."""
    path = written(tmp_path, json.dumps(rows, indent=indent).encode())
    found = list(map_records(path))
    assert [(entry.key, json.loads(entry.data)) for entry in found] == list(rows.items())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[{}",
        b'[{"a": 1}, {"a"',
        b'[{"a": "]}]',
        b"[{}] x",
        b"[{}][{}]",
        b"x[{}]",
        b"[{} {}]",
        b"[{},,{}]",
        b"[,{}]",
        b"[{},]",
        b"[1, {}]",
        b"[{}}",
        b"[" * 200_000,
        b"\xef\xbb\xbf[{}",
        b"\x1f\x8b\x08",
    ],
)
def test_a_broken_array_is_named(tmp_path: Path, data: bytes) -> None:
    """A file that is cut, or is no array of records, raises and names the file."""
    with pytest.raises(InvalidInputError, match=r"set\.json"):
        list(array_records(written(tmp_path, data), most=100_000))


@pytest.mark.parametrize(
    "data", [b"[]", b'{"a": 1}', b'{"a" {}}', b'{"a": {}, {}}', b'{"\\x": {}}']
)
def test_a_broken_object_is_named(tmp_path: Path, data: bytes) -> None:
    """A file that is no object of objects raises and names the file."""
    with pytest.raises(InvalidInputError, match=r"set\.json"):
        list(map_records(written(tmp_path, data)))


def test_a_broken_record_costs_itself(tmp_path: Path) -> None:
    """What is between the brackets is not looked at, so the next record is still found."""
    path = written(tmp_path, b'[{"a": NaN}, {broken}, {"a": 1], {"b": 2}]')
    found = [record.data for record in array_records(path)]
    assert found == [b'{"a": NaN}', b"{broken}", b'{"a": 1]', b'{"b": 2}']


def test_a_record_has_a_size_limit(tmp_path: Path) -> None:
    """One endless string, line or nest stops the reading before it fills the memory."""
    endless = [b'["', b'[{"a": "' + b"x" * 2_000_000, b"[" * 2_000_000]
    for data in endless:
        with pytest.raises(InvalidInputError):
            list(array_records(written(tmp_path, data), most=100_000))
    with pytest.raises(InvalidInputError, match="at most 100,000 bytes"):
        list(line_records(written(tmp_path, b"x" * 200_000), most=100_000))


def test_lines_are_numbered_and_empty_ones_counted(tmp_path: Path) -> None:
    """The number of a line is that of an editor."""
    found = list(line_records(written(tmp_path, b'{"a": 1}\n\n  \n{"a": 2}')))
    assert [(entry.number, entry.data.strip()) for entry in found] == [
        (1, b'{"a": 1}'),
        (4, b'{"a": 2}'),
    ]


@pytest.mark.parametrize("reader", [array_records, map_records, line_records])
def test_an_absent_file_is_the_users_mistake(tmp_path: Path, reader: Reader) -> None:
    """A missing file and a folder raise InvalidInputError."""
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InvalidInputError, match="readable file"):
            list(reader(path))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"a": 1, "a": 2}', "duplicate-key"),
        (b'{"b": {"a": 1, "a": 1}}', "duplicate-key"),
        (b'{"a": NaN}', "malformed"),
        (b'{"a": -Infinity}', "malformed"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "malformed"),
        (b"[" * 15_000 + b"]" * 15_000, "malformed"),
        (b'{"a": "\\ud800"}', "malformed"),
        (b'{"a": "\xff"}', "malformed"),
        (b"", "malformed"),
        (b"{", "malformed"),
        (b"[]", "malformed"),
        (b"null", "malformed"),
    ],
)
def test_a_hostile_record_is_refused(data: bytes, reason: str) -> None:
    """No hostile spelling raises anything but RecordError, or is read as something else."""
    with pytest.raises(RecordError) as caught:
        decode_record(data, dict[str, Any])
    assert caught.value.reason == reason


def test_whole_surrogate_pairs_are_letters() -> None:
    """An escaped pair is one letter, only half a pair is refused."""
    assert decode_record(b'{"a": "\\ud83d\\ude00"}', dict[str, str]) == {"a": "\U0001f600"}


@given(junk=st.binary(max_size=200))
def test_any_bytes_are_refused_or_read(junk: bytes) -> None:
    """Random bytes raise RecordError or are what the standard library reads."""
    try:
        found = decode_record(junk, dict[str, Any])
    except RecordError:
        return
    assert found == json.loads(junk)


@anywhere
@given(
    sections=st.dictionaries(
        texts, st.lists(records, max_size=4) | records | st.integers(), max_size=4
    ),
    indent=st.sampled_from([None, 0, 2]),
    block=st.integers(1, 40),
)
def test_sections_are_split_into_what_they_hold(
    tmp_path: Path, sections: dict[str, Any], indent: int | None, block: int
) -> None:
    """The records of every array come whole, with its name, whatever stands between arrays."""
    path = written(tmp_path, json.dumps(sections, indent=indent).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_records, "BLOCK", block)
        found = [
            (entry.key, entry.number, json.loads(entry.data)) for entry in section_records(path)
        ]
    assert [item for item in found if item[0]] == [
        (name, number, record)
        for name, rows in sections.items()
        if isinstance(rows, list) and name
        for number, record in enumerate(rows, start=1)
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"{", b'{"a": [', b'{"a": [{}', b'{"a": [{} {}]}', b'{"a": [{}]} x',
        b'{"a": [{}]]', b'{"a": [{}, 3 {}]}', b'{"\xff": [{}]}',
    ],
)  # fmt: skip
def test_broken_sections_raise(tmp_path: Path, data: bytes) -> None:
    """A file that is cut, is no object or lacks a comma between records is named."""
    with pytest.raises(InvalidInputError, match=r"set\.json"):
        list(section_records(written(tmp_path, data)))


def test_a_section_of_one_endless_record_is_refused(tmp_path: Path) -> None:
    """A record beyond the limit ends the reading, so that memory stays bounded."""
    path = written(tmp_path, b'{"a": [{"b": "' + b"x" * 900_000 + b'"}]}')
    with pytest.raises(InvalidInputError, match="at most 1,000 bytes"):
        list(section_records(path, most=1000))
