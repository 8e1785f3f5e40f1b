"""
Writers of a build: what their plans tell.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from surefoot.benchmarks.seeing.prompts import read_seeing_prompts
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.core.store import ObjectStore
from surefoot.models import Options, open_seeing
from surefoot.run.building.writers import seeing_writer


def test_a_plan_names_who_sees_and_what_is_asked(tmp_path: Path) -> None:
    """Models, addresses and prompts are told; without a judge there is none."""
    writer, judge = (
        open_seeing(f"openai:{name}@http://127.0.0.1:9/v1", options=Options(seed=7))
        for name in ("w", "j")
    )
    prompts = read_seeing_prompts()
    both = seeing_writer(writer, judge, prompts, ObjectStore(tmp_path).get)
    alone = seeing_writer(writer, None, prompts, ObjectStore(tmp_path).get)

    plan: dict[str, Any] = both.plan(SENSITIVITY)
    assert (plan["writer"]["name"], plan["judge"]["name"]) == ("w", "j")
    assert (plan["writer"]["sees"], plan["writer"]["seed"]) == ("picture", 7)
    assert plan["writer"]["prompt"] == plan["judge"]["prompt"]
    assert alone.plan(SENSITIVITY) == {"writer": plan["writer"]}
    assert (both.name, alone.name) == ("w, judge j", "w")
