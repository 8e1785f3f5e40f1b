"""
CogAgent-9B-20241220: an operation with a box in thousandths of the picture.

Facts of the interface: the user's turn has the lines "Task:", "History steps:", a platform (WIN,
Mac or Mobile) and the format of the answer; the reply ends with a line "Grounded Operation:" and a
call such as ``CLICK(box=[[219,186,311,207]], element_info='...')``, each number from 000 to 999.
The mouse's operations are CLICK, DOUBLE_CLICK, RIGHT_CLICK and HOVER.
"""

from __future__ import annotations

import re

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import COMMA, PAIR, Place, place_of
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

BOX = rf"\[\[{PAIR}{COMMA}{PAIR}\]\]"
OPERATION = re.compile(rf"\b([A-Z_]{{2,20}})\(\s{{0,9}}(?:box\s{{0,9}}=\s{{0,9}}{BOX})?")
MOUSE = frozenset({"CLICK", "DOUBLE_CLICK", "RIGHT_CLICK", "HOVER"})
MARK = "Grounded Operation:"


def read(text: str) -> Place | Unparsed:
    r"""
    Take the box of the first operation of the mouse behind "Grounded Operation:".

    >>> read("Action: Mark all.\nGrounded Operation: CLICK(box=[[219,186,311,207]])")
    Place(numbers=(219.0, 186.0, 311.0, 207.0))
    """
    operations = list(OPERATION.finditer(text.rpartition(MARK)[2]))
    for found in operations:
        if found[1] in MOUSE and found[2]:
            return place_of(found.groups()[1:])
    if operations:
        return Unparsed(f"no operation of the mouse with a box, only {operations[0][1]}()")
    return Unparsed("no operation")


# Screens of the web and of desktops are said to be of Windows: the interface knows no other word.
TASK = "Task: {instruction}\nHistory steps: \n(Platform: WIN)\n(Answer in {how} format.)"
COGAGENT = Format(
    name="cogagent",
    version=1,
    summary="CogAgent: CLICK(box=[[x1,y1,x2,y2]]) in thousandths of the picture",
    source="THUDM/CogAgent, README and Action_space",
    space=PER_MILLE,
    models=("cogagent-9b*",),
    read=read,
    writes=ReplySpelling(
        box="Action: Click on it.\nGrounded Operation: "
        "CLICK(box=[[{left},{top},{right},{bottom}]])",
        reasoned="Status: {thought}\nPlan: 1. Click on it.\n{answer}",
        digits=3,
    ),
    prompts=two_prompts(TASK, "Action-Operation", "Status-Plan-Action-Operation"),
)
