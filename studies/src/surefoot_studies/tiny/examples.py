"""
Examples to learn from, each a pure function of the recipe, the step and its place in the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
import numpy as np

from surefoot.core.seeds import derive_seed, random_source
from surefoot_studies.tiny.asking import choices, clicks
from surefoot_studies.tiny.building import grid_of, image_tokens, patches
from surefoot_studies.tiny.drawing import DrawnScreen, draw, picture
from surefoot_studies.tiny.prompting import DrawnExchange, Prompter, rendered
from surefoot_studies.tiny.recipe import DrawnRecipe

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerFast

    Tensor: TypeAlias = torch.Tensor
    Tensors: TypeAlias = dict[str, torch.Tensor]


TRAIN: Final = "train"
KINDS: Final = ("click", "describe", "choose")
UNLEARNT: Final = -100
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class DrawnExample(msgspec.Struct, frozen=True):
    """Hold a screen and an exchange about it; ``kind`` is "click", or a choice's dimension."""

    drawing: DrawnScreen
    exchange: DrawnExchange
    kind: str
    language: str = "en"


def example(recipe: DrawnRecipe, prompter: Prompter, step: int, place: int) -> DrawnExample:
    """Return the example at a place of a step's batch."""
    source = random_source(recipe.seed, TRAIN, str(step), str(place))
    plan, layout, mix = recipe.plan, recipe.layout, recipe.plan.then
    if step < plan.early * plan.steps:
        layout, mix = msgspec.structs.replace(layout, most=layout.fewest), plan.first
    shares = (mix.click, mix.describe)
    kind = source.choices(KINDS, [*shares, 1 - sum(shares)])[0]
    if kind == "choose":
        share = source.choices(plan.languages, [share.share for share in plan.languages])[0]
        seed = source.getrandbits(62)
        if share.screens:  # all that is ever asked in this language is about these
            seed = derive_seed(recipe.seed, TRAIN, share.language, str(seed % share.screens))
        drawing = draw(seed, recipe.layout.lone())
        item = source.choice(choices(drawing))
        exchange = prompter.choice(item, share.language)
        return DrawnExample(drawing, exchange, item.dimension, share.language)
    drawing = draw(source.getrandbits(62), layout)
    if kind == "describe":
        return DrawnExample(drawing, prompter.description(drawing), kind)
    return DrawnExample(drawing, prompter.click(source.choice(clicks(drawing))), kind)


class ExampleBatch(msgspec.Struct, frozen=True):
    """
    Hold a batch as arrays: tokens, which of them count, what is to be learnt, and pictures.

    The shorter examples are filled up on the right; pictures are bytes.
    """

    tokens: Array
    counts: Array
    wanted: Array
    pixels: Array

    def on(self, device: str, recipe: DrawnRecipe, image_token: int) -> tuple[Tensors, Tensor]:
        """Return what the model takes on a device, and the tokens to learn."""
        import torch

        tokens = torch.from_numpy(self.tokens).to(device)
        patch, layout = recipe.size.patch, recipe.layout
        given = {
            "input_ids": tokens,
            "attention_mask": torch.from_numpy(self.counts).to(device),
            "mm_token_type_ids": (tokens == image_token).long(),
            "pixel_values": patches(torch.from_numpy(self.pixels).to(device), patch),
            "image_grid_thw": torch.tensor([grid_of(layout, patch)] * len(tokens), device=device),
        }
        return given, torch.from_numpy(self.wanted).to(device)


class BatchMaker:
    """Make batches; sent to another process, it makes the same there."""

    def __init__(self, recipe: DrawnRecipe, tokenizer: PreTrainedTokenizerFast) -> None:
        self._recipe = recipe
        self._tokenizer = tokenizer
        self._prompter = Prompter(recipe.speaks, recipe.layout, recipe.grid)
        self._image_tokens = image_tokens(recipe.layout, recipe.size.patch)

    def step(self, number: int) -> ExampleBatch:
        """Return a step's batch."""
        places = range(self._recipe.plan.batch)
        return self.batch(
            [example(self._recipe, self._prompter, number, place) for place in places]
        )

    def batch(self, examples: Sequence[DrawnExample]) -> ExampleBatch:
        """Return a batch of examples."""
        pairs = [rendered(item.exchange, self._image_tokens) for item in examples]
        ids = [[self._tokenizer(text)["input_ids"] for text in pair] for pair in pairs]
        shape = (len(ids), max(len(prompt) + len(reply) for prompt, reply in ids))
        tokens = np.full(shape, self._tokenizer.pad_token_id, dtype=np.int64)
        wanted = np.full(shape, UNLEARNT, dtype=np.int64)
        counts = np.zeros(shape, dtype=np.int64)
        for row, (prompt, reply) in enumerate(ids):
            end = len(prompt) + len(reply)
            tokens[row, :end] = [*prompt, *reply]
            wanted[row, len(prompt) : end] = reply
            counts[row, :end] = 1
        pixels = np.stack([np.asarray(picture(item.drawing)) for item in examples])
        return ExampleBatch(tokens, counts, wanted, pixels)
