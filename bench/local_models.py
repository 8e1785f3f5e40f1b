"""
Questions a second of ``hf:`` beside a plain loop over transformers, on the same prompts.

    python bench/local_models.py [MODEL] [--count 64] [--batch 8]

Without MODEL a small one with random weights is made. Both load the same folder with the same
settings; the loop makes its batches beforehand and asks nothing else, so that what ``hf:`` costs
beside generating is what is seen. The two take turns, five times each, on one thread: on a busy
machine several wait for each other more than they work.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import torch

from surefoot.models import Options, open_model
from surefoot.models.weights.generating import Chat, encode
from surefoot.models.weights.loading import LocalModel, load
from surefoot.models.weights.responder import opened
from tests.models.weights.asking import answers, asked
from tests.models.weights.conftest import save_random

TOKENS = 16


def plain(local: LocalModel, chats: list[Chat], batch: int) -> float:
    """Return the seconds of a loop over batches, processor included."""
    begun = time.perf_counter()
    for at in range(0, len(chats), batch):
        given = encode(local, chats[at : at + batch])
        with torch.inference_mode():
            output = local.model.generate(**given, max_new_tokens=TOKENS, do_sample=False)
        local.tokenizer.batch_decode(output, skip_special_tokens=True)
    return time.perf_counter() - begun


def main() -> None:
    """Print the ratio, and how each did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("--batch", type=int, default=8)
    given = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        path = given.model or save_random(Path(folder, "random"), "qwen3_vl")
        # Options have letters, whose probabilities hf: tells besides: only places are asked.
        questions = [one for one in asked(2 * given.count) if one[0].asks == "place"]
        options = Options(max_tokens=TOKENS, concurrency=given.batch)
        model = open_model(f"hf:{path}", format_name="json", options=options)
        local = load(path)
        chats = [
            Chat(
                model.format.messages(
                    item.instruction.text, item.width, item.height, reasoning=False
                ),
                (opened(image),),
            )
            for item, image in questions
        ]
        chats.sort(key=lambda chat: chat.images[0].width * chat.images[0].height)
        asyncio.run(answers(model, questions[:2], close=False))  # loads
        plain(local, chats[:2], 2)
        ratios = []
        for _ in range(5):
            loop = plain(local, chats, given.batch)
            begun = time.perf_counter()
            asyncio.run(answers(model, questions, close=False))
            own = time.perf_counter() - begun
            ratios.append(loop / own)
            print(f"plain loop {len(chats) / loop:.2f} questions/s, hf: {len(chats) / own:.2f}")
        print(f"hf: is {statistics.median(ratios):.2f} times as fast as the plain loop")


if __name__ == "__main__":
    main()
