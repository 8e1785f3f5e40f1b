"""
The Holo families: a call, or JSON, in pixels of the resized image; from Holo2 in thousandths.

Facts of the interface: Holo1 replies ``Click(x, y)``, with the processor's limits of 3,136 and
1,003,520 pixels at factor 28; Holo1.5 replies JSON with "action", "x" and "y", and its published
scores limit pictures to 2560 x 1440 pixels; Holo2 replies JSON with "x" and "y" from 0 to 1000.
"""

from __future__ import annotations

import re

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompts, two_prompts
from surefoot.models.formats import plain_json
from surefoot.models.reading import NAMED_PAIR, Place, place_of
from surefoot.models.spaces import PER_MILLE, resized_pixels
from surefoot.models.spelling import ReplySpelling

CALL = re.compile(rf"\bClick\(\s{{0,9}}{NAMED_PAIR}\s{{0,9}}\)")


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the first ``Click(x, y)``, else JSON as chat models write it.

    >>> read("Click(352, 348)")
    Place(numbers=(352.0, 348.0))
    """
    found = CALL.search(text)
    if found:
        return place_of(found.groups())
    other = plain_json.read(text)
    return Unparsed("no Click(x, y)") if isinstance(other, Unparsed) else other


def _prompts(answer: str) -> Prompts:
    return two_prompts(
        "Find the element on the screenshot that this instruction is about, and give "
        f"{answer}\n{{how}}\n{{instruction}}",
        "Reply with that alone.",
        "First say in one or two sentences where it is.",
    )


HOLO1 = Format(
    name="holo1",
    version=1,
    summary="Holo1: Click(x, y) in pixels of the resized image",
    space=resized_pixels(28, 56 * 56, 1_003_520),
    source="hcompai/hai-cookbook, utils/localization.py",
    models=("holo1-*",),
    read=read,
    writes=ReplySpelling(point="Click({x}, {y})"),
    prompts=_prompts(
        "a click on it as Click(x, y), in pixels from the left and the top edge of the "
        "screenshot, which is {width} pixels wide and {height} pixels high."
    ),
    plain_tokens=64,
)
HOLO15 = Format(
    name="holo1.5",
    version=1,
    summary="Holo1.5: JSON with x and y in pixels of the resized image",
    space=resized_pixels(28, 56 * 56, 2560 * 1440),
    source="hcompai/hai-cookbook, holo1_5",
    models=("holo1.5-*",),
    read=plain_json.read,
    writes=ReplySpelling(point='{"action": "click_absolute", "x": {x}, "y": {y}}'),
    prompts=_prompts(
        'a click on it as JSON, {"action": "click_absolute", "x": <x>, "y": <y>}, in pixels of '
        "the screenshot, which is {width} pixels wide and {height} pixels high."
    ),
)
HOLO2 = Format(
    name="holo2",
    version=1,
    summary="Holo2: JSON with x and y in thousandths of the picture",
    space=PER_MILLE,
    source="hcompai/hai-cookbook, holo2",
    models=("holo2-*",),
    read=plain_json.read,
    writes=plain_json.SPELLING,
    prompts=_prompts(
        'its centre as JSON, {"x": <x>, "y": <y>}, each from 0 to 1000 whatever the size of the '
        "screenshot."
    ),
)
