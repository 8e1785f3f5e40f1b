"""
The verbs of ``surefoot apps`` as functions: real applications, installed and proved.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from surefoot.api.options import console_for, listed
from surefoot.api.threads import in_thread

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.run.applications import ApplicationState, CheckedApplication


def list_apps() -> tuple[ApplicationState, ...]:
    """Return every application that ``app:NAME`` can name, and whether it is installed."""
    from surefoot.run.applications import states

    return states()


@in_thread
def install_apps(names: str | Iterable[str], *, progress: bool | Console = False) -> None:
    """
    Install applications into the cache, where they are not there already.

    With ``progress`` on a terminal one is asked first, unless the variable YES is 1. Raises
    UnknownNameError, and MissingComponentError where nobody agreed or packages do not come.
    """
    from surefoot.run.building.capturing import prepare_sources

    prepare_sources([f"app:{name}" for name in listed(names)], console_for(progress))


@in_thread
def check_apps(
    names: str | Iterable[str] = (), *, progress: bool | Console = False
) -> tuple[CheckedApplication, ...]:
    """
    Prove recipes, all that are installed if none is named; one that is not is installed.

    A fault is in the result and never raised. Raises as ``install_apps`` does.
    """
    from surefoot.run.applications import check, states

    wanted = listed(names) or tuple(item.name for item in states() if item.installed)
    install_apps(wanted, progress=progress)
    return tuple(check(name) for name in wanted)


def remove_apps(names: str | Iterable[str]) -> tuple[str, ...]:
    """Delete applications from the cache and return the names of those that were there."""
    from surefoot.capture.applications.installing import RECIPES, remove

    return tuple(name for name in listed(names) if remove(RECIPES.get(name)))
