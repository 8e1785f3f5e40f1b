"""
A recipe of a small application whose one file comes from a package of Debian.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from surefoot.capture.applications.debian import debian_file
from surefoot.capture.applications.recipe import ApplicationRecipe


def seed(folder: Path, number: int) -> None:
    """Take over the list of ships, which the package has a link to."""
    shutil.copy(debian_file("usr/share/pier/ships"), folder / f"ships-{number}")


def serve(folder: Path, port: int) -> None:
    """Serve nothing: it is not started."""
    raise NotImplementedError(folder, port)


PIER: Final = ApplicationRecipe(
    name="pier",
    version=1,
    title="Pier",
    maker="the tests",
    drawn_by="the server",
    licence="Apache-2.0",
    languages=("en",),
    megabytes=1,
    requirements=(),
    debian_packages=("pier",),
    pages=("/",),
    signed_in="#leave",
    seed=seed,
    serve=serve,
)
