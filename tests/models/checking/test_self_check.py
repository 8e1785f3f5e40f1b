"""
The coordinate self-check, against models that answer in each wrong space.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box, Point
from surefoot.core.seeds import random_source
from surefoot.models.checking.readings import Sighting, explain, readings
from surefoot.models.checking.screens import LAYOUT, draw_screens, layout_of, target_box
from surefoot.models.checking.self_check import SelfCheck, judge, self_check
from surefoot.models.model import Model, Reply, Request
from surefoot.models.opening import FORMATS
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE, UNIT, Space, resized_pixels

SHRUNK = resized_pixels(28, 3136, 1003520)
RESIZED = resized_pixels(28, 3136, 12845056)
SPACES = [IMAGE_PIXELS, PER_MILLE, UNIT, SHRUNK]
# Pixels and pixels resized with a large limit differ by under two percent: no clear error.
WRONG = [
    (claimed, spoken, swapped)
    for claimed in (*SPACES, RESIZED)
    for spoken in SPACES
    for swapped in (False, True)
    if swapped or (spoken != claimed and {spoken, claimed} != {RESIZED, IMAGE_PIXELS})
]
TARGETS = [
    (width, height, target_box(width, height, across, down))
    for width, height, across, down, _ in LAYOUT
]


def answers(
    claimed: Space,
    spoken: Space,
    *,
    swapped: bool = False,
    noise: float = 0.0,
    misses: int = 0,
    seed: int = 0,
) -> SelfCheck:
    """Judge a model that finds targets up to noise and misses, but speaks another space."""
    source = random_source(seed, "noise")
    sightings = []
    for number, (width, height, truth) in enumerate(TARGETS):
        middle = truth.center
        point = Point(
            middle.x + source.gauss(0, noise * width), middle.y + source.gauss(0, noise * height)
        )
        if number < misses:
            point = Point(source.uniform(0, width), source.uniform(0, height))
        x, y = spoken.from_image(point, width=width, height=height)
        said = (y, x) if swapped else (x, y)
        seen = claimed.to_image(*said, width=width, height=height)
        sightings.append(Sighting(width, height, truth, seen))
    return judge(
        tuple(sightings), claimed, asked=12, formats=[("json", IMAGE_PIXELS), ("mille", PER_MILLE)]
    )


@pytest.mark.parametrize("size", [(480, 300), (1920, 1080), (3840, 2160)])
@pytest.mark.parametrize(
    ("least", "most"),
    [
        *((3136, most) for most in (200_704, 802_816, 1_605_632, 3_211_264, 4_014_080, 8_847_360)),
        *((least, 12_845_056) for least in (50_176, 200_704, 802_816, 1_605_632, 4_014_080)),
        (3136, 12_845_056),
    ],
)
def test_a_servers_own_limits_are_found(size: tuple[int, int], least: int, most: int) -> None:
    """A perfect model is stopped with the server's sizes exactly where those are other ones."""
    server = resized_pixels(28, least, most)
    screens = layout_of([size])
    sightings = []
    for screen in screens:
        truth = target_box(screen.width, screen.height, screen.across, screen.down)
        extent = {"width": screen.width, "height": screen.height}
        x, y = server.from_image(truth.center, **extent)
        place = RESIZED.to_image(round(x), round(y), **extent)
        sightings.append(Sighting(screen.width, screen.height, truth, place))

    found = explain(tuple(sightings), RESIZED)

    asked = [(screen.width, screen.height) for screen in screens]
    sizes = [server.extent(*extent) for extent in asked]
    assert found.decided == (sizes != [RESIZED.extent(*extent) for extent in asked])
    assert [found.best.space.extent(*extent) for extent in asked] == sizes


@pytest.mark.parametrize("space", [*SPACES, RESIZED])
@pytest.mark.parametrize("misses", [0, 4, 8, 12])
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.08])
@pytest.mark.parametrize("seeds", [2, pytest.param(10, marks=pytest.mark.long)])
def test_the_right_space_is_never_accused(
    space: Space, misses: int, noise: float, seeds: int
) -> None:
    """However weak and noisy, a model that speaks the claimed space is left in peace."""
    for seed in range(seeds):
        assert answers(space, space, noise=noise, misses=misses, seed=seed).verdict == "ok"


@pytest.mark.parametrize(("claimed", "spoken", "swapped"), WRONG)
@pytest.mark.parametrize("misses", [0, 2])
def test_a_wrong_space_is_seen(claimed: Space, spoken: Space, swapped: bool, misses: int) -> None:
    """A clear error of scale or axis is called, and the numbers are explained."""
    found = answers(claimed, spoken, swapped=swapped, misses=misses, noise=0.005)
    assert found.verdict == "wrong-space"
    assert found.best_hits >= 9
    assert ("swapped" in found.best) is swapped
    # A server's own limit is only known nearly, and pixels hardly differ from a large one.
    if spoken in (PER_MILLE, UNIT):
        assert found.best.startswith(spoken.kind + (" with" if swapped else ""))


def test_a_format_is_suggested() -> None:
    """The suggestion is a format of the space that was seen, and none for swapped axes."""
    assert answers(IMAGE_PIXELS, PER_MILLE).suggestion == "mille"
    assert answers(PER_MILLE, IMAGE_PIXELS).suggestion == "json"
    assert answers(PER_MILLE, IMAGE_PIXELS, swapped=True).suggestion == ""
    assert answers(IMAGE_PIXELS, IMAGE_PIXELS).suggestion == ""


def test_small_scale_errors_are_measured() -> None:
    """An error too small to miss large targets shows in the scales."""
    seen = tuple(
        Sighting(w, h, truth, Point(truth.center.x * 1.02, truth.center.y * 0.99))
        for w, h, truth in TARGETS
    )
    found = judge(seen, IMAGE_PIXELS, asked=12)
    assert (found.verdict, found.x_scale, found.y_scale) == ("ok", 1.02, 0.99)


@given(st.integers(0, 2**32), st.sampled_from([*SPACES, RESIZED]))
def test_random_models_are_never_accused(seed: int, claimed: Space) -> None:
    """Clicks at random are a weak model, not a wrong space."""
    source = random_source(seed, "random")
    seen = tuple(
        Sighting(w, h, truth, Point(source.uniform(0, w), source.uniform(0, h)))
        for w, h, truth in TARGETS
    )
    assert judge(seen, claimed, asked=12).verdict == "ok"


@given(st.floats(0, 1), st.floats(0, 1))
def test_constant_models_are_never_accused(across: float, down: float) -> None:
    """One and the same place on every screen is a weak model, not a wrong space."""
    seen = tuple(Sighting(w, h, truth, Point(across * w, down * h)) for w, h, truth in TARGETS)
    assert judge(seen, IMAGE_PIXELS, asked=12).verdict == "ok"


def test_few_answers_are_inconclusive() -> None:
    """Fewer than six places cannot be judged, whatever they say."""
    seen = tuple(Sighting(w, h, truth, Point(1, 1)) for w, h, truth in TARGETS[:5])
    assert judge(seen, IMAGE_PIXELS, asked=12).verdict == "inconclusive"
    assert judge((), IMAGE_PIXELS, asked=12).verdict == "inconclusive"


def test_every_reading_is_another_one() -> None:
    """No reading is tried twice, and none is the claimed one."""
    tried = readings(PER_MILLE)
    assert len(set(tried)) == len(tried)
    assert all(reading.swapped or reading.space != PER_MILLE for reading in tried)


class Speaker:
    """Reply to the drawn screens through a function of the request."""

    name = "speaker"
    speaks = "json"

    def __init__(self, text: Callable[[Request], str]) -> None:
        self.text = text

    def identity(self) -> dict[str, object]:
        """Return nothing."""
        return {}

    async def reply(self, request: Request) -> Reply:
        """Return the function's text."""
        return Reply(self.text(request))

    async def close(self) -> None:
        """Do nothing."""


def check(text: Callable[[Request], str]) -> SelfCheck:
    """Run the whole check on a model that claims plain JSON."""
    return asyncio.run(self_check(Model(Speaker(text), FORMATS.get("json"))))


def test_a_model_that_answers_in_thousandths_is_stopped() -> None:
    """End to end: right places in 0-1000 through the pixel format are a wrong space."""

    def thousandths(request: Request) -> str:
        question = request.question
        x, y = PER_MILLE.from_image(
            question.truth.center, width=question.width, height=question.height
        )
        return json.dumps({"x": round(x), "y": round(y)})

    found = check(thousandths)
    assert found.verdict == "wrong-space"
    assert "12 hit when the same numbers are read as 0-1000" in found.seen


def test_boxes_count_by_their_centre() -> None:
    """A model that answers with boxes is judged by their centres."""
    found = check(lambda request: json.dumps({"box": request.question.truth.as_tuple()}))
    assert (found.verdict, found.hits, found.parsed) == ("ok", 12, 12)


def test_prose_is_inconclusive_and_some_failures_are_counted() -> None:
    """Unreadable answers and failed questions are counted, not judged."""

    def mostly_failing(request: Request) -> str:
        if request.question.id > "self-check-04":
            raise ModelError("http-500", expected="a reply", found="none")
        return "I cannot."

    found = check(mostly_failing)
    assert (found.verdict, found.parsed, found.failed) == ("inconclusive", 0, 8)


def test_a_dead_server_is_an_error() -> None:
    """Where every question fails, the first failure is raised."""

    def failing(request: Request) -> str:
        raise ModelError("http-401", expected="a reply", found=request.question.id)

    with pytest.raises(ModelError, match="self-check-01"):
        check(failing)


def test_screens_are_the_same_every_time_and_hold_their_targets() -> None:
    """Twelve screens, drawn alike each time, with each target inside and in its own colour."""
    screens = draw_screens()
    assert screens == draw_screens()
    assert len({question.image for question, _ in screens}) == 12
    for question, _ in screens:
        whole = Box(0, 0, question.width, question.height)
        assert question.truth.intersection(whole) == question.truth
    assert len({(question.width, question.height) for question, _ in screens}) >= 5


def test_the_screens_tell_every_reading_from_every_other() -> None:
    """For each pair of plain spaces, at most seven targets are hit under both."""
    for one in SPACES:
        for other in SPACES:
            if one != other:
                both = answers(one, other)
                assert both.hits <= 7
