"""
An application is in the cache whole or not at all, the same bytes each time, and proved so.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.capture.address import Tell
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
from surefoot.capture.applications.recipe import ApplicationRecipe
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


def _replace_link(link: Path) -> None:
    """Let a link lead elsewhere."""
    link.unlink()
    link.symlink_to("/bin/sh")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a module": lambda a: _module(a).write_text("CHANGED = 1\n"),
    "a module, of equal length": lambda a: _module(a).write_bytes(
        _module(a).read_bytes()[:-2] + b"#\n"
    ),
    "a module gone": lambda a: _module(a).unlink(),
    "a module behind a link": lambda a: _replace_link(_module(a)),
    "a module that shadows another": lambda a: (_module(a).parent / "json.py").touch(),
    "a path file": lambda a: (_module(a).parent / "x.pth").touch(),
    "compiled code": lambda a: (_folder(_module(a).parent / "__pycache__") / "x.pyc").touch(),
    "a program": lambda a: (a / "packages" / "bin" / "activate").write_text("exit"),
    "Python itself": lambda a: _replace_link(a / "packages" / "bin" / "python"),
    "how Python is set up": lambda a: (a / "packages" / "pyvenv.cfg").write_text("home = /\n"),
    "a hidden file": lambda a: (_module(a).parent / ".x").touch(),
    "what may be run": lambda a: _module(a).chmod(0o755),
    "a pipe": lambda a: os.mkfifo(_module(a).parent / "pipe"),
    "a link that is new": lambda a: (_module(a).parent / "more").symlink_to("/"),
    "a file of the state": lambda a: (a / "state" / "more.db").touch(),
    "the state gone": lambda a: (a / "state" / "orders.db").unlink(),
}


def _module(folder: Path) -> Path:
    return folder / "packages" / "lib" / "shop.py"


def _folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


@pytest.mark.usefixtures("quay")
def test_every_change_of_an_installation_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is changed, added or taken away of what was installed is named."""
    bring = installing._bring_packages  # noqa: SLF001 - a package is put beside those of the lock

    def bring_module(recipe: ApplicationRecipe, partial: Path, say: Tell) -> None:
        bring(recipe, partial, say)
        _module(partial).write_text("A = 1\n")

    monkeypatch.setattr(installing, "_bring_packages", bring_module)
    recipe = RECIPES.get("quay")
    known = install(recipe, tell)
    folder = folder_of(recipe)
    check_whole(recipe, known)
    missed = []
    for name, change in CHANGES.items():
        kept = Path(shutil.copytree(folder, tmp_path / "kept", symlinks=True))
        change(folder)
        try:
            check_whole(recipe, known)
            missed.append(name)
        except CaptureError as error:
            assert error.reason == "content-changed"  # noqa: PT017 - each of many
        shutil.rmtree(folder)
        kept.rename(folder)

    assert missed == []
    check_whole(recipe, known)


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
