"""
Contents: what stood in a hidden place, and whether the screen that is left decides where.

Hidden Forms states the content of an interface and asks where to put it. Here it is the hidden
element's own words, which stand nowhere else on the screen, or for a field what would be
entered there. What is left decides the place by one of three things:

    table   the cell in the column below a header and in the row of a key, both of which the
            statement names; no other column has such a header, no other row such a key
    order   the gap between its neighbours in a single line of numbers (four or more) or of
            names (six or more) that rises or falls throughout; first and last are left out,
            and so is what would fit into another line that is sorted but for a few
    label   the term that it defines or the key of its row, named by the statement; or the
            label beside the field, the only field for a value of that kind

Where none of them holds "nothing" decides, and a reader can only guess.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.instruction import Action, Expression
from surefoot.core.screen import Element
from surefoot.refer.generate.generate import LEAST_SIDE_PX, LEAST_VISIBLE, targets
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.resolve.resolve import is_one_thing
from surefoot.refer.say.realise import OPTION_SEPARATOR, action_for, kind_of_value
from surefoot.refer.scene.arrangement import arranged
from surefoot.refer.scene.geometry import distances
from surefoot.refer.scene.names import alike, cut_name, key_of, sayable
from surefoot.refer.scene.scene import Scene

Decided: TypeAlias = Literal["table", "order", "label", "nothing"]
DECIDED: Final[tuple[Decided, ...]] = ("table", "order", "label", "nothing")
CELLS: Final = frozenset({"cell", "gridcell"})
_HEADER: Final = "columnheader"
_HEADS: Final = frozenset({_HEADER, "rowheader"})
_TABLES: Final = frozenset({"grid", "table", "treegrid"})
_BETWEEN: Final = frozenset({"listitem", "none", "paragraph", "presentation"})
_SAYS: Final[Mapping[Action, str]] = {
    "click": "Click where '{}' belongs",
    "type": "Type '{}' where it belongs",
    "select": "Select '{}' where it belongs",
}
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
_FEWEST_NUMBERS: Final = 4
_FEWEST_NAMES: Final = 6
_MOSTLY: Final = 0.75
_LABEL_LINES: Final = 2.0
_SAME_PX: Final = 2.0
_PAIR: Final = 2
# Words of labels that say nothing but which kind of value is wanted.
_TELLING: Final[Mapping[str, frozenset[str]]] = {
    "email": frozenset({"address", "e", "email", "mail", "your"}),
    "tel": frozenset({"mobile", "number", "phone", "telephone", "your"}),
    "url": frozenset({"address", "site", "url", "web", "website", "your"}),
    "date": frozenset({"birth", "birthday", "date", "end", "of", "start"}),
    "time": frozenset({"end", "start", "time"}),
    "color": frozenset({"background", "color", "colour"}),
    "person": frozenset({"full", "name", "your"}),
    "city": frozenset({"city", "town"}),
    "country": frozenset({"country"}),
    "address": frozenset({"address", "street"}),
    "message": frozenset({"comment", "comments", "message", "your"}),
}
# Kinds of which one value may be another's.
_CONFUSED: Final = (
    {"company", "first", "last", "person", "user"},
    {"date", "datetime-local", "month", "time", "week"},
)


class Content(msgspec.Struct, frozen=True):
    """
    Hold what is asked about one hidden element, and what decides its place.

    ``words`` are its own, or what would be entered; ``text`` asks for their place. ``needs``
    are the boxes of the words that decide it, in pixels, which must stay to be seen.
    """

    element: Element
    words: str
    text: str
    action: Action = "click"
    decided: Decided = "nothing"
    needs: tuple[Box, ...] = ()

    @property
    def shown(self) -> bool:
        """Tell whether the screen shows the words where nothing is hidden."""
        return self.action == "click"


def worded(scene: Scene) -> tuple[Element, ...]:
    """Return what can be hidden for its content: whole targets, cells of words, definitions."""
    found = {element.id for element in targets(scene)}
    found |= {
        element.id
        for place, element in enumerate(scene.elements)
        if element.role in {*CELLS, "definition"}
        and scene.plain[place]
        and element.visible_fraction >= LEAST_VISIBLE
        and min(element.box.width, element.box.height) >= LEAST_SIDE_PX
        and not any(scene.thing[inside] for inside in scene.below(place))
        and _read(scene, place)
    }
    bounds = scene.screen.bounds
    return tuple(
        element
        for element in scene.elements
        if element.id in found and bounds.intersection(element.box) == element.box
    )


def contents(scene: Scene, seed: int) -> Iterator[Content]:
    """Yield the contents of a screen, its elements in their order; ``seed`` draws values."""
    places = [scene.place[element.id] for element in worded(scene)]
    rivals, lines = _Fields(scene), {place: _line(scene, place) for place in places}
    for place in places:
        element = scene.elements[place]
        action, value = action_for(element, seed)
        if action != "click":
            yield from rivals.contents(place, action, value)
            continue
        words = _read(scene, place)
        if words and _lies_in(element) and _stands_alone(scene, place, words):
            asked = _SAYS["click"].format(words)
            found = (
                _in_table(scene, place, asked)
                or _in_order(scene, place, asked, lines)
                or _beside_key(scene, place, asked)
            )
            text, decided, needs = found or (asked, "nothing", ())
            yield Content(element, words, text, decided=decided, needs=needs)


_Line: TypeAlias = tuple[int, ...]
_Found: TypeAlias = tuple[str, Decided, tuple[Box, ...]] | None


def _read(scene: Scene, place: int) -> str:
    """Return the words of an element as they are seen, whole and no other than its name, or ""."""
    words = scene.texts[place]
    same = key_of(words) == key_of(scene.names[place])
    read = sayable(words) and same and cut_name(words) == words
    return words if read and "'" not in words and scene.legibility(place).readable else ""


def _lies_in(element: Element) -> bool:
    """Tell whether an element's words are all in its box, and so hidden with it."""
    left, top, right, bottom = element.box.as_tuple()
    box = Box(left - 1, top - 1, right + 1, bottom + 1)
    return all(box.intersection(line) == line for line in element.text_boxes)


def _stands_alone(scene: Scene, place: int, words: str) -> bool:
    """Tell whether no other element says words, not even among more."""
    phrase = f" {' '.join(key_of(words).words)} "
    kin = scene.kin(place)
    others = (
        text
        for other in np.flatnonzero(scene.glimpsed & ~kin)
        for text in scene.labels[int(other)]
    )
    painted = (item.text for item in scene.screen.unrecorded)
    return is_one_thing(scene, Expression(text=words)) and not any(
        phrase in f" {' '.join(key_of(text).words)} " for text in (*others, *painted)
    )


def _holder(scene: Scene, place: int, roles: Iterable[str]) -> int | None:
    wanted = frozenset(roles)
    return next((item for item in scene.above(place) if scene.elements[item].role in wanted), None)


def _cell(scene: Scene, place: int) -> int | None:
    """Return the cell that an element is, or that says what it says."""
    around = (place, *scene.above(place))
    cell = next((item for item in around if scene.elements[item].role in CELLS), None)
    same = cell is not None and scene.texts[cell] == scene.texts[place]
    return cell if same else None


def _row(scene: Scene, cell: int) -> list[int]:
    """Return the cells of a cell's row that say something, from the left."""
    row = _holder(scene, cell, ("row",))
    own = [] if row is None else scene.children.get(row, [])
    cells = [item for item in own if scene.elements[item].role in {*CELLS, *_HEADS}]
    cells = [item for item in cells if scene.texts[item]]
    return sorted(cells, key=lambda item: float(scene.boxes[item, 0]))


def _headers(scene: Scene, table: int) -> list[int]:
    """Return the headers of a table's columns; they may be a table of their own above it."""
    own = [item for item in scene.below(table) if scene.elements[item].role == _HEADER]
    if own:
        return own
    left, top, right, _ = scene.boxes[table]
    sides = scene.boxes[:, [0, 2]] - [left, right]
    over = (np.abs(sides) <= _SAME_PX).all(axis=1) & (scene.boxes[:, 3] <= top + _SAME_PX)
    tables = [item for item in np.flatnonzero(over) if scene.elements[item].role in _TABLES]
    last = max(tables, key=lambda item: float(scene.boxes[item, 3]), default=None)
    inside = () if last is None else scene.below(int(last))
    return [item for item in inside if scene.elements[item].role == _HEADER]


def _in_column(scene: Scene, places: Iterable[int], cell: int) -> list[int]:
    """Return the places of those whose middle lies in the column of a cell."""
    left, _, right, _ = scene.boxes[cell]
    return [item for item in places if left <= scene.centres[item, 0] <= right]


def _in_table(scene: Scene, place: int, asked: str) -> _Found:
    cell = _cell(scene, place)
    table = None if cell is None else _holder(scene, cell, _TABLES)
    if cell is None or table is None:
        return None
    middle, top = scene.centres[cell, 0], scene.boxes[cell, 1]
    above = [
        item
        for item in _headers(scene, table)
        if scene.boxes[item, 0] <= middle <= scene.boxes[item, 2]
        and scene.boxes[item, 3] <= top + _SAME_PX
    ]
    row = _row(scene, cell)
    if len(above) != 1 or len(row) < _PAIR or cell == row[0]:
        return None
    header, key = above[0], row[0]
    column, name = _read(scene, header), _read(scene, key)
    headers = [item for item, found in enumerate(scene.elements) if found.role == _HEADER]
    keys = _in_column(scene, scene.below(table), key)
    unlike = _is_unlike(scene, header, headers) and _is_unlike(scene, key, keys)
    if not column or not name or not unlike:
        return None
    return f"{asked}: the '{column}' of '{name}'", "table", _lines(scene, (header, key))


def _is_unlike(scene: Scene, place: int, among: Iterable[int]) -> bool:
    """Tell whether no other element that is seen, of those among, says what an element says."""
    kin, words = scene.kin(place), scene.texts[place]
    others = (item for item in among if scene.glimpsed[item] and not kin[item])
    return not any(alike(words, scene.texts[item]) for item in others)


def _beside_key(scene: Scene, place: int, asked: str) -> _Found:
    cell, element = _cell(scene, place), scene.elements[place]
    if element.role == "definition":
        siblings = scene.children.get(scene.place.get(element.parent, -1), [])
        at = siblings.index(place) if place in siblings else 0
        before, after = siblings[max(0, at - 1)], siblings[at + 1 : at + 2]
        alone = not after or scene.elements[after[0]].role != "definition"
        key = before if alone and scene.elements[before].role == "term" else None
    elif cell is not None:
        table, row = _holder(scene, cell, _TABLES), _row(scene, cell)
        pair = len(row) == _PAIR and row[1] == cell
        key = row[0] if pair and table is not None and not _headers(scene, table) else None
    else:
        return None
    name = "" if key is None else _read(scene, key)
    if key is None or not name or not _stands_alone(scene, key, name):
        return None
    return f"{asked}: the '{name}'", "label", _lines(scene, (key,))


def _in_order(scene: Scene, place: int, asked: str, lines: Mapping[int, _Line]) -> _Found:
    line = lines[place]
    if not line or place in (line[0], line[-1]):
        return None
    words = [_read(scene, item) for item in line]
    if not all(words) or not _is_ordered(words):
        return None
    others = {item for item in lines.values() if not set(item) & set(line)}
    if any(_has_gap_for(scene.texts[place], [scene.texts[item] for item in o]) for o in others):
        return None
    return asked, "order", _lines(scene, (item for item in line if item != place))


def _has_gap_for(word: str, others: list[str]) -> bool:
    """Tell whether a word would stand between two of others, most of which are sorted."""
    own, *keys = _numbered((word, *others)) or _lettered((word, *others))
    same = [key for key in keys if key[1].isalpha() == own[1].isalpha()]
    pairs = list(itertools.pairwise(same))
    rising = sum(item < other for item, other in pairs)
    mostly = len(same) >= _FEWEST_NUMBERS and rising >= _MOSTLY * len(pairs)
    return mostly and any(item < own < other for item, other in pairs)


def _numbered(words: Iterable[str]) -> list[tuple[float, str]]:
    """Return numbers to sort by, none where one of the words is no number."""
    found = list(words)
    return [(float(word), "") for word in found] if all(map(_NUMBER.fullmatch, found)) else []


def _lettered(words: Iterable[str]) -> list[tuple[float, str]]:
    """Return words to sort by, without their spaces and signs; numbers come before all."""
    return [(0.0, key_of(word).compact) for word in words]


def _line(scene: Scene, place: int) -> _Line:
    """Return the row or column of things alike that an element stands in, () without one."""
    cell = _cell(scene, place)
    role = scene.elements[place if cell is None else cell].role
    if cell is None:
        holder = next(
            (item for item in scene.above(place) if scene.elements[item].role not in _BETWEEN),
            None,
        )
    else:
        holder = _holder(scene, cell, _TABLES)
    around = range(len(scene.elements)) if holder is None else scene.below(holder)
    alike_ = [item for item in around if scene.elements[item].role == role]
    alike_ = [item for item in alike_ if scene.glimpsed[item]]
    if cell is not None:
        alike_ = _in_column(scene, alike_, cell)
    own = place if cell is None else cell
    if own not in alike_ or len(alike_) < _FEWEST_NUMBERS:
        return ()
    found = arranged(scene.boxes[alike_], tuple(alike_))
    rows = found.rows or ()
    straight = len(rows) == 1 or (found.stacked and all(len(row) == 1 for row in rows))
    line = sum(rows, ())
    return tuple(place if item == own else item for item in line) if straight else ()


def _is_ordered(words: list[str]) -> bool:
    """
    Tell whether words rise or fall throughout: as numbers, or as names in an alphabet's order.

    >>> _is_ordered(["1", "2", "10", "11"]), _is_ordered(["Ash", "Elm", "Fir", "Oak"])
    (True, False)
    """
    numbers = _numbered(words)
    if numbers:
        return len(words) >= _FEWEST_NUMBERS and (_rises(numbers) or _rises(numbers[::-1]))
    keys = [key_of(word) for word in words]
    plain = all(key.compact.isascii() and key.compact.isalpha() for key in keys)
    if not plain or len(words) < _FEWEST_NAMES:
        return False
    # With and without the spaces: dictionaries sort in either way.
    spaced = [(0.0, " ".join(key.words)) for key in keys]
    sorts = (_lettered(words), spaced)
    return all(map(_rises, sorts)) or all(_rises(sort[::-1]) for sort in sorts)


def _rises(values: list[tuple[float, str]]) -> bool:
    return all(item < other for item, other in itertools.pairwise(values))


def _lines(scene: Scene, places: Iterable[int]) -> tuple[Box, ...]:
    """Return the boxes of the words of elements."""
    elements = [scene.elements[place] for place in places]
    return tuple(line for item in elements for line in (item.text_boxes or (item.box,)))


class _Fields:
    """Know the fields of a screen, and which values could be entered in several of them."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._kinds = {
            place: kind_of_value(element)
            for place, element in enumerate(scene.elements)
            if element.attributes.get("editable") == "true" and scene.glimpsed[place]
        }

    def contents(self, place: int, action: Action, value: str) -> Iterator[Content]:
        """Yield what is asked about a field: a value that no other field would take as well."""
        element = self._scene.elements[place]
        text = _SAYS[action].format(value)
        if "'" in value or not _stands_alone_or_absent(self._scene, value):
            return
        if action == "select":
            if not any(
                self._offers(item, value) for item in self._scene.elements if item != element
            ):
                yield Content(element, value, text, action)
            return
        kind = self._kinds.get(place, "text")
        if kind not in _TELLING or self._rivals(place, kind):
            return
        label = key_of(element.name).words
        if set(label) <= _TELLING[kind] and self._label_beside(place):
            needs = element.name_boxes
            yield Content(element, value, text, action, "label", needs)
        elif element.attributes.get("type") == kind:
            yield Content(element, value, text, action)

    def _offers(self, element: Element, value: str) -> bool:
        options = element.attributes.get("options", "").split(OPTION_SEPARATOR)
        return any(alike(option, value) for option in options)

    def _rivals(self, place: int, kind: str) -> bool:
        same = next((group for group in _CONFUSED if kind in group), {kind})
        return any(
            item != place and (other in same or (other == "text" and not self._scene.names[item]))
            for item, other in self._kinds.items()
        )

    def _label_beside(self, place: int) -> bool:
        scene, element = self._scene, self._scene.elements[place]
        boxes = element.name_boxes
        if not boxes or not scene.legibility(place).readable:
            return False
        apart = all(element.box.intersection(box) is None for box in boxes)
        rows = np.array([box.as_tuple() for box in boxes])
        unit = max(text_unit(element), float((rows[:, 3] - rows[:, 1]).max()))
        return apart and float(distances(rows, scene.boxes[place]).min()) <= _LABEL_LINES * unit


def _stands_alone_or_absent(scene: Scene, value: str) -> bool:
    """Tell whether no element shows a value already."""
    return not any(
        scene.glimpsed[place] and any(alike(text, value) for text in labels)
        for place, labels in enumerate(scene.labels)
    )
