"""
Expressions for an element beyond those that a benchmark asks with.
"""

from __future__ import annotations

from surefoot.core.instruction import Expression
from surefoot.refer.generate import direct, relational
from surefoot.refer.rejection import Rejection
from surefoot.refer.scene import Scene

__all__ = ["generated"]


def generated(scene: Scene, target: str, *, seed: int, most: int) -> list[Expression]:
    """Return at most ``most`` expressions that are proven for a target (by its id)."""
    named = direct(scene, target)
    found = [] if isinstance(named, Rejection) else [named]
    placed = relational(scene, target, seed=seed)
    return [*found, *(() if isinstance(placed, Rejection) else placed)][:most]
