"""
How far a model is while it learns: what it would say first, on screens that it never saw.

Cheaper than a run: the right beginning of a reply is given, and what comes next is read.
``measuring`` asks through the ordinary doors instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.core.seeds import derive_seed, random_source
from surefoot_studies.tiny.asking import LANGUAGES, choices, clicks
from surefoot_studies.tiny.drawing import draw
from surefoot_studies.tiny.examples import BatchMaker, DrawnExample, ExampleBatch
from surefoot_studies.tiny.prompting import Prompter
from surefoot_studies.tiny.recipe import Guesses

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast, Qwen3VLForConditionalGeneration

    from surefoot_studies.tiny.examples import Tensor, Tensors


SEED: Final = 7919  # of screens that no recipe's seed draws
BATCH: Final = 96


class Guesser(Protocol):
    """Ask of what learns that it has a model, and puts batches where the model is."""

    model: Qwen3VLForConditionalGeneration
    tokenizer: PreTrainedTokenizerFast
    prompter: Prompter
    batches: BatchMaker

    def on_device(self, batch: ExampleBatch) -> tuple[Tensors, Tensor]:
        """Return what the model takes of a batch, and what it is to learn."""


class HeldExample(msgspec.Struct, frozen=True):
    """Hold an example with what is right: a box, or a label."""

    example: DrawnExample
    right: Box | str


def validation(prompter: Prompter, screens: int) -> Iterator[HeldExample]:
    """Yield a click and the choices in each language on screens that are kept out."""
    for number in range(screens):
        source = random_source(SEED, "validation", str(number))
        seed = derive_seed(SEED, "validation", str(number))
        drawing, lone = draw(seed, prompter.layout), draw(seed, prompter.layout.lone())
        item = source.choice(clicks(drawing))
        clicked = DrawnExample(drawing, prompter.click(item), "click")
        yield HeldExample(clicked, item.figure.box)
        for language in LANGUAGES:
            for chosen in choices(lone):
                exchange = prompter.choice(chosen, language)
                made = DrawnExample(lone, exchange, chosen.dimension, language)
                yield HeldExample(made, chosen.label)


def guess(learner: Guesser, held: Sequence[HeldExample]) -> Guesses:
    """Return how many guesses are right; the learner goes on as if it had not been asked."""
    import torch

    right: defaultdict[str, list[bool]] = defaultdict(list)
    learner.model.eval()
    for start in range(0, len(held), BATCH):
        part = held[start : start + BATCH]
        given, wanted = learner.on_device(
            learner.batches.batch([example.example for example in part])
        )
        with torch.no_grad():
            states = learner.model.model(**given).last_hidden_state[:, :-1]
            said = learner.model.lm_head(states).argmax(-1)
        for row, example in enumerate(part):
            tokens = said[row][wanted[row, 1:] >= 0]
            text = learner.tokenizer.decode(tokens, skip_special_tokens=True)
            kind = example.example.kind
            name = "click" if kind == "click" else example.example.language
            right[name].append(_right(text, example, learner.prompter))
    shares = {name: round(sum(hits) / len(hits), 4) for name, hits in right.items()}
    return Guesses(shares.pop("click"), shares)


def _right(text: str, one: HeldExample, prompter: Prompter) -> bool:
    if isinstance(one.right, str):
        return text == one.right
    layout = prompter.layout
    place = prompter.format.parse(text, layout.width, layout.height)
    return isinstance(place, Point) and one.right.contains(place)
