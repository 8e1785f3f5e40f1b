"""
UI-R1 and UI-R1-E: an action between <answer> tags, in pixels of the resized image.

Facts of the interface: the reply is <answer>[{'action': 'click', 'coordinate': [x, y]}]</answer>,
from UI-R1 behind thoughts between <think> tags, from UI-R1-E without them; coordinates are pixels
after Qwen2.5-VL's resize, whose limits are 3,136 and 12,845,056 pixels at factor 28.
"""

from __future__ import annotations

import re

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, two_prompts
from surefoot.models.formats import qwen25_vl
from surefoot.models.reading import PAIR, Place, place_found
from surefoot.models.spelling import ReplySpelling

CLICK = re.compile(
    r"[\"']action[\"']\s{0,9}:\s{0,9}[\"']click[\"']\s{0,9},\s{0,9}[\"']coordinate[\"']\s{0,9}:"
    rf"\s{{0,9}}\[\s{{0,9}}{PAIR}\s{{0,9}}\]"
)


def read(text: str) -> Place | Unparsed:
    """
    Take the coordinate of the first click of the last answer.

    >>> read("<answer>[{'action': 'click', 'coordinate': [412, 88]}]</answer>")
    Place(numbers=(412.0, 88.0))
    """
    found = CLICK.search(text.rpartition("<answer>")[2])
    return place_found(found, "no click with a coordinate")


TASK = (
    "The screenshot is {width} pixels wide and {height} pixels high. A person wants this done "
    "there: {instruction}\nName the action, which is 'click', and the coordinate where to click, "
    "in whole pixels. Write exactly this:\n{how}"
    "<answer>[{'action': 'click', 'coordinate': [x, y]}]</answer>"
)
UI_R1 = Format(
    name="ui-r1",
    version=1,
    summary="UI-R1 and UI-R1-E: an <answer> with a click in pixels of the resized image",
    source="lll6gg/UI-R1, README of UI-R1-E",
    space=qwen25_vl.QWEN25_VL.space,
    models=("qwen2.5-vl-3b-ui-r1*", "ui-r1*"),
    read=read,
    writes=ReplySpelling(
        point="<answer>[{'action': 'click', 'coordinate': [{x}, {y}]}]</answer>",
        reasoned="<think>{thought}</think> {answer}",
    ),
    prompts=two_prompts(TASK, "", "<think> ... </think> "),
)
