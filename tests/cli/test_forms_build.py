"""
``surefoot forms build``: what it prints, and what it refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import read_manifest
from surefoot.run.forms import building as form_building


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
        (("--writer", "ocr"), "openai:NAME@BASE_URL"),
        (("--writer", "openai:m@http://127.0.0.1:9/v1", "--key-variable", "NO_KEY"), "NO_KEY"),
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


def test_a_writer_is_opened_and_handed_on(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Model, address, seed and key reach the writer; without the option there is none."""
    seen: list[Any] = []

    def build(*_given: object, **options: object) -> Outcome:
        seen.append(options.get("writer"))
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(form_building, "build_forms", build)
    monkeypatch.setenv("SCRIBE_KEY", "sk-secret")
    given = ("forms", "build", "--form", "A11", "--out", tmp_path / "out")
    surefoot(*given)
    more = ("--writer", "openai:m@http://127.0.0.1:9/v1", "--key-variable", "SCRIBE_KEY")
    surefoot(*given, *more, "--seed", 7)

    assert seen[0] is None
    plan = seen[1].identity()
    assert (plan["name"], plan["base_url"], plan["seed"]) == ("m", "http://127.0.0.1:9/v1", 7)
    assert "sk-secret" not in str(plan)
