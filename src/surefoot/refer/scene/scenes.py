"""
The screens of a benchmark as scenes with their pixels, the latest of them kept.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Screen
from surefoot.refer.scene.scene import Scene

KEPT: Final = 48  # a scene of 1280 x 800 holds 3 MB of pixels, and its masks


class Scenes:
    """
    Give the scene of a screen by its id.

    ``images`` returns the bytes of an image's SHA-256, as ``ObjectStore.get`` does.
    """

    def __init__(self, screens: Iterable[Screen], images: Callable[[str], bytes]) -> None:
        self.screens = {screen.id: screen for screen in screens}
        self._images = images
        self._made = functools.lru_cache(maxsize=KEPT)(self._make)

    def scene(self, screen: str) -> Scene:
        """Return a screen's scene; raises InvalidInputError for an unknown id."""
        return self._made(screen)

    def _make(self, screen: str) -> Scene:
        found = self.screens.get(screen)
        if found is None:
            raise InvalidInputError(
                f"the screen '{screen}' in screens.jsonl",
                found="none of that id",
                remedy="build the benchmark again",
            )
        return Scene(found, pixels_of(self._images(found.image)))
