"""
``surefoot doctor`` prints one line a component and exits by what is missing.
"""

from __future__ import annotations

import json

import pytest

from surefoot import doctor
from surefoot.cli.main import main
from surefoot.core.errors import ExitCode
from surefoot.run import doctor as machine
from surefoot.run.doctor import Component

THERE = Component("python", "runs it", needed=True, version="3.11")
NEEDED = Component("npm", "fetches pages", needed=True, version="", package="npm")
OPTIONAL = Component("font Inter", "is set", needed=False, version="", package="fonts-inter")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Component]:
    """Let doctor find these components, whatever the machine holds."""
    components: list[Component] = [THERE]
    monkeypatch.setattr(machine, "examine", lambda _machine: components)
    return components


def exit_code(*arguments: str) -> int:
    """Run a command line and return its exit code."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.mark.parametrize(("missing", "code"), [(None, ExitCode.FINE), (OPTIONAL, 0), (NEEDED, 3)])
def test_exit_code_tells_needed_from_optional(
    found: list[Component], missing: Component | None, code: int
) -> None:
    """Only a missing component that is needed makes the exit code 3."""
    found += [missing] if missing else []

    assert exit_code("doctor") == code


def test_text_names_the_command(
    found: list[Component], capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line is the one command that installs everything missing."""
    found += [NEEDED, OPTIONAL]
    exit_code("doctor")

    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith("apt-get install -y --no-install-recommends fonts-inter npm")


@pytest.mark.parametrize(("command", "code"), [("true", ExitCode.FINE), ("false", 3)])
def test_fix_runs_the_command(
    found: list[Component], monkeypatch: pytest.MonkeyPatch, command: str, code: int
) -> None:
    """--fix runs the command for what is needed, looks again, and fails where it fails."""
    found += [NEEDED]
    monkeypatch.setattr(machine, "install_command", lambda _missing: command)
    examined = iter([[THERE, NEEDED], [THERE]])
    monkeypatch.setattr(machine, "examine", lambda _machine: next(examined))

    assert exit_code("doctor", "--fix") == code


def test_json_is_the_same_for_programs(
    found: list[Component], capsys: pytest.CaptureFixture[str]
) -> None:
    """--json prints every component as an object, and the exit code stays the same."""
    found.append(NEEDED)

    code = exit_code("doctor", "--json")

    assert code == ExitCode.MISSING_COMPONENT
    assert [load["name"] for load in json.loads(capsys.readouterr().out)] == ["python", "npm"]


def test_this_machine_is_described() -> None:
    """The Python that runs this is a component that is needed and there."""
    components = {component.name: component for component in doctor()}

    assert components["python"].needed
    assert components["python"].version
