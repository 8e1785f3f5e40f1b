"""
Translate first: the question and its options come into English, and are then answered.
"""

from __future__ import annotations

from surefoot.models.format import Prompt
from surefoot.models.wording import Wording

TRANSLATE_FIRST = Wording(
    name="translate-first",
    version=1,
    summary="the model translates the question into English before it answers",
    prompt=Prompt(
        "Look at the screenshot. This question about it is in {language}:\n{instruction}\n\n"
        "First translate the question and its options into English, each line with its label. "
        'Then answer it, and end with one JSON object: {"answer": "<label>"} with the label of '
        "the one right option."
    ),
)
