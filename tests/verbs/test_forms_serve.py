"""
``surefoot forms serve``: it names its address, and ends cleanly when told to.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from surefoot.core.errors import ExitCode


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_a_word_of_the_record(tmp_path: Path, told: signal.Signals) -> None:
    """Ctrl-C and the signal to terminate both end it with code 0 and where the record lies."""
    folder = tmp_path / "tried"
    command = [sys.executable, "-c", "from surefoot.cli.main import main; main()"]
    command += ["forms", "serve", "--form", "A11", "--out", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http"))
        assert httpx.get(address).text.count("<button") == 1
        process.send_signal(told)
        said = process.stdout.read()
    assert process.returncode == 0
    assert said == f"stopped; the record of all runs lies in {folder}\n"
    assert (folder / "forms.sqlite").is_file()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--form", "bug_reprot"), "bug_report"),
        (("--renderer", "plian"), "plain"),
        (("--theme", "none"), "clear"),
        (("--language", "xx"), "en, zh"),
        (("--port", "70000"), "--port"),
    ],
)
def test_mistakes_exit_with_2_and_begin_nothing(
    surefoot: Callable[..., Any], tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    """A name that there is not is refused with the nearest or all, and no folder is made."""
    ended = surefoot("forms", "serve", "--out", tmp_path / "tried", *given)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "tried").exists()
