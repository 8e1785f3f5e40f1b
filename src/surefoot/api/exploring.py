"""
Exploring as a function: the states of an interface that only actions reach.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.api.options import AnyPath, console_for, unconfined_pages
from surefoot.api.screens import Screens
from surefoot.api.threads import in_thread

if TYPE_CHECKING:
    from rich.console import Console


@in_thread
def explore(  # noqa: PLR0913 - one argument an option
    sources: str | Iterable[str],
    *,
    out: AnyPath,
    budget: int = 60,
    depth: int = 2,
    hubs: int = 5,
    seed: int = 0,
    width: int = 1280,
    height: int = 800,
    scale: float = 1.0,
    locale: str = "en-US",
    workers: int = 2,
    retry_failed: bool = False,
    unconfined: bool = False,
    progress: bool | Console = False,
) -> Screens:
    """
    Act on pages, and keep the states that come back.

    ``sources`` are named as after ``surefoot explore``. At most ``budget`` actions are tried
    at each site, on paths of at most ``depth``; ``seed`` draws which. In ``hubs`` states of a
    site several more are tried, to compare their effects. The folder holds
    states.jsonl and transitions.jsonl beside the screens. Raises UserError for a source that
    names nothing or no web page, PlanMismatchError for a folder that was begun otherwise, and
    MissingComponentError without a browser.
    """
    from surefoot.capture.settings import Settings
    from surefoot.run.building.exploring import ExploreOptions, explore_sources

    named = [sources] if isinstance(sources, str) else list(sources)
    with unconfined_pages(allowed=unconfined):
        outcome = explore_sources(
            named,
            Path(out),
            Settings(width, height, scale, locale),
            ExploreOptions(budget, depth, seed, hubs),
            workers=workers,
            retry_failed=retry_failed,
            console=console_for(progress),
        )
    return Screens(outcome.folder, outcome)
