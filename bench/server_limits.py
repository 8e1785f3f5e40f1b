"""
A server's own limits of pictures, against what the self-check says of a perfect model behind it.

Of every format in pixels of the resized picture, a model that points at the middle of each target
in whole pixels is asked through servers with 12 most and 9 least limits, and through one with the
format's own, on benchmarks of six sizes. A limit matters where it changes the size of the
benchmark's pictures. Right is that the run ends there, with a reading that has the server's sizes
for all that was asked, and that nobody is stopped behind a server with the format's own limits.
Weak models answer anywhere on 7 screens of 12, and behind a right server they are let through.

    python bench/server_limits.py           # the table of docs/models.md
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from surefoot.core.geometry import Point
from surefoot.models.checking.readings import Sighting, explain
from surefoot.models.checking.screens import layout_of, target_box
from surefoot.models.opening import FORMATS
from surefoot.models.spaces import ResizeRule, Space, resized_pixels

MOST: Final = (
    *(200_704, 401_408, 602_112, 802_816, 1_003_520, 1_605_632),
    *(2_007_040, 3_211_264, 3_686_400, 4_014_080, 6_422_528, 8_847_360),
)
LEAST: Final = (
    *(50_176, 100_352, 200_704, 401_408, 802_816),
    *(1_003_520, 1_605_632, 3_211_264, 4_014_080),
)
SIZES: Final = ((390, 844), (480, 300), (1280, 800), (1920, 1080), (2560, 1440), (3840, 2160))
OFFHAND: Final = 7 / 12  # of a weak model's answers
ROUNDS: Final = 20


class Counts(NamedTuple):
    """Count servers, and what was said of them."""

    asked: int = 0
    matter: int = 0
    ended: int = 0
    named: int = 0
    weak: int = 0
    weak_ended: int = 0
    right: int = 0
    alarms: int = 0

    def plus(self, **more: bool) -> Counts:
        """Return the counts with more of some."""
        return self._replace(**{name: getattr(self, name) + one for name, one in more.items()})


def sightings(
    claimed: Space, spoken: Space, size: tuple[int, int], lost: Callable[[], float]
) -> tuple[Sighting, ...]:
    """Return where a model's answers seem to lie that speaks one space and claims another."""
    found = []
    for width, height, across, down, _ in layout_of([size]):
        truth = target_box(width, height, across, down)
        meant = truth.center
        if lost() < OFFHAND:
            meant = Point(lost() * width, lost() * height)
        x, y = spoken.from_image(meant, width=width, height=height)
        point = claimed.to_image(round(x), round(y), width=width, height=height)
        found.append(Sighting(width, height, truth, point))
    return tuple(found)


def servers(claimed: Space) -> Iterator[Space]:
    """Yield the spaces behind servers with limits of their own."""
    rule = claimed.resize
    own = rule if isinstance(rule, ResizeRule) else ResizeRule(28, 3136, 12_845_056)
    for most in MOST:
        yield resized_pixels(own.factor, min(own.min_pixels, most), most)
    for least in LEAST:
        yield resized_pixels(own.factor, least, max(own.max_pixels, least))


def counted(claimed: Space) -> Counts:
    """Return what the self-check says of all servers and sizes, for one format's space."""
    counts = Counts()
    source = random.Random(29)  # noqa: S311 - no secret
    for size in SIZES:
        asked = [(screen.width, screen.height) for screen in layout_of([size])]
        for spoken in servers(claimed):
            matters = spoken.extent(*size) != claimed.extent(*size)
            told = explain(sightings(claimed, spoken, size, lambda: 1.0), claimed)
            space = told.best.space
            named = all(space.extent(*one) == spoken.extent(*one) for one in asked)
            ended = matters and told.decided
            counts = counts.plus(asked=True, matter=matters, ended=ended, named=ended and named)
            if matters:
                weak = explain(sightings(claimed, spoken, size, source.random), claimed)
                counts = counts.plus(weak=True, weak_ended=weak.decided)
        for number in range(ROUNDS):
            lost = source.random if number else lambda: 1.0
            right = explain(sightings(claimed, claimed, size, lost), claimed)
            counts = counts.plus(right=True, alarms=right.decided)
    return counts


def main() -> None:
    """Print the table, one row a space."""
    spaces: dict[Space, list[str]] = {}
    for form in FORMATS.entries.values():
        if form.space.kind == "resized pixels":
            spaces.setdefault(form.space, []).append(f"`{form.name}`")
    print(
        "| formats | limits that matter | ended | with the server's sizes "
        "| weak models ended | stopped behind right servers |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for space, names in spaces.items():
        found = counted(space)
        print(
            f"| {', '.join(names)} | {found.matter} of {found.asked} | {found.ended} "
            f"| {found.named} | {found.weak_ended} of {found.weak} "
            f"| {found.alarms} of {found.right} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
