"""
Recipes: the presets are what TRL takes.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, Literal, TypeAlias

import pytest

from surefoot.train.fitting import in_silence
from surefoot.train.recipe import PRESETS as RECIPES
from surefoot.train.recipe import preset_names, recipe_named

pytest.importorskip("trl")
Method: TypeAlias = Literal["sft", "grpo"]
METHODS: Final[tuple[Method, ...]] = ("sft", "grpo")
PRESETS = [
    (name, method)
    for name in preset_names()
    for method in METHODS
    if tomllib.loads((RECIPES / f"{name}.toml").read_text("utf-8"))["method"] == method
]


@pytest.mark.parametrize(("name", "method"), PRESETS)
def test_a_preset_resolves_to_the_trainers_own_configuration(
    name: str, method: Method, tmp_path: Path
) -> None:
    """Each argument of a preset is one that TRL knows, and has the preset's value there."""
    from trl.trainer.grpo_config import GRPOConfig
    from trl.trainer.sft_config import SFTConfig

    given = recipe_named(name, method).trainer
    with in_silence():
        kind = SFTConfig if method == "sft" else GRPOConfig
        found = kind(output_dir=str(tmp_path), use_cpu=True, bf16=False, **given)

    assert {key: getattr(found, key) for key in given} == given
    if name.startswith("gui-perturbed"):
        assert found.get_warmup_steps(152) == 5  # 3 % of the paper's 152 steps
