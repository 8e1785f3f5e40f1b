"""
A zoom's coordinates go there and back, its cuts are real pixels, and it mends small targets.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.pictures import opened
from surefoot.core.question import Question, Usage
from surefoot.models import Model, Options, open_model
from surefoot.models.model import Reply, Request
from surefoot.models.opening import FORMATS, WRAPPERS
from surefoot.models.wrapper import WrappedModel
from surefoot.models.wrappers.zoom import shown_in, view_at
from surefoot.score.hits import is_hit

SIDES = st.integers(1, 5000)
FACTORS = st.floats(1.01, 16)
SHARES = st.floats(-0.5, 1.5)
SMALL = (800, 600)


@given(SIDES, SIDES, FACTORS, SHARES, SHARES, SHARES, SHARES)
def test_places_go_into_a_view_and_back(
    width: int, height: int, factor: float, x: float, y: float, to_x: float, to_y: float
) -> None:
    """Wherever the click is, a place of the picture comes back as itself from the view."""
    view = view_at(Point(x * width, y * height), width, height, factor)
    place = Point(to_x * width, to_y * height)
    found = view.back(view.into(place))
    assert found.distance(place) <= 1e-6 * (width + height)


@given(SIDES, SIDES, FACTORS, SHARES, SHARES)
def test_a_window_is_whole_pixels_of_the_picture_around_the_click(
    width: int, height: int, factor: float, x: float, y: float
) -> None:
    """It lies in the picture, has an area, and holds the click but for half a pixel's rounding."""
    click = Point(x * width, y * height)
    view = view_at(click, width, height, factor)
    window = view.window
    assert all(side == int(side) for side in window.as_tuple())
    assert window.left >= 0
    assert window.top >= 0
    assert window.right <= width
    assert window.bottom <= height
    assert window.area >= 1
    if 0 <= x <= 1 and 0 <= y <= 1:
        assert window.contains(click, tolerance=2.0)
    assert abs(window.width - max(1, width / factor)) <= 1


@given(st.integers(0, 79), st.integers(0, 59))
def test_the_pixels_of_a_view_are_where_its_mapping_says(x: int, y: int) -> None:
    """A dot that is painted into the picture appears in the view where the mapping has it."""
    image = Image.new("RGB", (80, 60), "white")
    image.putpixel((x, y), (0, 0, 0))
    file = io.BytesIO()
    image.save(file, "PNG")
    view = view_at(Point(x, y), 80, 60, 4.0)

    shown = np.asarray(opened(shown_in(view, file.getvalue())).convert("L"), dtype=float)

    assert shown.shape == (view.height, view.width)
    rows, columns = np.nonzero(shown < 100)
    centre = Point(float(columns.mean()) + 0.5, float(rows.mean()) + 0.5)
    assert view.back(centre).distance(Point(x + 0.5, y + 0.5)) < 0.75


class Coarse:
    """See the red target in the picture it is shown, and name the nearest place of a grid."""

    name = "coarse"
    speaks = "json"

    def __init__(self, step: float) -> None:
        self.step = step
        self.sizes: list[tuple[int, int]] = []

    def identity(self) -> dict[str, object]:
        """Return nothing that matters."""
        return {"backend": "coarse"}

    async def reply(self, request: Request) -> Reply:
        """Look for red, and round."""
        pixels = np.asarray(opened(request.image)).astype(int)
        self.sizes.append((pixels.shape[1], pixels.shape[0]))
        size = re.search(r"(\d+) ?[x\u00d7] ?(\d+)|(\d+) by (\d+)", request.messages.user)
        assert size is None or str(pixels.shape[1]) in size.groups()
        red = (pixels[..., 0] > 200) & (pixels[..., 1] < 120)
        rows, columns = np.nonzero(red)
        x, y = (round(float(axis.mean()) / self.step) * self.step for axis in (columns, rows))
        return Reply(json.dumps({"x": x, "y": y}), Usage(100, 7))

    async def close(self) -> None:
        """Hold nothing."""


def _screen(box: Box) -> bytes:
    image = Image.new("RGB", SMALL, "white")
    left, top, right, bottom = box.as_tuple()
    ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), fill="#ff0000")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def test_a_zoom_mends_targets_that_are_smaller_than_the_models_grid(
    ask_for: Callable[..., Question],
) -> None:
    """A model that sees to 60 pixels misses targets of 12; eight times as large it hits all."""
    source = np.random.default_rng(3)
    bare = zoomed = 0
    for _ in range(25):
        left, top = float(source.integers(5, 780)), float(source.integers(5, 580))
        # Never where the grid has a place, so that the bare model misses each of them.
        box = Box.from_xywh(left // 60 * 60 + 24, top // 60 * 60 + 24, 12, 12)
        if box.right > SMALL[0] or box.bottom > SMALL[1]:
            box = Box.from_xywh(24, 24, 12, 12)
        image = _screen(box)
        question = ask_for(image=image, size=SMALL, truth=box)
        model = Model(Coarse(60.0), FORMATS.get("json"))
        zoom = WRAPPERS.get("zoom")
        wrapped = WrappedModel(model, zoom, "8", zoom.open("8"))
        bare += is_hit(question, asyncio.run(model.answer(question, image)))
        zoomed += is_hit(question, asyncio.run(wrapped.answer(question, image)))
    assert (bare, zoomed) == (0, 25)


def test_both_replies_are_kept_and_paid_for(ask_for: Callable[..., Question]) -> None:
    """The answer holds both replies under their headings, and the sum of what they used."""
    image = _screen(Box(100, 100, 200, 160))
    question = ask_for(image=image, size=SMALL, truth=Box(100, 100, 200, 160))
    zoom, coarse = WRAPPERS.get("zoom"), Coarse(10.0)
    wrapped = WrappedModel(Model(coarse, FORMATS.get("json")), zoom, "2", zoom.open("2"))

    answer = asyncio.run(wrapped.answer(question, image))

    assert answer.question == question.id
    assert answer.usage == Usage(200, 14)
    assert coarse.sizes == [SMALL, SMALL]
    assert re.fullmatch(
        r"\[1 of 2: the whole picture\]\n\{.*\}\n"
        r"\[2 of 2: 2 times as large, from 0, 0 to 400, 300\]\n\{.*\}",
        answer.raw,
    )


def test_a_wrapper_is_part_of_the_name_and_of_the_identity() -> None:
    """Two factors are two models; options of the model go through; wrappers stand in a row."""
    two, four = (open_model(f"zoom:{factor}@center") for factor in (2, 4))
    both = open_model("median:3@zoom:2@openai:m@http://localhost:1/v1", format_name="json")
    assert two.name == "zoom:2@center"
    assert two.identity() != four.identity()
    assert both.name == "median:3@zoom:2@m"
    found = both.identity()
    assert (found["asks"], found["wrapped"], found["temperature"]) == (6, "m", 0.7)
    assert [item["name"] for item in found["wrappers"]] == ["median@1", "zoom@1"]  # type: ignore[attr-defined]
    given = Options(temperature=0.2)
    assert open_model("median:3@openai:m@http://localhost:1/v1", format_name="json",
                      options=given).identity()["temperature"] == 0.2  # fmt: skip


@pytest.mark.parametrize(
    "spec", ["zoom:1@ocr", "zoom:x@ocr", "zoom:99@ocr", "zoom:2", "median:1@ocr", "median@ocr"]
)
def test_a_bad_setting_is_an_error(spec: str) -> None:
    """A factor that enlarges nothing, no number, too much, no model, a single reply."""
    with pytest.raises(InvalidInputError, match=spec.partition(":")[0].partition("@")[0]):
        open_model(spec)
