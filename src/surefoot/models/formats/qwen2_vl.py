"""
Qwen2-VL: a box of two corners in thousandths of the picture.

Facts of the interface: the reply is ``(x1,y1),(x2,y2)``, mostly between ``<|box_start|>`` and
``<|box_end|>``, which servers leave out of the text; numbers run from 0 to 1000.
"""

from __future__ import annotations

import re

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.reading import COMMA, PAIR, Place, place_found
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

CORNER = rf"\(\s{{0,9}}{PAIR}\s{{0,9}}\)"
# A comma behind a corner announces the other one, which may have been cut off.
CORNERS = re.compile(rf"{CORNER}(?:{COMMA}{CORNER}|(?!\s{{0,9}},\s{{0,9}}(?:\(|\Z)))")
TAGGED = re.compile(r"<\|box_start\|>(.{1,200}?)<\|box_end\|>", re.DOTALL)


def read(text: str) -> Place | Unparsed:
    """
    Take the last box or point between tags, else the last of the reply.

    >>> read("<|object_ref_start|>Save<|object_ref_end|><|box_start|>(12,30),(80,44)<|box_end|>")
    Place(numbers=(12.0, 30.0, 80.0, 44.0))
    >>> read("Save is at (500, 250).")
    Place(numbers=(500.0, 250.0))
    """
    tagged = TAGGED.findall(text)
    if "<|box_start|>" in text.rpartition("<|box_end|>")[2]:
        return Unparsed("a box that does not end")
    found = list(CORNERS.finditer(tagged[-1] if tagged else text))
    return place_found(found[-1] if found else None, "no (x1,y1),(x2,y2)")


QWEN2_VL = Format(
    name="qwen2-vl",
    version=2,
    summary="Qwen2-VL: a box (x1,y1),(x2,y2) in thousandths of the picture",
    space=PER_MILLE,
    source="QwenLM/Qwen2-VL, README",
    models=("qwen2-vl*", "qwen2_vl*", "qwen2vl*"),
    read=read,
    writes=ReplySpelling(box="<|box_start|>({left},{top}),({right},{bottom})<|box_end|>"),
    prompts=Prompts(
        plain=Prompt("Give the bounding box of what this instruction is about: {instruction}"),
        reasoning=Prompt(
            "Say in one or two sentences where the element is that this instruction is about, "
            "then give its bounding box: {instruction}"
        ),
    ),
)
