"""
Replies of a model in memory to several chats at once, the same as to each alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import torch
from PIL import Image
from transformers import GenerationConfig, LogitsProcessor, LogitsProcessorList

from surefoot.core.question import Usage
from surefoot.models.format import ChatMessages
from surefoot.models.replies.letters import TokenChoice, bare_token
from surefoot.models.weights.loading import LocalModel

TOLD = 20  # the most alternatives of a token that are told, as servers have it


class Chat(msgspec.Struct, frozen=True):
    """Hold one turn: words, and the pictures in their order."""

    messages: ChatMessages
    images: tuple[Image.Image, ...] = ()


class Sampling(msgspec.Struct, frozen=True):
    """
    Say how tokens are drawn: at ``temperature`` 0 the likeliest, else by ``seeds``, one a chat.

    With ``temperature`` above 0 there are as many seeds as chats.
    """

    temperature: float = 0.0
    seeds: tuple[int, ...] = ()


class Generated(msgspec.Struct, frozen=True):
    """
    Hold a reply's text, its tokens' alternatives where they were asked for, and its usage.

    ``cut`` says that no end of the text came within the limit of tokens.
    """

    text: str
    tokens: tuple[TokenChoice, ...]
    usage: Usage
    cut: bool


def encode(local: LocalModel, chats: Sequence[Chat]) -> dict[str, Any]:
    """
    Return the model's input for chats, padded on the left, on its device.

    A token of control that stands in the words, as a page may have put it there, is spelt so
    that it stays words.
    """
    texts = [
        local.processor.apply_chat_template(
            _turns(local, chat), add_generation_prompt=True, tokenize=False
        )
        for chat in chats
    ]
    images = [image.convert("RGB") for chat in chats for image in chat.images]
    batch = local.processor(
        text=texts, images=images or None, padding=True, return_tensors="pt"
    ).to(local.device)
    if "pixel_values" in batch:
        batch["pixel_values"] = batch["pixel_values"].to(local.model.dtype)
    return dict(batch)


def generate(
    local: LocalModel,
    chats: Sequence[Chat],
    *,
    max_tokens: int,
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    labels: Sequence[str] = (),
) -> list[Generated]:
    """
    Return the replies to chats, in their order.

    ``labels`` are those of options: their probabilities at every token are told. Where the
    memory of a GPU does not hold all at once, halves are asked.
    """
    try:
        return _generated(local, chats, max_tokens, sampling, labels)
    except torch.OutOfMemoryError:
        if len(chats) == 1:
            raise
    torch.cuda.empty_cache()
    half = len(chats) // 2
    parts = ((chats[:half], sampling.seeds[:half]), (chats[half:], sampling.seeds[half:]))
    return [
        reply
        for part, seeds in parts
        for reply in generate(
            local,
            part,
            max_tokens=max_tokens,
            sampling=Sampling(sampling.temperature, seeds),
            labels=labels,
        )
    ]


def _turns(local: LocalModel, chat: Chat) -> list[dict[str, Any]]:
    messages = chat.messages
    pictures = [{"type": "image"} for _ in chat.images]
    words = [{"type": "text", "text": plain_words(local, messages.user)}]
    content = [*pictures, *words] if messages.image_first else [*words, *pictures]
    system = {"role": "system", "content": [{"type": "text", "text": messages.system}]}
    return [*([system] if messages.system else []), {"role": "user", "content": content}]


def plain_words(local: LocalModel, words: str) -> str:
    """Spell tokens of control in words so that they stay words."""
    for token in local.tokenizer.added_tokens_decoder.values():
        if token.special and token.content in words:
            words = words.replace(token.content, f"{token.content[:1]} {token.content[1:]}")
    return words


def _generated(
    local: LocalModel,
    chats: Sequence[Chat],
    max_tokens: int,
    sampling: Sampling,
    labels: Sequence[str],
) -> list[Generated]:
    given = encode(local, chats)
    alternatives = _Alternatives(local, labels) if labels else None
    steps = LogitsProcessorList([alternatives] if alternatives else [])
    if sampling.temperature > 0:
        steps.append(_SeededNoise(sampling))
    with torch.inference_mode():
        output = local.model.generate(
            **given,
            generation_config=_greedy(local, max_tokens),
            logits_processor=steps,
        )
    width = given["input_ids"].shape[1]
    replies = output[:, width:].tolist()
    prompts = given["attention_mask"].sum(dim=1).tolist()
    return [
        _reply(local, at, reply, int(prompt), alternatives)
        for at, (reply, prompt) in enumerate(zip(replies, prompts, strict=True))
    ]


def _greedy(local: LocalModel, max_tokens: int) -> GenerationConfig:
    """Return the model's own settings but for how tokens are drawn."""
    config = GenerationConfig.from_dict(local.model.generation_config.to_dict())
    config.update(
        max_new_tokens=max_tokens,
        max_length=None,
        do_sample=False,
        temperature=None,
        top_p=None,
        top_k=None,
        num_beams=1,
        use_cache=True,
        return_dict_in_generate=False,
    )
    if config.pad_token_id is None:
        config.pad_token_id = local.tokenizer.pad_token_id
    return config


def _reply(
    local: LocalModel, at: int, tokens: list[int], prompt: int, alternatives: _Alternatives | None
) -> Generated:
    config = local.model.generation_config
    ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
    length = next((place for place, token in enumerate(tokens) if token in ends), len(tokens))
    written = tokens[:length]
    text = local.tokenizer.decode(written, skip_special_tokens=True)
    choices = alternatives.of(at, written) if alternatives else ()
    cut = length == len(tokens)
    return Generated(text, choices, Usage(prompt, min(length + 1, len(tokens))), cut)


class _SeededNoise(LogitsProcessor):  # type: ignore[misc]  # a library's
    """
    Draw each chat's tokens by a seed of its own, whatever else is in the batch.

    The likeliest token after Gumbel noise is one drawn from the distribution (Gumbel, 1954).
    """

    def __init__(self, sampling: Sampling) -> None:
        self.temperature = sampling.temperature
        self.sources = [torch.Generator().manual_seed(seed % 2**63) for seed in sampling.seeds]

    def __call__(self, input_ids: Any, scores: Any) -> Any:  # noqa: ANN401, ARG002
        noise = torch.stack(
            [
                -torch.empty(scores.shape[-1]).exponential_(generator=source).log()
                for source in self.sources
            ]
        )
        return scores.float() / self.temperature + noise.to(scores.device)


class _Alternatives(LogitsProcessor):  # type: ignore[misc]  # a library's
    """Note at each step the likeliest tokens, and those that are a label."""

    def __init__(self, local: LocalModel, labels: Sequence[str]) -> None:
        self.local = local
        known = frozenset(labels)
        self.labels = [
            number
            for token, number in local.tokenizer.get_vocab().items()
            if bare_token(token) in known
        ]
        self.steps: list[tuple[Any, Any]] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:  # noqa: ANN401, ARG002
        shares = scores.float().softmax(dim=-1)
        likely = shares.topk(min(TOLD, shares.shape[-1])).indices
        own = torch.tensor(self.labels, dtype=likely.dtype, device=likely.device)
        places = torch.cat([likely, own.expand(len(likely), -1)], dim=1)
        self.steps.append((places.cpu(), shares.gather(1, places).cpu()))
        return scores

    def of(self, at: int, tokens: list[int]) -> tuple[TokenChoice, ...]:
        """Return the choices at the tokens that were said in a chat."""
        return tuple(
            TokenChoice(
                self._spelt(token),
                dict(zip(map(self._spelt, places[at].tolist()), shares[at].tolist(), strict=True)),
            )
            for token, (places, shares) in zip(tokens, self.steps, strict=False)
        )

    def _spelt(self, token: int) -> str:
        return str(self.local.tokenizer.convert_ids_to_tokens(token))
