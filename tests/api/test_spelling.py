"""
Errors of functions, which speak of arguments and not of a command's options.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

import surefoot
from surefoot.api.spelling import in_python, respell
from surefoot.core.errors import RecordError
from surefoot.core.interrupts import command

OPTION = re.compile(r"--[a-z]")


@pytest.mark.parametrize(
    ("verb", "said", "spelt"),
    [
        ("run", "give --format json, and another --out", "give format json, and another out"),
        ("run", "raise --max-tokens", "raise max_tokens"),
        (
            "run",
            "`surefoot run --out x` --retry-failed",
            "`surefoot run --out x` retry_failed=True",
        ),
        ("run", "import it with --images FOLDER", "import it with --images FOLDER"),
        ("build", "leave out --set", "leave out parameters"),
        ("capture", "--unconfined opens it", "unconfined=True opens it"),
        (
            "capture",
            "npm --ignore-scripts, a--width, --out-",
            "npm --ignore-scripts, a--width, out-",
        ),
        ("transfer", "name it with --key-variable", "name it with key_variable"),
        ("report", "add --shared-only", "add shared_only=True"),
    ],
)
def test_options_become_arguments(verb: str, said: str, spelt: str) -> None:
    """An option that the function takes is spelt as its argument; what it does not take stays."""
    assert in_python(said, getattr(surefoot, verb)) == spelt


def test_an_error_keeps_all_but_its_words() -> None:
    """What was found, which may quote a model, the kind and its reason stay; so do commands'."""
    error = RecordError("odd", "no --limit", found="'--limit 3'", remedy="leave --limit out")
    with command():
        respell(error, surefoot.run)
    assert str(error) == "Expected no --limit, found '--limit 3'. Leave --limit out."
    respell(error, surefoot.run)
    assert str(error) == "Expected no limit, found '--limit 3'. Leave limit out."
    assert (error.reason, error.found) == ("odd", "'--limit 3'")


def test_a_run_in_python_is_told_of_arguments(drawn: Path, tmp_path: Path) -> None:
    """Of a function that points elsewhere, and of one that always fails, no option is named."""

    def halved(_picture: Image.Image, _words: str) -> tuple[float, float]:
        return 0.5, 0.5

    def failing(_picture: Image.Image, _words: str) -> tuple[float, float]:
        raise ValueError("no weights")

    with pytest.raises(surefoot.SurefootError) as raised:
        surefoot.run(drawn, model=halved, out=tmp_path / "halved")
    short = surefoot.run(drawn, model=failing, out=tmp_path / "failing", self_check=False)

    broken = str(short.outcome.broken)
    assert "keep_going=True" in broken
    assert "no weights" in broken
    assert "Return x and y in pixels of the picture; keep_going=True" in str(raised.value)
    assert OPTION.search(f"{raised.value} {broken}") is None
