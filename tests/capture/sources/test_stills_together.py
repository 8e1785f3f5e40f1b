"""
A capture of stills needs no browser, loses only what is bad, and goes on where it stopped.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from surefoot.capture.settings import Settings
from surefoot.core.store import ObjectStore
from surefoot.run.building import capturing
from surefoot.run.building.capturing import capture_screens
from surefoot.run.folders.folder import read_screens

PAGE = Path(__file__).parents[3] / "docs" / "screens-format.md"


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Write the documented example, and a screen whose file is broken."""
    folder = tmp_path / "shots"
    folder.mkdir()
    example = re.split("```(?:json)?\n", PAGE.read_text("utf-8"))[1]
    (folder / "notes.json").write_text(example, "utf-8")
    (folder / "broken.json").write_text("{", "utf-8")
    for name in ("notes", "broken"):
        Image.new("RGB", (480, 360), "white").save(folder / f"{name}.png")
    return folder


def test_stills_are_captured_without_a_browser(
    dumps: Path, shots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both kinds in one folder, one recorded failure, and the same bytes the second time."""
    monkeypatch.delattr(capturing, "Browser")
    specs, out = [f"android:{dumps}", f"screens:{shots}"], tmp_path / "out"
    outcome = capture_screens(specs, out, Settings(), workers=1)
    (exported,) = out.rglob("screens.jsonl.zst")
    first = exported.read_bytes()
    again = capture_screens(specs, out, Settings(), workers=1)

    (failure,) = outcome.failures
    assert "shots/broken.json" in failure.message
    screens = {item.page: item for item in read_screens(out)}
    assert set(screens) == {"phone/dialog", "phone/form", "phone/settings", "shots/notes"}
    for screen in screens.values():
        assert ObjectStore(out).get(screen.image).startswith(b"\x89PNG")
    assert again.failures == outcome.failures
    renderer = json.loads((out / "plan.json").read_text("utf-8"))["renderer"]
    assert sorted(renderer) == ["android reader", "screens reader"]
    assert exported.read_bytes() == first
