"""
ShowUI: "[x, y]" in shares of the picture.

Facts of the interface: the reply is a list of two numbers from 0 to 1, relative to the width and
height of the screenshot; the processor's limits are 256 and 1,344 patches of 28 x 28 pixels.
"""

from __future__ import annotations

from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import first_listed
from surefoot.models.spaces import UNIT
from surefoot.models.spelling import ReplySpelling

TASK = (
    "From the screenshot of an interface and the text below, give the place to click. A place is "
    "[x, y], each relative to the screenshot and scaled from 0 to 1, from its top left corner. "
    "{how}\n{instruction}"
)
SHOWUI = Format(
    name="showui",
    version=1,
    summary="ShowUI: [x, y] from 0 to 1",
    space=UNIT,
    source="showlab/ShowUI, QUICK_START.md",
    models=("showui*",),
    read=first_listed("[]"),
    writes=ReplySpelling(point="[{x}, {y}]", decimals=4),
    prompts=two_prompts(
        TASK, "Reply with it alone.", "First say in one or two sentences where it is."
    ),
    plain_tokens=64,
)
