"""
The functions that look at what is there: sheets, folders, this machine.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from PIL import Image

import surefoot


def test_sheets_are_drawn_and_named(drawn: Path, tmp_path: Path) -> None:
    """Each sheet of an audit is a picture at the path that is returned."""
    sheets = surefoot.audit(surefoot.open_bench(drawn), out=tmp_path / "sheets", count=8)

    pictures = [path for path in sheets if path.suffix == ".png"]
    assert len(pictures) == 2
    for path in pictures:
        with Image.open(path) as sheet:
            assert sheet.width > 0


def test_damage_is_found_and_repaired(drawn: Path, tmp_path: Path) -> None:
    """A changed picture is named with its folder, as a row of a table, and dropped if asked."""
    folder = tmp_path / "bench"
    shutil.copytree(drawn, folder)
    picture = next(folder.rglob("*.png"))
    picture.write_bytes(b"not what it was")

    (found,) = surefoot.verify(folder)
    assert [part.path for part in found.damaged] == [str(picture.relative_to(folder))]
    assert surefoot.verify(folder).to_arrow()["folder"].to_pylist() == [str(folder)]
    (repaired,) = surefoot.verify(folder, repair=True)
    assert repaired.repaired
    assert not picture.exists()


def test_this_machine_is_described() -> None:
    """The Python that runs this is a component that is needed and there."""
    components = {component.name: component for component in surefoot.doctor()}

    assert components["python"].needed
    assert components["python"].version
