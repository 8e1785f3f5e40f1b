"""
A simulated model with one planted weakness: the self-test of ``surefoot diagnose``.

It knows the screens of a benchmark and resolves each question's expression on them, so it
clicks the middle of what is meant, with one exception that its name says:

none
    No exception.
left-right
    It takes "left of" for "right of" and the other way round, wherever they stand in the
    expression: what fits strictly that way, else leniently; where nothing does, the click
    is mirrored to the landmark's other side.
ordinals
    It takes the first of those that are counted, whatever the position.
larger
    It takes the largest control of the target's role, wherever that is.

A diagnosis of it must name that weakness, and no other. Besides, there are the planted faults of
``planted.py``, and those of a file (``FILE.py#FAULT``), which draw their misses anew for each
asking.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from surefoot.core.canonical import decode, sha256
from surefoot.core.errors import InvalidInputError, ModelError, UnknownNameError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Direction, Expression, Ordinal
from surefoot.core.pictures import Pixels, pixels_of
from surefoot.core.question import Question
from surefoot.core.registry import suggest
from surefoot.core.screen import Screen
from surefoot.models.backend import Options
from surefoot.models.local import place_reply
from surefoot.models.model import Reply, Request
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import Reading
from surefoot.refer.scene.scene import Scene
from surefoot.run.folders.lines import read_lines
from surefoot_studies.planted import FAULTS, Fault, PlantedQuestion, read_faults

# Returns where the model clicks.
Weakness = Callable[[Scene, Expression, int], Point]
SCENES_KEPT: Final = 32
PICTURES_KEPT: Final = 96
READINGS: Final[tuple[Reading, ...]] = ("strict", "lenient")
OTHER_SIDE: Final[Mapping[Direction, Direction]] = {
    "left of": "right of",
    "right of": "left of",
}


class Simulated:
    """
    Reply with the middle of what the weakness takes for the target.

    ``digest`` names the screens' bytes, and those of the file of a ``fault``, where there is
    one. Questions about other pages have no reply; on a view
    of a known page that the benchmark does not have, it clicks the middle of the target.
    """

    speaks = "json"

    def __init__(
        self,
        weakness: str,
        screens: Mapping[str, Screen],
        digest: str,
        fault: Fault | None = None,
    ) -> None:
        self.name = f"simulated-{weakness}"
        self._weakness = weakness
        self._fault = fault
        self._screens = screens
        self._digest = digest
        self._pages = {screen.page for screen in screens.values()}
        self._scenes: dict[str, Scene] = {}

    def identity(self) -> dict[str, object]:
        """Return the weakness and the hash of the screens."""
        return {"backend": "simulated", "weakness": self._weakness, "screens": self._digest}

    async def reply(self, request: Request) -> Reply:
        """
        Return a place; raises ModelError.

        "unknown-screen" is a screen not its own, "no-target" a question about no element.
        """
        question = request.question
        if self._fault is not None:
            return Reply(self._faulty(self._fault, question, request.image))
        if question.screen not in self._screens and question.page_name in self._pages:
            return Reply(place_reply(*_center(question.truth)))
        scene = self._scene(question.screen, request.image)
        target = scene.place.get(question.instruction.target)
        if target is None or question.asks != "place":
            raise ModelError(
                "no-target",
                expected="a question about an element of its screen",
                found=f"'{question.id}', which names none",
                remedy="ask a benchmark that was built from screens with elements",
            )
        point = WEAKNESSES[self._weakness](scene, question.instruction.expression, target)
        return Reply(place_reply(point.x, point.y))

    def _faulty(self, fault: Fault, question: Question, image: bytes) -> str:
        """
        Reply as a planted fault does.

        Views of a page that are not its own are told by one of the page that is, without pixels.
        """
        page = question.page_name
        others = [screen for screen in self._screens.values() if screen.page == page]
        if question.screen in self._screens or not others:
            scene = self._scene(question.screen, image)
        else:
            captured = min(others, key=lambda screen: screen.id)
            scene = self._scenes.get(captured.id) or Scene(captured)
        target = scene.place.get(question.instruction.target)
        if target is None:
            raise ModelError(
                "no-target",
                expected="a question about an element of its screen",
                found=f"'{question.id}', which names none",
                remedy="ask a benchmark that was built from screens with elements",
            )
        told = PlantedQuestion(question, _pixels(image), scene, target)
        return fault.replies(told)

    async def close(self) -> None:
        """Forget the scenes."""
        self._scenes.clear()

    def _scene(self, screen: str, image: bytes) -> Scene:
        if screen not in self._screens:
            raise ModelError(
                "unknown-screen",
                expected=f"a question about one of {len(self._screens)} known screens",
                found=f"one about '{screen}'",
                remedy="name the benchmark that is asked: simulated:WEAKNESS@BENCH",
            )
        if screen not in self._scenes:
            while len(self._scenes) >= SCENES_KEPT:
                del self._scenes[next(iter(self._scenes))]
            self._scenes[screen] = Scene(self._screens[screen], pixels_of(image))
        return self._scenes[screen]


@functools.lru_cache(maxsize=PICTURES_KEPT)
def _pixels(image: bytes) -> Pixels:
    return pixels_of(image)


def _center(box: Box) -> tuple[float, float]:
    return box.center.x, box.center.y


def _none(scene: Scene, expression: Expression, target: int) -> Point:
    found = np.flatnonzero(fits(scene, expression, "strict"))
    return _middle(scene, target if target in found or not len(found) else int(found[0]))


def _left_right(scene: Scene, expression: Expression, target: int) -> Point:
    swapped = _swapped(expression)
    if swapped == expression:
        return _middle(scene, target)
    for reading in READINGS:
        found = [int(index) for index in np.flatnonzero(fits(scene, swapped, reading))]
        others = [index for index in found if not same_thing(scene, index, target)]
        if others:
            return _middle(scene, others[0])
    return _mirrored(scene, expression, target)


def _ordinals(scene: Scene, expression: Expression, target: int) -> Point:
    ordinal = expression.ordinal
    if ordinal is None:
        return _middle(scene, target)
    first = Ordinal(1, ordinal.order, 1 if ordinal.row else 0)
    counted = msgspec.structs.replace(expression, ordinal=first)
    found = np.flatnonzero(fits(scene, counted, "strict"))
    return _middle(scene, int(found[0]) if len(found) else target)


def _larger(scene: Scene, expression: Expression, target: int) -> Point:  # noqa: ARG001 - one form
    role = scene.elements[target].role
    same = np.array([element.role == role for element in scene.elements], dtype=bool)
    areas = np.array([element.box.area for element in scene.elements])
    seen = np.where(same & scene.plain, areas, -1.0)
    return _middle(scene, int(np.argmax(seen)) if seen.max() > areas[target] else target)


WEAKNESSES: Final[Mapping[str, Weakness]] = {
    "none": _none,
    "left-right": _left_right,
    "ordinals": _ordinals,
    "larger": _larger,
}


def _middle(scene: Scene, place: int) -> Point:
    box = scene.elements[place].box
    return (box.intersection(scene.screen.bounds) or box).center


def _mirrored(scene: Scene, expression: Expression, target: int) -> Point:
    """Return the target's middle mirrored across its landmark, inside the picture."""
    middle = _middle(scene, target)
    if expression.landmark is None:
        return middle
    there = landmark_place(scene, expression.landmark)
    if there is None or expression.direction not in OTHER_SIDE:
        return middle
    anchor = scene.boxes if scene.thing[there] else scene.text_boxes
    left, _, right, _ = (float(side) for side in anchor[there])
    # As far from the landmark's edge as before, on the other side of it.
    x = right + left - middle.x
    return Point(min(max(x, 0.0), scene.screen.width - 1.0), middle.y)


def _swapped(expression: Expression) -> Expression:
    inner = {
        name: _swapped(part)
        for name in ("landmark", "second")
        if (part := getattr(expression, name)) is not None
    }
    direction = expression.direction
    swapped = None if direction is None else OTHER_SIDE.get(direction, direction)
    return msgspec.structs.replace(expression, direction=swapped, **inner)


@functools.lru_cache(maxsize=4)
def _read(path: Path) -> tuple[Mapping[str, Screen], str]:
    try:
        data = b"".join(read_lines(path))
    except OSError as error:
        raise InvalidInputError(
            f"a benchmark's screens at {path}",
            found=error,
            remedy="name the benchmark that is asked: simulated:WEAKNESS@BENCH",
        ) from error
    lines = enumerate(data.splitlines(), start=1)
    screens = [decode(line, Screen, what=f"line {at} of {path.name}") for at, line in lines]
    return {screen.id: screen for screen in screens}, sha256(data)


def open_simulated(rest: str, options: Options) -> Simulated:  # noqa: ARG001 - nothing can be set
    """Return the model with a weakness; raises UnknownNameError and InvalidInputError."""
    weakness, _, bench = rest.partition("@")
    file, more, name = weakness.rpartition("#")
    faults = read_faults(Path(file)) if more else FAULTS
    known = [*faults] if more else [*WEAKNESSES, *FAULTS]
    if name not in known:
        raise UnknownNameError(
            f"a weakness among {', '.join(known)}",
            found=f"'{name}'",
            remedy=suggest(name, known),
        )
    if not bench:
        raise InvalidInputError(
            "the benchmark that is asked", found="none", remedy="write simulated:WEAKNESS@BENCH"
        )
    screens, digest = _read(Path(bench) / "screens.jsonl")
    if more:
        digest = sha256(f"{digest} {sha256(Path(file).read_bytes())}".encode())
    return Simulated(name, screens, digest, faults.get(name))
