"""
``surefoot quickstart``: four steps into one folder, and an end that tells of failures.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.core.ledger import Failure
from surefoot.run.building import capturing
from surefoot.run.building import pages as building
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally


@pytest.mark.parametrize("failures", [(), (Failure("key", "timeout", "a page took too long"),)])
def test_a_report_comes_out_whatever_failed(
    surefoot: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    drawn: Path,
    tmp_path: Path,
    failures: tuple[Failure, ...],
) -> None:
    """With pages at hand, three models are asked and reported; a failed page exits with 1."""

    def capture(specs: list[str], out: Path, *_: object, **more: Any) -> Outcome:  # noqa: ANN401 - any option
        assert (specs, more["limit"]) == (["demo:"], 2)
        return Outcome(out, Tally(), failures, ("3 screens",))

    def build(name: str, screens: list[Path], out: Path, *_: object, **__: object) -> Outcome:
        assert (name, screens) == ("perturbed", [tmp_path / "demo" / "screens"])
        shutil.copytree(drawn, out)
        return Outcome(out, Tally(), (), ("a funnel", "36 questions"))

    monkeypatch.setattr(capturing, "capture_screens", capture)
    monkeypatch.setattr(building, "build_benchmark", build)
    ended = surefoot("quickstart", "--out", tmp_path / "demo", "--limit", 2)

    assert ended.code == (ExitCode.SOME_UNITS_FAILED if failures else ExitCode.FINE)
    assert ("timeout: a page took too long" in ended.err) is bool(failures)
    lines = ended.out.splitlines()
    assert [line[:6] for line in lines if line[1:5] == " of "] == [
        f"{step} of 4" for step in (1, 2, 3, 4)
    ]
    assert "   36 questions" in lines
    assert "   36 answers of oracle, 0 of them unparsed" in lines
    assert lines[-1] == f"wrote {tmp_path / 'demo' / 'report.html'}"
    page = (tmp_path / "demo" / "report.html").read_text()
    assert 'id="sanity"' in page
    assert "How ocr held up" in page
