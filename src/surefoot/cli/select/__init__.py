"""
``surefoot select``: a benchmark with what a teacher hits, and what people pass.
"""

from __future__ import annotations

from surefoot.cli.select.verb import EXAMPLES, select

__all__ = ["EXAMPLES", "select"]
