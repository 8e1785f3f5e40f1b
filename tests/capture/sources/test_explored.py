"""
A state in an explored folder is one address, also where its page lies above others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.sources import list_addresses
from surefoot.core.canonical import canonical_json


@pytest.mark.parametrize("path", ["", " >> click a-7f00c2"], ids=["page", "state"])
def test_a_page_above_others_stands_for_itself_alone(tmp_path: Path, path: str) -> None:
    """app:trac/wiki names seven pages as a source, and one as the page of a state."""
    spec = f"app:trac/wiki{path}"
    (tmp_path / "states.jsonl").write_bytes(canonical_json({"spec": spec}) + b"\n")

    assert len(list_addresses("app:trac/wiki")) > 1
    assert [address.spec for address in list_addresses(f"explored:{tmp_path}")] == [spec]


def test_trials_come_after_the_states(tmp_path: Path) -> None:
    """What is carried out beside the states is named with them by trials: alone."""
    state, trial = "app:trac/wiki", "app:trac/wiki >> click a-7f00c2"
    (tmp_path / "states.jsonl").write_bytes(canonical_json({"spec": state}) + b"\n")
    (tmp_path / "trials.jsonl").write_bytes(canonical_json({"spec": trial}) + b"\n")

    assert [address.spec for address in list_addresses(f"explored:{tmp_path}")] == [state]
    assert [address.spec for address in list_addresses(f"trials:{tmp_path}")] == [state, trial]
