"""
What the worker processes do that render fixes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from surefoot.capture.access.secrets import Secrets
from surefoot.capture.contents import Contents
from surefoot.capture.reasons import told_of
from surefoot.capture.settings import Settings
from surefoot.core.canonical import record_json
from surefoot.core.foreign.scrubbing import Scrubber
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.building.page_workers import PageBrowser
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.fixes.arms import FixArm, MendedPage, render_arm


@contextlib.contextmanager
def mender(
    *,
    folder: str,
    settings: dict[str, Any],
    contents: Contents | None = None,
    secrets: dict[str, Any] | None = None,
) -> Iterator[UnitFunction]:
    """
    Turn an original screen and an arm of fixes into the page as it is then.

    Nothing that is returned or raised repeats one of the ``secrets``.
    """
    store = ObjectStore(Path(folder))
    known = msgspec.convert(secrets or {}, Secrets)
    with contextlib.ExitStack() as stack:
        pages = PageBrowser(stack, msgspec.convert(settings, Settings), store, contents, known)
        scrub = Scrubber(*known.values())

        def work(body: dict[str, Any]) -> bytes:
            screen = msgspec.convert(body["screen"], Screen)
            arm = msgspec.convert(body["arm"], FixArm)
            with scrub, told_of(screen.source):
                result = render_arm(arm, screen, pages, store)
            return record_json(result, MendedPage, what="a page with fixes")

        yield work
