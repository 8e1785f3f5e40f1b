"""
A run is opened with a frozen form, and read again as one committed state.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.forms.record import RunRecord
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import find_run, open_run, record
from surefoot.forms.server.schema import connect_reader
from surefoot.forms.specification import Form


def test_a_run_is_read_as_it_was_opened(tmp_path: Path, form: Form) -> None:
    """Form, rendering, number and seed of the instance come back, under a random token."""
    rendering = Rendering("plain", "night", "table", "th", "rtl", 5)
    token = open_run(tmp_path, form, rendering, instance=4, seed=2)
    other = open_run(tmp_path, form, rendering, instance=4, seed=2)
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert token != other
    assert record(tmp_path, token) == RunRecord(token, "small", rendering, 4, 2)
    with contextlib.closing(connect_reader(tmp_path)) as reader:
        assert find_run(reader, token).form == form


@pytest.mark.parametrize("token", ["", "0" * 32, "x", "' OR 1 = 1 --", "\uff10" * 32])
def test_unknown_tokens_have_no_run(tmp_path: Path, form: Form, token: str) -> None:
    """A token that was never given is refused."""
    open_run(tmp_path, form, Rendering(), instance=0, seed=0)
    with pytest.raises(UnknownNameError):
        record(tmp_path, token)


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    """Reading makes no database where there is none."""
    with pytest.raises(InvalidInputError):
        record(tmp_path, "0" * 32)
    assert list(tmp_path.iterdir()) == []
