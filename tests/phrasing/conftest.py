"""
Records made by hand, as the tests of scores make them.
"""

from __future__ import annotations

from tests.score.conftest import record

__all__ = ["record"]
