"""
Make tests of the documentation: every docstring example, every Python block of a page.

The blocks of one page share one namespace, top to bottom, like a reader's session, and
run in an empty folder of their own.
"""

from __future__ import annotations

import contextlib
import tempfile
from typing import Any

from hypothesis import settings
from sybil import Sybil
from sybil.parsers import markdown, rest

# Machines are shared: no test fails for being slow, and none by chance.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

__all__ = ["enter_scratch", "leave_scratch", "pytest_collect_file"]


def enter_scratch(namespace: dict[str, Any]) -> None:
    """Move into an empty folder before the first block of a page."""
    stack = contextlib.ExitStack()
    stack.enter_context(contextlib.chdir(stack.enter_context(tempfile.TemporaryDirectory())))
    namespace["_leave"] = stack.close


def leave_scratch(namespace: dict[str, Any]) -> None:
    """Return from the folder after the last block, and remove it."""
    namespace["_leave"]()


docstrings = Sybil([rest.DocTestParser()], path="src", pattern="*.py")
pages = Sybil(
    [markdown.PythonCodeBlockParser(), markdown.SkipParser()],
    patterns=["*.md"],
    excludes=["shared/*", ".venv/*", "CONTRIBUTING.md"],
    setup=enter_scratch,
    teardown=leave_scratch,
)

pytest_collect_file = (docstrings + pages).pytest()
