"""
Whether all that a person sees there is known, and drawn alike, where words count or rank.

An ordinal, a size, "between", "nearest" and a direction speak of all that is comparable, not
only of what was recorded. The picture is asked: what is drawn (``marks``) and belongs to no
element may be a control that nobody recorded, and elements of one role that are not drawn
alike are no row to a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.instruction import Colour, Expression
from surefoot.refer.resolve.containers import within
from surefoot.refer.resolve.detected import proves_less
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.ordinals import arrangement_of
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.resolve.resolve import fits, without_rank
from surefoot.refer.resolve.things import outermost, same_thing
from surefoot.refer.scene.arrangement import OTHER_LINE
from surefoot.refer.scene.colours import COLOURS
from surefoot.refer.scene.geometry import Boxes, Mask, distances, lies
from surefoot.refer.scene.names import spoken
from surefoot.refer.scene.scene import Scene

LEAST_RECALL: Final = 0.95  # of the marks on a still
LEAST_COUNTED: Final = 3
SAME_HEIGHT: Final = 1.5
CLEARLY_LARGER: Final = 1.5  # in area
FRAMED: Final = 0.85  # least intersection over union of a frame and its box
BOXES: Final = frozenset({"checkbox", "radio"})
SQUARE: Final = 1.4  # the longer over the shorter side
HALF_LINE: Final = 0.5
MOSTLY: Final = 0.8  # of a box
ALIKE_PX: Final = 1.5  # by which the sides of the same words differ at most
MOST_BOX_PX: Final = 40.0
LEAST_ICON_PX: Final = 12.0
LEAST_PICTURE_PX: Final = 6.0
TWICE: Final = 2.0
MOST_AROUND: Final = 0.1  # of the ring around a box
WIDER_GAP: Final = 2.0
COMPARABLE_HEIGHT: Final = 2.0
COMPARABLE_WIDTH: Final = 3.0
IN_LINE: Final = 0.5
NEAR_LINES: Final = 5.0
LEAST_REACH_PX: Final = 3.0
# Chosen of several, which is said without the name of what is chosen.
_CHOSEN: Final = frozenset({"pressed", "selected"})


def all_known(scene: Scene, expression: Expression, target: int) -> Rejection | None:
    """
    Tell why words that count or rank cannot be trusted for a target (by its place), or None.

    Without pixels the capture's word is taken.
    """
    if scene.pixels is None:
        return None
    counts = bool(expression.ordinal or expression.size or expression.second)
    still = _is_still(scene)
    rejection = None
    if expression.state in _CHOSEN and not expression.name and _drawn_chosen(scene, target):
        rejection = Rejection("ambiguous-lenient", "something else that is drawn as chosen")
    elif not _looks_its_word(scene, expression, target):
        rejection = Rejection("not-like-its-word", expression.role)
    elif expression.container and not _in_one_row(scene, expression.container, target):
        rejection = Rejection("not-like-its-word", expression.container.role)
    elif expression.colour and not _stands_off(scene, expression.colour, target):
        rejection = Rejection("colour-around")
    elif counts and still and scene.recall < LEAST_RECALL:
        rejection = Rejection("gaps")
    elif expression.ordinal is not None and not _is_line(scene, expression):
        rejection = Rejection("not-a-line")
    elif expression.size and not _stands_out(scene, expression, target):
        rejection = Rejection("not-comparable")
    if rejection is None and scene.screen.guessed_by:
        rejection = proves_less(scene, expression, target)
    return rejection or _twin(scene, expression, target) or _related(scene, expression, target)


def _drawn_chosen(scene: Scene, target: int) -> bool:
    """
    Tell whether something of no such role, about as high, is styled as what is chosen.

    A link is styled so where the page that is shown is listed: it counts in one row with the
    target alone.
    """
    own = scene.elements[target].box
    kin = scene.kin(target)
    for place, element in enumerate(scene.elements):
        if "chosen" not in element.attributes or kin[place] or not scene.glimpsed[place]:
            continue
        in_row = own.top < element.box.center.y < own.bottom
        alike = own.height / TWICE <= element.box.height <= TWICE * own.height
        if alike and (in_row or element.role != "link"):
            return True
    return False


def _twin(scene: Scene, expression: Expression, target: int) -> Rejection | None:
    """
    Tell of words that are no control, and read and look as those of a target without a frame.

    Of two logos, one of which is a link, nobody knows which one is meant.
    """
    own = scene.elements[target]
    if not expression.name or not own.text_boxes:
        return None
    around = {target, *scene.above(target), *scene.below(target)}
    hull = Box.around(own.text_boxes)
    if own.box.area > TWICE * hull.area and _is_framed(scene, target):
        return None
    for place, other in enumerate(scene.elements):
        words = scene.texts[place] == scene.texts[target] and bool(other.text_boxes)
        if not words or scene.thing[place] or place in around or not scene.glimpsed[place]:
            continue
        twin = Box.around(other.text_boxes)
        alike = (
            abs(twin.width - hull.width) <= ALIKE_PX and abs(twin.height - hull.height) <= ALIKE_PX
        )
        coloured = own.attributes.get("color") == other.attributes.get("color")
        mine = set(other.text_boxes) & {*own.text_boxes, *own.name_boxes}
        if (
            alike
            and coloured
            and not mine
            and not any(scene.thing[at] for at in scene.above(place))
        ):
            return Rejection("ambiguous-lenient", "the same words, drawn alike")
    return None


def _in_one_row(scene: Scene, container: Expression, target: int) -> bool:
    """
    Tell whether a row's text stands beside a target (by its place); of other containers, True.

    A page that is laid out by a table has rows that nobody sees: several lines are one.
    """
    if container.role != "row" or not container.text:
        return True
    own, wanted = scene.elements[target].box, spoken(container.text)
    inside = within(scene, container, "strict")
    return any(
        min(line.bottom, own.bottom) - max(line.top, own.top)
        > OTHER_LINE * min(line.height, own.height)
        for place in np.flatnonzero(inside)
        if scene.texts[place] == wanted
        for line in scene.elements[place].text_boxes
    )


def _is_still(scene: Scene) -> bool:
    """Tell whether no browser said what is drawn with a ground of its own."""
    return scene.screen.platform != "web" or bool(scene.screen.guessed_by)


def _related(scene: Scene, expression: Expression, target: int) -> Rejection | None:
    given = [item for item in (expression.landmark, expression.second) if item is not None]
    found = [landmark_place(scene, item) for item in given]
    places = [item for item in found if item is not None]
    for end, place in zip(given, found, strict=True):
        rejection = None if place is None or not end.role else _drawn_so(scene, end, place)
        if rejection is not None:
            return rejection
    if expression.second is not None and not _stands_near(scene, places, target):
        return Rejection("too-far")
    if expression.direction is not None or expression.second is not None:
        for place in places:
            if any(interposed(scene, place, target)):
                return Rejection("something-between")
    if _nearer(scene, expression, places, target, scene.unrecorded).any():
        return Rejection("gaps")
    if expression.content == "icon":
        pictures = _pictures(scene, target)
        if _nearer(scene, expression, places, target, pictures, lines=1.0).any():
            return Rejection("ambiguous-lenient", "a picture in something else")
    return None


def _drawn_so(scene: Scene, landmark: Expression, place: int) -> Rejection | None:
    """Tell why a landmark (by its place) does not look as it is called, or None."""
    if not _looks_its_word(scene, landmark, place):
        return Rejection("not-like-its-word", landmark.role)
    off = not landmark.colour or _stands_off(scene, landmark.colour, place)
    return None if off else Rejection("colour-around")


def _pictures(scene: Scene, target: int) -> Mask:
    """
    Tell which marks look like an icon to a person, and are part of something that has words.

    The folder of a tree's item is no less an icon than the arrow before it.
    """
    width, height = (scene.marks[:, 2:] - scene.marks[:, :2]).T
    square = np.maximum(width, height) <= SQUARE * np.minimum(width, height)
    found = square & (np.minimum(width, height) >= LEAST_ICON_PX) & ~scene.marks_of(target)
    held = np.zeros(len(scene.marks), dtype=bool)
    x, y = ((scene.marks[:, :2] + scene.marks[:, 2:]) / 2).T
    for place, element in enumerate(scene.elements):
        if not scene.thing[place] or not scene.texts[place] or place == target:
            continue
        held |= scene.marks_in(scene.marks, place)
        for line in element.text_boxes:
            across = (line.left <= x) & (x <= line.right)
            found &= ~(across & (line.top <= y) & (y <= line.bottom))
    pictures: Mask = found & held
    return pictures


def _counted(scene: Scene, expression: Expression) -> tuple[int, ...]:
    """Return the things that an ordinal or a size ranks, one that wraps another once."""
    plain = without_rank(expression)
    return tuple(outermost(scene, np.flatnonzero(fits(scene, plain, "strict"))))


def _is_line(scene: Scene, expression: Expression) -> bool:
    """
    Tell whether what an ordinal counts is seen as one row, one column or one table.

    Three things at least that look alike, evenly spaced, and nothing else that is drawn like
    them among them or where the line would go on.
    """
    plain = without_rank(expression)
    counting = arrangement_of(scene, fits(scene, plain, "strict"), (plain, "strict"))
    places, rows = counting.places, counting.rows
    if rows is None or len(places) < LEAST_COUNTED or not _look_alike(scene, places):
        return False
    extents = np.array([scene.extent(item) for item in places])
    at = {place: index for index, place in enumerate(places)}
    lines = [extents[[at[item] for item in row]] for row in rows]
    if counting.stacked and len(rows) == len(places):
        spaced = _evenly_spaced(np.concatenate(lines)[:, [1, 0, 3, 2]])
    elif len(rows) == 1:
        spaced = _evenly_spaced(lines[0])
    else:
        table = {len(row) for row in rows[:-1]} == {len(rows[0])} and len(rows[-1]) <= len(rows[0])
        spaced = table and all(_evenly_spaced(line) for line in lines)
    return spaced and not _continued(scene, places, extents).any()


def _look_alike(scene: Scene, places: tuple[int, ...]) -> bool:
    """Tell whether all are as high as another, all framed or none, all of words or none."""
    extents = np.array([scene.extent(place) for place in places])
    heights = extents[:, 3] - extents[:, 1]
    framed = {_is_framed(scene, place) for place in places}
    worded = {bool(scene.texts[place]) for place in places}
    even = bool(heights.max() <= SAME_HEIGHT * heights.min())
    return even and len(framed) == 1 and len(worded) == 1


def _is_framed(scene: Scene, place: int) -> bool:
    """Tell whether a border or a ground of its own is drawn where an element's box is."""
    box, marks = scene.boxes[place], scene.marks
    sides = np.minimum(marks[:, 2:], box[2:]) - np.maximum(marks[:, :2], box[:2])
    shared = np.prod(np.maximum(sides, 0.0), axis=1)
    areas = np.prod(marks[:, 2:] - marks[:, :2], axis=1) + np.prod(box[2:] - box[:2])
    return bool((shared >= FRAMED * (areas - shared)).any())


def _looks_its_word(scene: Scene, expression: Expression, target: int) -> bool:
    """Tell whether a target is drawn as what it is called: an icon, a button, a checkbox."""
    marks = scene.marks[scene.marks_of(target)]
    width, height = (marks[:, 2:] - marks[:, :2]).T
    square = np.maximum(width, height) <= SQUARE * np.minimum(width, height)
    element = scene.elements[target]
    line = min((box.height for box in element.text_boxes), default=0.0)
    if expression.icon and not _is_pictured(scene, target):
        return False
    if expression.content == "icon":
        left, top, right, bottom = scene.extent(target)
        return bool(max(right - left, bottom - top) <= TWICE * min(right - left, bottom - top))
    if expression.role == "slider":
        return not _is_part(scene, target)
    if expression.role in BOXES:
        small = np.maximum(width, height) <= MOST_BOX_PX
        return bool((small & square & (height >= HALF_LINE * line)).any())
    if expression.role not in ("button", "link"):
        return True
    if not expression.name and not scene.typical[target]:
        return expression.role == "button" and _is_framed(scene, target)
    # On a page a background is recorded; on a still, words alone are a label to everybody.
    words = bool(element.text or element.name_boxes) and expression.role == "button"
    still = _is_still(scene)
    pictured = (square & (np.minimum(width, height) >= LEAST_ICON_PX)).any()
    return not (words and still) or bool(pictured) or _is_framed(scene, target)


def _is_pictured(scene: Scene, target: int) -> bool:
    """Tell whether something about square is drawn in a target where none of its words are."""
    element = scene.elements[target]
    marks = scene.marks[scene.marks_in(scene.marks, target)]
    width, height = (marks[:, 2:] - marks[:, :2]).T
    square = np.maximum(width, height) <= TWICE * np.minimum(width, height)
    small = (np.minimum(width, height) >= LEAST_PICTURE_PX) & (width < element.box.width)
    parts = [element, *(scene.elements[place] for place in scene.below(target))]
    x, y = ((marks[:, :2] + marks[:, 2:]) / 2).T
    for line in {line for part in parts for line in part.text_boxes}:
        small &= ~((line.left <= x) & (x <= line.right) & (line.top <= y) & (y <= line.bottom))
    icon = not any(part.text_boxes for part in parts)
    return icon or bool((square & small).any())


def _is_part(scene: Scene, target: int) -> bool:
    """Tell whether a target, as the knob of a switch, lies in the box of another control."""
    box = scene.elements[target].box
    for place, element in enumerate(scene.elements):
        if place == target or not scene.thing[place] or not scene.glimpsed[place]:
            continue
        shared = element.box.intersection(box)
        if shared is not None and shared.area >= MOSTLY * box.area:
            return True
    return False


def _stands_off(scene: Scene, colour: Colour, target: int) -> bool:
    """Tell whether what lies around a target is not of the colour that it is told by."""
    figure = scene.figure(target)
    ring = (0,) if figure is None else figure.ring
    return figure is not None and ring[COLOURS.index(colour)] <= MOST_AROUND * sum(ring)


def _evenly_spaced(line: Boxes) -> bool:
    """Tell whether no gap of a line (from the left) is far wider than the others."""
    gaps = line[1:, 0] - line[:-1, 2]
    height = float(np.median(line[:, 3] - line[:, 1]))
    return not gaps.size or bool(gaps.max() <= WIDER_GAP * max(float(np.median(gaps)), 0) + height)


def _continued(scene: Scene, places: tuple[int, ...], extents: Boxes) -> Mask:
    """Tell which marks, of nothing that is counted, are drawn like it where it stands."""
    own = np.zeros(len(scene.marks), dtype=bool)
    for place in places:
        own |= scene.marks_of(place)
    low, high = extents[:, :2].min(axis=0), extents[:, 2:].max(axis=0)
    centres = (extents[:, :2] + extents[:, 2:]) / 2
    reach = np.array([_pitch(centres[:, axis]) for axis in (0, 1)])
    hull = np.concatenate([low - reach, high + reach])
    x, y = ((scene.marks[:, :2] + scene.marks[:, 2:]) / 2).T
    around = (x >= hull[0]) & (x <= hull[2]) & (y >= hull[1]) & (y <= hull[3])
    # Only what stands in line with something that is counted goes on with it.
    across = np.minimum.outer(scene.marks[:, 2], extents[:, 2]) - np.maximum.outer(
        scene.marks[:, 0], extents[:, 0]
    )
    along = np.minimum.outer(scene.marks[:, 3], extents[:, 3]) - np.maximum.outer(
        scene.marks[:, 1], extents[:, 1]
    )
    width, height = (scene.marks[:, 2:] - scene.marks[:, :2]).T
    lined = (across >= IN_LINE * width[:, None]) | (along >= IN_LINE * height[:, None])
    found: Mask = ~own & around & lined.any(axis=1) & _comparable(scene.marks, extents)
    return found


def _pitch(centres: Boxes) -> float:
    """Return the usual distance of neighbours along an axis, 0 where all stand in one line."""
    steps = np.diff(np.unique(centres.round()))
    return float(np.median(steps)) if steps.size else 0.0


def _comparable(marks: Boxes, extents: Boxes) -> Mask:
    """Tell which marks are about as large as one of several boxes."""
    sizes, others = (boxes[:, 2:] - boxes[:, :2] for boxes in (marks, extents))
    ratio = sizes[:, None, :] / np.maximum(others[None, :, :], 1.0)
    most = np.array([COMPARABLE_WIDTH, COMPARABLE_HEIGHT])
    near: Mask = np.logical_and(ratio <= most, ratio >= 1 / most)
    found: Mask = np.any(np.all(near, axis=2), axis=1)
    return found


def _stands_out(scene: Scene, expression: Expression, target: int) -> bool:
    """
    Tell whether a target is plainly the largest or smallest of what is drawn as it is.

    All that are compared span their boxes, no other comes near the target's area, and
    nothing that was not recorded does.
    """
    places = _counted(scene, expression)
    if not all(_is_framed(scene, place) for place in places):
        return False
    areas = np.prod(scene.boxes[:, 2:] - scene.boxes[:, :2], axis=1)
    sizes = np.prod(scene.marks[:, 2:] - scene.marks[:, :2], axis=1)
    others = areas[[place for place in places if not scene.kin(target)[place]]]
    like = _comparable(scene.marks, scene.boxes[list(places)])
    strange = sizes[scene.unrecorded & like]
    if expression.size == "largest":
        least = areas[target] / CLEARLY_LARGER
        return bool((others <= least).all() and (strange <= least).all())
    most = areas[target] * CLEARLY_LARGER
    return bool((others >= most).all() and (strange >= most).all())


def _stands_near(scene: Scene, landmarks: list[int], target: int) -> bool:
    """Tell whether a target is at most five lines away from each landmark it stands between."""
    return all(
        distances(scene.boxes[[target]], scene.text_boxes[landmark])[0]
        <= NEAR_LINES * text_unit(scene.elements[landmark])
        for landmark in landmarks
    )


def interposed(scene: Scene, landmark: int, target: int) -> Iterator[int]:
    """
    Yield what stands between a landmark and a target: other controls, and other words.

    A control in the target is one of its own; the words that name either are its own.
    """
    corridor = _corridor(scene, landmark, target)
    if corridor is None:
        return
    around = {*scene.above(target), *scene.above(landmark), *scene.below(landmark)}
    own = {*scene.elements[target].name_boxes, *scene.elements[landmark].name_boxes}
    own |= {*scene.elements[target].text_boxes, *scene.elements[landmark].text_boxes}
    within = scene.below(target)
    for place, element in enumerate(scene.elements):
        if place in around or place in (target, landmark) or not scene.glimpsed[place]:
            continue
        if scene.thing[place]:
            if same_thing(scene, target, place) or same_thing(scene, landmark, place):
                continue
            parts = [element.box]
        else:
            parts = [box for box in element.text_boxes if box not in own]
        if (scene.thing[place] or place not in within) and any(
            _reaches(corridor, box) for box in parts
        ):
            yield place


def _corridor(scene: Scene, landmark: int, target: int) -> Box | None:
    """Return the box between two things that face each other, None where they touch."""
    one = scene.boxes[landmark] if scene.thing[landmark] else scene.text_boxes[landmark]
    other = scene.boxes[target]
    low, high = np.minimum(one, other)[2:], np.maximum(one, other)[:2]
    gaps = high - low
    axis = int(gaps.argmax())
    if gaps[axis] <= LEAST_REACH_PX or gaps[1 - axis] > 0:
        return None
    sides = [0.0] * 4
    sides[axis], sides[axis + 2] = float(low[axis]), float(high[axis])
    sides[1 - axis], sides[3 - axis] = float(high[1 - axis]), float(low[1 - axis])
    return Box(*sides)


def _reaches(corridor: Box, box: Box) -> bool:
    """Tell whether a box lies in a corridor, by more than its edge."""
    shared = corridor.intersection(box)
    if shared is None:
        return False
    least = min(box.height, box.width, corridor.width, corridor.height) / 2
    return min(shared.width, shared.height) >= min(LEAST_REACH_PX, least)


def _nearer(
    scene: Scene,
    expression: Expression,
    landmarks: list[int],
    target: int,
    marks: Mask,
    *,
    lines: float = 0.0,
) -> Mask:
    """Tell which of some marks, comparable to a target, come before it, or so many lines after."""
    like = _comparable(scene.marks, np.array([scene.extent(target), scene.boxes[target]]))
    doubtful = marks & like
    found = np.zeros(len(scene.marks), dtype=bool)
    for landmark in landmarks:
        apart = distances(scene.marks, scene.text_boxes[landmark])
        own = distances(scene.boxes[[target]], scene.text_boxes[landmark])[0]
        unit = text_unit(scene.elements[landmark])
        nearer = doubtful & (apart <= own + lines * unit) & ~scene.marks_of(landmark)
        if expression.direction is not None:
            nearer &= lies(
                expression.direction, scene.marks, scene.text_boxes[landmark], unit, "strict"
            )
        elif expression.second is not None:
            nearer &= _among(scene, landmarks)
        found |= nearer
    return found


def _among(scene: Scene, landmarks: list[int]) -> Mask:
    """Tell which marks lie in the box around landmarks."""
    boxes = scene.text_boxes[landmarks]
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    centres = (scene.marks[:, :2] + scene.marks[:, 2:]) / 2
    found: Mask = ((centres >= low) & (centres <= high)).all(axis=1)
    return found
