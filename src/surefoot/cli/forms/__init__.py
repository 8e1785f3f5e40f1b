"""
``surefoot forms``: live forms, agents that fill them in, and scores of what arrived.
"""

from __future__ import annotations

from surefoot.cli.forms.verbs import EXAMPLES, forms

__all__ = ["EXAMPLES", "forms"]
