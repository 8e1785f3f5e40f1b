"""
A training of the toy model and its answers, done once, with the CPU seconds that it took.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import canonical_json, decode, readable_json
from surefoot.core.files import write_atomic
from surefoot.core.question import Answer
from surefoot.models.format import Format
from surefoot.models.spaces import PER_MILLE
from surefoot.train.data import build_data
from surefoot.train.fitting import Training, in_silence
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Mixture
from surefoot.train.recipe import TrainingRecipe
from surefoot.train.sft import train_sft
from surefoot_studies.tiny.measuring import PlainModel, replies

SPENT: Final = "spent.json"


def learned(
    out: Path,
    model: Path,
    recipe: TrainingRecipe,
    sources: Sequence[Path],
    *,
    mixture: Mixture,
    form: Format,
    seed: int,
) -> float:
    """
    Train a model below ``out`` on examples of BENCHes, unless that was done.

    Returns the CPU seconds that it took, with those of its data.
    """
    spent = out / SPENT
    if not spent.exists():
        begun = time.process_time()
        data, layout = out / "data", LAYOUTS.get("trl")
        build_data(sources, data, form=form, mixture=mixture, layout=layout, seed=seed)
        # The format says what replies are, and not how pictures are resized: nothing is.
        seen = msgspec.structs.replace(form, space=PER_MILLE)
        train_sft(Training(model, recipe, seen, device="cpu", seed=seed), data, out / "trained")
        write_atomic(spent, readable_json(round(time.process_time() - begun, 1)))
    return decode(spent.read_bytes(), float, what=str(spent))


def answers_of(
    model: Path, bench: Path, out: Path, form: Format, *, adapter: str = ""
) -> list[Answer]:
    """Return the answers of a model, with its adapter, to a BENCH; a file has what was asked."""
    if not out.exists():
        with in_silence():
            found = [
                Answer(
                    reply.question.id,
                    reply.text,
                    form.parse(reply.text, reply.question.width, reply.question.height),
                )
                for reply in replies(_opened(model, adapter), bench)
            ]
        write_atomic(out, b"".join(canonical_json(answer) + b"\n" for answer in found))
    return [decode(line, Answer, what=str(out)) for line in out.read_bytes().splitlines()]


def _opened(model: Path, adapter: str) -> PlainModel:
    plain = PlainModel(model, "tiny")
    if adapter:
        from peft import PeftModel

        plain.model = PeftModel.from_pretrained(plain.model, adapter).merge_and_unload()
    return plain
