"""
A Qwen3-VL of any size with fresh weights, and pictures as it sees them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from surefoot_studies.tiny.drawing import DrawnLayout
from surefoot_studies.tiny.recipe import ModelSize

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerFast, Qwen3VLForConditionalGeneration


MERGE: Final = 2
TWICE: Final = 2  # a still is two equal frames


def fresh_model(
    size: ModelSize, tokenizer: PreTrainedTokenizerFast
) -> Qwen3VLForConditionalGeneration:
    """Return a model with fresh weights; the caller sets torch's seed."""
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    rope = {
        "rope_type": "default",
        "rope_theta": 10_000.0,
        "mrope_section": _sections(size.head_dim // 2),
        "mrope_interleaved": True,
    }
    ids = tokenizer.convert_tokens_to_ids
    config = Qwen3VLConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": size.hidden,
            "intermediate_size": size.inner,
            "num_hidden_layers": size.layers,
            "num_attention_heads": size.heads,
            "num_key_value_heads": size.heads,
            "head_dim": size.head_dim,
            "max_position_embeddings": 4096,
            "rope_parameters": rope,
            "initializer_range": size.spread,
            "tie_word_embeddings": True,
            "pad_token_id": tokenizer.pad_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={
            "depth": size.seen_layers,
            "hidden_size": size.seen_hidden,
            "intermediate_size": size.seen_inner,
            "num_heads": size.seen_heads,
            "patch_size": size.patch,
            "spatial_merge_size": MERGE,
            "temporal_patch_size": TWICE,
            "out_hidden_size": size.hidden,
            "num_position_embeddings": size.positions**2,
            "deepstack_visual_indexes": list(size.deepstack),
            "initializer_range": size.spread,
        },
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
        tie_word_embeddings=True,
    )
    return Qwen3VLForConditionalGeneration(config)


def _sections(pairs: int) -> list[int]:
    """Share the pairs of a head's dimensions among time, height and width."""
    side = pairs // 3
    return [pairs - 2 * side, side, side]


def grid_of(layout: DrawnLayout, patch: int) -> tuple[int, int, int]:
    """Return how many frames, rows and columns of patches a screen is."""
    return 1, layout.height // patch, layout.width // patch


def image_tokens(layout: DrawnLayout, patch: int) -> int:
    """Return how many tokens a screen is."""
    _, down, across = grid_of(layout, patch)
    return down * across // MERGE**2


def patches(pixels: torch.Tensor, patch: int) -> torch.Tensor:
    """
    Return pictures as the family's processor does, the patches of a block together.

    ``pixels`` are bytes, (pictures, height, width, 3); sides are multiples of two patches, so
    that nothing is resized.
    """
    count, height, width, _ = pixels.shape
    down, across = height // patch // MERGE, width // patch // MERGE
    shape = (count, down, MERGE, patch, across, MERGE, patch, 3)
    blocks = (pixels.float() / 127.5 - 1).reshape(shape).permute(0, 1, 4, 2, 5, 7, 3, 6)
    twice = blocks.unsqueeze(-3).expand(*blocks.shape[:-2], TWICE, *blocks.shape[-2:])
    return twice.reshape(count * down * across * MERGE**2, -1)
