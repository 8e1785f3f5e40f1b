"""
Lines in frames: what is written is read back, and what is damaged or hostile is refused.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.archives import packed
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.run.folders.folder import read_manifest, read_screens
from surefoot.run.folders.lines import (
    FRAME,
    lines_digest,
    open_table,
    read_lines,
    read_part,
    read_parts,
    table_file,
)

LINES = st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"").strip(b"\r")))


@given(LINES, st.sampled_from([1, 7, FRAME // 3, FRAME]))
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("name", ["screens.jsonl", "questions.jsonl"])
def test_lines_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, lines: list[bytes], length: int
) -> None:
    """Packed or plain, in one frame or several, lines, digest and parts are those written."""
    path = tmp_path_factory.mktemp("table") / name
    lines = [line.replace(b"\r", b"") + b"x" * length for line in lines]
    with open_table(path) as table:
        for line in lines:
            table.write_line(line)
    whole = b"".join(line + b"\n" for line in lines)

    assert list(read_lines(path)) == [line + b"\n" for line in lines]
    assert table.exported.sha256 == lines_digest(path) == sha256(whole)
    assert table.exported.count == len(lines)
    if table_file(path) != path:
        assert [read_part(path, start) for start, _ in read_parts(path)] == [
            part for _, part in read_parts(path)
        ]


def test_screens_lie_packed_and_their_manifest_does_not_change(bench: Path) -> None:
    """Other programs read the packed file, and a plain one of an older version reads alike."""
    path = bench / "screens.jsonl"
    screens, manifest = read_screens(bench), read_manifest(bench)
    assert not path.exists()
    with pa.CompressedInputStream(table_file(path).open("rb"), "zstd") as stream:
        lines = stream.read()
    assert lines == b"".join(read_lines(path))
    assert sha256(lines) == manifest.files["screens.jsonl"].sha256

    table_file(path).unlink()
    path.write_bytes(lines)
    assert table_file(path) == path
    assert read_screens(bench) == screens

    with open_table(path) as table:
        table.write_line(b"{}")
    assert not path.exists(), "an older file stays beside the new one"


@pytest.mark.parametrize("cut", [1, 5, 100])
def test_what_is_damaged_is_refused(bench: Path, cut: int) -> None:
    """A cut or changed byte of a packed table is found, and neither is a record read."""
    file = table_file(bench / "screens.jsonl")
    data = file.read_bytes()
    for damaged in (data[:-cut], data[:cut] + b"\x00" + data[cut + 1 :], data + b"more"):
        file.write_bytes(damaged)
        with pytest.raises(InvalidInputError):
            read_screens(bench)
    file.write_bytes(b"")
    with pytest.raises(InvalidInputError, match="other bytes"):
        read_screens(bench)


def test_what_unfolds_too_far_is_refused(tmp_path: Path) -> None:
    """A few bytes that claim gigabytes are not unfolded."""
    path = tmp_path / "screens.jsonl"
    bomb = packed(b"x" * 2**28)
    assert len(bomb) < 2**15
    path.with_name("screens.jsonl.zst").write_bytes(bomb)
    with pytest.raises(InvalidInputError, match="more than"):
        list(chain.from_iterable(part for _, part in read_parts(path)))
