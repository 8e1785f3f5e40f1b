"""
verl's layout, which EasyR1 reads as well: prompts to answer, and what a reward needs.

``ground_truth`` and ``answer`` are the question as JSON, so that a reward reads a reply by the
format and scores it by the question itself. EasyR1 has no place for a system text, which stands
before the user's words in ``problem``. Pictures are described as such, and ``datasets`` decodes
them: verl resizes those that come as bytes.

Sources: verl's docs on preparing data and its ``RLHFDataset``; EasyR1's ``RLHFDataset``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from surefoot.core.canonical import canonical_json
from surefoot.train.examples import TrainingExample
from surefoot.train.layout import Layout, turns_in_strings, write_parquet

if TYPE_CHECKING:
    import pyarrow as pa


def row_of(example: TrainingExample, index: int) -> dict[str, Any]:
    """Return the columns of the so-manieth example but for its pictures."""
    prompt = turns_in_strings(example)
    truth = canonical_json(example.question).decode()
    return {
        "data_source": f"surefoot/{example.source}",
        "prompt": prompt,
        "reward_model": {"style": "rule", "ground_truth": truth},
        "extra_info": {
            "split": example.split,
            "index": index,
            "answer": example.completion,
            "question": example.question.instruction.text,
        },
        "problem": "\n\n".join(turn["content"] for turn in prompt),
        "answer": truth,
    }


def write(data: Path, examples: Sequence[TrainingExample]) -> None:
    """Write a parquet file for each split."""
    index = {example.id: at for at, example in enumerate(examples)}
    write_parquet(
        data / "verl", examples, _columns, lambda example: row_of(example, index[example.id])
    )


def _columns() -> pa.Schema:
    import pyarrow as pa

    def texts(*names: str) -> list[tuple[str, pa.DataType]]:
        return [(name, pa.string()) for name in names]

    index = ("index", pa.int64())
    return pa.schema(
        [
            *texts("data_source"),
            ("prompt", pa.list_(pa.struct(texts("role", "content")))),
            ("reward_model", pa.struct(texts("style", "ground_truth"))),
            ("extra_info", pa.struct([*texts("split", "answer", "question"), index])),
            *texts("problem", "answer"),
        ]
    )


VERL: Final = Layout(
    "verl", 1, "verl, EasyR1: parquet, prompts in strings, the question for a reward", write
)
