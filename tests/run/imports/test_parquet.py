"""
The published form read back: equal in everything, and refused where anything was changed.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.edit import Zoom
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import export, read_questions, read_screens
from surefoot.run.folders.lines import lines_digest
from surefoot.run.imports.parquet import import_parquet
from surefoot.run.imports.published import import_any
from surefoot.run.imports.sources import PUBLISHED_FORM
from surefoot.run.parquet.shards import publish


def picture(number: int) -> bytes:
    """Return a PNG of its own colour."""
    stream = io.BytesIO()
    Image.new("RGB", (100, 50), (number, 0, 0)).save(stream, "PNG")
    return stream.getvalue()


def screen(number: int, image: str) -> Screen:
    """Return a screen with every field set."""
    return Screen(
        id=f"s{number}",
        page="page",
        source="x",
        image=image,
        width=100,
        height=50,
        scale=2.0,
        platform="desktop",
        locale="de-DE",
        elements=(Element("e1", "button", Box(0.0, 0.0, 5.5, 5.0), name="ä", hits=(True,)),),
        variant="zoom",
        edits=(Zoom(0.7),),
        title="A title",
        site="a site",
        toolkit="gtk",
    )


def question(number: int, image: str) -> Question:
    """Return one of many questions; every third is a refusal, and splits take turns."""
    expression = Expression(role="button", landmark=Expression(name="x"), direction="above")
    return Question(
        id=f"q{number:03d}",
        pair=f"p{number // 2}",
        cluster="page",
        cell=Cell("zoom", "relational", reasoning=number % 2 == 1),
        screen=f"s{number % 3}",
        image=image,
        width=100,
        height=50,
        instruction=Instruction("Drück", "de", "given", "high", expression, "e1", value="v"),
        truth=Box(1.0, 2.1, 30.0, 40.7),
        role="button",
        boxes=(Box(1.0, 2.0, 3.0, 4.0), Box(0.1, 0.2, 0.3, 0.4))[: number % 3],
        polygon=(Point(1.0, 1.0), Point(9.5, 1.0), Point(1.0, 9.0)) if number % 4 == 1 else (),
        answerable=number % 3 != 2,
        answers=("a", "b")[: number % 3],
        asks="option" if number % 4 == 2 else "place",
        options=("a", "b") if number % 4 == 2 else (),
        split=("train", "", "../odd")[number % 3],
        platform="web",
        system="linux",
        facts={"k": "\u2028"} if number % 2 else {},
    )


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Write a BENCH of nine questions in three splits about three screens."""
    folder = tmp_path / "bench"
    store = ObjectStore(folder)
    images = [store.put(picture(number)) for number in range(3)]
    with Ledger.open(folder, {"kind": "bench"}):
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": [screen(number, image) for number, image in enumerate(images)],
            "questions.jsonl": [question(number, images[number % 3]) for number in range(9)],
        }
        export(folder, "bench", tables)
    return folder


@pytest.fixture
def published(bench: Path, tmp_path: Path) -> Path:
    """Publish the BENCH in shards of one group of rows each."""
    publish(bench, tmp_path / "hf", shard_bytes=1)
    return tmp_path / "hf"


def test_everything_comes_back(bench: Path, published: Path, tmp_path: Path) -> None:
    """Questions, screens and the bytes of the pictures are those of the benchmark."""
    imported = import_any(PUBLISHED_FORM, published, tmp_path / "back")
    assert read_questions(tmp_path / "back") == read_questions(bench)
    assert read_screens(tmp_path / "back") == read_screens(bench)
    for name in ("questions.jsonl", "screens.jsonl"):
        assert lines_digest(tmp_path / "back" / name) == lines_digest(bench / name)
    for item in read_screens(bench):
        assert ObjectStore(tmp_path / "back").get(item.image) == ObjectStore(bench).get(item.image)
    assert imported.counts["refusals"] == 3
    assert imported.counts["splits"] == {"": 3, "../odd": 3, "train": 3}


def test_splits_are_files_and_stand_in_the_card(published: Path) -> None:
    """Hugging Face finds each split under a name that it takes."""
    names = {path.name for path in published.glob("questions*")}
    assert names == {
        "questions-00000.parquet",
        "questions-train-00000.parquet",
        "questions-_odd-00000.parquet",
    }
    text = (published / "README.md").read_text()
    assert "- split: train\n    path: questions-train-*.parquet" in text
    assert "- split: unsplit\n    path: questions-0*.parquet" in text
    assert "| _odd | 3 |" in text
    assert "language:\n- de\n" in text


def test_publishing_what_came_back_gives_equal_shards(
    bench: Path, published: Path, tmp_path: Path
) -> None:
    """The second publication differs in nothing but the benchmark that it names."""
    import_parquet(published, tmp_path / "back")
    publish(tmp_path / "back", tmp_path / "again", shard_bytes=1)
    for path in published.glob("*.parquet"):
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    assert bench.is_dir()


def test_a_limit_keeps_the_first(published: Path, tmp_path: Path) -> None:
    """So many questions are kept, in the order of their ids over all splits."""
    import_parquet(published, tmp_path / "back", limit=4)
    assert [item.id for item in read_questions(tmp_path / "back")] == [
        "q000", "q001", "q002", "q003",
    ]  # fmt: skip


def test_an_archive_of_it_is_read(published: Path, tmp_path: Path) -> None:
    """A packed publication gives the same questions, and its scratch folder is gone."""
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", published)
    import_parquet(Path(packed), tmp_path / "back")
    assert len(read_questions(tmp_path / "back")) == 9
    assert not list((tmp_path / "back").glob("*.partial"))


def reseal(folder: Path) -> None:
    """Write the hashes of the shards that there are into the manifest."""
    files = {
        path.name: {"sha256": sha256(path.read_bytes()), "count": 1}
        for path in folder.glob("*.parquet")
    }
    (folder / "manifest.json").write_text(json.dumps({"bench": "x", "files": files}))


def spoil(name: str, column: str, value: object) -> Callable[[Path], None]:
    """Make a change of one column of a shard's first row, with the manifest made to fit."""

    def change(folder: Path) -> None:
        table = pq.read_table(folder / name)
        rows = table.to_pylist()
        rows[0][column] = value
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), folder / name)
        reseal(folder)

    return change


def _without_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def _without_shard(folder: Path) -> None:
    (folder / "questions-train-00000.parquet").unlink()


def _cut(folder: Path) -> None:
    path = folder / "screens-00000.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    reseal(folder)


def _stray(folder: Path) -> None:
    shutil.copy(folder / "questions-00000.parquet", folder / "questions_more.parquet")
    reseal(folder)


def _twice(folder: Path) -> None:
    shutil.copy(folder / "questions-00000.parquet", folder / "questions-00001.parquet")
    reseal(folder)


QUESTIONS, SCREENS = "questions-train-00000.parquet", "screens-00000.parquet"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_without_manifest, "no manifest"),
        (_without_shard, "questions-train-00000"),
        (_cut, "whole parquet file"),
        (_stray, "questions_more"),
        (_twice, "ascending ids"),
        (spoil(QUESTIONS, "id", ""), "ascending ids"),
        (spoil(QUESTIONS, "truth", [5.0, 5.0, 1.0, 9.0]), "row 1 in questions-train"),
        (spoil(QUESTIONS, "truth", [float("nan")] * 4), "row 1 in questions-train"),
        (spoil(QUESTIONS, "truth", None), "row 1 in questions-train"),
        (spoil(QUESTIONS, "instruction", "[" * 5000), "row 1 in questions-train"),
        (spoil(QUESTIONS, "facts", '{"a": 1}'), "row 1 in questions-train"),
        (spoil(QUESTIONS, "screen", "s9"), "screen 's9'"),
        (spoil(QUESTIONS, "image_sha256", "0" * 64), "screen 's0'"),
        (spoil(SCREENS, "width", 99), "row 1 in screens"),
        (spoil(SCREENS, "image", {"bytes": b"GIF89a", "path": "x"}), "row 1 in screens"),
        (spoil(SCREENS, "elements", "{}"), "row 1 in screens"),
        (spoil(SCREENS, "id", "s1"), "ascending ids"),
    ],
)
def test_what_was_changed_is_refused(
    change: Callable[[Path], None], said: str, published: Path, tmp_path: Path
) -> None:
    """A lost, cut, stray or altered shard and every bad row end the import with its place."""
    change(published)
    with pytest.raises(InvalidInputError, match=said):
        import_parquet(published, tmp_path / "back")
    assert not (tmp_path / "back" / "manifest.json").exists()


def test_a_changed_shard_is_found_by_its_hash(published: Path, tmp_path: Path) -> None:
    """Without a fitting manifest even a good row is not believed, while the card may change."""
    (published / "README.md").write_text("edited since")
    import_parquet(published, tmp_path / "edited")
    manifest = (published / "manifest.json").read_bytes()
    spoil(QUESTIONS, "role", "link")(published)
    (published / "manifest.json").write_bytes(manifest)
    with pytest.raises(InvalidInputError, match=QUESTIONS):
        import_parquet(published, tmp_path / "back")


def test_pictures_of_its_own_are_refused(published: Path, tmp_path: Path) -> None:
    """The published form has its pictures inside."""
    with pytest.raises(InvalidInputError, match="--images"):
        import_any(PUBLISHED_FORM, published, tmp_path / "back", images=tmp_path)
