"""
``surefoot xli``: hidden states of parallel questions are kept, and added where a gap is.
"""

from __future__ import annotations

from surefoot.cli.xli.verbs import EXAMPLES, xli

__all__ = ["EXAMPLES", "xli"]
