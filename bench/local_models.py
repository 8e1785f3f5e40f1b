"""
Questions a second of ``hf:`` beside a plain loop over transformers, on the same prompts.

    python bench/local_models.py [MODEL] [--count 96] [--batch 8]

MODEL is a folder trained on drawn screens, by default the weights that come with the studies. Both
load it in float32 and ask for clicks on the same drawn screens; the loop knows nothing of Surefoot
beside the prompts, and makes its batches in order. The two take turns, five times each, on one
thread: on a busy machine several wait for each other more than they work.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import statistics
import tempfile
import time
from pathlib import Path

import torch
from PIL import Image

from surefoot.core.question import Question
from surefoot.core.store import ObjectStore
from surefoot.models import Model, Options, open_model
from surefoot.run.folders.folder import read_questions
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS
from surefoot_studies.tiny.measuring import LONGEST, PlainModel

CLICKS = 3  # on each screen
Asked = list[tuple[Question, bytes]]


def plain(model: PlainModel, asked: Asked, batch: int) -> tuple[float, list[str]]:
    """Return the seconds of a loop over batches, processor included, and its replies."""
    begun, said = time.perf_counter(), []
    for at in range(0, len(asked), batch):
        part = asked[at : at + batch]
        messages = [
            model.format.messages(one.instruction.text, one.width, one.height, reasoning=False)
            for one, _ in part
        ]
        images = [Image.open(io.BytesIO(image)).convert("RGB") for _, image in part]
        said += model.reply(messages, images)
    return time.perf_counter() - begun, said


async def through(model: Model, asked: Asked) -> tuple[float, list[str]]:
    """Return the seconds of the same questions asked of ``hf:``, all at once, and its replies."""
    begun = time.perf_counter()
    answers = await asyncio.gather(*(model.answer(*one) for one in asked))
    return time.perf_counter() - begun, [answer.raw for answer in answers]


def main() -> None:
    """Print the ratio, and how each did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=WEIGHTS)
    parser.add_argument("--count", type=int, default=96)
    parser.add_argument("--batch", type=int, default=8)
    given = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        bench = write_clicks(Path(folder, "click"), screens=given.count // CLICKS, clicked=CLICKS)
        store = ObjectStore(bench)
        asked = [(one, store.get(one.image)) for one in read_questions(bench)]
        loop = PlainModel(given.model, "qwen3-vl")
        options = Options(
            device="cpu", dtype="float32", max_tokens=LONGEST, concurrency=given.batch
        )
        model = open_model(f"hf:{given.model}", format_name="qwen3-vl", options=options)
        model.prepare()
        turns = []
        for _ in range(5):
            theirs, expected = plain(loop, asked, given.batch)
            ours, found = asyncio.run(through(model, asked))
            same = sum(one == other for one, other in zip(found, expected, strict=True))
            print(
                f"hf: {len(asked) / ours:.1f} questions a second, plain "
                f"{len(asked) / theirs:.1f}, {same} of {len(asked)} replies the same"
            )
            turns.append(theirs / ours)
    spread = f"{min(turns):.2f} to {max(turns):.2f}"
    print(f"ratio {statistics.median(turns):.2f} ({spread})")


if __name__ == "__main__":
    main()
