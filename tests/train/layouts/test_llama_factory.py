"""
LLaMA-Factory's and ms-swift's files, read by the steps that their documents name.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from surefoot.core.geometry import Point
from surefoot.models import FORMATS
from surefoot.train.examples import read_examples

if TYPE_CHECKING:
    from pathlib import Path

    from tests.train.conftest import MakeData

# data/README.md of LLaMA-Factory: what a description of its own may have.
KNOWN = {"file_name", "formatting", "columns", "tags"}
SHRINKS_ABOVE = 768 * 768  # its image_max_pixels, where nothing is given


def converted(folder: Path, split: str) -> list[dict[str, Any]]:
    """Read a split as LLaMA-Factory's converter does: by columns, tags and the media folder."""
    info = json.loads((folder / "dataset_info.json").read_bytes())[split]
    assert set(info) <= KNOWN
    assert info["formatting"] == "sharegpt"
    tags, columns, rows = info["tags"], info["columns"], []
    for line in (folder / info["file_name"]).read_text("utf-8").splitlines():
        row = json.loads(line)
        turns = row[columns["messages"]]
        system = ""
        if turns[0][tags["role_tag"]] == tags["system_tag"]:
            system = turns.pop(0)[tags["content_tag"]]
        roles = [turn[tags["role_tag"]] for turn in turns]
        assert roles == [tags["user_tag"], tags["assistant_tag"]]
        contents = [turn[tags["content_tag"]] for turn in turns]
        sizes = []
        for path in row[columns["images"]]:
            with Image.open(folder / path) as picture:
                sizes.append(picture.size)
        assert sum(text.count("<image>") for text in contents) == len(sizes)
        rows.append({"system": system, "contents": contents, "sizes": sizes})
    return rows


def test_llama_factory_reads_every_example(make_data: MakeData) -> None:
    """Each split holds its examples in their order: prompt, reply, the picture in its size."""
    data = make_data("llama-factory")
    examples = read_examples(data)
    assert {example.split for example in examples} == {"train", "validation"}
    for split in ("train", "validation"):
        members = [example for example in examples if example.split == split]
        rows = converted(data / "llama-factory", split)
        for row, example in zip(rows, members, strict=True):
            assert row["system"] == example.messages.system
            assert row["contents"] == [f"<image>{example.messages.user}", example.completion]
            question = example.question
            assert row["sizes"] == [(question.width, question.height)]


def test_ms_swift_reads_the_same_file(
    make_data: MakeData, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`datasets` loads the lines to messages of strings; paths hold from ROOT_IMAGE_DIR."""
    datasets = pytest.importorskip("datasets")
    folder = make_data("llama-factory") / "llama-factory"
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    rows = datasets.Dataset.from_json(
        str(folder / "train.jsonl"), cache_dir=str(folder.parent / "cache")
    )
    assert set(rows.column_names) == {"messages", "images"}
    assert all((folder / path).is_file() for row in rows for path in row["images"])
    assert all(isinstance(turn["content"], str) for row in rows for turn in row["messages"])


def shrunk(width: int, height: int, most: int) -> tuple[int, int]:
    """Return the size after LLaMA-Factory's own resize (mm_plugin._preprocess_image)."""
    if width * height <= most:
        return width, height
    factor = math.sqrt(most / (width * height))
    return int(width * factor), int(height * factor)


def test_the_argument_lets_no_picture_be_shrunk(make_data: MakeData) -> None:
    """With it no picture of the data is shrunk; the default moves pixels, and not thousandths."""
    data = make_data("llama-factory")
    line = (data / "llama-factory" / "arguments.yaml").read_text("utf-8").splitlines()[-1]
    name, most = line.split(": ")
    assert name == "image_max_pixels"
    sizes = {(e.question.width, e.question.height) for e in read_examples(data)}
    assert all(shrunk(*size, int(most)) == size for size in sizes)
    small = shrunk(1280, 800, SHRINKS_ABOVE)
    place = Point(640.0, 400.0)
    in_pixels, in_thousandths = FORMATS.get("ui-tars-1.5"), FORMATS.get("qwen3-vl")
    same = [
        form.write(place, 1280, 800)
        == form.write(Point(place.x * small[0] / 1280, place.y * small[1] / 800), *small)
        for form in (in_pixels, in_thousandths)
    ]
    assert same == [False, True]
