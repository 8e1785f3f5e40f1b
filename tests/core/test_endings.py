"""
Programs end in one line and an exit code, whatever they meet.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.core.endings import end_plainly
from surefoot.core.errors import ExitCode, UserError

PRINTS = "from surefoot.core.endings import end_plainly\nwith end_plainly('p'): print('x' * 99)"


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (UserError("a", found="b"), 2, "Expected a, found b."),
        (IsADirectoryError(21, "Is a directory", "out"), 2, "'out' to be a path"),
        (OSError(28, "No space left on device", "out/x"), 1, "Make room on the disk"),
        (MemoryError(), 1, "Expected enough memory"),
        (KeyboardInterrupt(), 130, "stopped by Ctrl-C"),
    ],
)
def test_what_is_met_is_one_line(
    error: BaseException, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each kind of error has its exit code and its line."""
    with pytest.raises(SystemExit) as left, end_plainly("prog"):
        raise error

    said = capsys.readouterr().err
    assert left.value.code == code
    assert (said.count("\n"), said.startswith("prog: ")) == (1, True)
    assert words in said


def test_a_defect_is_saved_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error outside the tree is a defect of ours: exit code 4, and its file is named."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    with pytest.raises(SystemExit) as left, end_plainly("prog"):
        raise KeyError("ours \udc80")

    (saved,) = (tmp_path / "defects").iterdir()
    said = capsys.readouterr().err
    assert left.value.code == ExitCode.DEFECT
    assert (said.count("\n"), str(saved) in said, "KeyError" in said) == (1, True, True)
    assert "test_endings.py" in saved.read_text()


def test_a_defect_is_told_where_nothing_can_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where neither cache nor temporary folder can be written, the line says so."""
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("SUREFOOT_CACHE", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(blocked / "x"))
    with pytest.raises(SystemExit), end_plainly("prog"):
        raise AssertionError

    assert "could not be saved" in capsys.readouterr().err


def test_closed_outputs_are_left_alone() -> None:
    """A command whose outputs were closed before it began ends with its own exit code."""
    begin = "import sys; from surefoot.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", begin]
    for arguments, code in ((["--version"], 0), (["score", "absent"], 2)):
        shell = f"exec {shlex.join([*command, *arguments])} >&- 2>&-"
        assert subprocess.run(["sh", "-c", shell], check=False).returncode == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("closed", [False, True])
def test_an_output_that_takes_nothing_is_told_once(closed: bool) -> None:
    """A full or closed standard output is an error of one line, also as the process ends."""
    if closed:
        reading, output = os.pipe()
        os.close(reading)
    else:
        output = os.open("/dev/full", os.O_WRONLY)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-c", PRINTS],
        stdout=output,
        stderr=subprocess.PIPE,
        check=False,
        env=buffered,
    )
    os.close(output)

    assert done.returncode in {1, 2}
    assert done.stderr.decode().count("\n") == 1
    assert "'standard output'" in done.stderr.decode()
