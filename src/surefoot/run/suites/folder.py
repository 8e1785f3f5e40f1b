"""
What lies in a folder SUITE beside its pillars.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from surefoot.benchmarks.suite import SuiteTarget
from surefoot.run.folders.folder import read_document, read_table

TARGETS: Final = "targets.jsonl"
BENCHES: Final = "benches.json"


def read_targets(folder: Path) -> tuple[SuiteTarget, ...]:
    """Read which elements a SUITE considered and chose; raises InvalidInputError."""
    return read_table(folder, TARGETS, SuiteTarget, kind="suite")


def read_benches(folder: Path) -> dict[str, str]:
    """Read the digest of each pillar's BENCH in a SUITE; raises InvalidInputError."""
    return read_document(folder, BENCHES, dict[str, str], kind="suite")
