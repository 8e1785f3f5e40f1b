"""
Recipes: the presets are what TRL takes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.train.fitting import in_silence
from surefoot.train.recipe import preset_names, recipe_named

pytest.importorskip("trl")
SUPERVISED = [name for name in preset_names() if name != "click-grpo"]


@pytest.mark.parametrize("name", SUPERVISED)
def test_a_preset_resolves_to_the_trainers_own_configuration(name: str, tmp_path: Path) -> None:
    """Each argument of a preset is one that TRL knows, and has the preset's value there."""
    from trl.trainer.sft_config import SFTConfig

    given = recipe_named(name, "sft").trainer
    with in_silence():
        found = SFTConfig(output_dir=str(tmp_path), use_cpu=True, bf16=False, **given)

    assert {key: getattr(found, key) for key in given} == given
    if name.startswith("gui-perturbed"):
        assert found.get_warmup_steps(152) == 5  # 3 % of the paper's 152 steps
