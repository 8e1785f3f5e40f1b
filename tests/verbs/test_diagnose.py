"""
``surefoot diagnose`` through its own door.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.cli.main import main


def command(*arguments: str) -> int:
    """Run a command line and return its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(["diagnose", *arguments])
    code = ended.value.code
    return code if isinstance(code, int) else 0


def test_a_model_is_diagnosed(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes its folder and its findings, and says what it found."""
    findings = tmp_path / "findings.json"

    code = command(
        str(drawn), "--model", "center", "--out", str(tmp_path / "out"), "--rounds", "1",
        "--json", str(findings),
    )  # fmt: skip

    printed = capsys.readouterr().out
    assert code == 0
    assert "elements have a valid instruction that center fails" in printed
    assert f"wrote {tmp_path / 'out'}" in printed
    assert json.loads(findings.read_bytes())["model"] == "center"
    assert (tmp_path / "out" / "failing" / "questions.jsonl").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "x"), "no benchmark"),
        (("{bench}", "--out", "x"), "no model"),
        (("{bench}", "--model", "nobody", "--out", "x"), "nobody"),
        (("{bench}", "--model", "center", "--planner", "llm", "--out", "x"), "--planner-model"),
        (("--transfer", "{bench}", "--out", "x"), "surefoot diagnose"),
    ],
)
def test_mistakes_are_said(
    drawn: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    """Each mistake ends with exit code 2 and names what is wrong."""
    monkeypatch.chdir(tmp_path)

    code = command(*(argument.format(bench=drawn) for argument in arguments))

    assert code == 2
    assert said in capsys.readouterr().err
