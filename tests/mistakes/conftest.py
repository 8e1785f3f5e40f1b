"""
Command lines as a newcomer gets them wrong, run in this process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from surefoot.cli.main import main


@pytest.fixture(scope="session")
def surefoot(command_line: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command line through the program's own door."""
    return functools.partial(command_line, main)
