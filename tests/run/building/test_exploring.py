"""
Exploring an application that writes: what is found, put back, left alone, dropped and resumed.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from surefoot.capture.applications.installing import RECIPES, install
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.ledger import Ledger
from surefoot.exploration.records import ExploredState, Transition
from surefoot.run.building.exploring import ExploreOptions, explore_sources
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import read_screens
from surefoot.run.folders.lines import lines_digest

SMALL = Settings(width=600, height=400)
SHALLOW = ExploreOptions(budget=6, depth=1, hubs=0)
DEEP = ExploreOptions(budget=9, depth=2)


def _explore(out: Path, options: ExploreOptions) -> Outcome:
    install(RECIPES.get("quay-desk"), lambda _: None)
    return explore_sources(["app:quay-desk"], out, SMALL, options, workers=1)


def _records(folder: Path) -> tuple[list[ExploredState], list[Transition]]:
    states = (folder / "states.jsonl").read_bytes().splitlines()
    transitions = (folder / "transitions.jsonl").read_bytes().splitlines()
    return (
        [decode(line, ExploredState, what="a state") for line in states],
        [decode(line, Transition, what="a transition") for line in transitions],
    )


@pytest.mark.long
@pytest.mark.browser
def test_states_come_back_and_what_was_written_is_gone(quay: Path, tmp_path: Path) -> None:
    """What comes back is a state, added orders are put back, and nothing is deleted or left."""
    assert quay.parent == tmp_path
    outcome = _explore(tmp_path / "out", SHALLOW)
    states, transitions = _records(tmp_path / "out")
    screens = {screen.page: screen for screen in read_screens(tmp_path / "out")}

    by_name = {item.name: item for item in transitions if item.state == states[0].page}
    assert set(by_name) == {"Help", "Add an order", "Visits", "Away", "Who", "Tidy up"}
    assert by_name["Help"].effect is not None
    assert (by_name["Help"].effect.kind, by_name["Help"].effect.title) == ("dialog", "First steps")
    added = screens[by_name["Add an order"].result]
    assert [item.text or item.name for item in added.elements].count("Lantern") == 1
    booked = screens[by_name["Who"].result]
    assert any(re.fullmatch(r"\w+ on 2026-02-\d\d", item.text) for item in booked.elements)
    assert [action.kind for action in by_name["Who"].actions] == ["type", "type", "click"]
    assert (by_name["Tidy up"].reason, by_name["Tidy up"].result) == ("destroys", "")
    assert "1 of them gone: /desk" in by_name["Tidy up"].found
    assert (by_name["Visits"].reason, by_name["Visits"].result) == ("not-again", "")
    assert by_name["Away"].reason in {"navigated-away", "http-status"}
    assert not {"Log out", "Delete all orders"} & {item.name for item in transitions}
    assert not outcome.failures
    assert f"{len(states) - 1} states behind clicks" in outcome.lines[0]
    again = [address.spec for address in list_addresses(f"explored:{tmp_path / 'out'}")]
    assert again == [state.spec for state in states]


@pytest.mark.long
@pytest.mark.browser
def test_a_killed_exploration_ends_in_the_same_bytes(quay: Path, tmp_path: Path) -> None:
    """Killed after a few units and started again, it exports what an unbroken one does."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    _explore(whole, DEEP)
    states, transitions = _records(whole)
    assert {item.state for item in transitions} > {states[0].page}
    tried = Counter(item.state for item in transitions if item.state != states[0].page)
    hub = max(tried, key=tried.__getitem__)
    compared = [item.actions for item in transitions if item.state == hub]
    onward = [steps for steps in compared if steps[:1] in compared and len(steps) > 1]
    assert onward
    assert len(compared) >= 4 + len(onward)
    assert "Visits" not in {item.name for item in transitions if item.state == hub}
    code = "from surefoot.cli.main import main; main()"
    command = [sys.executable, "-c", code, "explore", "app:quay-desk", "--out", str(broken)]
    command += ["--width", "600", "--height", "400", "--budget", "9", "--depth", "2"]
    for _ in range(2):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as run:
            begun = len(_done(broken))
            while run.poll() is None and len(_done(broken)) < begun + 3:
                time.sleep(0.05)
            os.killpg(run.pid, signal.SIGKILL)
    assert quay.is_dir()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    tables = ("states", "transitions", "trials", "screens")
    for name in (*(f"{table}.jsonl" for table in tables), "manifest.json"):
        assert lines_digest(broken / name) == lines_digest(whole / name)


def _done(folder: Path) -> set[str]:
    """Return what was done so far; nothing while the ledger is being made."""
    with contextlib.suppress(SurefootError), Ledger.read(folder) as ledger:
        return {key for key, _ in ledger.payloads()}
    return set()


def test_what_is_no_page_is_not_explored(tmp_path: Path) -> None:
    """A picture cannot be clicked: that is said before anything is opened."""
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(InvalidInputError, match="web pages to act on"):
        explore_sources([f"screens:{tmp_path}"], tmp_path / "out", SMALL, DEEP)


def test_a_folder_without_states_is_refused(tmp_path: Path) -> None:
    """`explored:` names what is missing."""
    with pytest.raises(InvalidInputError, match="surefoot explore"):
        list_addresses(f"explored:{tmp_path}")
    (tmp_path / "states.jsonl").write_text('{"spec": 3}\n')
    with pytest.raises(InvalidInputError, match="line 1"):
        list_addresses(f"explored:{tmp_path}")
