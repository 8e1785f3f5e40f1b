"""
OS-Atlas-Base: a box, or a point for the 4B, in thousandths of the picture.

Facts of the interface: the 7B, tuned from Qwen2-VL, is asked for a position "with bbox" and
replies with a box in Qwen2-VL's notation or as ``[[x1,y1,x2,y2]]``; the 4B, tuned from InternVL,
is asked "with point" and replies with ``[[x,y]]``.
"""

from __future__ import annotations

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, Prompts, two_prompts
from surefoot.models.formats import qwen2_vl
from surefoot.models.reading import Place, first_listed
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

LISTED = first_listed("[]")
BOX = 4  # numbers


def read(text: str) -> Place | Unparsed:
    """
    Take the first box or point in brackets, else the box that Qwen2-VL would have said.

    A single corner in that notation is half an answer, and none.

    >>> read("[[102,31,240,66]]")
    Place(numbers=(102.0, 31.0, 240.0, 66.0))
    >>> read("<|box_start|>(102,31),(240,66)<|box_end|>")
    Place(numbers=(102.0, 31.0, 240.0, 66.0))
    """
    found = LISTED(text)
    if isinstance(found, Place):
        return found
    other = qwen2_vl.read(text)
    whole = isinstance(other, Place) and len(other.numbers) == BOX
    return other if whole else Unparsed("no [[x, y]] and no box")


def _prompts(what: str) -> Prompts:
    return two_prompts(
        "The screenshot shows a user interface. Which position has the element that this command "
        f'is about ({what})?\n"{{instruction}}"{{how}}',
        "",
        "\nSay in one or two sentences where it is before you answer.",
    )


OS_ATLAS = Format(
    name="os-atlas",
    version=1,
    summary="OS-Atlas-Base-7B: a box in thousandths of the picture",
    space=PER_MILLE,
    source="OS-Copilot/OS-Atlas, README",
    models=("os-atlas-base-7b*",),
    read=read,
    writes=ReplySpelling(box="[[{left},{top},{right},{bottom}]]"),
    prompts=_prompts("with bbox"),
)
OS_ATLAS_4B = Format(
    name="os-atlas-4b",
    version=1,
    summary="OS-Atlas-Base-4B: [[x,y]] in thousandths of the picture",
    space=PER_MILLE,
    source="OS-Copilot/OS-Atlas, README",
    models=("os-atlas-base-4b*",),
    read=read,
    writes=ReplySpelling(point="[[{x},{y}]]"),
    prompts=_prompts("with point"),
)
