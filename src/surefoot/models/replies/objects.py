"""
JSON in a model's reply: its objects, however they are wrapped, and the places that they name.

An object may stand in words, in another object, or as text in a string of another, encoded once
more each time, as tools' arguments often are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.reading import Place, place_of

FLAT_OBJECT: Final = re.compile(r"\{[^{}]{0,4096}\}")
MOST_BRACES: Final = 20_000  # the last ones of a reply
OPEN_BRACES: Final = 50
WINDOW: Final = 4096
DEEPEST: Final = 8  # objects in objects
ENCODED: Final = 3  # times that an object is text in a string
# Stands for an object that was found, while those around it are looked for.
MARK: Final = "\ue000"
MARKED: Final = re.compile(rf"[\s\"\\]*{MARK}(\d{{1,7}}){MARK}[\s\"\\]*")

LISTS: Final = ("coordinate", "coordinates", "point_2d", "box", "bbox", "bbox_2d")
LEFT: Final = ("x", "left", "x0", "xmin", "minx", "x1")
TOP: Final = ("y", "top", "y0", "ymin", "miny", "y1")
RIGHT: Final = ("x2", "right", "xmax", "maxx", "x1")
BOTTOM: Final = ("y2", "bottom", "ymax", "maxy", "y1")
WIDE: Final = ("width", "w")
TALL: Final = ("height", "h")
MIDDLE: Final = (("cx", "cy"), ("centerx", "centery"), ("xcenter", "ycenter"))
SIZES: Final = ("size", "dimensions", "dimension")
CORNERS: Final = (("topleft", "bottomright"), ("lefttop", "rightbottom"), ("min", "max"))
# What fills the field of a refusal where there is none, and every field has to be filled.
NO_REFUSAL: Final = frozenset(
    {"none", "null", "nil", "no", "n/a", "na", "false", "-", "not applicable", "no refusal"}
)


def json_objects(text: str) -> Iterator[dict[str, object]]:
    r"""
    Yield the JSON objects of a text in order, outer ones before those in them.

    What surrounds them does not matter: an outer object that was cut off is none, those in it
    are. An object that is text in a string is found as well. Objects within one that names a
    place by itself (``sides_in``) are left out. Only where there is none, the last 50 opening
    braces are tried as beginnings of objects of up to 4,096 characters, which also finds objects
    with braces in their strings.

    >>> list(json_objects('Sure: {"x": 1} and {"a": {"y": [2]}}.'))
    [{'x': 1}, {'a': {'y': [2]}}, {'y': [2]}]
    >>> list(json_objects('{"arguments": "{\\"y\\": 2}"}'))
    [{'arguments': {'y': 2}}, {'y': 2}]
    """
    found = _Found()
    braces = [match.start() for match in re.finditer(r"\{", text)][-MOST_BRACES:]
    text = text[braces[0] if len(braces) == MOST_BRACES else 0 :].replace(MARK, "")
    for depth in range(DEEPEST):
        text, before = found.replaced(text, depth), text
        if text == before:
            break
    if found.values:
        yield from found.in_order()
    else:
        yield from _braced_objects(text)


class _Found:
    """Hold the objects found so far, and of each where it begins and which are in it."""

    def __init__(self) -> None:
        self.values: list[dict[str, object]] = []
        self._begins: list[tuple[int, int]] = []
        self._inner: list[list[int]] = []
        self._parts: set[int] = set()  # of a place that is named by what is around them
        self._depth = 0

    def replaced(self, text: str, depth: int) -> str:
        """Return a text with a mark for each object in it that holds none but marks."""
        self._depth = depth
        return FLAT_OBJECT.sub(self._kept, text)

    def in_order(self) -> Iterator[dict[str, object]]:
        """Yield all that are no part of a place."""
        for at in sorted(range(len(self.values)), key=self._begins.__getitem__):
            if at not in self._parts:
                yield self.values[at]

    def _kept(self, match: re.Match[str]) -> str:
        piece, value, level = match[0], json_object(match[0]), 0
        while value is None and level < ENCODED and '\\"' in piece:
            inner_text = _string(f'"{piece}"')
            if inner_text is None:
                break
            piece, level = inner_text, level + 1
            value = json_object(piece)
        if value is None:
            return match[0]
        number, inner = len(self.values), list[int]()
        self.values.append({key: self._restored(item, inner) for key, item in value.items()})
        first = min((self._begins[at][0] for at in inner), default=number)
        self._begins.append((first, -self._depth))
        self._inner.append(inner)
        if inner and sides_in(self.values[number]) is not None:
            self._take(inner)
        mark = f"{MARK}{number}{MARK}"
        quote = "\\" * (2**level - 1) + '"'
        in_string = match.string[: match.start()].rstrip()[-1:] == '"'
        return mark if in_string else quote + mark + quote

    def _restored(self, item: object, inner: list[int], depth: int = 0) -> object:
        if isinstance(item, list) and depth < DEEPEST:
            return [self._restored(part, inner, depth + 1) for part in item]
        found = MARKED.fullmatch(item) if isinstance(item, str) else None
        if found is None:
            return item
        inner.append(int(found[1]))
        return self.values[int(found[1])]

    def _take(self, numbers: Iterable[int]) -> None:
        for at in numbers:
            self._parts.add(at)
            self._take(self._inner[at])


def _string(text: str) -> str | None:
    """Return what a JSON string holds, None for what is none."""
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _braced_objects(text: str) -> Iterator[dict[str, object]]:
    starts = [match.start() for match in re.finditer(r"\{", text)][-OPEN_BRACES:]
    done = 0
    for start in starts:
        window = text[start : start + WINDOW]
        closings = [match.end() for match in re.finditer(r"\}", window)][-OPEN_BRACES:]
        if start < done:
            continue
        for end in closings:
            value = json_object(window[:end])
            if value is not None:
                done = start + end
                yield from _all_within(value)
                break


def _all_within(value: object, depth: int = 0) -> Iterator[dict[str, object]]:
    """Yield an object and the objects in it, also those that are text."""
    if depth > DEEPEST:
        return
    value = decoded(value)
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from _all_within(part, depth + 1)


def json_object(text: str) -> dict[str, object] | None:
    """Return the JSON object that a text is, None where it is none."""
    value = _json(text)
    return value if isinstance(value, dict) else None


def _json(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None


def decoded(value: object) -> object:
    r"""
    Return the object or list that a value is, also as text encoded up to three times.

    >>> decoded('"{\\"x\\": 1}"'), decoded("[1, 2]"), decoded("there")
    ({'x': 1}, [1, 2], 'there')
    """
    inner = value
    for _ in range(ENCODED):
        if not isinstance(inner, str):
            break
        inner = _json(inner.strip())
    return inner if isinstance(inner, dict | list) else value


def place_in(found: Mapping[str, object]) -> Place | Unparsed | None:
    """
    Return the place that an object names, None where it names none.

    That is a list of two or four numbers under "coordinate", "box" or their usual spellings, or
    sides as ``sides_in`` has them.

    >>> place_in({"bbox_2d": [1, 2, 3, 4]}), place_in({"label": "Save"})
    (Place(numbers=(1.0, 2.0, 3.0, 4.0)), None)
    """
    sides = sides_in(found)
    if sides is not None:
        return sides
    named = (found[key] for key in LISTS if key in found and not isinstance(found[key], dict))
    value = next(named, found)
    return None if value is found else place_of(value)


def sides_in(found: Mapping[str, object]) -> Place | Unparsed | None:
    """
    Return the point or the box whose sides an object names, None where it names none.

    A corner with a size, or with the opposite corner, is a box and never a point. A size, or two
    corners, may be objects of their own.

    >>> sides_in({"x": 100, "y": 200, "width": 50, "height": 20})
    Place(numbers=(100.0, 200.0, 150.0, 220.0))
    >>> sides_in({"x": 100, "y": 200, "width": 50})
    Unparsed(why='a corner beside half of another or half a size')
    >>> sides_in({"x": 100, "y": 200})
    Place(numbers=(100.0, 200.0))
    """
    named = {
        re.sub(r"[^a-z0-9]", "", key.casefold()): value
        for key, value in found.items()
        if value is not None
    }
    for first, last in CORNERS:
        corners = named.get(first), named.get(last)
        if all(isinstance(corner, dict) for corner in corners):
            return _box(*map(_corner, corners))
    for x, y in MIDDLE:
        if x in named and y in named:
            return place_of([named[x], named[y]])
    return _from_corner(_with_size(named))


def _with_size(named: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields of an object with those of a size that is an object in it."""
    size = next((named[key] for key in SIZES if isinstance(named.get(key), dict)), None)
    if not isinstance(size, dict):
        return named
    inner = (item for item in named.values() if isinstance(item, dict) and "x" in item)
    return {**next(inner, {}), **named, **size}


def _from_corner(named: Mapping[str, object]) -> Place | Unparsed | None:
    left, top = _first(named, LEFT), _first(named, TOP)
    if not (left and top):
        return None
    right = _first(named, [key for key in RIGHT if key != left])
    bottom = _first(named, [key for key in BOTTOM if key != top])
    wide, tall = _first(named, WIDE), _first(named, TALL)
    if bool(right) != bool(bottom) or bool(wide) != bool(tall):
        return Unparsed("a corner beside half of another or half a size")
    if right:
        return place_of([named[key] for key in (left, top, right, bottom)])
    if not wide:
        return place_of([named[left], named[top]])
    place = place_of([named[key] for key in (left, top, wide, tall)])
    if isinstance(place, Unparsed):
        return place
    x, y, across, down = place.numbers
    return Place((x, y, x + across, y + down))


def _first(named: Mapping[str, object], keys: Iterable[str]) -> str:
    return next((key for key in keys if key in named), "")


def _corner(corner: object) -> Place | Unparsed:
    if isinstance(corner, dict):
        return sides_in(corner) or Unparsed("a corner without x and y")
    return place_of(corner)


def _box(first: Place | Unparsed, last: Place | Unparsed) -> Place | Unparsed:
    if isinstance(first, Unparsed):
        return first
    if isinstance(last, Unparsed):
        return last
    return place_of([*first.numbers, *last.numbers])


def refusal_in(found: Mapping[str, object]) -> Refusal | None:
    """
    Return the refusal that an object is: the words under "refusal", None where there are none.

    Beside a place, where every field had to be filled, "none" and its like are no refusal.

    >>> refusal_in({"x": 0, "y": 0, "refusal": "no such button"})
    Refusal(reason='no such button')
    >>> refusal_in({"x": 3, "y": 4, "refusal": "None"}) is None
    True
    """
    reason = found.get("refusal")
    if not isinstance(reason, str) or not reason.strip():
        return None
    filled = reason.strip().rstrip(".").casefold() in NO_REFUSAL
    return None if filled and isinstance(place_in(found), Place) else Refusal(reason)
