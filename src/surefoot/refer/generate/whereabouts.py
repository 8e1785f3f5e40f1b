"""
Where a target is: its containers, its regions, and the landmarks around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any, Final, TypeAlias, get_args

import numpy as np

from surefoot.core.instruction import Direction, Expression, Place, Region
from surefoot.refer.generate.hold import container_shown
from surefoot.refer.resolve.containers import SECTION, ContainerPlace, is_one_container, members
from surefoot.refer.resolve.landmarks import landmark_places, stands_apart
from surefoot.refer.resolve.looks import colour_of
from surefoot.refer.resolve.relations import beside, between, in_region, text_unit
from surefoot.refer.resolve.resolve import is_one_thing
from surefoot.refer.resolve.words import FIELDS
from surefoot.refer.scene.geometry import DIRECTIONS, distances, past, shares
from surefoot.refer.scene.icons import icons_of
from surefoot.refer.scene.names import cut_name, key_of, sayable
from surefoot.refer.scene.roles import TARGETS
from surefoot.refer.scene.scene import Scene

Parts: TypeAlias = dict[str, Any]
NEAREST_A_DIRECTION: Final = 8
NEAREST: Final = 12
NEAREST_A_SIDE: Final = 4
FURTHEST_LINES: Final = 10.0
MOST_CONTAINERS: Final = 4
TEXTS_A_CONTAINER: Final = 2
OPPOSITES: Final[tuple[tuple[Direction, Direction], ...]] = (
    ("left of", "right of"), ("above", "below"),
)  # fmt: skip
# Containers that people see as one, and tell from others like them by a text in them.
_WITH_TEXT: Final = frozenset({"cell", "dialog", "form", "grid", "gridcell", "row", "table"})
_WITH_NAME: Final = _WITH_TEXT | {
    "alertdialog", "article", "complementary", "figure", "group", "list", "listbox", "main",
    "menu", "menubar", "navigation", "panel", "radiogroup", "region", "search", "tablist",
    "tabpanel", "toolbar", "tree", "treegrid", "window",
}  # fmt: skip


def points(scene: Scene) -> tuple[tuple[Expression, int], ...]:
    """
    Return what can be pointed from on a scene, with its place.

    A landmark is said by its text; a control or a heading whose text is not its name (a
    field, by its label), or is not alone, by its role and its name; any control also by what
    it shows, or by its colour.
    """
    if scene.points is None:
        found = {place: Expression(text=scene.names[place]) for place in landmark_places(scene)}
        for place, element in enumerate(scene.elements):
            named = Expression(role=element.role, name=scene.names[place])
            if place not in found and _nameable(scene, place) and is_one_thing(scene, named):
                found[place] = named
        known = tuple((expression, place) for place, expression in sorted(found.items()))
        scene.points = (*known, *_seen_points(scene))
    return scene.points


def _seen_points(scene: Scene) -> Iterator[tuple[Expression, int]]:
    """Yield the controls that are known by what they show, or by their colour, each once."""
    for place, element in enumerate(scene.elements):
        if element.role not in TARGETS or not scene.plain[place]:
            continue
        looks = [Expression(role=element.role, icon=icon) for icon in icons_of(scene, place)]
        if colour := colour_of(scene, place):
            looks.append(Expression(role=element.role, colour=colour))
        known = (look for look in looks if is_one_thing(scene, look))
        yield from ((look, place) for look in islice(known, 1))


def regions(scene: Scene, target: int) -> tuple[Region, ...]:
    """Return the regions that a target (by its place) strictly lies in."""
    framed = bool((scene.windows[target] != scene.frame[0]).any())
    places: tuple[Place, ...] = get_args(Place)
    given = [Region(place, "screen") for place in places]
    given += [Region(place, "window") for place in places if framed]
    return tuple(region for region in given if in_region(scene, region, "strict")[target])


def containers(scene: Scene, target: int) -> tuple[Expression, ...]:
    """
    Return what strictly holds a target (by its place) and can be told, the smallest first.

    A section by its heading, and any container by its name or by a text in it, where these
    can be read in the picture and mean one container.
    """
    around = [ContainerPlace(place) for place in scene.above(target)]
    headings = (ContainerPlace(heading, section=True) for heading in _headings(scene))
    held = [*around, *(heading for heading in headings if heading.place != target)]
    held = [container for container in held if members(scene, container, "strict")[target]]
    held.sort(
        key=lambda container: (
            int(members(scene, container, "strict").sum()),
            not container.section,
        )
    )
    expressions = (expression for holder in held for expression in _said(scene, holder, target))
    clear = (
        fromkey
        for fromkey in dict.fromkeys(expressions)
        if is_one_container(scene, fromkey) and container_shown(scene, fromkey)
    )
    return tuple(expression for _, expression in zip(range(MOST_CONTAINERS), clear, strict=False))


def relations(scene: Scene, target: int) -> tuple[Parts, ...]:
    """Return how a target (by its place) strictly stands to the landmarks around it."""
    apart = distances(scene.boxes, scene.boxes[target])
    order = sorted(points(scene), key=lambda point: (float(apart[point[1]]), point[1]))
    near = [item for item in order if stands_apart(scene, item[1], target)]
    found: list[Parts] = []
    for direction in DIRECTIONS:
        there = [
            expression for expression, at in near if beside(scene, direction, at, "strict")[target]
        ]
        found += [
            {"direction": direction, "landmark": expression}
            for expression in there[:NEAREST_A_DIRECTION]
        ]
    found += [
        {"relation": "nearest", "landmark": expression}
        for expression, at in near[:NEAREST]
        if apart[at] <= FURTHEST_LINES * text_unit(scene.elements[at])
        and not _belongs_to_another(scene, at, target)
    ]
    return (*found, *_between(scene, target, near))


def _belongs_to_another(scene: Scene, landmark: int, target: int) -> bool:
    """Tell whether a landmark is a control, or names one that is not the target: it is nearer."""
    lines = set(scene.elements[landmark].text_boxes)
    beginning = _field_after(scene, landmark)
    return (
        bool(scene.thing[landmark])
        or beginning not in {None, target}
        or any(
            bool(lines.intersection(element.name_boxes)) and scene.thing[place] and place != target
            for place, element in enumerate(scene.elements)
        )
    )


def _field_after(scene: Scene, landmark: int) -> int | None:
    """
    Return the field that stands next to the right of a text, in its line: the eye joins them.

    A form's labels stand in a column, so that what lies above or below one is often nearer
    than the field that it names.
    """
    text = scene.text_boxes[landmark]
    there = past("right of", scene.boxes, text) & shares("right of", scene.boxes, text)
    there &= scene.boxes[:, 0] - text[2] <= FURTHEST_LINES * text_unit(scene.elements[landmark])
    words = np.array([bool(item.text_boxes) for item in scene.elements], dtype=bool)
    there &= (scene.thing | words) & scene.glimpsed & ~scene.kin(landmark)
    places = np.flatnonzero(there)
    if not places.size:
        return None
    first = int(places[np.argmin(scene.boxes[places, 0])])
    return first if scene.elements[first].role in FIELDS else None


def _between(scene: Scene, target: int, near: list[tuple[Expression, int]]) -> Iterator[Parts]:
    boxes = scene.boxes[target : target + 1]
    for sides in OPPOSITES:
        ends = [
            [item for item in near if past(side, boxes, scene.text_boxes[item[1]])[0]]
            for side in sides
        ]
        for (expression, first), (other, second) in product(
            *(end[:NEAREST_A_SIDE] for end in ends)
        ):
            if between(scene, [first], [second], "strict")[target]:
                yield {"relation": "between", "landmark": expression, "second": other}


def _nameable(scene: Scene, place: int) -> bool:
    name = scene.names[place]
    known = scene.elements[place].role in TARGETS or scene.elements[place].role == "heading"
    whole = known and sayable(name) and cut_name(name) == name
    return whole and bool(scene.plain[place]) and scene.legibility(place).readable


def _headings(scene: Scene) -> Iterable[int]:
    headed = (
        element.role == "heading" or element.attributes.get("tag") == "legend"
        for element in scene.elements
    )
    return (place for place, found in enumerate(headed) if found)


def _said(scene: Scene, holder: ContainerPlace, target: int) -> Iterator[Expression]:
    role = SECTION if holder.section else scene.elements[holder.place].role
    name = scene.names[holder.place]
    # A row that is named by its cells is known by one of them, not by all in one breath.
    has_name = role != "row" or scene.elements[holder.place].name_from != "content"
    named = has_name and (holder.section or role in _WITH_NAME)
    if named and sayable(name) and cut_name(name) == name:
        yield Expression(role=role, name=name)
    if holder.section or role not in _WITH_TEXT:
        return
    own = {key_of(label) for label in scene.labels[target]}
    inside = members(scene, holder, "strict") & scene.plain & ~scene.thing
    words = (scene.texts[place] for place in np.flatnonzero(inside))
    texts = dict.fromkeys(
        word
        for word in words
        if sayable(word) and cut_name(word) == word and key_of(word) not in own
    )
    for text in list(texts)[:TEXTS_A_CONTAINER]:
        yield Expression(role=role, text=text)
