"""
Hide elements of a screen: by a mask over its picture, or from the interface itself.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Final, get_args

from surefoot.benchmarks.benchmark import ImageStore, PageRenderer
from surefoot.core.edit import Hide, Mask, MaskKind
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.perturbation import variant_over
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.perturb.image.change import change_picture
from surefoot.perturb.masks.paint import MASKS
from surefoot.perturb.pixels import regions

HIDE: Final = "hide"
MASK_KINDS: Final[dict[str, MaskKind]] = {
    **{kind: kind for kind in get_args(MaskKind)},
    **MASKS,
}
_STILL: Final = 1.0  # pixels that a side may move where others are hidden


def companions(
    ids: Sequence[str], target: str, seed: int, *, share: float = 0.2
) -> tuple[str, ...]:
    """
    Draw a share of a screen's boxes to mask at once, the target always among them.

    Of n boxes it is share x n, rounded to the nearest whole number, halves up, and at least
    the target itself. The others are drawn evenly, without replacement; ``seed`` and target
    decide which. They come in the order of ``ids``. Raises InvalidInputError for a target
    that is not among them, for an id that comes twice, and for a share outside (0, 1].

    >>> companions([str(number) for number in range(10)], "3", 7)
    ('3', '4')
    """
    if ids.count(target) != 1 or len(set(ids)) != len(ids):
        raise InvalidInputError(f"each id once, '{target}' among them", found=str(list(ids))[:200])
    if not 0 < share <= 1:
        raise InvalidInputError("a share above 0 and up to 1", found=str(share))
    others = [item for item in ids if item != target]
    count = max(1, math.floor(share * len(ids) + 0.5))
    drawn = random_source(seed, "companions", target).sample(others, count - 1)
    chosen = {target, *drawn}
    return tuple(item for item in ids if item in chosen)


def companions_of(
    targets: Sequence[Element], target: Element, seed: int, share: float
) -> tuple[Element, ...]:
    """
    Return the elements that are hidden together, the target among them, in their order.

    Drawn are those whose pixels neither overlap nor touch the target's: two masks that
    touch are one in the picture, and nobody could say where the target ends.
    """
    apart = [
        element
        for element in targets
        if element.id == target.id or not touches(element.box, target.box)
    ]
    chosen = set(companions([element.id for element in apart], target.id, seed, share=share))
    return tuple(element for element in apart if element.id in chosen)


def mask_boxes(
    screen: Screen, png: bytes, boxes: Sequence[Box], variant: str, *, ring: int = 1
) -> tuple[Screen, bytes]:
    """
    Return a screen and its picture (PNG) with boxes masked, as ``MASK_KINDS`` names masks.

    Raises InvalidInputError for bytes that are not the screen's picture.
    """
    edit = Mask(tuple(boxes), MASK_KINDS[variant], ring)
    return change_picture(screen, png, [edit], variant=variant_over(screen.variant, variant))


def hide(
    screen: Screen, elements: Sequence[Element], renderer: PageRenderer, store: ImageStore
) -> Screen:
    """
    Return the screen with elements hidden in the interface; its picture is stored.

    Raises CaptureError where the page cannot be rendered again, and "page-moved" where
    anything else that was plainly seen is gone or stands elsewhere.
    """
    ids = tuple(element.id for element in elements)
    captured = renderer.render(screen, variant_over(screen.variant, HIDE), (Hide(ids),))
    moved = _moved(screen, captured.screen, set(ids))
    if moved:
        raise CaptureError(
            "page-moved", expected="all else to stay where it is", found=f"'{moved}' moved"
        )
    store.put(captured.png)
    return captured.screen


def touches(one: Box, other: Box) -> bool:
    """
    Tell whether masks over two boxes, each of whole pixels, would be one in the picture.

    >>> [touches(Box(0, 0, 9, 9), Box(left, 0, 20, 9)) for left in (9.2, 12)]
    [True, False]
    """
    return _grown(one).intersection(_grown(other)) is not None


def _moved(before: Screen, after: Screen, hidden: set[str]) -> str:
    """Return the id of an element that is not where it was, "" where there is none."""
    parents = {item.id: item.parent for item in before.elements}
    now = {item.id: item.box for item in after.elements}

    @functools.cache
    def gone(element: str) -> bool:
        return element in hidden or (element in parents and gone(parents[element]))

    for item in before.elements:
        if gone(item.id) or not any(item.hits):
            continue
        box = now.get(item.id)
        if box is None or not _same(box, item.box):
            return item.id
    return ""


def _same(one: Box, other: Box) -> bool:
    pairs = zip(one.as_tuple(), other.as_tuple(), strict=True)
    return all(abs(a - b) <= _STILL for a, b in pairs)


def _grown(box: Box) -> Box:
    (found,) = regions([box.moved(0, 0)], (1 << 30, 1 << 30))
    return Box(found.left - 1, found.top - 1, found.right + 1, found.bottom + 1)
