"""
The verb ``verify``: what it prints, and how it ends.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from surefoot import verify
from surefoot.cli.main import main


def test_damage_is_printed_and_made_good(
    drawn: Path, tmp_path: Path, command_line: Callable[..., Any]
) -> None:
    """A damaged run is told, repaired, and made again by the command that is named."""
    bench, run = Path(shutil.copytree(drawn, tmp_path / "bench")), tmp_path / "run"
    asked = ("run", bench, "--model", "center", "--no-self-check", "--out", run)
    assert command_line(main, *asked).code == 0
    whole = command_line(main, "verify", run)
    assert (whole.code, "nothing damaged" in whole.out) == (0, True)
    before = (run / "answers.jsonl").read_bytes()
    (run / "answers.jsonl").write_bytes(before.replace(b"1", b"2", 1))

    found = command_line(main, "verify", run, "--json")
    assert found.code == 1
    assert [part["path"] for part in json.loads(found.out)[0]["damaged"]] == ["answers.jsonl"]
    repaired = command_line(main, "verify", run, "--repair")
    assert repaired.code == 1
    assert f"surefoot run {bench} --model center --no-self-check --out {run}" in repaired.out
    assert command_line(main, *asked).code == 0
    assert (run / "answers.jsonl").read_bytes() == before


def test_no_folder_of_ours_is_a_mistake(tmp_path: Path, command_line: Callable[..., Any]) -> None:
    """A folder that Surefoot did not write is refused."""
    ended = command_line(main, "verify", tmp_path)

    assert (ended.code, "that surefoot wrote" in ended.err) == (2, True)


def test_damage_is_found_and_repaired(drawn: Path, tmp_path: Path) -> None:
    """A changed picture is named with its folder, as a row of a table, and dropped if asked."""
    folder = tmp_path / "bench"
    shutil.copytree(drawn, folder)
    picture = next(folder.rglob("*.png"))
    picture.write_bytes(b"not what it was")

    (found,) = verify(folder)
    assert [part.path for part in found.damaged] == [str(picture.relative_to(folder))]
    assert verify(folder).to_arrow()["folder"].to_pylist() == [str(folder)]
    (repaired,) = verify(folder, repair=True)
    assert repaired.repaired
    assert not picture.exists()
