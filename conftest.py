"""
What holds for every test: examples of the documentation, order, and the shared browser.

Every docstring example and every Python block of a page is a test. The blocks of one page
share one namespace, top to bottom, like a reader's session, and run in an empty folder of
their own.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import settings
from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers import markdown, rest
from sybil.sybil import SybilCollection

if TYPE_CHECKING:
    from surefoot.capture.web.browser import Browser

# Machines are shared: no test fails for being slow, and none by chance. Properties are tried
# with few examples, and with four times as many by `make test-long`.
settings.register_profile("house", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("at-length", settings.get_profile("house"), max_examples=100)
settings.load_profile("house")

# Many tests start processes: each finds the package compiled, whatever the environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The pages of tests are our own: where no sandbox works they are opened all the same.
os.environ.setdefault("SUREFOOT_UNCONFINED", "1")

DEAR: Final = ("browser", "desktop", "slow")


def enter_scratch(namespace: dict[str, Any]) -> None:
    """Move into an empty folder before the first block of a page."""
    stack = contextlib.ExitStack()
    stack.enter_context(contextlib.chdir(stack.enter_context(tempfile.TemporaryDirectory())))
    namespace["_leave"] = stack.close


def leave_scratch(namespace: dict[str, Any]) -> None:
    """Return from the folder after the last block, and remove it."""
    namespace["_leave"]()


class Docstrings(PythonDocStringDocument):
    """A source file's docstrings; a file without an example, which most are, is not parsed."""

    @staticmethod
    def extract_docstrings(python_source_code: str) -> Iterator[tuple[int, int, str]]:
        """Yield where each docstring begins and ends, and its text."""
        if ">>>" in python_source_code:
            yield from PythonDocStringDocument.extract_docstrings(python_source_code)


docstrings, studies = (
    Sybil([rest.DocTestParser()], path=path, pattern="*.py", document_types={".py": Docstrings})
    for path in ("src", "studies/src")
)
pages = Sybil(
    [markdown.PythonCodeBlockParser(), markdown.SkipParser()],
    patterns=["*.md"],
    excludes=["shared/*", ".venv/*", "CONTRIBUTING.md"],
    setup=enter_scratch,
    teardown=leave_scratch,
)

pytest_collect_file = SybilCollection((docstrings, studies, pages)).pytest()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """
    Name a case after its argument, where the value is bytes: they may differ by the clock.

    A header of gzip holds the second it was written in, and then two workers find other tests.
    """
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(trylast=True)  # of what is left when others were deselected
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Put files with dear tests first, and in each file the tests of the shared browser.

    First of all come those that set a time limit of their own, the longest before the others. So
    no processor is left alone with a dear file in the end, and the browser starts seldom.
    """
    files = {item.path: at for at, item in reversed(list(enumerate(items)))}
    dear = {item.path for item in items if any(map(item.get_closest_marker, DEAR))}
    limits: dict[Path, float] = {}
    for item in items:
        limit = item.get_closest_marker("timeout")
        if limit is not None:
            limits[item.path] = max(limits.get(item.path, 0), limit.args[0])

    def place(item: pytest.Item) -> tuple[float, bool, int, bool]:
        shares = "browser" in getattr(item, "fixturenames", ())
        path = item.path
        return -limits.get(path, 0), path not in dear, files[path], not shares

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Leave what was collected out of every search for garbage: it stays, and it is much."""
    gc.collect()
    gc.freeze()


class SharedBrowser:
    """
    Keep one Chromium while tests that ask for it follow each other.

    While its driver runs, no other event loop can run in the thread, so it is stopped before
    any other test, those of the documentation included.
    """

    def __init__(self) -> None:
        self.running = contextlib.ExitStack()
        self.runs = False

    @functools.cached_property
    def browser(self) -> Browser:
        """Return it; its library is imported for tests alone that ask for it."""
        from surefoot.capture.web.browser import Browser

        return Browser()

    def switch(self, *, on: bool) -> None:
        """Start or stop it, where it is not so already."""
        if on and not self.runs:
            self.running.enter_context(self.browser)
        elif not on:
            self.running.close()
        self.runs = on


SHARED: Final = SharedBrowser()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start the shared browser for a test that asks for it, stop it for any other."""
    SHARED.switch(on="browser" in getattr(item, "fixturenames", ()))


def pytest_sessionfinish() -> None:
    """Stop the shared browser."""
    SHARED.switch(on=False)


@pytest.fixture(scope="session")
def browser() -> Browser:
    """Lend the one Chromium of this process."""
    return SHARED.browser
