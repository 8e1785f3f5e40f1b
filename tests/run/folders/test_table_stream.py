"""
Tables written as they come have the bytes of tables written at once.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.canonical import canonical_json, sha256
from surefoot.run.folders.table_stream import open_table

ROWS = [{"b": number, "a": "\u9009"} for number in range(100)]


def test_hash_and_count_are_those_of_the_file(tmp_path: Path) -> None:
    """The manifest's entry describes exactly what lies there."""
    with open_table(tmp_path / "rows.jsonl") as table:
        for row in ROWS:
            table.write(row)
    data = (tmp_path / "rows.jsonl").read_bytes()
    assert data == b"".join(canonical_json(row) + b"\n" for row in ROWS)
    assert (table.exported.sha256, table.exported.count) == (sha256(data), len(ROWS))


def test_an_unfinished_table_has_no_name(tmp_path: Path) -> None:
    """Where the writer fails, neither the table nor a part of it is left."""

    def fail() -> None:
        with open_table(tmp_path / "rows.jsonl") as table:
            table.write(ROWS[0])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
