"""
Verbs are found by their names, those of other packages too.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.cli.command import command_of
from surefoot.cli.verb import VERBS, CliVerb, find_verbs
from surefoot.core.errors import InvalidInputError

PAGE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
(TALLY,) = re.findall(r"### A verb[^\n]*: `tally.py`.*?```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def abroad(tmp_path: Path) -> dict[str, str]:
    """Return the environment in which the package with the verb ``tally`` is installed."""
    (tmp_path / "tallying.py").write_text(TALLY)
    facts = tmp_path / "tallying-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: tallying\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[{VERBS.package}]\ntally = tallying\n")
    return {"PYTHONPATH": f"{tmp_path}:{':'.join(sys.path)}", "COLUMNS": "80"}


def ended(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own."""
    command = [sys.executable, "-m", "surefoot", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_another_package_adds_a_verb(abroad: dict[str, str], drawn: Path) -> None:
    """One module and an entry point make a command, with its help and its place in the list."""
    assert "  tally          Count the questions of a benchmark." in ended(abroad, "--help").stdout
    assert ended(abroad, "tally", str(drawn)).stdout == "bench: 36 questions\n"
    assert ended(abroad, "tally", str(drawn), "--most", "5", "--json").stdout == "5\n"
    refused = ended(abroad, "tally", str(drawn), "--most", "0")
    assert (refused.returncode, "--most" in refused.stderr) == (2, True)
    shown = ended(abroad, "tally", "--help").stdout
    assert "Count the questions of a benchmark." in shown
    assert "Raises" not in shown
    assert "surefoot tally out/bench" in shown


@pytest.mark.parametrize("damage", ["raise ImportError('no luck')", "VERB = 3", "def broken("])
def test_a_broken_verb_costs_no_other(abroad: dict[str, str], tmp_path: Path, damage: str) -> None:
    """A verb of another package that does not load is left out and named; the others work."""
    (tmp_path / "tallying.py").write_text(damage)
    listed = ended(abroad, "--help")

    assert "tally" not in listed.stdout
    assert "  run " in listed.stdout
    assert "tallying" in listed.stderr
    assert ended(abroad, "models").returncode == 0


@pytest.mark.parametrize("name", ["nothing", "forms_run", "__init__", "a b", "", "é"])
def test_what_is_no_verb_is_not_found(name: str) -> None:
    """A name that no verb has gives none, whatever files there are."""
    assert find_verbs(name) == []


def test_half_a_verb_is_refused() -> None:
    """A verb that works and prints nothing is no command."""
    with pytest.raises(InvalidInputError, match="'half'"):
        command_of(CliVerb("half", "Ask", "Half.", lambda: None))
