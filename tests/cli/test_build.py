"""
``surefoot build``: its options reach the benchmark, its mistakes are told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.core.errors import ExitCode
from surefoot.run import building
from surefoot.run.outcome import Outcome
from surefoot.run.progress import Tally


def test_options_become_build_options(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Variants are split at commas, spaces around them dropped, and the rest arrives."""
    seen: list[Any] = []

    def build(*given: object, **options: object) -> Outcome:
        seen.extend([given, options])
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(building, "build_benchmark", build)
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    more = ("--variants", "original, zoom:1.5,style", "--targets", 4, "--seed", 7)
    ended = surefoot("build", "perturbed", *folders, *more, "--hidden-names")

    assert ended.code == ExitCode.FINE
    options = BuildOptions(("original", "zoom:1.5", "style"), targets=4, seed=7, hidden_names=True)
    assert seen[0] == ("perturbed", tmp_path / "in", tmp_path / "out", options)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("pertubed", (), "Did you mean 'perturbed'?"),
        ("perturbed", (), "plan.json"),
        ("perturbed", ("--targets", "0"), "--targets"),
    ],
)
def test_mistakes_exit_with_2(
    surefoot: Callable[..., Any], tmp_path: Path, name: str, given: tuple[str, ...], said: str
) -> None:
    """A misspelt benchmark, missing screens and no targets begin no folder."""
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    ended = surefoot("build", name, *folders, *given)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "out").exists()
