"""
Small models of three families with random weights, in folders as Hugging Face lays them out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SPECIAL = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>",
    "<|image_pad|>", "<|video_pad|>",
)  # fmt: skip
TEMPLATE = (
    "{%- for message in messages -%}{{- '<|im_start|>' + message.role + '\n' -}}"
    "{%- if message.content is string -%}{{- message.content -}}{%- else -%}"
    "{%- for part in message.content -%}"
    "{%- if 'image' in part.type -%}{{- '<|vision_start|><|image_pad|><|vision_end|>' -}}"
    "{%- else -%}{{- part.text -}}{%- endif -%}{%- endfor -%}{%- endif -%}"
    "{{- '<|im_end|>\n' -}}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\n' -}}{%- endif -%}"
)
TEXTS = ("Click 'Save', then reply with one letter A B C D: 0123456789", "user assistant system")
FAMILIES = ("qwen2_vl", "qwen2_5_vl", "qwen3_vl")


def save_random(folder: Path, family: str, *, patch: int = 14, seed: int = 0) -> Path:
    """Write a folder with a model of a family whose weights are drawn from a seed."""
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText

    tokenizer = _tokenizer()
    tokenizer.save_pretrained(folder)
    tokens = {
        f"{name}_token_id": tokenizer.convert_tokens_to_ids(f"<|{text}|>")
        for name, text in (
            ("image", "image_pad"), ("video", "video_pad"),
            ("vision_start", "vision_start"), ("vision_end", "vision_end"),
        )
    }  # fmt: skip
    rope = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [4, 2, 2]}
    words = {
        "vocab_size": len(tokenizer), "hidden_size": 64, "intermediate_size": 96,
        "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2,
        "rope_parameters": rope, "initializer_range": 0.3, "tie_word_embeddings": True,
        "pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id,
    }  # fmt: skip
    sight: dict[str, Any] = {
        "depth": 2, "num_heads": 2, "patch_size": patch, "spatial_merge_size": 2,
        "temporal_patch_size": 2, "initializer_range": 0.3,
    }  # fmt: skip
    if family == "qwen2_vl":
        sight |= {"embed_dim": 32, "hidden_size": 64, "mlp_ratio": 2}
    else:
        sight |= {"hidden_size": 32, "intermediate_size": 48, "out_hidden_size": 64}
    if family == "qwen2_5_vl":
        sight |= {"fullatt_block_indexes": [1], "window_size": 4 * patch}
    if family == "qwen3_vl":
        words |= {"head_dim": 16}
        sight |= {"num_position_embeddings": 64, "deepstack_visual_indexes": [0]}
    config = AutoConfig.for_model(
        family, text_config=words, vision_config=sight, tie_word_embeddings=True, **tokens
    )
    torch.manual_seed(seed)
    model = AutoModelForImageTextToText.from_config(config)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    processor = {
        "image_processor_type": "Qwen2VLImageProcessor", "patch_size": patch, "merge_size": 2,
        "temporal_patch_size": 2, "image_mean": [0.5] * 3, "image_std": [0.5] * 3,
        "size": {"shortest_edge": 3136, "longest_edge": 200_704},
    }  # fmt: skip
    (folder / "preprocessor_config.json").write_text(json.dumps(processor))
    return folder


def save_llava(folder: Path) -> Path:
    """Write a folder of another family than Qwen's, LLaVA's, with random weights."""
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText, LlavaProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    tokenizer = _tokenizer()
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    tokenizer.chat_template = TEMPLATE.replace(
        "<|vision_start|><|image_pad|><|vision_end|>", "<image>"
    )
    sight = {
        "model_type": "clip_vision_model", "hidden_size": 32, "intermediate_size": 48,
        "num_hidden_layers": 3, "num_attention_heads": 2, "image_size": 56, "patch_size": 14,
        "projection_dim": 32,
    }  # fmt: skip
    words = {
        "model_type": "llama", "vocab_size": len(tokenizer), "hidden_size": 64,
        "intermediate_size": 96, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": 2, "initializer_range": 0.3,
        "pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id,
    }  # fmt: skip
    config = AutoConfig.for_model(
        "llava",
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        vision_config=sight,
        text_config=words,
    )
    torch.manual_seed(0)
    AutoModelForImageTextToText.from_config(config).save_pretrained(folder)
    LlavaProcessor(
        image_processor=CLIPImageProcessorPil(
            size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56}
        ),
        tokenizer=tokenizer,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    ).save_pretrained(folder)
    return folder


def _tokenizer() -> Any:  # noqa: ANN401 - a library's
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=list(SPECIAL), initial_alphabet=alphabet,
        show_progress=False,
    )  # fmt: skip
    tokenizer.train_from_iterator(TEXTS, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",  # noqa: S106 - a token of text
        pad_token="<|endoftext|>",  # noqa: S106 - the same
        chat_template=TEMPLATE,
    )


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a folder of each family."""
    top = tmp_path_factory.mktemp("weights")
    return {family: save_random(top / family, family) for family in FAMILIES}
