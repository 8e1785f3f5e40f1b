"""
A recipe of a small application whose one module comes from a registry of npm.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from surefoot.capture.applications.node import become_node, module_file
from surefoot.capture.applications.recipe import ApplicationRecipe


def seed(folder: Path, number: int) -> None:
    """Write when the ferries leave."""
    (folder / "leaves.txt").write_text(f"{8 + number}:30")


def serve(folder: Path, port: int) -> None:
    """Serve what the module says."""
    become_node(module_file("ferry/serve.js"), str(folder), str(port))


FERRY: Final = ApplicationRecipe(
    name="ferry",
    version=1,
    title="Ferry",
    maker="the tests",
    drawn_by="the server",
    licence="Apache-2.0",
    languages=("en",),
    megabytes=1,
    requirements=(),
    npm_packages=("ferry@1.0.0",),
    pages=("/",),
    signed_in="#leave",
    seed=seed,
    serve=serve,
)
