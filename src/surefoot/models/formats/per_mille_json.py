"""
JSON for chat models that point in thousandths: {"x": 500, "y": 250}, whatever the image's size.
"""

from __future__ import annotations

from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.formats.plain_json import read
from surefoot.models.spaces import PER_MILLE

__all__ = ["PER_MILLE_JSON"]

TASK = (
    "The screenshot is {width} pixels wide and {height} pixels high. Find the one element that "
    "this instruction is about:\n{instruction}\n\n"
    "Its place is not said in pixels: coordinates run from 0 at the left edge and the top edge "
    "to 1000 at the right edge and the bottom edge.\n\n"
)
SHAPE = (
    '{"x": <0 to 1000>, "y": <0 to 1000>} for the middle of the element, or '
    '{"refusal": "<why>"} if it is not on the screenshot.'
)
PER_MILLE_JSON = Format(
    name="json-1000",
    version=2,
    summary="plain JSON from chat models that point in thousandths of width and height",
    space=PER_MILLE,
    read=read,
    prompts=Prompts(
        plain=Prompt(TASK + "Reply with one JSON object and nothing else: " + SHAPE),
        reasoning=Prompt(
            TASK + "First say in one or two sentences where the element is. Then end with one "
            "JSON object: " + SHAPE
        ),
    ),
)
