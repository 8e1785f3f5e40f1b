"""
MiniCPM-V, and AgentCPM-GUI which is tuned from it: thousandths of the picture.

Facts of the interface: MiniCPM-V writes ``<box>x1 y1 x2 y2</box>``; AgentCPM-GUI writes one
compact JSON object with "thought" and an action, of which ``"POINT": [x, y]`` is a tap. Numbers
run from 0 to 1000 in both directions.
"""

from __future__ import annotations

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompt, Prompts, two_prompts
from surefoot.models.reading import Place, between_tags, place_of
from surefoot.models.replies.objects import json_objects
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the tap of the first JSON object that has one; "impossible" is a refusal.

    >>> read('{"thought":"The tab is at the top.","POINT":[729,69]}')
    Place(numbers=(729.0, 69.0))
    """
    for found in json_objects(text):
        if "POINT" in found:
            return Unparsed("a swipe") if "to" in found else place_of(found["POINT"])
        if found.get("STATUS") == "impossible":
            return Refusal("STATUS impossible")
    return Unparsed("no JSON object with a POINT")


TASK = (
    "Give the bounding box of the element of the interface that this instruction is about, as "
    "<box>x1 y1 x2 y2</box> with numbers from 0 to 1000: {instruction}{how}"
)
MINICPM_V = Format(
    name="minicpm-v",
    version=1,
    summary="MiniCPM-V: <box>x1 y1 x2 y2</box> in thousandths of the picture",
    source="ScreenSpot-Pro's harness, models/minicpmv.py",
    space=PER_MILLE,
    models=("minicpm-v*", "minicpm-o*"),
    read=between_tags("box"),
    writes=ReplySpelling(box="<box>{left} {top} {right} {bottom}</box>"),
    prompts=two_prompts(TASK, "", "\nFirst say in one or two sentences where it is."),
)
ACTIONS = (
    "You operate a device by touch. Decide on the next action for the task and reply with one "
    'compact JSON object. A tap is "POINT": [x, y], with x from 0 to 1000 over the width and y '
    'over the height; if the task cannot be done on this screen, "STATUS": "impossible". '
)
AGENTCPM_GUI = Format(
    name="agentcpm-gui",
    version=1,
    summary='AgentCPM-GUI: JSON with "POINT" in thousandths of the picture',
    source="OpenBMB/AgentCPM-GUI, README",
    space=PER_MILLE,
    models=("agentcpm-gui*",),
    read=read,
    writes=ReplySpelling(
        point='{"POINT":[{x},{y}]}',
        refusal='{"STATUS":"impossible"}',
        reasoned='{"thought":{quoted},{rest}',
    ),
    prompts=Prompts(
        plain=Prompt("{instruction}", ACTIONS + "Leave thoughts out."),
        reasoning=Prompt(
            "{instruction}", ACTIONS + 'Put one or two sentences under "thought", first of all.'
        ),
    ),
)
