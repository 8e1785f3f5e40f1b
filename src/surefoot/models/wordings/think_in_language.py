"""
Chain of thought in the language of the question.
"""

from __future__ import annotations

from surefoot.models.format import Prompt
from surefoot.models.wording import Wording

THINK_IN_LANGUAGE = Wording(
    name="think-in-language",
    version=1,
    summary="the model reasons step by step in the question's own language",
    prompt=Prompt(
        "Look at the screenshot and answer this question about it, which is in {language}:\n"
        "{instruction}\n\n"
        "Think step by step, and write your thoughts in {language}. Then end with one JSON "
        'object: {"answer": "<label>"} with the label of the one right option.'
    ),
)
