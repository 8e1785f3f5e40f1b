"""
Command lines run in this process, with what they print and how they exit.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable

import msgspec
import pytest

from surefoot.cli.main import main


class Ended(msgspec.Struct, frozen=True):
    """Hold how a command line ended: its exit code, its stdout and its stderr."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def surefoot() -> Callable[..., Ended]:
    """Run a command line through the program's own door."""

    def run(*arguments: object) -> Ended:
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.raises(SystemExit) as left,
        ):
            main([str(each) for each in arguments])
        return Ended(int(left.value.code or 0), out.getvalue(), err.getvalue())

    return run
