"""
Command lines of the studies.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from surefoot_studies.cli import main


@pytest.fixture(scope="session")
def studies(command_line: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command line through the studies' own door."""
    return functools.partial(command_line, main)
