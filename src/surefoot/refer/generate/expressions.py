"""
All the ways to describe one target that are worth saying, each proven to mean it alone.

After the incremental algorithm (Dale and Reiter 1995): parts come in an order of
preference, which their costs make, and a part that rules nothing out is left out. What the
algorithm stops at, its first success, is here taken for every route: from the target's
role, from "control", from its name, its looks and its state, through each container,
region, landmark and count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, get_args

import msgspec
import numpy as np

from surefoot.core.instruction import (
    Expression,
    InstructionKind,
    Order,
    Ordinal,
    Size,
    Specificity,
    shows_look,
)
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.refer.generate.describe import Description, described
from surefoot.refer.generate.generate import check_target
from surefoot.refer.generate.heads import CONTROL, heads
from surefoot.refer.generate.hold import readable
from surefoot.refer.generate.whereabouts import Parts, containers, regions, relations
from surefoot.refer.resolve.completeness import all_known
from surefoot.refer.resolve.containers import within as contains
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.ordinals import arrangement_of, of_size
from surefoot.refer.resolve.relations import directly, nearest
from surefoot.refer.resolve.resolve import fits, prove
from surefoot.refer.scene.arrangement import Arrangement
from surefoot.refer.scene.geometry import Mask
from surefoot.refer.scene.roles import could_mean
from surefoot.refer.scene.scene import Scene, scene_of

FURTHEST: Final = 6
LAST: Final = -1
LEAST_COUNTED: Final = 3
LEAST_ROWS: Final = 2
SPARE: Final = 3
SPARE_LOOKS: Final = 12
FILLED: Final = 0.6
_TABLES: Final = frozenset({"grid", "table", "treegrid"})


def expressions(
    screen: Screen | Scene,
    target: str,
    pixels: Pixels | None = None,
    *,
    seed: int = 0,
    most: int = 40,
    hidden_names: bool = False,
) -> tuple[Description, ...]:
    """
    Return proven expressions for a target (by its id), the cheapest first.

    Each is proven by ``resolve.prove`` and readable by ``hold``. None has a part that rules
    nothing out: where some of its parts already prove it with the same specificity, it is
    left out, except some of each kind that say more than they must (people do): three that
    speak of no look, and twelve that do. Where there are more than ``most``, kinds take turns,
    the cheapest of each first; the seed decides among those of one cost. No expression for
    what cannot be asked for.
    """
    scene = scene_of(screen, pixels)
    if check_target(scene, target) is not None:
        return ()
    place = scene.place[target]
    given = [
        described(candidate) for candidate in _candidates(scene, place, hidden_names=hidden_names)
    ]
    random_source(seed, "expressions", target).shuffle(given)
    given.sort(key=lambda description: description.cost)
    kept = _Kept()
    for description in given:
        if kept.wants(description) and _proven(
            scene, description.expression, place, hidden_names=hidden_names
        ):
            kept.add(description)
    return _in_turns(kept.found, most)


class _Kept:
    """Collect proven expressions, and tell which more are wanted."""

    def __init__(self) -> None:
        self.found: list[Description] = []
        self._parts: list[frozenset[object]] = []
        self._spare: Counter[tuple[InstructionKind, Specificity, bool]] = Counter()

    def wants(self, other: Description) -> bool:
        """Tell whether every part of an expression is needed, or more of its kind is welcome."""
        enough = self._enough(other)
        # A link of words is one to everybody: saying so is worth it only where it is needed.
        if not enough or other.expression.content == "text":
            return not enough
        another = other.kind == "combined" or other.kind not in enough
        most = SPARE_LOOKS if shows_look(other.expression) else SPARE
        return another and self._spare[self._kind_of(other)] < most

    def add(self, proven: Description) -> None:
        """Keep an expression that is wanted."""
        if self._enough(proven):
            self._spare[self._kind_of(proven)] += 1
        self.found.append(proven)
        self._parts.append(parts_of(proven.expression))

    def _kind_of(self, other: Description) -> tuple[InstructionKind, Specificity, bool]:
        return other.kind, other.specificity, shows_look(other.expression)

    def _enough(self, other: Description) -> set[InstructionKind]:
        """Return the kinds of what says less, as specifically, and is enough."""
        parts = parts_of(other.expression)
        return {
            description.kind
            for description, fewer in zip(self.found, self._parts, strict=True)
            if description.specificity == other.specificity and fewer < parts
        }


def parts_of(expression: Expression) -> frozenset[object]:
    """
    Return what rules something out in an expression, part by part; "control" does not.

    >>> parts_of(Expression(role="control")) < parts_of(Expression(role="button"))
    True
    """
    related = ("direction", "landmark", "relation", "second")
    parts = {part: getattr(expression, part) for part in Expression.__struct_fields__}
    given = {(part, value) for part, value in parts.items() if value and part not in related}
    if expression.landmark is not None:
        given.add(("related", tuple(parts[item] for item in related)))
    return frozenset(given - {("role", CONTROL)})


def _candidates(scene: Scene, target: int, *, hidden_names: bool) -> Iterator[Expression]:
    held, there = containers(scene, target), regions(scene, target)
    turns = relations(scene, target)
    wide: list[Parts] = [{"container": expression} for expression in held]
    wide += [{"region": item} for item in there]
    for head in heads(scene, target, hidden_names=hidden_names):
        yield head
        if head.label or head.function:
            yield from (_with(head, {"container": expression}) for expression in held)
            continue
        yield from (_with(head, item) for item in wide)
        alone = bool(head.name) and prove(scene, head, target) is None
        for item in turns:
            # Nobody compares how near a thing is that has a name of its own.
            if not (alone and "nearest" in item.values()) and _is_there(scene, head, item, target):
                yield _with(head, item)
        yield from _ranked(scene, head, target)
        for entry in wide:
            within = _with(head, entry)
            yield from (
                _with(within, turn)
                for turn in turns
                if _is_there(scene, within, turn, target) and _is_inside(scene, within, turn)
            )
            if (
                "container" in entry
            ):  # the border of a region is nowhere drawn: nobody counts in it
                yield from _ranked(scene, within, target)
                yield from (_with(within, {"region": region}) for region in there)


def _with(expression: Expression, parts: Parts) -> Expression:
    return msgspec.structs.replace(expression, **parts)


def _is_there(scene: Scene, head: Expression, turn: Parts, target: int) -> bool:
    """
    Tell whether a target is in a direction of a landmark, or nearest, whatever it is called.

    The only 'Save' button below a title is the nearest 'Save' button there, and yet nobody
    calls it directly below where another thing like it comes first.
    """
    direction, at = turn.get("direction"), landmark_place(scene, turn["landmark"])
    if at is None or "second" in turn or not (head.name or direction):
        return True
    alike = could_mean(head.role)
    kind = [head.role == CONTROL or element.role in alike for element in scene.elements]
    rivals = scene.plain & scene.thing & np.array(kind, dtype=bool)
    if direction:
        return bool(directly(scene, direction, [at], rivals, "strict")[target])
    return bool(nearest(scene, [at], rivals, "strict")[target])


def _is_inside(scene: Scene, expression: Expression, turn: Parts) -> bool:
    """Tell whether the landmarks are in the container of an expression, where it has one."""
    if expression.container is None:
        return True
    places = [landmark_place(scene, turn[end]) for end in ("landmark", "second") if end in turn]
    held = contains(scene, expression.container, "strict")
    return all(place is not None and bool(held[place]) for place in places)


def _ranked(scene: Scene, expression: Expression, target: int) -> Iterator[Expression]:
    strict = fits(scene, expression, "strict")
    anything = expression.role == CONTROL and not expression.content
    if not _look_alike(scene, expression.role, strict) or (anything and not expression.container):
        return
    for size in get_args(Size)[1:]:
        if of_size(scene, size, strict, "strict")[target]:
            yield _with(expression, {"size": size})
    counting = arrangement_of(scene, strict, (expression, "strict"))
    held = expression.container
    for ordinal in _ordinals(counting, target):
        # Whether a table's title is counted with its rows, people do not agree.
        table = held is not None and held.role in _TABLES
        if not table or (ordinal.position == LAST and not ordinal.row):
            yield _with(expression, {"ordinal": ordinal})


def _look_alike(scene: Scene, role: str, counted: Mask) -> bool:
    """
    Tell whether all that are counted look like what their role's word says.

    People count the links that they see: one that is filled like a button is none to them.
    """
    if role not in ("button", "link"):
        return True
    figures = (
        [scene.figure(int(place)) for place in np.flatnonzero(counted)]
        if scene.pixels is not None
        else []
    )
    filled = any(
        figure is not None and figure.inked >= FILLED * figure.pixels for figure in figures
    )
    return bool(scene.typical[counted].all()) and not (role == "link" and filled)


def _ordinals(counting: Arrangement, target: int) -> Iterator[Ordinal]:
    """Yield the counts that reach a target: from the start, or the last."""
    rows = counting.rows
    if rows is None or target not in counting.places or len(counting.places) < LEAST_COUNTED:
        return
    listed = [place for row in rows for place in row]
    stacked = counting.stacked and len(rows) == len(listed)
    if len(rows) == 1 or stacked:
        for count in _counts(listed.index(target), len(listed)):
            order: Order = "column" if stacked else "row"
            yield Ordinal(count, "list" if count == LAST else order)
    elif sum(len(row) > 1 for row in rows) >= LEAST_ROWS:
        line = next(line for line, row in enumerate(rows) if target in row)
        yield from (
            Ordinal(across, "grid", down)
            for across in _counts(rows[line].index(target), len(rows[line]))
            for down in _counts(line, len(rows))
        )


def _counts(index: int, count: int) -> Iterator[int]:
    """Yield how people count to an index: from the start while that is near, and the last."""
    if index < FURTHEST and index + 1 < count:
        yield index + 1
    if index + 1 == count:
        yield LAST


def _proven(scene: Scene, expression: Expression, target: int, *, hidden_names: bool) -> bool:
    return (
        prove(scene, expression, target) is None
        and readable(scene, expression, target, hidden_names=hidden_names) is None
        and all_known(scene, expression, target) is None
    )


def _in_turns(found: list[Description], most: int) -> tuple[Description, ...]:
    """Take the cheapest of each kind in turn, up to ``most``, sorted by cost again."""
    turn: dict[InstructionKind, int] = {}
    ordered: list[tuple[int, int, Description]] = []
    for index, description in enumerate(found):
        turn[description.kind] = turn.get(description.kind, 0) + 1
        ordered.append((turn[description.kind], index, description))
    chosen = sorted(ordered, key=lambda item: item[:2])[:most]
    return tuple(description for _, _, description in sorted(chosen, key=lambda item: item[1]))
