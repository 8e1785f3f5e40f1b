"""
An application is in the cache whole or not at all, the same bytes each time, and proved so.
"""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from surefoot.capture.applications import installing
from surefoot.capture.applications.installing import (
    RECIPES,
    check_whole,
    find_installation,
    folder_of,
    in_use,
    install,
    remove,
)
from surefoot.core.errors import CaptureError, MissingComponentError


def tell(line: str) -> None:
    """Say nothing to nobody."""
    del line


def test_an_interrupted_installation_is_not_taken_for_whole(
    quay: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped at any step, nothing is installed; begun again it is as it would be elsewhere."""
    recipe = RECIPES.get("quay")
    for step in ("_bring_packages", "_fill", "canonical_json", "sync_folder"):
        with monkeypatch.context() as broken:
            broken.setattr(installing, step, _interrupted)
            with pytest.raises(KeyboardInterrupt):
                install(recipe, tell)
        # Only the last step comes after the folder has its name.
        assert (find_installation(recipe) is None) == (step != "sync_folder")
    first = install(recipe, tell)
    monkeypatch.setenv("SUREFOOT_CACHE", str(quay.with_name("another cache")))
    again = install(recipe, tell)

    assert first.contents == again.contents
    with sqlite3.connect(folder_of(recipe) / "state" / "orders.db") as orders:
        assert orders.execute("SELECT count(*) FROM orders").fetchone() == (3,)


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.usefixtures("quay")
def test_a_changed_file_is_named() -> None:
    """What is not what was installed is refused by its name, and removing it mends that."""
    recipe = RECIPES.get("quay")
    known = install(recipe, tell)
    (folder_of(recipe) / "state" / "orders.db").write_bytes(b"")

    with pytest.raises(CaptureError, match=r"state/orders\.db"):
        check_whole(recipe, known)
    assert remove(recipe)
    assert find_installation(recipe) is None
    assert not remove(recipe)


def test_what_cannot_be_filled_is_told_in_its_own_words(quay: Path) -> None:
    """A recipe whose state cannot be made is not installed, and its last words are said."""
    module = quay.with_name("package") / "quay_shop.py"
    module.write_text(module.read_text("utf-8").replace("CREATE TABLE", "CREATE CHAIR"), "utf-8")
    recipe = RECIPES.get("quay")

    with pytest.raises(MissingComponentError, match='near "CHAIR": syntax error'):
        install(recipe, tell)
    assert find_installation(recipe) is None


def test_former_versions_go_when_the_new_one_is_whole(
    quay: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old version is deleted, but not before, nor while it runs, nor another Python's."""
    recipe = RECIPES.get("quay")
    module = quay.with_name("package") / "quay_shop.py"

    def change() -> Path:
        module.write_text(f"{module.read_text('utf-8')}# once more\n", "utf-8")
        return folder_of(recipe)

    install(recipe, tell)
    first, second = folder_of(recipe), change()
    with monkeypatch.context() as broken:
        broken.setattr(installing, "_fill", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            install(recipe, tell)
    kept = first.is_dir()
    install(recipe, tell)
    others = shutil.copytree(second, second.with_name("quay-ffffffffffff"))
    with in_use(second):
        third = change()
        install(recipe, tell)
        used = second.is_dir()

    assert kept
    assert not first.exists()
    assert used
    assert not others.exists()  # the same former version, and nobody runs it
    assert third.is_dir()
    shutil.copytree(third, others)
    shutil.rmtree(third)
    install(recipe, tell)
    assert others.is_dir()  # the present version as another Python installed it
