"""
A provider of Inspect's that needs no network: its replies follow from the words.
"""

from __future__ import annotations

import hashlib
from typing import Any

from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi


def drawn_reply(words: str) -> str:
    """Reply with a place that follows from the words, or now and then with none."""
    number = int.from_bytes(hashlib.sha256(words.encode()).digest()[:4])
    if number % 4 == 0:
        return "I would rather not say"
    return f'{{"x": {20 + number % 120}, "y": {90 + number % 40}}}'


@modelapi(name="offline")
class Offline(ModelAPI):  # type: ignore[misc,unused-ignore]
    """Reply to messages whose last has one picture; a model of another name replies otherwise."""

    async def generate(self, input: list[Any], **_: object) -> ModelOutput:  # noqa: A002
        """Return a reply with a count of tokens, without which Inspect fetches a tokenizer."""
        words = "".join(message.text for message in input) + self.model_name
        if self.model_name == "broken-json" and "Click 'send'" in words:
            raise ValueError("this provider does not send")
        shown = [part for part in input[-1].content if part.type == "image"]
        if len(shown) != 1:
            raise ValueError("one picture")
        output = ModelOutput.from_content(self.model_name, drawn_reply(words))
        output.usage = ModelUsage(input_tokens=11, output_tokens=3, total_tokens=14)
        return output
