"""
Make tests of the documentation: every docstring example, every Python block of a page.

The blocks of one page share one namespace, top to bottom, like a reader's session, and
run in an empty folder of their own.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
from typing import Any, Final

import pytest
from hypothesis import settings
from sybil import Sybil
from sybil.parsers import markdown, rest

# Machines are shared: no test fails for being slow, and none by chance.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

# Many tests start processes: each finds the package compiled, whatever the environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

DEAR: Final = ("browser", "slow")

__all__ = [
    "enter_scratch",
    "leave_scratch",
    "pytest_collect_file",
    "pytest_collection_finish",
    "pytest_collection_modifyitems",
]


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Put files with dear tests first, and in each file the tests of the shared browser.

    So no processor is left alone with a dear file in the end, and the browser starts seldom.
    """
    files = {item.path: at for at, item in reversed(list(enumerate(items)))}
    dear = {item.path for item in items if any(map(item.get_closest_marker, DEAR))}

    def place(item: pytest.Item) -> tuple[bool, int, bool]:
        shares = "browser" in getattr(item, "fixturenames", ())
        return item.path not in dear, files[item.path], not shares

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Leave what was collected out of all later garbage collections."""
    gc.collect()
    gc.freeze()
