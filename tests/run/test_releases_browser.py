"""
A release is a suite's data with all that is needed to build it again, to the byte.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

import surefoot
from surefoot.core.canonical import readable_json
from surefoot.core.errors import InvalidInputError
from surefoot.run.releases import MANIFEST, RESULTS, ROWS, build_again, check_files, read_release

PAGE = """<!doctype html><html lang="en"><title>Orders</title>
<style>body{font:16px sans-serif;margin:40px} a,button,input{display:block;margin:26px 0 0 20px}
</style><h1>Orders</h1><nav><a href="#a">Invoices</a><a href="#b">Customers</a></nav>
<label for=n>Company</label><input id=n><button>Save order</button><button>Discard</button>
<a href="#c">Help pages</a><footer>Terms apply</footer>"""
SUITE = """
name = "tiny"
extends = "quick"
[targets]
site = 3
[pillars.perturbed]
variants = ["original", "zoom:1.5"]
[pillars.hidden]
variants = ["original", "static"]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with screens of one page, a suite over them, a run and a release."""
    root = tmp_path_factory.mktemp("released")
    (root / "shop").mkdir()
    (root / "shop" / "index.html").write_text(PAGE)
    (root / "tiny.toml").write_text(SUITE)
    screens = surefoot.capture(f"folder:{root / 'shop'}", out=root / "screens", workers=1)
    suite = surefoot.build(
        "suite", screens=screens, out=root / "suite", suite=str(root / "tiny.toml"), workers=1
    )
    assert isinstance(suite, surefoot.Suite)
    run = surefoot.run(
        suite.benches["perturbed"], model="center", out=root / "run", keep_going=True
    )
    surefoot.make_release(
        suite, screens=screens, out=root / "release", name="ours", version="v3", run=run
    )
    return root


def test_a_release_holds_what_it_says(made: Path) -> None:
    """Each row has the canary and its hash, replies are there, and a licence that nobody knows."""
    folder = made / "release"
    release = read_release(folder)
    (shard,) = (folder / "hidden").glob("questions-*.parquet")
    questions = pq.read_table(shard)
    rows = (folder / ROWS).read_text().splitlines()[1:]
    plan = json.loads((folder / RESULTS / "center" / "perturbed" / "plan.json").read_text())
    readme = (folder / "README.md").read_text()

    assert set(questions["canary"].to_pylist()) == {release.canary}
    assert len(rows) == len(surefoot.Suite(made / "suite"))
    assert all(row.startswith("ours-v3/") for row in rows)
    assert plan["bench"] == release.benches["perturbed"]
    assert release.canary in readme
    assert "unknown: ask who made the pages" in readme
    assert "version: v3" in (folder / "CITATION.cff").read_text()
    assert check_files(folder, release) == []
    assert str(made) not in readme


def test_a_release_is_built_again_to_the_byte(made: Path, tmp_path: Path) -> None:
    """All screens and benchmarks come out the same; a page that changed is named as differing."""
    ended, differences = surefoot.verify_release(made / "release", out=tmp_path / "a", workers=1)
    assert differences == []
    assert ended.failures == ()

    page = made / "shop" / "index.html"
    page.write_text(PAGE.replace("Discard", "Drop it"))
    try:
        _, differences = build_again(read_release(made / "release"), tmp_path / "b", workers=1)
    finally:
        page.write_text(PAGE)
    assert {item.what for item in differences} >= {"screens-1", "perturbed"}


def test_what_is_not_the_releases_is_refused(made: Path, tmp_path: Path) -> None:
    """Other screens, a run over another benchmark, other fonts and a full folder are named."""
    suite, screens, taken = made / "suite", made / "screens", made / "release"
    with pytest.raises(InvalidInputError, match="screens that"):
        surefoot.make_release(suite, screens=[screens, screens], out=tmp_path / "r")
    with pytest.raises(InvalidInputError, match="absent or empty"):
        surefoot.make_release(suite, screens=screens, out=taken)
    other = surefoot.build("sensitivity", screens=screens, out=tmp_path / "other", workers=1)
    run = surefoot.run(other, model="center", out=tmp_path / "run", keep_going=True)
    with pytest.raises(InvalidInputError, match="another benchmark"):
        surefoot.make_release(suite, screens=screens, out=tmp_path / "r", run=run)
    assert not (tmp_path / "r").exists()

    release = read_release(taken)
    (plan,) = release.captured
    fonts = {**plan, "renderer": {**plan["renderer"], "fonts": "0"}}
    with pytest.raises(InvalidInputError, match="fonts 0"):
        build_again(msgspec.structs.replace(release, captured=(fonts,)), tmp_path / "f")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "x"}', "\0", '{"name": 3}'])
def test_a_damaged_manifest_is_refused(text: str, tmp_path: Path) -> None:
    """No cut, empty or foreign manifest is read, nor a folder without one."""
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(InvalidInputError):
        read_release(tmp_path)
    with pytest.raises(InvalidInputError, match=MANIFEST):
        read_release(tmp_path / "none")


def test_a_changed_file_is_named(made: Path, tmp_path: Path) -> None:
    """A file with other bytes, and one that is missing, are the only differences."""
    release = read_release(made / "release")
    for name in release.files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((made / "release" / name).read_bytes())
    (tmp_path / MANIFEST).write_bytes(readable_json(release))
    first, second, *_ = release.files
    (tmp_path / first).write_bytes(b"x")
    (tmp_path / second).unlink()

    found = check_files(tmp_path, read_release(tmp_path))
    assert [item.what for item in found] == [first, second]
    assert found[1].found == "no such file"
