"""
An imported set becomes a hidden or a perturbed benchmark, without a browser.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image, ImageDraw

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.benchmarks.hidden import HIDDEN
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Done, Ledger, read_plan
from surefoot.core.store import ObjectStore
from surefoot.run.building.pages import build_benchmark
from surefoot.run.engine.shards import Shard
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.run.folders.lines import lines_digest
from surefoot.run.imports.labelled import import_labelled
from surefoot.run.merging import merge_shards

TABLES = ("questions.jsonl", "screens.jsonl", "manifest.json")
OPTIONS = msgspec.structs.replace(
    HIDDEN.defaults, variants=("static", "high-contrast", "low-contrast")
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a set of ScreenSpot's layout, imported: two pictures, three commands."""
    root = tmp_path_factory.mktemp("set")
    pictures = root / "set" / "screenspot_imgs"
    pictures.mkdir(parents=True)
    for name, colour in (("a.png", "#88aacc"), ("b.png", "#ccaa88")):
        image = Image.new("RGB", (240, 120), colour)
        ImageDraw.Draw(image).ellipse((24, 24, 54, 44), fill="#000000")
        image.save(pictures / name)
    rows = [
        {"img_filename": name, "bbox": box, "instruction": f"press {n}", "data_source": "ios"}
        for n, (name, box) in enumerate(
            [
                ("a.png", [20, 20, 40, 30]),
                ("a.png", [100, 20, 40, 30]),
                ("b.png", [20, 20, 40, 30]),
            ]
        )
    ]
    (root / "set" / "screenspot_mobile.json").write_text(json.dumps(rows))
    import_labelled("screenspot", root / "set", root / "bench")
    return root / "bench"


def test_an_imported_set_is_masked_the_same_each_time(imported: Path, tmp_path: Path) -> None:
    """Every command is asked under every mask, its box painted; twice gives the same bytes."""
    for name in ("one", "two"):
        outcome = build_benchmark("hidden", imported, tmp_path / name, OPTIONS, workers=1)
        assert not outcome.failures
    for table in TABLES:
        assert lines_digest(tmp_path / "one" / table) == lines_digest(tmp_path / "two" / table)
    questions = read_questions(tmp_path / "one")
    assert len(questions) == 9
    assert {question.split for question in questions} == {"test"}
    assert {question.system for question in questions} == {"ios"}
    screens = {screen.id: screen for screen in read_screens(tmp_path / "one")}
    store = ObjectStore(tmp_path / "one")
    for question in questions:
        assert screens[question.screen].image == question.image
        with Image.open(store.path(question.image)) as image:
            pixels = np.asarray(image.convert("RGB"))
        left, top, right, bottom = (int(side) for side in question.truth.as_tuple())
        part = pixels[top:bottom, left:right]
        assert (part == part[0, 0]).all()
        assert question.cell.variant != "static" or (part == 255).all()


def test_other_benchmarks_take_screens_alone(imported: Path, tmp_path: Path) -> None:
    """A set without live pages is refused where a benchmark cannot be made of one."""
    with pytest.raises(InvalidInputError, match="captured screens"):
        build_benchmark("multilingual", imported, tmp_path / "out", OPTIONS)


def test_a_set_has_no_share_for_each_site(imported: Path, tmp_path: Path) -> None:
    """A set's questions are all taken, so a limit for sites is refused, not passed over."""
    options = msgspec.structs.replace(OPTIONS, site_targets=3)
    with pytest.raises(InvalidInputError, match="--site-targets"):
        build_benchmark("hidden", imported, tmp_path / "out", options)


def test_what_needs_live_pages_is_refused_of_a_set(imported: Path, tmp_path: Path) -> None:
    """Variants that change pages are refused by name, before the folder is made."""
    options = BuildOptions(variants=("original", "jpeg", "zoom:1.5", "style"))
    with pytest.raises(InvalidInputError, match=r"found zoom:1\.5, style"):
        build_benchmark("perturbed", imported, tmp_path / "out", options)
    assert not (tmp_path / "out").exists()


def test_a_killed_build_of_a_set_goes_on_to_the_same_bytes(imported: Path, tmp_path: Path) -> None:
    """A set's build that begins with some units done computes the others alone."""
    options = BuildOptions(variants=("original", "resize:0.5"))
    build_benchmark("perturbed", imported, tmp_path / "whole", options, workers=1)
    copied = tmp_path / "cut"
    with Ledger.read(tmp_path / "whole") as whole:
        records = [Done(key, payload) for key, payload in whole.payloads()]
    with Ledger.open(copied, read_plan(tmp_path / "whole")) as ledger:
        ledger.record_many(records[1:])
    shutil.copytree(tmp_path / "whole" / "objects", copied / "objects", dirs_exist_ok=True)
    outcome = build_benchmark("perturbed", imported, copied, options, workers=1)
    assert (outcome.tally.total, outcome.tally.kept) == (2, 1)
    for table in TABLES:
        assert lines_digest(copied / table) == lines_digest(tmp_path / "whole" / table)
    small = [
        question for question in read_questions(copied) if question.cell.variant == "resize:0.5"
    ]
    assert sorted(item.truth.as_tuple() for item in small) == [
        (10.0, 10.0, 30.0, 25.0),
        (10.0, 10.0, 30.0, 25.0),
        (50.0, 10.0, 70.0, 25.0),
    ]


def test_a_set_is_built_in_parts_to_the_same_bytes(imported: Path, tmp_path: Path) -> None:
    """Two parts have a screen each and no table; merged and gone on with, they are the whole."""
    options = BuildOptions(variants=("original", "resize:0.5"))
    folders = [tmp_path / "1", tmp_path / "2"]
    for index, folder in enumerate(folders, start=1):
        outcome = build_benchmark(
            "perturbed", imported, folder, options, shard=Shard(index, 2), workers=1
        )
        assert (outcome.tally.total, outcome.shard) == (1, f"{index}/2")
        assert not (folder / "manifest.json").exists()
    merge_shards(folders, tmp_path / "merged")
    outcome = build_benchmark("perturbed", imported, tmp_path / "merged", options, workers=1)
    assert (outcome.tally.total, outcome.tally.kept) == (2, 2)

    build_benchmark("perturbed", imported, tmp_path / "whole", options, workers=1)
    for table in TABLES:
        assert lines_digest(tmp_path / "merged" / table) == lines_digest(
            tmp_path / "whole" / table
        )
