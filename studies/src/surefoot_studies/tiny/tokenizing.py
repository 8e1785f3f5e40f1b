"""
A tokenizer for drawn screens: byte-level pairs, trained on the very prompts in a second.

What stands in every prompt and reply is one token: a model of some million weights can read
prompts of two thousand letters so, and reads any other text letter by letter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from surefoot_studies.tiny.asking import LANGUAGES, choices, clicks
from surefoot_studies.tiny.drawing import draw
from surefoot_studies.tiny.prompting import Prompter

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


SPECIAL: Final = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>",
    "<|image_pad|>", "<|video_pad|>",
)  # fmt: skip
# Han signs one by one, words with the blank before them, numbers whole, signs, blanks.
WORDS: Final = (
    r"\p{Han}|[^\r\n\p{L}\p{N}]?[^\P{L}\p{Han}]+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEMPLATE: Final = """\
{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' -}}
{%- if message.content is string -%}
{{- message.content -}}
{%- else -%}
{%- for part in message.content -%}
{%- if part.type in ('image', 'image_url') or 'image' in part -%}
{{- '<|vision_start|><|image_pad|><|vision_end|>' -}}
{%- elif 'text' in part -%}
{{- part.text -}}
{%- endif -%}
{%- endfor -%}
{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|im_start|>assistant\\n' -}}
{%- endif -%}
"""
SCREENS: Final = 200


def train_tokenizer(prompter: Prompter, vocabulary: int) -> PreTrainedTokenizerFast:
    """Return a tokenizer with so many tokens, besides those of fixed parts."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_texts(prompter), trainer)
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in prompter.fixed()])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",  # noqa: S106 - a token of text
        pad_token="<|endoftext|>",  # noqa: S106 - the same
        model_max_length=4096,
        padding_side="left",
        chat_template=TEMPLATE,
    )


def _texts(prompter: Prompter) -> Iterator[str]:
    """Yield what is said of many screens, and each coordinate as often as any word."""
    for seed in range(SCREENS):
        yield from (item.text() for item in clicks(draw(seed, prompter.layout)))
        items = choices(draw(seed, prompter.layout.lone()))
        for item, language in itertools.product(items, LANGUAGES):
            yield item.question(language)
            yield from (f" {words}" for words in item.words(language))
    yield from itertools.chain.from_iterable(
        itertools.repeat(f"{number},", SCREENS) for number in prompter.numbers()
    )
    yield from itertools.repeat("user assistant system", SCREENS)
