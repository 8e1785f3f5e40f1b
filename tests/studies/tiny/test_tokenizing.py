"""
The tokenizer of drawn screens.
"""

from __future__ import annotations

import pytest

from surefoot.core.seeds import random_source
from surefoot_studies.tiny.asking import LANGUAGES, choices, clicks
from surefoot_studies.tiny.drawing import draw
from surefoot_studies.tiny.prompting import DrawnExchange, Prompter, rendered
from surefoot_studies.tiny.recipe import TINY
from surefoot_studies.tiny.tokenizing import train_tokenizer

PROMPTER = Prompter(TINY.speaks, TINY.layout, TINY.grid)


def exchanges(seed: int) -> list[DrawnExchange]:
    """Return all that is asked about a screen."""
    items = choices(draw(seed, TINY.layout.lone()))
    return [
        *(PROMPTER.click(item) for item in clicks(draw(seed, TINY.layout))),
        *(PROMPTER.choice(item, language) for item in items for language in LANGUAGES),
    ]


def test_every_text_comes_back() -> None:
    """Prompts, replies and any other text of any script are what their tokens spell."""
    tokenizer = train_tokenizer(PROMPTER, TINY.vocabulary)
    source = random_source(5, "texts")
    texts = [part for seed in range(20) for item in exchanges(seed) for part in rendered(item, 12)]
    texts += ["Où ? \n\n  ßü", "ภาษาไทย", "日本語 и русский", '{"x": 12}', "A: B:\nA:"]
    texts += ["".join(chr(source.randrange(32, 0x3000)) for _ in range(30)) for _ in range(50)]
    for text in texts:
        assert text == tokenizer.decode(tokenizer(text)["input_ids"])


def test_prompts_are_short_and_the_template_is_what_was_learnt() -> None:
    """No exchange has over 80 tokens, and the chat template renders a prompt as training did."""
    tokenizer = train_tokenizer(PROMPTER, TINY.vocabulary)
    for exchange in exchanges(3):
        prompt, reply = rendered(exchange, 1)
        messages = [
            {
                "role": "user",
                "content": [{"type": "image"}, {"type": "text", "text": exchange.messages.user}],
            }
        ]
        if exchange.messages.system:
            messages.insert(0, {"role": "system", "content": exchange.messages.system})

        assert len(tokenizer(prompt + reply)["input_ids"]) < 80
        assert prompt == tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )


@pytest.mark.parametrize("part", PROMPTER.fixed())
def test_what_is_fixed_is_one_token(part: str) -> None:
    """A part that stands in every prompt or reply is one token, however long."""
    tokenizer = train_tokenizer(PROMPTER, TINY.vocabulary)

    assert len(tokenizer(part)["input_ids"]) == 1
