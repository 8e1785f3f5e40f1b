"""
What can be measured of a target, of what is around it, and of the picture, as numbers by name.

Lengths are pixels of the picture that is shown. What a number means is said in
``measures.MEASURES``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.refer.scene.geometry import distances
from surefoot.refer.scene.names import alike, key_of
from surefoot.refer.scene.scene import Scene
from surefoot.score.stats.arrays import Bools, Floats

NEAR_PX: Final = 40.0
ROUND_PX: Final = 100.0
RING_PX: Final = 8
ALIKE: Final = 1.25  # times each side
ALIGNED_PX: Final = 4.0
INK: Final = (2.0, 98.0)  # percentiles of luminance: ground and ink, whichever is lighter
MARGIN_PX: Final = 2
EDGE: Final = 0.1  # between neighbouring pixels, in lightness of 0 to 1
SHADE: Final = 12  # of 255, by which a channel differs visibly
INK_DEPTH: Final = 0.6  # of the greatest difference from the ground, from which on it is ink
VIVID: Final = 30.0  # percent between channels
VIVID_PX: Final = 24
ICON_PX: Final = 48.0
WORD: Final = 3  # letters of a word that tells anything
_WEIGHTS: Final = np.array([0.2126, 0.7152, 0.0722])


def around_target(scene: Scene, place: int) -> dict[str, float]:
    """Measure a target; kept with the scene, since many questions are about it."""
    key = ("measures", place)
    if key not in scene.numbers:
        scene.numbers[key] = (
            _placed(scene, place)
            | _beside(scene, place)
            | _named(scene, place)
            | _written(scene, place)
            | _drawn(scene, place)
        )
    return scene.numbers[key]


def on_picture(scene: Scene) -> dict[str, float]:
    """Measure a picture; kept with the scene."""
    key = ("picture", 0)
    if key not in scene.numbers:
        scene.numbers[key] = _pictured(scene)
    return scene.numbers[key]


def share_a_word(one: str, other: str) -> bool:
    """
    Tell whether two names have a word of three letters or more in common.

    >>> share_a_word("Open file", "File name"), share_a_word("Go on", "Log on")
    (True, False)
    """
    return bool(_words(one) & _words(other))


def _words(name: str) -> frozenset[str]:
    return frozenset(word for word in key_of(name).words if len(word) >= WORD)


def _placed(scene: Scene, place: int) -> dict[str, float]:
    screen, element = scene.screen, scene.elements[place]
    box, middle = element.box, element.box.center
    width, height = max(box.width, 1.0), max(box.height, 1.0)
    across, down = middle.x / screen.width, middle.y / screen.height
    beyond = (screen.width - middle.x, screen.height - middle.y)
    return {
        "side": min(width, height),
        "width": width,
        "height": height,
        "aspect": width / height,
        "share": 100 * width * height / (screen.width * screen.height),
        "x": middle.x,
        "y": middle.y,
        "x-share": 100 * across,
        "y-share": 100 * down,
        "edge": max(
            0.0, min(box.left, box.top, screen.width - box.right, screen.height - box.bottom)
        ),
        "edge-across": max(0.0, min(box.left, screen.width - box.right)),
        "edge-down": max(0.0, min(box.top, screen.height - box.bottom)),
        "middle-edge": max(0.0, min(middle.x, middle.y, *beyond)),
        "off-middle": 200 * max(abs(across - 0.5), abs(down - 0.5)),
        "aside": 200 * abs(across - 0.5),
        "depth": float(sum(1 for _ in scene.above(place))),
        "visible": 100 * element.visible_fraction,
        "reached": 100 * sum(element.hits) / max(len(element.hits), 1),
    }


def _beside(scene: Scene, place: int) -> dict[str, float]:
    """Measure how near other controls are, and how many of them are like the target."""
    element, screen = scene.elements[place], scene.screen
    others = scene.thing & scene.plain & ~scene.kin(place)
    apart = distances(scene.boxes, scene.boxes[place])
    same = np.array([one.role == element.role for one in scene.elements], dtype=bool) & others
    size = np.maximum(scene.boxes[:, 2:] - scene.boxes[:, :2], 1.0)
    ratio = size / size[place]
    twins = same & (np.maximum(ratio, 1 / ratio) <= ALIKE).all(axis=1)
    left, top, _, bottom = scene.boxes.T
    x, y = scene.centres.T
    row = (y >= top[place]) & (y <= bottom[place])
    column = (np.abs(left - left[place]) <= ALIGNED_PX) | (np.abs(x - x[place]) <= ALIGNED_PX)
    far = float(max(screen.width, screen.height))

    def next_of(which: Bools, turn: int = 1) -> float:
        return float(np.sort(np.append(apart[which], [far] * turn))[turn - 1])

    written = scene.plain & np.array(list(map(bool, scene.texts)), dtype=bool) & ~scene.kin(place)
    words = np.array([len(text.split()) for text in scene.texts])
    bare = np.array([at not in scene.children for at in range(len(words))], dtype=bool)
    in_line = same & (row | column)
    before = np.where(row, x < x[place], y < y[place])

    return {
        "nearest": next_of(others),
        "fourth-nearest": next_of(others, 4),
        "eighth-nearest": next_of(others, 8),
        "nearest-words": next_of(written),
        "words-around": float(words[written & bare & (apart <= ROUND_PX)].sum()),
        "nearest-same": next_of(same),
        "nearest-twin": next_of(twins),
        "near": float((others & (apart <= NEAR_PX)).sum()),
        "around": float((others & (apart <= ROUND_PX)).sum()),
        "near-same": float((same & (apart <= NEAR_PX)).sum()),
        "near-twins": float((twins & (apart <= NEAR_PX)).sum()),
        "rivals-count": float(same.sum()),
        "twins": float(twins.sum()),
        "row": float((same & row).sum()),
        "column": float((same & column & ~row).sum()),
        "before": float((in_line & before).sum()),
        "after": float((in_line & ~before).sum()),
        "flanked": _flanked(scene, twins & (apart <= NEAR_PX), place),
        "inside": float(sum(1 for _ in scene.below(place))),
    }


def _flanked(scene: Scene, twins: Bools, place: int) -> float:
    """Return on how many sides, of a row or of a column, a target has its like beside it."""
    steps = scene.centres - scene.centres[place]
    both = 0
    for along, across in ((0, 1), (1, 0)):
        line = steps[twins & (np.abs(steps[:, across]) <= ALIGNED_PX), along]
        both = max(both, int((line < 0).any()) + int((line > 0).any()))
    return float(both)


def _named(scene: Scene, place: int) -> dict[str, float]:
    """Measure a target's name, and how many others have it, or something of it."""
    name = scene.names[place]
    found = {"name": float(len(scene.elements[place].name))}
    if not name:
        return found
    others = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(place)).tolist()
    shared = np.array([share_a_word(scene.names[other], name) for other in others], dtype=bool)
    first = key_of(name).words[:1]
    return found | {
        "name-words": float(len(name.split())),
        "namesakes": float(sum(scene.names[other] == name for other in others)),
        "alike-names": float(sum(alike(scene.names[other], name) for other in others)),
        "same-start": float(
            sum(key_of(scene.names[other]).words[:1] == first for other in others)
        ),
        "shared-words": float(shared.sum()),
        "nearest-shared": float(
            distances(scene.boxes[others], scene.boxes[place])[shared].min(
                initial=max(scene.screen.width, scene.screen.height)
            )
        ),
        "elsewhere": float(elsewhere(scene, place)),
    }


def elsewhere(scene: Scene, place: int) -> int:
    """Count the other things seen whose words have an element's name in them."""
    name = " ".join(key_of(scene.names[place]).words)
    told = zip(scene.texts, scene.plain, scene.kin(place), strict=True)
    others = (" ".join(key_of(text).words) for text, seen, own in told if seen and not own)
    return sum(bool(name) and name in words for words in others)


def _written(scene: Scene, place: int) -> dict[str, float]:
    """Measure the words that a target shows."""
    element = scene.elements[place]
    if not element.text_boxes:
        return {}
    words = Box.around(element.text_boxes)
    width = max(element.box.width, 1.0)
    found = {
        "text-px": min(line.height for line in element.text_boxes),
        "words-across": min(100.0, 100 * words.width / width),
        "words-aside": min(100.0, 200 * abs(words.center.x - element.box.center.x) / width),
        "lines": float(len(element.text_boxes)),
        "filled": min(
            100.0, 100 * sum(line.area for line in element.text_boxes) / max(element.box.area, 1.0)
        ),
    }
    if scene.pixels is not None:
        found["words-contrast"] = scene.legibility(place).contrast
        found["pictures-beside"] = float(_unwritten(scene, place))
    return found | ({"font": element.font_px} if element.font_px else {})


def _unwritten(scene: Scene, place: int) -> int:
    """Count the small marks in a target's box beside its words."""
    marks = scene.marks[scene.marks_in(scene.marks, place)]
    x, y = ((marks[:, :2] + marks[:, 2:]) / 2).T
    free = (marks[:, 2:] - marks[:, :2]).max(axis=1, initial=0.0) <= ICON_PX
    for line in scene.elements[place].text_boxes:
        left, top, right, bottom = line.as_tuple()
        free &= ~((left <= x) & (x <= right) & (top <= y) & (y <= bottom))
    return int(free.sum())


def _drawn(scene: Scene, place: int) -> dict[str, float]:
    """Measure a target's pixels: how they differ from one another, and from those around."""
    box = scene.elements[place].box
    if scene.pixels is None:
        return {}
    around = _cut(scene.pixels, box.as_tuple(), MARGIN_PX)
    if not around.size:
        return {}
    dark, middle, light = np.percentile(_luminance(around), (INK[0], 50.0, INK[1]))
    wide = _cut(scene.pixels, box.as_tuple(), RING_PX)
    ground = 100 * float(np.sqrt(middle))
    lighter = ground - on_picture(scene)["brightness"]
    return {
        "ground": ground,
        "lighter": max(0.0, lighter),
        "darker": max(0.0, -lighter),
        "contrast": float((light + 0.05) / (dark + 0.05)),
        "stands-out": 100 * abs(float(np.sqrt(middle)) - float(np.sqrt(_ring(wide)))),
        "framed": _framed(scene.pixels, box),
        "colourful": _colourful(around),
        "ink-colourful": _ink_colour(scene, place),
        "vivid": _vivid(_cut(scene.pixels, box.as_tuple(), VIVID_PX)),
        "detail": _detail(_cut(scene.pixels, box.as_tuple(), int(NEAR_PX))),
    }


def _pictured(scene: Scene) -> dict[str, float]:
    screen = scene.screen
    leaves = [at for at in np.flatnonzero(scene.plain).tolist() if at not in scene.children]
    fonts = [scene.elements[at].font_px for at in leaves if scene.texts[at]]
    found = {
        "picture-width": float(screen.width),
        "picture-height": float(screen.height),
        "controls": float((scene.thing & scene.plain).sum()),
        "picture-words": float(sum(len(scene.texts[at].split()) for at in leaves)),
    }
    if fonts:
        found["picture-font"] = float(np.median(fonts))
    if scene.pixels is not None:
        found["brightness"] = 100 * float(np.sqrt(np.median(_luminance(scene.pixels[::8, ::8]))))
        found["picture-colourful"] = _colourful(scene.pixels[::8, ::8])
        found["picture-detail"] = _detail(scene.pixels)
    return found


def _cut(pixels: Pixels, box: tuple[float, float, float, float], margin: int) -> Pixels:
    left, top, right, bottom = box
    return pixels[
        max(round(top) - margin, 0) : max(round(bottom) + margin, 0),
        max(round(left) - margin, 0) : max(round(right) + margin, 0),
    ]


def _framed(pixels: Pixels, box: Box) -> float:
    """Return how many in a hundred pixels on a box's edge differ from what is around it."""
    wide, outside = _cut(pixels, box.as_tuple(), MARGIN_PX), _cut(pixels, box.as_tuple(), RING_PX)
    if not wide.size or not outside.size:
        return 0.0
    ground = np.median(_rim(outside, 2), axis=0)
    differ = np.abs(_rim(wide, 2 * MARGIN_PX) - ground).max(axis=1) > SHADE
    return 100 * float(differ.mean())


def _rim(pixels: Pixels, width: int) -> Floats:
    """Return a picture's outermost pixels (n x channels), as wide as is said."""
    between = pixels[width:-width]
    sides = (pixels[:width], pixels[-width:], between[:, :width], between[:, -width:])
    return np.concatenate([side.reshape(-1, pixels.shape[2]) for side in sides]).astype(np.float64)


def _ring(wide: Pixels) -> float:
    """Return the median luminance of a picture's outermost rows and columns."""
    return float(np.median(_luminance(_rim(wide, 2))))


def _luminance(pixels: Pixels | Floats) -> Floats:
    """Return relative luminance, 0 to 1; sRGB's curve taken as a power of 2.2."""
    found: Floats = (pixels[..., :3] / 255.0) ** 2.2 @ _WEIGHTS
    return found


def _apart(pixels: Pixels | Floats) -> Floats:
    """Return how far apart the channels of each pixel are, in percent."""
    channels = pixels[..., :3].astype(np.float64)
    found: Floats = 100 * (channels.max(axis=-1) - channels.min(axis=-1)) / 255
    return found


def _colourful(pixels: Pixels) -> float:
    """Return how far apart the channels are in the mean."""
    return float(_apart(pixels).mean())


def _ink_colour(scene: Scene, place: int) -> float:
    """Return how far apart the channels are of what stands out in a target's words, or box."""
    element, pixels = scene.elements[place], scene.pixels
    lines = element.text_boxes or (element.box,)
    parts = [] if pixels is None else [_cut(pixels, line.as_tuple(), 0) for line in lines]
    flat = [part[..., :3].reshape(-1, 3).astype(np.float64) for part in parts if part.size]
    if not flat:
        return 0.0
    seen = np.concatenate(flat)
    apart = np.abs(seen - np.median(seen, axis=0)).max(axis=1)
    return float(_apart(seen[apart >= INK_DEPTH * apart.max()]).mean())


def _vivid(pixels: Pixels) -> float:
    """Return how many in a hundred pixels have a strong colour."""
    return float(100 * (_apart(pixels) >= VIVID).mean())


def _detail(pixels: Pixels) -> float:
    """Return how many in a hundred pixels differ from the next one to the right."""
    grey = pixels[..., :3].astype(np.float64) @ _WEIGHTS / 255
    return float(100 * np.mean(np.abs(np.diff(grey, axis=1)) > EDGE)) if grey.shape[1] > 1 else 0.0
