"""
What is read of a target: its place, its name and words, its neighbours, and its pixels.

Lengths are pixels of the picture that is shown, but for ``side_1x``.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.screen import INTERACTIVE_ROLES
from surefoot.diagnose.features.picture import MARGIN_PX, RING_PX, cut, luminance, rim, saturation
from surefoot.refer.scene.geometry import Mask, distances
from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene
from surefoot.score.stats.arrays import Bools, Floats

NEAR_PX: Final = 40.0
ROUND_PX: Final = 100.0
ALIKE: Final = 1.25  # times each side
LOOK_ALIKE: Final = 1.25  # times the area: the step that the lenient reading of a size allows
LOOK_ALIKE_PX: Final = 200.0
ALIGNED_PX: Final = 4.0
INK: Final = (2.0, 98.0)  # percentiles of luminance: ground and ink, whichever is lighter
INK_DEPTH: Final = 0.6  # of the greatest difference from the ground, from which on it is ink
ICON_PX: Final = 48.0
WORD: Final = 3  # letters of a word that tells anything
PROSE_WORDS: Final = 3  # beside a target, from which on it stands in running text
HOLDERS: Final = {
    "a table": frozenset(
        {"cell", "columnheader", "grid", "gridcell", "row", "rowheader", "table"}
    ),
    "a list": frozenset({"list", "listbox", "listitem"}),
    "a menu": frozenset({"menu", "menubar", "navigation", "tree"}),
    "a paragraph": frozenset({"blockquote", "paragraph"}),
    "a heading": frozenset({"heading"}),
    "a header": frozenset({"banner"}),
    "a footer": frozenset({"contentinfo"}),
    "a side bar": frozenset({"complementary"}),
    "the main part": frozenset({"article", "main"}),
    "a row of tabs": frozenset({"tablist"}),
    "another control": INTERACTIVE_ROLES,
    "a toolbar": frozenset({"toolbar"}),
    "a form": frozenset({"form", "search", "group", "radiogroup"}),
    "a window": frozenset({"alertdialog", "dialog", "window"}),
}


class Target:
    """
    Read a target and what is around it.

    ``others`` are the other controls that are surely seen, ``same`` those of its role, ``twins``
    those of its size as well; ``apart`` is how far each element is from it. ``across`` and
    ``down`` say where its middle is, as shares of the picture.
    """

    def __init__(self, scene: Scene, place: int) -> None:
        self.scene = scene
        self.place = place
        self.screen = scene.screen
        self.element = scene.elements[place]
        self.box = self.element.box
        self.width, self.height = max(self.box.width, 1.0), max(self.box.height, 1.0)
        self.middle = self.box.center
        self.across = self.middle.x / self.screen.width
        self.down = self.middle.y / self.screen.height
        self.name = scene.names[place]
        self.words = scene.texts[place]
        self.lines = self.element.text_boxes
        self.side_1x = min(self.box.width, self.box.height) / self.screen.scale
        self.others: Bools = scene.thing & scene.plain & ~scene.kin(place)
        self.same = rivals(scene, place)
        self.rivals = int(self.same.sum())
        self.apart = distances(scene.boxes, scene.boxes[place])
        self.near = self.apart <= NEAR_PX
        self.around = self.apart <= ROUND_PX

    # Where it is.

    def edges(self, *sides: str) -> float:
        """Return how far the nearest of some edges of the picture is, 0 beyond it."""
        apart = {
            "left": self.box.left,
            "top": self.box.top,
            "right": self.screen.width - self.box.right,
            "bottom": self.screen.height - self.box.bottom,
        }
        return max(0.0, min(apart[side] for side in sides))

    def middle_edge(self) -> float:
        """Return how far its middle is from the nearest edge of the picture."""
        x, y = self.middle.x, self.middle.y
        return max(0.0, min(x, y, self.screen.width - x, self.screen.height - y))

    def is_prose(self) -> bool:
        """Tell whether what holds it has words of its own on its lines."""
        holder = self.scene.place.get(self.element.parent)
        if holder is None or not self.lines or not self.words:
            return False
        y = self.lines[0].center.y
        beside = any(line.top < y < line.bottom for line in self.scene.elements[holder].text_boxes)
        more = len(self.scene.texts[holder].split()) - len(self.words.split())
        return beside and more >= PROSE_WORDS

    def holders(self) -> list[str]:
        """Return what it stands in."""
        roles = {self.scene.elements[above].role for above in self.scene.above(self.place)}
        return [title for title, known in HOLDERS.items() if roles & known]

    # What is near it.

    @functools.cached_property
    def twins(self) -> Bools:
        """Tell which elements are of its role and about its size."""
        size = np.maximum(self.scene.boxes[:, 2:] - self.scene.boxes[:, :2], 1.0)
        ratio = size / size[self.place]
        found: Bools = self.same & (np.maximum(ratio, 1 / ratio) <= ALIKE).all(axis=1)
        return found

    @functools.cached_property
    def row(self) -> Bools:
        """Tell which elements have their middle on its height."""
        _, top, _, bottom = self.scene.boxes[self.place]
        y = self.scene.centres[:, 1]
        found: Bools = (y >= top) & (y <= bottom)
        return found

    @functools.cached_property
    def column(self) -> Bools:
        """Tell which elements begin, or have their middle, on its vertical line."""
        left, x = self.scene.boxes[:, 0], self.scene.centres[:, 0]
        found: Bools = (np.abs(left - left[self.place]) <= ALIGNED_PX) | (
            np.abs(x - x[self.place]) <= ALIGNED_PX
        )
        return found

    @functools.cached_property
    def before(self) -> Bools:
        """Tell which elements come before it, in a row by their middle's x, else by y."""
        x, y = self.scene.centres.T
        found: Bools = np.where(self.row, x < x[self.place], y < y[self.place])
        return found

    def next_of(self, which: Bools, turn: int = 1) -> float:
        """Return how far the next of some elements is, or the next but some."""
        far = [float(max(self.screen.width, self.screen.height))] * turn
        return float(np.sort(np.append(self.apart[which], far))[turn - 1])

    @functools.cached_property
    def written(self) -> Bools:
        """Tell which other elements show words."""
        scene = self.scene
        texts = np.array(list(map(bool, scene.texts)), dtype=bool)
        found: Bools = scene.plain & texts & ~scene.kin(self.place)
        return found

    def words_around(self) -> float:
        """Count the words of what holds nothing else around it."""
        words = np.array([len(text.split()) for text in self.scene.texts])
        bare = np.array([at not in self.scene.children for at in range(len(words))], dtype=bool)
        return float(words[self.written & bare & self.around].sum())

    def flanked(self) -> float:
        """Return on how many sides, of a row or of a column, it has its like beside it."""
        steps = self.scene.centres - self.scene.centres[self.place]
        both, near = 0, self.twins & self.near
        for along, across in ((0, 1), (1, 0)):
            line = steps[near & (np.abs(steps[:, across]) <= ALIGNED_PX), along]
            both = max(both, int((line < 0).any()) + int((line > 0).any()))
        return float(both)

    def look_alikes(self) -> list[str]:
        """Tell whether a larger, or a smaller, control of its role is near."""
        areas = np.prod(self.scene.boxes[:, 2:] - self.scene.boxes[:, :2], axis=1)
        own, near = (
            areas[self.place],
            self.same & (self.apart <= LOOK_ALIKE_PX * self.screen.scale),
        )
        larger = bool((areas[near] >= LOOK_ALIKE * own).any())
        return ["larger"] * larger + ["smaller"] * bool((areas[near] * LOOK_ALIKE <= own).any())

    # How it is named, and what it shows.

    def case(self) -> str:
        """Return in which letters it is named, "" where that is none in particular."""
        name = self.element.name
        if sum(letter.isalpha() for letter in name) < 2:  # noqa: PLR2004 - one has no case to tell
            return ""
        if name.isupper() or name.islower():
            return "capitals" if name.isupper() else "small letters"
        return "Title Case" if name.istitle() and " " in name else ""

    @functools.cached_property
    def other_names(self) -> list[str]:
        """Return the names of the other controls; none where it has no name itself."""
        return [self.scene.names[at] for at in np.flatnonzero(self.others) if self.name]

    @functools.cached_property
    def sharing(self) -> Bools:
        """Tell which of the other controls share a word of its name."""
        return np.array([share_a_word(other, self.name) for other in self.other_names], dtype=bool)

    def nearest_sharing(self) -> float:
        """Return how far the next control is that shares a word of its name."""
        far = max(self.screen.width, self.screen.height)
        return float(self.apart[np.flatnonzero(self.others)][self.sharing].min(initial=far))

    def same_start(self) -> float:
        """Count the other controls whose name begins with the same word."""
        first = key_of(self.name).words[:1]
        return float(sum(key_of(other).words[:1] == first for other in self.other_names))

    @functools.cached_property
    def span(self) -> Box:
        """Return the box around its lines."""
        return Box.around(self.lines)

    def ink_contrast(self) -> float:
        """Return the contrast of its words."""
        return self.scene.legibility(self.place).contrast

    def icons(self) -> float:
        """Count the small marks in its box beside its words."""
        marks = self.scene.marks[self.scene.marks_in(self.scene.marks, self.place)]
        x, y = ((marks[:, :2] + marks[:, 2:]) / 2).T
        free = (marks[:, 2:] - marks[:, :2]).max(axis=1, initial=0.0) <= ICON_PX
        for line in self.lines:
            left, top, right, bottom = line.as_tuple()
            free &= ~((left <= x) & (x <= right) & (top <= y) & (y <= bottom))
        return float(free.sum())

    # Its pixels.

    @functools.cached_property
    def pixels(self) -> Pixels | None:
        """Return the pixels of its box and a margin, None without any."""
        found = None if self.scene.pixels is None else cut(self.scene.pixels, self.box, MARGIN_PX)
        return found if found is not None and found.size else None

    @property
    def is_drawn(self) -> bool:
        """Tell whether it has pixels."""
        return self.pixels is not None

    def amid(self, margin: int) -> Pixels:
        """Return its pixels with those around it; only where it has ``pixels``."""
        assert self.scene.pixels is not None, "it has pixels"  # noqa: S101 - for the type checker
        return cut(self.scene.pixels, self.box, margin)

    @functools.cached_property
    def light(self) -> Floats:
        """Return the luminance of its darkest, its middle and its lightest pixels."""
        assert self.pixels is not None, "it has pixels"  # noqa: S101 - as above
        return np.percentile(luminance(self.pixels), (INK[0], 50.0, INK[1]))

    def contrast(self) -> float:
        """Return the ratio of its lightest and its darkest pixels, as WCAG counts it."""
        dark, _, light = self.light
        return float((light + 0.05) / (dark + 0.05))

    @functools.cached_property
    def ground(self) -> float:
        """Return its median lightness in percent."""
        return 100 * float(np.sqrt(self.light[1]))

    def stands_out(self) -> float:
        """Return by how much it is lighter or darker than what is around it, in percent."""
        around = float(np.median(luminance(rim(self.amid(RING_PX), 2))))
        return 100 * abs(float(np.sqrt(self.light[1])) - float(np.sqrt(around)))

    def ink_colour(self) -> float:
        """Return the saturation of what stands out in its words, or in its box."""
        assert self.scene.pixels is not None, "it has pixels"  # noqa: S101 - as above
        parts = [cut(self.scene.pixels, line, 0) for line in self.lines or (self.box,)]
        flat = [part[..., :3].reshape(-1, 3).astype(np.float64) for part in parts if part.size]
        if not flat:
            return 0.0
        seen = np.concatenate(flat)
        apart = np.abs(seen - np.median(seen, axis=0)).max(axis=1)
        return float(saturation(seen[apart >= INK_DEPTH * apart.max()]).mean())


def rivals(scene: Scene, place: int) -> Mask:
    """Tell which elements are surely seen controls of an element's role, itself left out."""
    role = scene.elements[place].role
    same = np.array([element.role == role for element in scene.elements], dtype=bool)
    found: Mask = scene.plain & same & scene.thing & ~scene.kin(place)
    return found


def share_a_word(one: str, other: str) -> bool:
    """
    Tell whether two names have a word of three letters or more in common.

    >>> share_a_word("Open file", "File name"), share_a_word("Go on", "Log on")
    (True, False)
    """
    mine, theirs = (
        {word for word in key_of(name).words if len(word) >= WORD} for name in (one, other)
    )
    return bool(mine & theirs)


def elsewhere(scene: Scene, place: int) -> int:
    """Count the other things seen whose words have an element's name in them."""
    name = " ".join(key_of(scene.names[place]).words)
    seen = zip(scene.texts, scene.plain, scene.kin(place), strict=True)
    others = (" ".join(key_of(text).words) for text, plain, own in seen if plain and not own)
    return sum(bool(name) and name in words for words in others)
