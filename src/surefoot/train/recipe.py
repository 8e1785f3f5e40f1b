"""
A recipe: how a model is trained, as a TOML file that resolves to TRL's own configuration.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.registry import suggest

PRESETS: Final = resources.files("surefoot.train") / "recipes"


class Lora(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Say which low-rank adapter is trained: PEFT's arguments, and which linear layers it is on.

    ``layers`` is "all" (vision too), "decoder", or "last N", the last N linear layers of the
    decoder in the model's own order.
    """

    r: int = 16
    alpha: int = 16
    dropout: float = 0.0
    layers: str = "all"


class Reward(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name a reward and its weight in the sum."""

    name: str
    weight: float = 1.0


class FormPages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Say how forms are shown in training: the window in pixels, the paper's level.

    ``replies`` is how many calls an attempt may take.
    """

    width: int = 1280
    height: int = 800
    level: str = "lines"
    replies: int = 20


class TrainingRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold what is trained and how; ``trainer`` has the arguments of TRL's SFTConfig or GRPOConfig.

    Without ``lora`` all weights are trained, but those of ``frozen`` parts ("vision"). ``rewards``
    are for GRPO, ``forms`` where it fills in forms. ``guessed`` names arguments that the recipe's
    source leaves unsaid: reports print them. ``early_stop`` is after how many evaluations without
    a gain training ends, 0 for never.
    """

    method: Literal["sft", "grpo"]
    summary: str = ""
    source: str = ""
    trainer: dict[str, Any] = {}
    lora: Lora | None = None
    frozen: tuple[Literal["vision"], ...] = ()
    quantization: str = ""
    rewards: tuple[Reward, ...] = ()
    forms: FormPages = FormPages()
    early_stop: int = 0
    guessed: tuple[str, ...] = ()


def preset_names() -> list[str]:
    """Return the names of the recipes that come with the package."""
    files = (Path(item.name) for item in PRESETS.iterdir())
    return sorted(file.stem for file in files if file.suffix == ".toml")


def recipe_named(name: str, method: str, changes: dict[str, Any] | None = None) -> TrainingRecipe:
    """
    Return the preset of a name, or the recipe in a TOML file; ``changes`` replace arguments.

    Raises UnknownNameError for another name, InvalidInputError for a file that is no recipe of
    the method.
    """
    if not name.endswith(".toml") and name not in preset_names():
        raise UnknownNameError(
            "a recipe's name or a .toml file",
            found=f"'{name}'",
            remedy=suggest(name, preset_names()),
        )
    try:
        text = (PRESETS / f"{name}.toml" if not name.endswith(".toml") else Path(name)).read_text(
            "utf-8"
        )
        recipe = msgspec.convert(tomllib.loads(text), TrainingRecipe)
    except (OSError, ValueError) as error:
        raise InvalidInputError(
            f"a recipe in {name}",
            found=error,
            remedy="write method, and tables [trainer] and [lora]",
        ) from error
    if recipe.method != method:
        raise InvalidInputError(
            f"a recipe for {method}",
            found=f"'{name}', for {recipe.method}",
            remedy=f"give it to `surefoot train {recipe.method}`",
        )
    return msgspec.structs.replace(recipe, trainer=recipe.trainer | (changes or {}))
