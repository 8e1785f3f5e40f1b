"""
Small benchmarks of four pillars over the same elements, whose questions share their ids.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageDraw

from surefoot.benchmarks.benchmark import Fall, Funnel
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Parsed, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import export

PILLARS: Final[dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]] = {
    "perturbed": ("perturbed@1", ("original", "dark", "zoom:1.5"), ("direct", "relational")),
    "hidden": ("hidden@10", ("original", "static", "low-contrast"), ("relational",)),
    "languages": ("multilingual@1", ("original", "fr", "th"), ("wf",)),
}
SITES: Final = 12
ELEMENTS: Final = 4
MISS: Final = Point(300.0, 190.0)
Write = Callable[..., Path]
Fails = Mapping[tuple[str, str], float]


def _screen(site: int, variant: str, image: str) -> Screen:
    boxes = [Box.from_xywh(10 + 76 * at, 60 + site, 60, 24) for at in range(ELEMENTS)]
    return Screen(
        id=f"s{site} {variant}", page=f"site{site}/index.html", source="folder:x", image=image,
        width=320, height=200, scale=1.0, platform="web", locale="en-US", variant=variant,
        site=f"site{site}",
        elements=tuple(
            Element(f"b{at}", "button", box, name=f"b{at}") for at, box in enumerate(boxes)
        ),
    )  # fmt: skip


def _questions(screen: Screen, kinds: tuple[str, ...]) -> list[Question]:
    found = []
    for element in screen.elements:
        for kind in kinds:
            expression = Expression(role="button", name=element.name)
            words = Instruction(
                f"Click <{kind}> '{element.name}'", "en", "direct", "high", expression, element.id
            )
            found.append(
                Question(
                    # Alike in every pillar, as long as the variant and the kind are.
                    id=f"{screen.id}/{element.id}/{kinds.index(kind)}",
                    pair=f"{screen.page}#{element.id}", cluster=screen.site,
                    cell=Cell(screen.variant, kind), screen=screen.id, image=screen.image,
                    width=320, height=200, instruction=words, truth=element.box, role="button",
                    page=screen.page,
                )
            )  # fmt: skip
    return found


@pytest.fixture(scope="session")
def benches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a BENCH of each pillar, over the same 48 elements of 12 sites."""
    picture = Image.new("RGB", (320, 200), "#eeeeee")
    ImageDraw.Draw(picture).rectangle((10, 60, 290, 95), fill="#334455")
    file = io.BytesIO()
    picture.save(file, "PNG")
    made = {}
    for name, (benchmark, variants, kinds) in PILLARS.items():
        folder = made[name] = tmp_path_factory.mktemp("pillars") / name
        with Ledger.open(folder, {"kind": "bench", "benchmark": benchmark}):
            image = ObjectStore(folder).put(file.getvalue())
            screens = [
                _screen(site, variant, image) for site in range(SITES) for variant in variants
            ]
            questions = [one for screen in screens for one in _questions(screen, kinds)]
            falls = Funnel((Fall("targets", "too small", 3),), {})
            tables: dict[str, Sequence[object]] = {
                "screens.jsonl": screens,
                "questions.jsonl": questions,
            }
            export(folder, "bench", tables, {"funnel.json": falls})
    return made


@pytest.fixture(scope="session")
def scripted() -> Callable[..., Callable[[Question], Parsed]]:
    """Return a model that misses at a rate under planted conditions, else at 3 %."""

    def make(pillar: str, fails: Fails, seed: int = 0) -> Callable[[Question], Parsed]:
        def reply(question: Question) -> Parsed:
            rate = fails.get((pillar, question.cell.variant), 0.03)
            drawn = random_source(seed, pillar, question.id).random()
            return MISS if drawn < rate else question.truth.center

        return reply

    return make


@pytest.fixture(scope="session")
def runs_of(
    benches: dict[str, Path],
    write_run: Write,
    scripted: Callable[..., Callable[[Question], Parsed]],
) -> Callable[..., list[Path]]:
    """Write a scripted model's runs over all pillars, or over some."""

    def make(
        folder: Path,
        fails: Fails,
        *,
        name: str = "walker",
        seed: int = 0,
        pillars: tuple[str, ...] = (),
    ) -> list[Path]:
        return [
            write_run(
                benches[pillar],
                folder / f"{name}-{pillar}",
                scripted(pillar, fails, seed),
                name=name,
            )
            for pillar in pillars or PILLARS
        ]

    return make


@pytest.fixture(scope="session")
def references(
    benches: dict[str, Path], write_run: Write, tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    """Return runs of the oracle and of the middle over all pillars."""
    folder = tmp_path_factory.mktemp("references")
    middle = Point(160.0, 100.0)
    return [
        write_run(bench, folder / f"{name}-{pillar}", reply, name=name)
        for pillar, bench in benches.items()
        for name, reply in (("oracle", lambda one: one.truth.center), ("center", lambda _: middle))
    ]
