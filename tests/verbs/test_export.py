"""
``surefoot export``: writes every format, refuses what is no benchmark.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.run.exporting import export_names
from surefoot.verbs.export import VERB


def test_a_benchmark_is_published(
    surefoot: Callable[..., Any], drawn: Path, tmp_path: Path
) -> None:
    """The folder holds parquet shards and a card, and is named in the end."""
    ended = surefoot("export", drawn, "--format", "hf", "--out", tmp_path / "hf")

    assert ended.code == ExitCode.FINE
    assert ended.out == f"wrote {tmp_path / 'hf'}\n"
    assert list((tmp_path / "hf").rglob("*.parquet"))
    assert (tmp_path / "hf" / "README.md").is_file()


# A push needs a server: tests/run/test_pushing_together.py has one.
WRITING = [example for example in VERB.examples if "--push" not in example]


@pytest.mark.parametrize("example", WRITING)
def test_examples_run_and_come_back(
    surefoot: Callable[..., Any], drawn: Path, tmp_path: Path, example: str
) -> None:
    """Each example of the help writes its folder, which import reads without a bad record."""
    out = tmp_path / "made"
    words = [{"out/bench": str(drawn)}.get(part, part) for part in shlex.split(example)[1:-1]]
    ended = surefoot(*words, out)

    assert ended.code == ExitCode.FINE, ended.err
    assert ended.out.endswith(f"wrote {out}\n")
    name = words[words.index("--format") + 1]
    reader = "surefoot-hf" if name == "hf" else name
    back = surefoot("import", reader, out, "--strict", "--out", tmp_path / "back")
    assert back.code == ExitCode.FINE, back.err


def test_every_format_has_an_example() -> None:
    """No format is left out of the help."""
    shown = {shlex.split(example)[4] for example in WRITING}
    assert shown == set(export_names())


def test_mistakes_exit_with_2(surefoot: Callable[..., Any], drawn: Path, tmp_path: Path) -> None:
    """A folder that is no benchmark and an unknown form are refused."""
    out = ("--out", tmp_path / "hf")

    assert surefoot("export", tmp_path / "none", *out).code == ExitCode.USER_ERROR
    assert surefoot("export", drawn, "--format", "csv", *out).code == ExitCode.USER_ERROR
    assert not (tmp_path / "hf").exists()
