"""
Elements that a mask covers, or that are gone: which words find one of them all the same.

No resolver finds what a picture does not show. So words about a hidden element are proven as the
benchmark `hidden` proves them: they mean the element on the screen as captured, say nothing that
only it could show, and mean nothing else once it is covered.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import msgspec

from surefoot.benchmarks.hidden import (
    KINDS,
    found_when_hidden,
    means_as_control,
    says_nothing_of_itself,
)
from surefoot.benchmarks.hidden_parameters import HiddenParameters
from surefoot.benchmarks.hidden_seen import fits_another, place_is_told, seen
from surefoot.benchmarks.hiding import MASK_KINDS, companions_of, mask_boxes
from surefoot.core.canonical import digest
from surefoot.core.drawn.marks import drawn_marks
from surefoot.core.edit import Hide, Mask
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.perturb.cover import cover
from surefoot.refer.generate.generate import targets
from surefoot.refer.generate.hold import holds
from surefoot.refer.say.kinds import kind_of
from surefoot.refer.scene.geometry import Boxes
from surefoot.refer.scene.scene import Scene


def hides(screen: Screen) -> bool:
    """Tell whether elements of a screen were covered or taken away."""
    return any(isinstance(edit, Mask | Hide) for edit in screen.edits)


class MaskedView(msgspec.Struct, frozen=True, eq=False, dict=True):
    """
    Hold a screen on which an element is hidden, and what is seen of it.

    ``before`` is the screen as captured, ``covered`` the same without what is hidden, ``left``
    what a model can see; ``marked`` tells whether a mask shows where the target is. ``others`` are
    hidden with it, by their ids.
    """

    before: Scene
    covered: Scene
    left: Scene
    target: str
    others: tuple[str, ...]
    marked: bool

    @functools.cached_property
    def marks(self) -> Boxes:
        """Return all that is drawn on the screen as it is shown (n x 4)."""
        assert self.left.pixels is not None, "it was made of them"  # noqa: S101 - for the types
        return drawn_marks(self.left.pixels)

    def holds(self, expression: Expression) -> bool:
        """Tell whether an expression finds the hidden target, and nothing else."""
        scene, place = self.before, self.before.place[self.target]
        return (
            kind_of(expression) in KINDS
            and says_nothing_of_itself(expression)
            and holds(expression, self.target, scene) is None
            and means_as_control(scene, expression, place)
            and found_when_hidden(scene, self.covered, expression, self.target, self.others)
            and not fits_another(self.left, expression, self.target)
            and (self.marked or place_is_told(scene, self.marks, expression, self.target))
        )


def masked_view(before: Scene, shown: Scene, target: str) -> MaskedView | None:
    """Return what is seen of a screen with a target hidden; None where its pixels are unknown."""
    if shown.pixels is None or target not in before.place:
        return None
    hidden = list(_hidden(before.screen, shown.screen, target))
    painted = any(isinstance(edit, Mask) for edit in shown.screen.edits)
    element = before.elements[before.place[target]]
    found = seen(shown.screen, shown.pixels, element, hidden, masked=painted)
    boxes = [item.box for item in hidden]
    return MaskedView(
        before=before,
        covered=Scene(cover(before.screen, boxes), before.pixels),
        left=Scene(found.screen, shown.pixels),
        target=target,
        others=tuple(item.id for item in hidden if item.id != target),
        marked=found.marked,
    )


def _hidden(before: Screen, shown: Screen, target: str) -> Iterator[Element]:
    """Yield what is hidden on a screen, the target always, in the order of the elements."""
    boxes = {box for edit in shown.edits if isinstance(edit, Mask) for box in edit.boxes}
    gone = {name for edit in shown.edits if isinstance(edit, Hide) for name in edit.elements}
    for element in before.elements:
        if element.id == target or element.id in gone or element.box in boxes:
            yield element


def cover_anew(
    scene: Scene, target: str, png: bytes, variants: Iterable[str], *, seed: int
) -> Iterator[tuple[Screen, bytes]]:
    """
    Yield screens with a target and its companions under masks, and their pictures (PNG).

    They are made as the benchmark `hidden` makes them, by its usual share; nothing is yielded of
    a target that reaches out of the picture. What only a live page could hide is left out.
    """
    bounds, usual = scene.screen.bounds, HiddenParameters()
    whole = [item for item in targets(scene) if bounds.intersection(item.box) == item.box]
    element = next((item for item in whole if item.id == target), None)
    if element is None:
        return
    boxes = [item.box for item in companions_of(whole, element, seed, usual.share)]
    for variant in variants:
        if variant in MASK_KINDS:
            shown, covered = mask_boxes(scene.screen, png, boxes, variant, ring=usual.ring)
            name = digest([shown.id, target])[:16]  # targets may be hidden together
            yield msgspec.structs.replace(shown, id=name), covered


def put_back(shown: Screen, captured: Screen, target: str) -> Screen:
    """Return a screen with an element that is gone from it, as one of which nothing is seen."""
    element = captured.element(target)
    if element is None or shown.element(target) is not None:
        return shown
    unseen = msgspec.structs.replace(
        element,
        visible_fraction=0.0,
        hits=(False,) * len(element.hits),
        name_boxes=(),
        text_boxes=(),
    )
    return msgspec.structs.replace(shown, elements=(*shown.elements, unseen))
