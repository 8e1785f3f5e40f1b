"""
JSON for any chat model: {"x": 640, "y": 400} in pixels of the image, or in thousandths of it.
"""

from __future__ import annotations

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompts, two_prompts
from surefoot.models.reading import Place
from surefoot.models.replies.objects import json_objects, place_in, refusal_in
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE
from surefoot.models.spelling import ReplySpelling

UNSURE = ("point", "box_2d")  # Gemini's, which put y first and count in thousandths


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the last JSON object that names a place or refuses; models reason before they answer.

    A place is "x" with "y", a corner with a size, or a list of two or four numbers under
    "coordinate", "box" or their usual spellings. Lists under "point" and "box_2d" are no place:
    families disagree on whether x or y comes first in them. A non-empty "refusal" is one,
    whatever stands beside it.

    >>> read('I see it. {"x": 12, "y": 34.5}')
    Place(numbers=(12.0, 34.5))
    >>> read('{"refusal": "no such button"}')
    Refusal(reason='no such button')
    """
    answer: Place | Refusal | Unparsed = Unparsed("no JSON object with a place")
    for found in json_objects(text):
        place = place_in(found)
        if refusal := refusal_in(found):
            answer = refusal
        elif place is not None:
            answer = place
        elif unsure := next((item for item in UNSURE if isinstance(found.get(item), list)), ""):
            answer = Unparsed(f"a list under '{unsure}', whose order families disagree on")
    return answer


def _prompts(task: str, shape: str) -> Prompts:
    return two_prompts(
        task + "{how}: " + shape,
        "Reply with one JSON object and nothing else",
        "First say in one or two sentences where the element is. Then end with one JSON object",
    )


TASK = (
    "The screenshot is {width} pixels wide and {height} pixels high. Find the one element "
    "that this instruction is about:\n{instruction}\n\n"
)
SHAPE = (
    '{"x": <pixels from the left edge>, "y": <pixels from the top edge>} for the middle of '
    'the element, or {"refusal": "<why>"} if it is not on the screenshot.'
)
# Those without a published interface for pointing.
CHAT_MODELS = (
    "gpt-4*", "gpt-5*", "chatgpt-*", "o3*", "o4*", "gemma-3*", "gemma3*",
    "pixtral-*", "mistral-*", "llava*", "llama-3.2*vision*", "llama-4*", "grok-*",
)  # fmt: skip
SPELLING = ReplySpelling(
    point='{"x": {x}, "y": {y}}', box='{"box": [{left}, {top}, {right}, {bottom}]}'
)
PLAIN_JSON = Format(
    name="json",
    version=2,
    summary="plain JSON from any chat model: x and y in pixels of the image",
    space=IMAGE_PIXELS,
    models=CHAT_MODELS,
    read=read,
    writes=SPELLING,
    prompts=_prompts(TASK, SHAPE),
)
PER_MILLE_TASK = (
    TASK + "Its place is not said in pixels: coordinates run from 0 at the left edge and the top "
    "edge to 1000 at the right edge and the bottom edge.\n\n"
)
PER_MILLE_SHAPE = (
    '{"x": <0 to 1000>, "y": <0 to 1000>} for the middle of the element, or '
    '{"refusal": "<why>"} if it is not on the screenshot.'
)
PER_MILLE_JSON = Format(
    name="json-1000",
    version=2,
    summary="plain JSON from chat models that point in thousandths of width and height",
    space=PER_MILLE,
    read=read,
    writes=SPELLING,
    prompts=_prompts(PER_MILLE_TASK, PER_MILLE_SHAPE),
)
