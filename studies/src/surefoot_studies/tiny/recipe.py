"""
A recipe: all that determines the weights of a model that is trained on drawn screens.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.errors import UnknownNameError
from surefoot.core.registry import suggest
from surefoot_studies.tiny.drawing import DrawnLayout


class ModelSize(msgspec.Struct, frozen=True):
    """
    Say how large a Qwen3-VL is: its decoder, and its vision tower.

    ``deepstack`` are the tower's layers whose features go to the first decoder layers;
    ``positions`` is the side of the grid of learned positions, ``spread`` the standard
    deviation of fresh weights.
    """

    hidden: int = 128
    layers: int = 4
    heads: int = 4
    head_dim: int = 32
    inner: int = 256
    seen_hidden: int = 96
    seen_layers: int = 2
    seen_heads: int = 3
    seen_inner: int = 192
    patch: int = 16
    positions: int = 12
    deepstack: tuple[int, ...] = ()
    spread: float = 0.05


class LanguageShare(msgspec.Struct, frozen=True):
    """
    Say what share of the choices is in a language, and about how many screens in all.

    ``screens`` 0 is new ones without end.
    """

    language: str
    share: float
    screens: int = 0


class KindShares(msgspec.Struct, frozen=True):
    """
    Say what share of examples are clicks, and lists of all figures; the others are choices.
    """

    click: float
    describe: float


class LearningPlan(msgspec.Struct, frozen=True):
    """
    Say how long and how fast is learned, and from what.

    In the share ``early`` of the steps screens have the fewest figures, and kinds come as
    ``first`` has them, then as ``then`` has them. Choices are in ``languages``. ``rate`` is
    that of Muon, for matrices, ``slow`` that of AdamW, for all else.
    """

    steps: int = 3200
    batch: int = 16
    rate: float = 0.01
    slow: float = 0.0015
    warmup: int = 60
    decay: float = 0.01
    early: float = 0.2
    first: KindShares = KindShares(0.4, 0.2)
    then: KindShares = KindShares(0.5, 0.05)
    languages: tuple[LanguageShare, ...] = (
        LanguageShare("en", 0.6),
        LanguageShare("fr", 0.22, 24),
        LanguageShare("zh", 0.18, 16),
    )


class DrawnRecipe(msgspec.Struct, frozen=True):
    """Hold everything that the weights follow from, besides the versions of the libraries."""

    name: str
    seed: int = 0
    speaks: str = "qwen3-vl"
    vocabulary: int = 640
    grid: int = 40  # thousandths of a side between two coordinates that are ever said
    layout: DrawnLayout = DrawnLayout()
    size: ModelSize = ModelSize()
    plan: LearningPlan = LearningPlan()


TINY: Final = DrawnRecipe("tiny")
# Reads words of buttons, known and made up; for a machine with a GPU.
READER: Final = DrawnRecipe(
    "reader",
    grid=10,
    layout=DrawnLayout(width=320, height=224, fewest=4, most=8, written=0.6),
    size=ModelSize(
        hidden=384,
        layers=10,
        heads=6,
        head_dim=64,
        inner=1024,
        seen_hidden=384,
        seen_layers=8,
        seen_heads=6,
        seen_inner=1024,
        positions=24,
        deepstack=(2, 5),
        spread=0.03,
    ),
    plan=LearningPlan(
        steps=20_000,
        batch=64,
        rate=0.02,
        slow=0.001,
        warmup=500,
        first=KindShares(0.3, 0.6),
        then=KindShares(0.6, 0.2),
    ),
)
RECIPES: Final = {recipe.name: recipe for recipe in (TINY, READER)}


def recipe_named(name: str, seed: int | None = None) -> DrawnRecipe:
    """
    Return the recipe of a name, or the one in a JSON file, with another seed if one is given.

    Raises UnknownNameError for another name.
    """
    if Path(name).suffix == ".json":
        found = decode(Path(name).read_bytes(), DrawnRecipe, what=name)
    elif name in RECIPES:
        found = RECIPES[name]
    else:
        raise UnknownNameError(
            "a recipe's name or a JSON file", found=f"'{name}'", remedy=suggest(name, [*RECIPES])
        )
    return found if seed is None else msgspec.structs.replace(found, seed=seed)


class Guesses(msgspec.Struct, frozen=True):
    """Hold the share of clicks inside their target, and of right letters by language."""

    click: float
    choice: dict[str, float]


class CurvePoint(msgspec.Struct, frozen=True):
    """
    Say how far a model was after a step: the mean loss since the point before, and its guesses.

    ``seconds`` are those of the processor, over all threads, and the one thing here that
    another run does not repeat.
    """

    step: int
    loss: float
    seconds: float
    guesses: Guesses | None = None
