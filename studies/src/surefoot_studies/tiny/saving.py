"""
A trained model as a folder in Hugging Face's layout, with a card that says how it was made.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from surefoot.core.canonical import canonical_json, readable_json
from surefoot.core.files import write_atomic
from surefoot_studies.tiny.building import MERGE
from surefoot_studies.tiny.recipe import CurvePoint, DrawnRecipe
from surefoot_studies.tiny.training import CURVE, Learner

SHARD: Final = "15MB"
PICTURE: Final = "curve.png"
CARD: Final = Path(__file__).parent / "card.md"


def save(learner: Learner, points: Sequence[CurvePoint], out: Path, *, command: str) -> Path:
    """Write a model's folder: weights in bfloat16, tokenizer, processor, template and card."""
    import torch
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    out.mkdir(parents=True, exist_ok=True)
    half = learner.model.to(torch.bfloat16)
    half.generation_config.eos_token_id = learner.tokenizer.eos_token_id
    half.generation_config.pad_token_id = learner.tokenizer.pad_token_id
    half.save_pretrained(out, max_shard_size=SHARD)
    learner.model.to(torch.float32)
    learner.tokenizer.save_pretrained(out)
    write_atomic(out / "preprocessor_config.json", readable_json(_processor(learner.recipe)))
    write_atomic(out / "recipe.json", readable_json(learner.recipe))
    write_atomic(out / CURVE, b"".join(canonical_json(point) + b"\n" for point in points))
    curve_picture(points).save(out / PICTURE)
    write_atomic(out / "README.md", _card(learner, points, command).encode())
    return out


def _processor(recipe: DrawnRecipe) -> dict[str, object]:
    side = recipe.size.patch * MERGE
    return {
        "image_processor_type": "Qwen2VLImageProcessorFast",
        "processor_class": "Qwen3VLProcessor",
        "patch_size": recipe.size.patch,
        "temporal_patch_size": 2,
        "merge_size": MERGE,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
        "size": {"shortest_edge": side * side, "longest_edge": 4096 * side * side},
    }


def _card(learner: Learner, points: Sequence[CurvePoint], command: str) -> str:
    import tokenizers
    import torch
    import transformers

    recipe, last = learner.recipe, points[-1]
    layout, plan = recipe.layout, recipe.plan
    few = "; ".join(
        f"in {share.language} all that is asked is of {share.screens} screens"
        for share in plan.languages
        if share.screens
    )
    told = [f"clicks {last.guesses.click:.2f}"] if last.guesses else []
    if last.guesses:
        told += [f"{name} {share:.2f}" for name, share in sorted(last.guesses.choice.items())]
    return CARD.read_text("utf-8").format(
        name=recipe.name,
        languages=", ".join(share.language for share in plan.languages),
        millions=sum(weight.numel() for weight in learner.model.parameters()) / 1e6,
        width=layout.width,
        height=layout.height,
        most=layout.most,
        few=few,
        speaks=recipe.speaks,
        seed=recipe.seed,
        steps=last.step,
        batch=plan.batch,
        seconds=last.seconds,
        versions=f"Python {platform.python_version()}, torch {torch.__version__}, "
        f"transformers {transformers.__version__}, tokenizers {tokenizers.__version__}",
        guesses=", ".join(told),
        command=command,
        every=points[0].step,
    )


def curve_picture(
    points: Sequence[CurvePoint], width: int = 480, height: int = 240
) -> Image.Image:
    """Draw the loss over the steps in blue, and the share of right clicks in orange."""
    image = Image.new("RGB", (width, height), "white")
    pen = ImageDraw.Draw(image)
    most, longest = max(point.loss for point in points), max(point.step for point in points)

    def at(step: int, share: float) -> tuple[float, float]:
        return 10 + (width - 20) * step / longest, height - 20 - (height - 40) * share

    pen.line([at(0, 0.0), at(longest, 0.0)], fill="#888888")
    pen.line([at(point.step, point.loss / most) for point in points], fill="#2458d2", width=2)
    hits = [at(point.step, point.guesses.click) for point in points if point.guesses]
    pen.line(hits, fill="#e07010", width=2)
    pen.text((12, 4), f"loss (blue, at most {most:.1f}), clicks right (orange, 0 to 1)", "#333333")
    pen.text((12, height - 16), f"{longest} steps", "#333333")
    return image
