"""
The processor of a model: chat template, tokenizer, and pictures as the family cuts them up.

That of the Qwen-VL families asks for torchvision, which it needs for videos alone. Where there
is none, the same processor is built without its part for videos.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any, Final

from surefoot.core.errors import InvalidInputError
from surefoot.core.foreign.model_folders import SAFELY, loading
from surefoot.models.spaces import ResizeRule

QWEN: Final = {
    "qwen2_vl": "Qwen2VLProcessor",
    "qwen2_5_vl": "Qwen2_5_VLProcessor",
    "qwen3_vl": "Qwen3VLProcessor",
}


def load_processor(folder: Path, family: str) -> Any:  # noqa: ANN401 - a library's
    """
    Return the processor of a model's folder.

    Raises InvalidInputError where it has none, or one that cannot say how a chat is written;
    MissingComponentError where it needs a package that is not installed.
    """
    from transformers import AutoProcessor

    with loading("a processor", folder):
        if family in QWEN and importlib.util.find_spec("torchvision") is None:
            processor = without_videos(family).from_pretrained(folder, **SAFELY)
        else:
            processor = AutoProcessor.from_pretrained(folder, **SAFELY)
    if getattr(processor, "tokenizer", None) is None:
        raise InvalidInputError(
            f"a processor for pictures and words in {folder}", found=type(processor).__name__
        )
    if not (getattr(processor, "chat_template", None) or processor.tokenizer.chat_template):
        raise InvalidInputError(
            f"a chat template in {folder}",
            found="none",
            remedy="copy chat_template.jinja or chat_template.json, and tokenizer_config.json, "
            "from its source",
        )
    processor.tokenizer.padding_side = "left"
    return processor


def set_resize_rule(processor: Any, rule: ResizeRule) -> None:  # noqa: ANN401 - a library's
    """
    Set the limits between which a processor resizes pictures.

    Raises InvalidInputError for a processor that resizes in another way.
    """
    images = processor.image_processor
    factor = getattr(images, "patch_size", 0) * getattr(images, "merge_size", 0)
    if factor != rule.factor:
        raise InvalidInputError(
            f"a processor that resizes to multiples of {rule.factor} pixels, as the format has it",
            found=f"multiples of {factor}" if factor else type(images).__name__,
            remedy="give the --format of this model's family",
        )
    images.size = {"shortest_edge": rule.min_pixels, "longest_edge": rule.max_pixels}


def without_videos(family: str) -> Any:  # noqa: ANN401 - a class
    """
    Return the family's processor class without its part for videos.

    The library reads from the signature of ``__init__`` which parts there are.
    """
    from transformers.processing_utils import ProcessorMixin

    room = importlib.import_module(f"transformers.models.{family}.processing_{family}")
    whole = getattr(room, QWEN[family])

    def build(self, image_processor=None, tokenizer=None, chat_template=None, **_rest):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN003, ANN202
        for name in ("image_pad", "video_pad", "vision_start", "vision_end"):
            token = f"<|{name}|>"
            spelt = name.replace("_pad", "")
            setattr(self, f"{spelt}_token", token)
            setattr(self, f"{spelt}_token_id", tokenizer.convert_tokens_to_ids(token))
        ProcessorMixin.__init__(self, image_processor, tokenizer, chat_template=chat_template)

    return type(whole.__name__, (whole,), {"__init__": build})
