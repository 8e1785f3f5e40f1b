"""
``surefoot view``: it names an address that opens, ends when told to, and says what is missing.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from surefoot.core.errors import ExitCode

MAIN: Final = [sys.executable, "-c", "from surefoot.cli.main import main; main()"]


def test_the_address_opens_and_the_end_is_quiet(
    tmp_path: Path, drawn: Path, write_run: Callable[..., Path], stumble: object
) -> None:
    """The printed address shows the model; without its token nothing is served; Ctrl-C is fine."""
    run = write_run(drawn, tmp_path / "run", stumble)
    command = [*MAIN, "view", str(run)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={"SUREFOOT_CACHE": str(tmp_path / "cache")}
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http"))
        with httpx.Client(follow_redirects=True) as client:
            assert "walker" in client.get(address).text
        assert httpx.get(address.partition("?")[0]).status_code == 403
        process.send_signal(signal.SIGINT)
        said = process.stdout.read()
    assert (process.returncode, said) == (0, "stopped\n")


def test_without_its_packages_it_names_the_extra(tmp_path: Path, drawn: Path) -> None:
    """Where the web library is not installed the command says which extra brings it."""
    hide = "import sys; sys.modules['starlette'] = None; "
    command = [sys.executable, "-c", hide + MAIN[2], "view", str(drawn)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)

    assert ended.returncode == ExitCode.MISSING_COMPONENT
    assert "pip install 'surefoot[view]'" in ended.stderr


@pytest.mark.parametrize(
    "given",
    [
        ("--port", "70000"),
        ("--tolerance", "-1"),
        ("--label", "one"),
        ("--click", "Ada"),
        ("--limit", "3"),
        ("--click", "Ada", "--out", "run", "--judge", "Bob"),
        (),
    ],
)
def test_mistakes_exit_with_2(
    surefoot: Callable[..., Any], tmp_path: Path, drawn: Path, given: tuple[str, ...]
) -> None:
    """Ports, tolerances and folders that are none, and options that do not fit, are a mistake."""
    ended = surefoot("view", drawn if given else tmp_path, *given)

    assert ended.code == ExitCode.USER_ERROR
