"""
The card of a trained model: Hugging Face reads it, and it says what was done, and what was not.
"""

from __future__ import annotations

import sys
import types
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, Final

import pytest

import surefoot
from surefoot.core.errors import MissingComponentError
from surefoot.report.training import draw_curve, write_card
from surefoot.run.folders.folder import manifest_digest
from surefoot.train.fitting import read_curve
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

pytest.importorskip("trl")
RECIPE: Final = """
method = "sft"
guessed = ["trainer.weight_decay", "learning_rate"]
[trainer]
max_steps = 2
weight_decay = 0.5
learning_rate = 0.25
per_device_train_batch_size = 2
report_to = ["codecarbon"]
[lora]
layers = "last 4"
"""
CODECARBON: Final = "transformers.integrations.integration_utils.is_codecarbon_available"


class EmissionsTracker:
    """Stand for codecarbon's: it writes what was used to a folder, in kilowatt-hours."""

    def __init__(self, output_dir: str) -> None:
        self.out = Path(output_dir)

    def start(self) -> None:
        """Begin."""
        self.out.mkdir(parents=True, exist_ok=True)

    def stop(self) -> None:
        """Write."""
        (self.out / "emissions.csv").write_text("duration,energy_consumed\n1,0.5\n1,0.25\n")


def test_a_card_says_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data, recipe, guesses, energy and cost stand in a card that Hugging Face takes."""
    from huggingface_hub import ModelCard
    from huggingface_hub.utils._validators import validate_repo_id

    codecarbon = types.ModuleType("codecarbon")
    monkeypatch.setattr(codecarbon, "EmissionsTracker", EmissionsTracker, raising=False)
    monkeypatch.setitem(sys.modules, "codecarbon", codecarbon)
    monkeypatch.setattr(CODECARBON, lambda: True)
    bench = write_clicks(tmp_path / "bench", seed=5, screens=2)
    data, out = tmp_path / "lesson", tmp_path / "out"
    surefoot.train_data([bench], out=data, format="tiny", seed=9)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE)
    model = tmp_path / "models--some--toy" / "snapshots" / "1"
    model.parent.mkdir(parents=True)
    model.symlink_to(WEIGHTS)
    given: dict[str, Any] = {"format": "tiny", "recipe": str(recipe), "device": "cpu", "seed": 4}
    surefoot.train_sft(f"hf:{model}", data, out=out, **given)

    card = ModelCard.load(out / "README.md")
    known = card.data.to_dict()
    validate_repo_id(known["base_model"])
    assert (known["base_model"], known["library_name"]) == ("some/toy", "peft")
    curve = read_curve(out / "curve.jsonl")
    for row in (
        "| name | lesson |",
        "| examples | 6 train |",
        "| seed | 9 |",
        "| seed | 4 |",
        f"| digest | {manifest_digest(data, 'training-data')} |",
        "| weight_decay | 0.5 (guessed) |",
        "| learning_rate | 0.25 (guessed) |",
        "| max_steps | 2 |",
        f"| tokens | {curve[-1]['num_tokens']:.0f} |",
        "| energy | 2,700,000 J, as codecarbon estimates |",
        "--model hf:toy --adapter adapter --format tiny",
        "Not measured.",
    ):
        assert row in card.text
    assert ET.parse(out / "curve.svg").getroot().tag.endswith("svg")
    write_card(out, f"hf:{WEIGHTS}", data, "| benchmark | change |")
    again = ModelCard.load(out / "README.md")
    assert again.text.endswith("| benchmark | change |\n")
    assert "base_model" not in again.data.to_dict()


@pytest.mark.parametrize("name", ["tensorboard", "wandb", "trackio"])
def test_who_is_reported_to_must_be_there(name: str, tmp_path: Path) -> None:
    """Without the package that report_to names, an error names it before anything is trained."""
    bench = write_clicks(tmp_path / "bench", seed=5, screens=1)
    surefoot.train_data([bench], out=tmp_path / "data", format="tiny")
    with pytest.raises(MissingComponentError, match=name):
        surefoot.train_sft(
            f"hf:{WEIGHTS}",
            tmp_path / "data",
            out=tmp_path / "out",
            format="tiny",
            device="cpu",
            arguments={"report_to": name},
        )


def test_a_curve_has_a_line_for_each_number() -> None:
    """Loss, reward and what is measured on validation are drawn; the highest is the topmost."""
    steps = [{"step": step, "loss": 4.0 - step, "reward": step / 4} for step in (1, 2, 3)]
    drawn = ET.fromstring(draw_curve([*steps, {"step": 3, "eval_loss": 0.5}, {"step": 4}]))
    lines = [one.attrib["points"] for one in drawn.iter() if one.tag.endswith("polyline")]
    heights = [[float(point.split(",")[1]) for point in line.split()] for line in lines]
    assert [len(one) for one in heights] == [3, 3, 1]
    assert heights[0] == sorted(heights[0])
    assert heights[1] == sorted(heights[1], reverse=True)
    text = "".join(drawn.itertext())
    assert "loss 3 to 1; mean reward 0.25 to 0.75; loss on validation 0.5 to 0.5" in text
