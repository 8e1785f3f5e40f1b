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
from typing import Final

import msgspec
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
LONGEST: Final = 40  # letters of a rival's name


class Difficulty(msgspec.Struct, frozen=True):
    """
    Hold a target's measures (looks, crowd, overlap, difficulty), and in words what made them.

    The words are our form of the reasons in figure 8, which a model wrote there.
    """

    measures: dict[str, float]
    why: str = ""


def difficulties(
    scene: Scene, targets: Sequence[Element], parameters: SensitivityParameters
) -> dict[str, Difficulty]:
    """
    Return how difficult each target is, by its id.

    All measures lie in [0, 1], rounded to six digits. Without pixels nothing looks alike.
    """
    others = np.flatnonzero(scene.thing & scene.plain)
    crops = {int(other): _reduced(scene, int(other), parameters.look_grid) for other in others}
    found: dict[str, Difficulty] = {}
    for target in targets:
        place = scene.place[target.id]
        rivals = [int(other) for other in others if not scene.kin(place)[other]]
        alike = _likenesses(scene, place, rivals, crops, parameters)
        near = distances(scene.boxes[rivals], scene.boxes[place]) <= parameters.crowd_distance
        overlaps = _overlaps(scene, place, rivals, parameters)
        measures = {
            "looks": _saturated(sum(alike.values()), parameters.look_half),
            "crowd": _saturated(float(near.sum()), parameters.crowd_half),
            "overlap": _saturated(sum(overlaps.values()), parameters.overlap_half),
        }
        measures["difficulty"] = _difficulty(target, measures, parameters)
        reasons = (
            f"looks {measures['looks']:.2f}{_most(scene, 'most like', alike)}",
            f"crowd {measures['crowd']:.2f}, {near.sum()} within {parameters.crowd_distance:g} px",
            f"overlap {measures['overlap']:.2f}{_most(scene, 'most with', overlaps)}",
        )
        rounded = {name: round(value, 6) for name, value in measures.items()}
        found[target.id] = Difficulty(rounded, "; ".join(reasons))
    return found


def _most(scene: Scene, words: str, shares: dict[int, float]) -> str:
    """Name the rival with the largest share, the first of equals; "" where none has any."""
    most = max(shares, key=lambda rival: shares[rival], default=None)
    if most is None or not shares[most]:
        return ""
    name = scene.names[most][:LONGEST]
    role = scene.elements[most].role
    return f", {words} the {role} '{name}'" if name else f", {words} a {role} without a name"


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


def _likenesses(
    scene: Scene,
    place: int,
    rivals: list[int],
    crops: dict[int, Values | None],
    parameters: SensitivityParameters,
) -> dict[int, float]:
    own, sizes = crops.get(place), _sizes(scene.boxes)
    found = {}
    for rival in rivals:
        other = crops[rival]
        if own is not None and other is not None:
            apart = float(np.sqrt(np.mean((own - other) ** 2)))
            shape = np.minimum(sizes[place], sizes[rival]) / np.maximum(sizes[place], sizes[rival])
            found[rival] = float(shape.prod()) * max(0.0, 1 - apart / parameters.look_distance)
    return found


def _overlaps(
    scene: Scene, place: int, rivals: list[int], parameters: SensitivityParameters
) -> dict[int, float]:
    target, name = scene.elements[place], scene.names[place]
    found = {}
    for rival in rivals:
        other = scene.elements[rival]
        if other.role == target.role and alike(name, scene.names[rival]):
            found[rival] = parameters.overlap_name
        elif other.role == target.role and _section(other) == _section(target):
            found[rival] = parameters.overlap_section
    return found


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
