"""
A layout: how examples are written for one family of trainers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.registry import Registry
from surefoot.train.examples import TrainingExample


class Layout(msgspec.Struct, frozen=True):
    """
    Describe a layout: ``write`` writes DATA/NAME from the examples and the pictures in DATA.

    Written twice, the files are the same bytes.
    """

    name: str
    version: int
    summary: str
    write: Callable[[Path, Sequence[TrainingExample]], None]


LAYOUTS: Final = Registry(Layout, "surefoot.train.layouts", what="layout")
