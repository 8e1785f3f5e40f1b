"""
Write constraints.txt: the version of every package that Surefoot and its extras reach.

Only what is reachable from pyproject.toml is pinned, never what else the environment holds,
and a pin is a name and a version, never an address.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["closure", "pins"]

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
HEADING = "# Written by `make pins`: what .venv holds of all that pyproject.toml reaches.\n"


def closure(root: str, extras: frozenset[str]) -> set[str]:
    """Return the canonical names of all installed requirements of ``root``, without itself."""
    found: set[str] = set()
    waiting = [(root, extras)]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        found.add(canonicalize_name(name))
        for line in importlib.metadata.requires(name) or ():
            requirement = Requirement(line)
            environments = [{"extra": extra} for extra in ("", *wanted)]
            if requirement.marker and not any(map(requirement.marker.evaluate, environments)):
                continue
            waiting.append((requirement.name, frozenset(requirement.extras)))
    return found - {canonicalize_name(root)}


def pins(names: set[str]) -> list[str]:
    """
    Return one ``name==version`` line for each installed name.

    >>> [line.split("==")[0] for line in pins({"msgspec", "httpx"})]
    ['httpx', 'msgspec']
    """
    return [f"{name}=={importlib.metadata.version(name)}" for name in sorted(names)]


if __name__ == "__main__":
    extras = importlib.metadata.metadata("surefoot").get_all("Provides-Extra") or []
    lines = pins(closure("surefoot", frozenset(extras)))
    CONSTRAINTS.write_text(HEADING + "\n".join(lines) + "\n", encoding="utf-8")
