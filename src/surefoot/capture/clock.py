"""
The one moment at which every captured page believes to be, and every application behind one.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

CLOCK: Final = dt.datetime(2026, 1, 15, 10, 0, tzinfo=dt.UTC)
