"""
How a command over a folder ended: what it wrote, what it counted, what failed.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from surefoot.core.ledger import Failure
from surefoot.run.progress import Tally

__all__ = ["Outcome"]


class Outcome(msgspec.Struct, frozen=True):
    """Hold the folder that was written, the tally, the failures, and lines to print."""

    folder: Path
    tally: Tally
    failures: tuple[Failure, ...] = ()
    lines: tuple[str, ...] = ()
