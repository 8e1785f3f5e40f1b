"""
Answer in English: the question stays as it is, what is said and thought is English.
"""

from __future__ import annotations

from surefoot.models.format import Prompt
from surefoot.models.wording import Wording

ANSWER_IN_ENGLISH = Wording(
    name="answer-in-english",
    version=1,
    summary="the model reasons and answers in English, whatever the question's language",
    prompt=Prompt(
        "Look at the screenshot and answer this question about it, which is in {language}:\n"
        "{instruction}\n\n"
        "Think and write in English only. First say in one or two sentences what you see. Then "
        'end with one JSON object: {"answer": "<label>"} with the label of the one right option.'
    ),
)
