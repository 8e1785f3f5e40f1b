"""
``surefoot export``: writes the published form, refuses what is no benchmark.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from surefoot.core.errors import ExitCode


def test_a_benchmark_is_published(
    surefoot: Callable[..., Any], drawn: Path, tmp_path: Path
) -> None:
    """The folder holds parquet shards and a card, and is named in the end."""
    ended = surefoot("export", drawn, "--format", "hf", "--out", tmp_path / "hf")

    assert ended.code == ExitCode.FINE
    assert ended.out == f"wrote {tmp_path / 'hf'}\n"
    assert list((tmp_path / "hf").rglob("*.parquet"))
    assert (tmp_path / "hf" / "README.md").is_file()


def test_mistakes_exit_with_2(surefoot: Callable[..., Any], drawn: Path, tmp_path: Path) -> None:
    """A folder that is no benchmark and an unknown form are refused."""
    out = ("--out", tmp_path / "hf")

    assert surefoot("export", tmp_path / "none", *out).code == ExitCode.USER_ERROR
    assert surefoot("export", drawn, "--format", "csv", *out).code == ExitCode.USER_ERROR
    assert not (tmp_path / "hf").exists()
