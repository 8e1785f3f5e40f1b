"""
SeeClick: "(x,y)" in shares of the picture.

Facts of the interface: the prompt asks for the position of the element that fits a command, "with
point"; the reply is a pair in parentheses, each number from 0 to 1.
"""

from __future__ import annotations

from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import first_listed
from surefoot.models.spaces import UNIT
from surefoot.models.spelling import ReplySpelling

TASK = (
    'Which position on this screenshot has the element for the command "{instruction}" '
    "(with point)?{how}"
)
SEECLICK = Format(
    name="seeclick",
    version=1,
    summary="SeeClick: (x,y) from 0 to 1",
    source="njucckevin/SeeClick, pretrain/screenspot_test.py",
    space=UNIT,
    models=("seeclick*",),
    read=first_listed("()"),
    writes=ReplySpelling(point="({x},{y})", decimals=4),
    prompts=two_prompts(TASK, "", " Say in one or two sentences where it is first."),
    plain_tokens=64,
)
