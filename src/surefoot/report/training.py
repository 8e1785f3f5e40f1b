"""
The card of a trained model: README.md as Hugging Face reads it, with the curve as a picture.

It says what was learned from, by which recipe, at what cost, and what came of it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.files import write_atomic
from surefoot.core.ledger import read_plan
from surefoot.core.version import __version__
from surefoot.report.html.figures import draw_svg
from surefoot.run.folders.folder import manifest_digest, read_manifest
from surefoot.train.fitting import CHECKPOINTS, CURVE, SPENT, TrainingCost, read_curve
from surefoot.train.recipe import TrainingRecipe

CARD: Final = "README.md"
PICTURE: Final = "curve.svg"
DRAWN: Final = {
    "loss": "loss",
    "reward": "mean reward",
    "eval_loss": "loss on validation",
    "eval_reward": "mean reward on validation",
}
WIDTH, HEIGHT, LEFT, TOP = 560.0, 110.0, 70.0, 34.0
MOST: Final = 400  # points of a line; of more, means are drawn
JOULES: Final = 3.6e6  # in a kilowatt-hour
CACHED: Final = re.compile(r"models--([\w.-]+?)--([\w.-]+)/snapshots/")


def write_card(out: Path, model: str, data: Path, compared: str = "") -> Path:
    """
    Write OUT/README.md and OUT/curve.svg for what was trained from a model on a DATA.

    ``compared`` is the table of what was mended and damaged, "" if nothing was measured.
    """
    curve = read_curve(out / CURVE)
    write_atomic(out / PICTURE, draw_curve(curve).encode())
    write_atomic(out / CARD, _card(out, model, data, compared).encode())
    return out / CARD


def _card(out: Path, model: str, data: Path, compared: str) -> str:
    plan = read_plan(out)
    recipe = msgspec.convert(plan["recipe"], TrainingRecipe)
    cost = decode((out / SPENT).read_bytes(), TrainingCost, what=str(out / SPENT))
    form: Any = plan["format"]
    folder = Path(model.removeprefix("hf:")).absolute()
    known = CACHED.search(f"{folder}/")
    name = f"{known[1]}/{known[2]}" if known else folder.name
    base = f"base_model: {name}\n" if known else ""
    adapter = bool(recipe.lora)
    asked = f"hf:{Path(name).name} --adapter adapter" if adapter else "hf:model"
    return f"""---
library_name: {"peft" if adapter else "transformers"}
pipeline_tag: image-text-to-text
{base}tags: [surefoot, trl, {recipe.method}, gui-grounding]
---

# {name}, trained on {data.resolve().name}

{"A LoRA adapter" if adapter else "A model"}, trained with Surefoot {__version__} and TRL.

```console
surefoot run BENCH --model {asked} --format {form["name"]} --out out/run
```

| base model | |
| --- | --- |
{_table({"name": name, "fingerprint": plan["model"], "adapter": plan["adapter"] or "none"})}

| data | |
| --- | --- |
{_table(_data(data, cost))}

| recipe | |
| --- | --- |
{_table(_recipe(recipe, plan))}

| cost | |
| --- | --- |
{_table(_cost(cost, out))}

![How it went, step by step]({PICTURE})

## Before and after

{compared or "Not measured."}
"""


def _table(rows: Mapping[str, object]) -> str:
    return "\n".join(f"| {name} | {_cell(value)} |" for name, value in rows.items())


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _data(data: Path, cost: TrainingCost) -> dict[str, object]:
    plan: Mapping[str, Any] = read_plan(data)
    drawn = {}
    if "sources" in plan:  # of forms there are none
        drawn = {
            "sources": ", ".join(f"{name} ({digest[:12]})" for name, digest in plan["sources"]),
            "mixture": "all" if plan["mixture"]["draw"] == [{}] else plan["mixture"],
        }
    return {
        "name": data.resolve().name,
        "examples": ", ".join(f"{count:,} {split}" for split, count in cost.examples.items()),
        **drawn,
        "seed": plan["seed"],
        "digest": manifest_digest(data, read_manifest(data).kind),
    }


def _recipe(recipe: TrainingRecipe, plan: Mapping[str, object]) -> dict[str, object]:
    """Return all that a recipe says; what its source does not is marked as guessed."""
    lora = msgspec.to_builtins(recipe.lora) if recipe.lora else {}
    given = {
        "method": recipe.method,
        "summary": recipe.summary,
        "source": recipe.source,
        **recipe.trainer,
        **{f"lora.{name}": value for name, value in lora.items()},
        "frozen": ", ".join(recipe.frozen),
        "quantization": recipe.quantization,
        "rewards": ", ".join(f"{reward.name} x {reward.weight:g}" for reward in recipe.rewards),
        "early stop": recipe.early_stop or "",
        "seed": plan["seed"],
    }
    guessed = {name.removeprefix("trainer.") for name in recipe.guessed}
    return {
        name: f"{value}{' (guessed)' * (name in guessed)}"
        for name, value in given.items()
        if value != ""
    }


def _cost(cost: TrainingCost, out: Path) -> dict[str, object]:
    energy = "not measured (report_to = codecarbon does)"
    if (emissions := out / CHECKPOINTS / "emissions.csv").is_file():  # as codecarbon writes it
        with emissions.open(newline="") as file:
            used = sum(float(row["energy_consumed"]) for row in csv.DictReader(file))
        energy = f"{used * JOULES:,.0f} J, as codecarbon estimates"
    return {
        "steps": f"{cost.steps:,}",
        "tokens": f"{cost.tokens:,}",
        "CPU seconds": f"{cost.cpu_seconds:,.1f}",
        "processes": cost.processes,
        "memory at the end": f"{cost.memory_bytes / 2**20:,.0f} MiB",
        "energy": energy,
    }


def draw_curve(curve: Sequence[Mapping[str, float]]) -> str:
    """
    Draw loss and reward over steps, each on an axis of its own, as an SVG that stands alone.

    >>> draw_curve([{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0}]).count("<polyline")
    1
    """
    lines = {
        words: [(line["step"], line[name]) for line in curve if name in line]
        for name, words in DRAWN.items()
    }
    lines = {name: points for name, points in lines.items() if points}
    last = max((line["step"] for line in curve), default=1)
    panels = [_panel(*item, last, at * (HEIGHT + 60)) for at, item in enumerate(lines.items())]
    description = "; ".join(
        f"{name} {item[0][1]:.3g} to {item[-1][1]:.3g}" for name, item in lines.items()
    )
    wide, tall = LEFT + WIDTH + 20, max(1, len(panels)) * (HEIGHT + 60)
    look = (
        "<style>text{font:13px sans-serif;fill:#1b2330}line{stroke:#d5dbe3}"
        "polyline{fill:none;stroke:#1f5fbf;stroke-width:1.5}</style>"
        f'<rect width="{wide}" height="{tall}" fill="#ffffff"/>'
    )
    drawn = draw_svg(wide, tall, "How the training went", description, look + "".join(panels))
    return drawn.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1) + "\n"


def _panel(words: str, points: Sequence[tuple[float, float]], last: float, down: float) -> str:
    stride = -(-len(points) // MOST)
    shown = [_mean(points[at : at + stride]) for at in range(0, len(points), stride)]
    low, most = min(0.0, *(up for _, up in shown)), max(up for _, up in shown)
    top, foot = down + TOP, down + TOP + HEIGHT

    def height(up: float) -> float:
        return foot - HEIGHT * (up - low) / ((most - low) or 1)

    grid = "".join(
        f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{height(up):.1f}" y2="{height(up):.1f}"/>'
        f'<text x="{LEFT - 8}" y="{height(up) + 4:.1f}" text-anchor="end">{up:.3g}</text>'
        for up in dict.fromkeys((low, (low + most) / 2, most))
    )
    line = " ".join(f"{LEFT + WIDTH * x / last:.1f},{height(up):.1f}" for x, up in shown)
    words += f", means of {stride} steps" if stride > 1 else ""
    return (
        f'<text x="{LEFT}" y="{top - 12}">{escape(words)}</text>{grid}<polyline points="{line}"/>'
        f'<text x="{LEFT}" y="{foot + 18}">0</text>'
        f'<text x="{LEFT + WIDTH}" y="{foot + 18}" text-anchor="end">step {last:,.0f}</text>'
    )


def _mean(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    along, up = zip(*points, strict=True)
    return sum(along) / len(along), sum(up) / len(up)
