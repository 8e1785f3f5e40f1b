"""
A perturbation: name, version, and a pure function from a screen and a seed to edits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from surefoot.core.edit import Edit
from surefoot.core.errors import UnknownNameError
from surefoot.core.screen import Screen

__all__ = ["Perturbation"]


class Perturbation(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one way to change a screen.

    ``levels`` maps each level's label to its severity in [0, 1], mildest first;
    ``default`` is the label that is taken where none is given. ``draw`` receives the
    original screen, a seed and a level's label; it must be pure. ``seeded`` is false where
    the draw is the same for every seed. ``picture`` is true where it draws edits of the
    picture alone, which need no live interface.
    """

    name: str
    version: int
    summary: str
    levels: Mapping[str, float]
    default: str
    draw: Callable[[Screen, int, str], tuple[Edit, ...]]
    seeded: bool = True
    picture: bool = False

    def edits(self, screen: Screen, seed: int, level: str = "") -> tuple[Edit, ...]:
        """Return the edits for one screen; raises UnknownNameError for a wrong level."""
        label = level or self.default
        if label not in self.levels:
            raise UnknownNameError(
                f"a level of '{self.name}' among {', '.join(self.levels)}", found=f"'{label}'"
            )
        return self.draw(screen, seed, label)
