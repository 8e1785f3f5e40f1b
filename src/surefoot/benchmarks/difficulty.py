"""
How easily a control is taken for another: the score that targets are chosen by.

Our reconstruction of the choice of elements in "Do GUI Grounders Truly Understand UI
Elements?", which weighs confusion (visual similarity, crowding, functional overlap) by
visibility and area. For a control i and the other visible controls j of its screen:

    likeness   l(i, j) = m(w_i, w_j) m(h_i, h_j) max(0, 1 - d(i, j) / look_distance)
    looks      L_i = s(sum of l(i, j) over j, look_half)
    crowd      C_i = s(number of j at most crowd_distance pixels away, crowd_half)
    overlap    F_i = s(sum of f(i, j) over j, overlap_half)
    confusion  (look_weight L + crowd_weight C + overlap_weight F) / sum of the weights
    difficulty confusion x visible fraction x min(1, area / whole_area)

with m(a, b) the smaller over the larger, s(x, half) = x / (x + half), d the root mean
square difference (0 to 1) of both crops reduced to look_grid x look_grid pixels, and f
overlap_name for one role and names alike, else overlap_section for one role and one
section or parent, else 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element
from surefoot.refer.scene.geometry import Boxes, distances
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene

Values = NDArray[np.float64]


def difficulties(
    scene: Scene, targets: Sequence[Element], parameters: SensitivityParameters
) -> dict[str, dict[str, float]]:
    """
    Return the measures of each target by its id: looks, crowd, overlap, difficulty.

    All lie in [0, 1], rounded to six digits. Without pixels nothing looks alike.
    """
    others = np.flatnonzero(scene.thing & scene.plain)
    crops = {int(other): _reduced(scene, int(other), parameters.look_grid) for other in others}
    found: dict[str, dict[str, float]] = {}
    for target in targets:
        place = scene.place[target.id]
        rivals = [int(other) for other in others if not scene.kin(place)[other]]
        measures = {
            "looks": _looks(scene, place, rivals, crops, parameters),
            "crowd": _crowd(scene, place, rivals, parameters),
            "overlap": _overlap(scene, place, rivals, parameters),
        }
        measures["difficulty"] = _difficulty(target, measures, parameters)
        found[target.id] = {name: round(value, 6) for name, value in measures.items()}
    return found


def _difficulty(
    target: Element, measures: dict[str, float], parameters: SensitivityParameters
) -> float:
    weights = {
        "looks": parameters.look_weight,
        "crowd": parameters.crowd_weight,
        "overlap": parameters.overlap_weight,
    }
    weighed = sum(weight * measures[name] for name, weight in weights.items())
    confusion = weighed / sum(weights.values())
    area = min(1.0, target.box.area / parameters.whole_area)
    return confusion * min(1.0, target.visible_fraction) * area


def _looks(
    scene: Scene,
    place: int,
    rivals: list[int],
    crops: dict[int, Values | None],
    parameters: SensitivityParameters,
) -> float:
    own = crops.get(place)
    if own is None:
        return 0.0
    sizes = _sizes(scene.boxes)
    total = 0.0
    for rival in rivals:
        other = crops[rival]
        if other is None:
            continue
        apart = float(np.sqrt(np.mean((own - other) ** 2)))
        shape = np.minimum(sizes[place], sizes[rival]) / np.maximum(sizes[place], sizes[rival])
        total += float(shape.prod()) * max(0.0, 1 - apart / parameters.look_distance)
    return _saturated(total, parameters.look_half)


def _crowd(
    scene: Scene, place: int, rivals: list[int], parameters: SensitivityParameters
) -> float:
    apart = distances(scene.boxes[rivals], scene.boxes[place])
    return _saturated(float((apart <= parameters.crowd_distance).sum()), parameters.crowd_half)


def _overlap(
    scene: Scene, place: int, rivals: list[int], parameters: SensitivityParameters
) -> float:
    target, name = scene.elements[place], scene.names[place]
    total = 0.0
    for rival in rivals:
        other = scene.elements[rival]
        if other.role != target.role:
            continue
        if alike(name, scene.names[rival]):
            total += parameters.overlap_name
        elif _section(other) == _section(target):
            total += parameters.overlap_section
    return _saturated(total, parameters.overlap_half)


def _section(element: Element) -> str:
    return element.attributes.get("section") or element.parent


def _reduced(scene: Scene, place: int, grid: int) -> Values | None:
    pixels: Pixels | None = scene.pixels
    if pixels is None:
        return None
    shown = scene.elements[place].box.intersection(scene.screen.bounds)
    if shown is None or min(shown.width, shown.height) < 1:
        return None
    left, top, right, bottom = (round(side) for side in shown.as_tuple())
    crop = pixels[top : max(bottom, top + 1), left : max(right, left + 1)]
    small = Image.fromarray(crop).resize((grid, grid), Image.Resampling.BOX)
    return np.asarray(small, dtype=np.float64) / 255


def _sizes(boxes: Boxes) -> Values:
    sides: Values = np.maximum(boxes[:, 2:] - boxes[:, :2], 1.0)
    return sides


def _saturated(value: float, half: float) -> float:
    return value / (value + half)
