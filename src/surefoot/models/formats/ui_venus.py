"""
UI-Venus-1.5: "[x,y]" in thousandths of the picture, [-1,-1] where there is nothing to point to.
"""

from __future__ import annotations

from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import first_listed
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

TASK = (
    "Give the centre of what this instruction is about, as [x,y] from 0 to 1000 in both "
    "directions; if the screenshot has no such thing, give [-1,-1]. {how}\n{instruction}"
)
UI_VENUS = Format(
    name="ui-venus-1.5",
    version=1,
    summary="UI-Venus-1.5: [x,y] in thousandths of the picture",
    space=PER_MILLE,
    source="inclusionAI/UI-Venus, models/grounding/ui_venus1_5_gd.py",
    models=("ui-venus-1.5*",),
    read=first_listed("[]"),
    writes=ReplySpelling(point="[{x},{y}]", refusal="[-1,-1]"),
    prompts=two_prompts(
        TASK, "Reply with the list alone.", "First say in one or two sentences where it is."
    ),
    plain_tokens=64,
)
