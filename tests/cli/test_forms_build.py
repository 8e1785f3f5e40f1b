"""
``surefoot forms build``: what it prints, and what it refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.run.folder import read_manifest


def test_it_counts_what_it_wrote(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """The last line names the folder, the ones before it what lies there."""
    chosen = ("--form", "A11", "--form", "bug_report", "--instances", 1)
    ended = surefoot("forms", "build", *chosen, "--out", tmp_path)

    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "2 instances of 2 forms, 14 pairs of field and value"
    assert lines[-1] == f"wrote {tmp_path}"
    assert read_manifest(tmp_path, "form-bench").files["instances.jsonl"].count == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--form", "bug_reprot"), "bug_report"),
        (("--form", "none.toml"), "none.toml"),
        (("--instances", "0"), "--instances"),
        (("--forms", "0"), "--forms"),
    ],
)
def test_mistakes_exit_with_2_and_begin_nothing(
    surefoot: Callable[..., Any], tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    """A form or a count that there is not is refused, and no folder is made."""
    ended = surefoot("forms", "build", "--out", tmp_path / "built", *given)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "built").exists()
