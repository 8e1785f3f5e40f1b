"""
The published form, read back by DuckDB and pyarrow.
"""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import manifest_digest, read_questions, read_screens
from surefoot.run.parquet.shards import publish


def test_duckdb_reads_questions_joined_to_their_pictures(bench: Path, tmp_path: Path) -> None:
    """Every question finds its screen, its picture's bytes and its truth."""
    out = tmp_path / "out"
    publish(bench, out)
    rows = duckdb.execute(
        f"SELECT q.id, q.text, q.truth, s.image.bytes, s.scale "  # noqa: S608 - our own path
        f"FROM '{out}/questions-*.parquet' q JOIN '{out}/screens-*.parquet' s "
        "ON q.screen = s.id AND q.image_sha256 || '.png' = s.image.path ORDER BY q.id"
    ).fetchall()
    store = ObjectStore(bench)
    assert rows == [
        (
            question.id,
            question.instruction.text,
            [*question.truth.as_tuple()],
            store.get(question.image),
            2.0,
        )
        for question in read_questions(bench)
    ]


def test_pictures_are_stored_once_and_uncompressed(bench: Path, tmp_path: Path) -> None:
    """The image column is left as it is, text is compressed, and there is a page index."""
    publish(bench, tmp_path / "out")
    group = pq.ParquetFile(tmp_path / "out" / "screens-00000.parquet").metadata.row_group(0)
    columns = [group.column(index) for index in range(group.num_columns)]
    codecs = {column.path_in_schema: column.compression for column in columns}
    assert codecs["image.bytes"] == "UNCOMPRESSED"
    assert codecs["elements"] == "ZSTD"
    assert group.num_rows == len(read_screens(bench))
    assert all(column.has_offset_index for column in columns)
    table = pq.ParquetFile(tmp_path / "out" / "questions-00000.parquet").metadata.row_group(0)
    assert {table.column(item).compression for item in range(table.num_columns)} == {"ZSTD"}


def test_schema_tells_hugging_face_what_is_a_picture(bench: Path, tmp_path: Path) -> None:
    """The feature metadata names every column, and the image column as an Image."""
    publish(bench, tmp_path / "out")
    schema = pq.read_schema(tmp_path / "out" / "screens-00000.parquet")
    features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert sorted(schema.names) == sorted(features)
    assert features["image"] == {"_type": "Image"}
    assert features["width"] == {"_type": "Value", "dtype": "int32"}


def test_small_shards_hold_everything_once(bench: Path, tmp_path: Path) -> None:
    """A small limit makes a shard of each row group, and none of them empty."""
    out = tmp_path / "out"
    publish(bench, out, shard_bytes=1)
    manifest = json.loads((out / "manifest.json").read_text())
    counts = {name: entry["count"] for name, entry in manifest["files"].items()}
    assert counts == {"README.md": 1, "questions-00000.parquet": 12, "screens-00000.parquet": 6}
    for name, entry in manifest["files"].items():
        assert entry["sha256"] == sha256((out / name).read_bytes())


def test_equal_benchmarks_are_equal_bytes(bench: Path, tmp_path: Path) -> None:
    """Publishing twice, once over an earlier publication, gives the same files."""
    first, second = tmp_path / "first", tmp_path / "second"
    publish(bench, first)
    second.mkdir()
    (second / "screens-00007.parquet").write_bytes(b"of an earlier publication")
    publish(bench, second)
    names = sorted(path.name for path in first.iterdir())
    assert names == sorted(path.name for path in second.iterdir())
    assert [(first / name).read_bytes() for name in names] == [
        (second / name).read_bytes() for name in names
    ]


def test_card_names_tables_and_counts(bench: Path, tmp_path: Path) -> None:
    """The card configures both tables and names the benchmark that it came from."""
    publish(bench, tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "path: questions-*.parquet" in card
    assert "12 questions about 6 targets on 3 sites, asked of 6 screens." in card
    assert manifest_digest(bench, "bench") in card


def test_other_peoples_folders_are_left_alone(bench: Path, tmp_path: Path) -> None:
    """A folder that holds anything but an earlier publication is refused untouched."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("years of work")
    with pytest.raises(InvalidInputError, match=r"thesis\.tex"):
        publish(bench, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.tex"]


def test_a_lost_picture_is_named(bench: Path, tmp_path: Path) -> None:
    """A benchmark without one of its pictures is not published, and leaves no shard of it."""
    screen = read_screens(bench)[2]
    ObjectStore(bench).path(screen.image).unlink()
    with pytest.raises(InvalidInputError, match=screen.image):
        publish(bench, tmp_path / "out")
    assert not list((tmp_path / "out").glob("*screens*"))
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_datasets_sees_pictures(bench: Path, tmp_path: Path) -> None:
    """Hugging Face's own reader gives the image column the feature Image."""
    import datasets

    publish(bench, tmp_path / "out")
    loaded = datasets.load_dataset(str(tmp_path / "out"), "screens", split="test")
    assert type(loaded.features["image"]).__name__ == "Image"
