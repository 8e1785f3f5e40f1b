"""
LLaMA-Factory's layout, which ms-swift reads as well: turns in strings, paths of pictures.

``dataset_info.json`` describes the files to LLaMA-Factory (`--dataset_dir DATA/llama-factory`);
ms-swift is given a file, and ROOT_IMAGE_DIR for its relative paths. There is no ``objects``
column: ms-swift would spell the boxes in it by a rule of its own, and not as the format reads.

Sources: LLaMA-Factory's data/README.md (sharegpt format), ms-swift's Custom-dataset.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from surefoot.core.canonical import canonical_json, readable_json
from surefoot.core.files import write_atomic
from surefoot.core.store import ObjectStore
from surefoot.train.examples import TrainingExample
from surefoot.train.layout import Layout, by_split, turns_in_strings

NAME: Final = "llama-factory"
ARGUMENTS: Final = (
    "# LLaMA-Factory shrinks larger pictures before the model's own processor sees them,\n"
    "# behind which places in pixels would be wrong: this is the area of the largest one.\n"
)
TAGS: Final = {
    "role_tag": "role",
    "content_tag": "content",
    "user_tag": "user",
    "assistant_tag": "assistant",
    "system_tag": "system",
}


def row_of(example: TrainingExample, store: ObjectStore) -> dict[str, Any]:
    """Return an example's columns; paths are relative to the layout's folder."""
    reply = {"role": "assistant", "content": example.completion}
    paths = (store.path(image) for image in example.question.images)
    return {
        "messages": [*turns_in_strings(example), reply],
        "images": [f"../{path.relative_to(store.folder.parent).as_posix()}" for path in paths],
    }


def write(data: Path, examples: Sequence[TrainingExample]) -> None:
    """Write a file of JSON lines for each split, what describes them, and an argument."""
    folder, store = data / NAME, ObjectStore(data)
    folder.mkdir(exist_ok=True)
    described = {}
    for split, members in by_split(examples):
        lines = [canonical_json(row_of(example, store)) + b"\n" for example in members]
        write_atomic(folder / f"{split}.jsonl", b"".join(lines))
        described[split] = {
            "file_name": f"{split}.jsonl",
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images"},
            "tags": TAGS,
        }
    write_atomic(folder / "dataset_info.json", readable_json(described))
    largest = max(
        shown.width * shown.height
        for example in examples
        for shown in example.question.screen_images
    )
    write_atomic(folder / "arguments.yaml", f"{ARGUMENTS}image_max_pixels: {largest}\n".encode())


LLAMA_FACTORY: Final = Layout(
    NAME, 1, "LLaMA-Factory, ms-swift: JSON lines, turns in strings, paths of pictures", write
)
