"""
GLM-V (4.1V, 4.5V, 4.6V, 5V): a box between its own marks, in thousandths of the picture.

Facts of the interface: the answer stands between ``<|begin_of_box|>`` and ``<|end_of_box|>``,
which servers may leave out; a box is four numbers in brackets of any kind, each a share of the
picture's side times 1000; an action is a call such as ``left_click(start_box='[x,y]')``.
"""

from __future__ import annotations

import re

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import COMMA, PAIR, Place, place_found
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

LIST = re.compile(rf"[\[(<]\s{{0,9}}{PAIR}(?:{COMMA}{PAIR})?\s{{0,9}}[\])>]")
CALL = re.compile(r"\b(scroll|left_drag|type|key|WAIT|DONE|FAIL|screenshot)\(")
BEGIN, END = "<|begin_of_box|>", "<|end_of_box|>"


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the first list of numbers of the last boxed answer, else of the reply.

    An action that points at nothing, such as a scroll, has no place.

    >>> read("It is here: <|begin_of_box|>[[576,12,592,42]]<|end_of_box|>")
    Place(numbers=(576.0, 12.0, 592.0, 42.0))
    >>> read("left_click(start_box='[500,250]', element_info='OK')")
    Place(numbers=(500.0, 250.0))
    """
    answer = text.rpartition(BEGIN)[2].partition(END)[0]
    other = CALL.search(answer)
    if other and other[1] == "FAIL":
        return Refusal("FAIL()")
    if other:
        return Unparsed(f"no click, only {other[1]}()")
    return place_found(LIST.search(answer), "no box of two or four numbers")


TASK = (
    "Where on the screenshot is what this instruction is about? {instruction}\n"
    "Give its bounding box as [[x1,y1,x2,y2]], each number from 0 to 1000. {how}"
)
GLM_V = Format(
    name="glm-v",
    version=1,
    summary="GLM-V: a box in thousandths of the picture, between its own marks",
    source="zai-org/GLM-V, README and examples/gui-agent",
    space=PER_MILLE,
    models=("glm-4.1v*", "glm-4.5v*", "glm-4.6v*", "glm-5v*"),
    read=read,
    writes=ReplySpelling(box=f"{BEGIN}[[{{left}},{{top}},{{right}},{{bottom}}]]{END}"),
    prompts=two_prompts(
        TASK, "Reply with it alone.", "First say in one or two sentences where it is."
    ),
)
