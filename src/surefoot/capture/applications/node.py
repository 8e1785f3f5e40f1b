"""
What a recipe calls to run a program of Node.js: the machine's, at the time that stands still.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NoReturn

from surefoot.capture.clock import CLOCK

STANDING_CLOCK: Final = Path(__file__).with_name("standing_clock.cjs")


def module_file(path: str) -> Path:
    """Return a file below the application's ``node_modules``."""
    return Path(sys.prefix, "node_modules", path)


def node_environment(*preloaded: Path, added: Mapping[str, str] | None = None) -> dict[str, str]:
    """
    Return the environment of a program of Node.js, in which it is CLOCK.

    ``preloaded`` are files of CommonJS that are run before the program; ``added`` are variables.
    """
    files = " ".join(f"--require={file}" for file in (STANDING_CLOCK, *preloaded))
    variables = {
        "NODE_ENV": "production",
        "NODE_PATH": str(module_file("")),
        "NODE_OPTIONS": f"{files} --no-deprecation",
        "STANDING_CLOCK_MS": str(int(CLOCK.timestamp() * 1000)),
    }
    return {**os.environ, **variables, **(added or {})}


def become_node(
    program: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> NoReturn:
    """Run a program of Node.js in place of this process, in ``node_environment()`` unless told."""
    node = Path(sys.prefix, "bin", "node")
    variables = node_environment() if environment is None else environment
    os.execve(node, ["node", str(program), *arguments], variables)  # noqa: S606
