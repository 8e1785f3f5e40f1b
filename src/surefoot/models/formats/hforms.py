"""
Boxes as four numbers with a separator, as Hidden Forms asks for them with no training.

Facts of the interface: a reply is x1<SEP>y1<SEP>x2<SEP>y2, the left, top, right and bottom
of a box in pixels of the original image. The prompts' sentences are ours.
"""

from __future__ import annotations

import re
from typing import Final

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import NUMBER, Place, place_of
from surefoot.models.spaces import IMAGE_PIXELS
from surefoot.models.spelling import ReplySpelling

SEPARATOR: Final = "<SEP>"
_BOX: Final = re.compile(rf"[ \t]{{0,9}}{SEPARATOR}[ \t]{{0,9}}".join([f"({NUMBER})"] * 4))
# What is no word of a reply: fences of code, and marks of its end that servers leave in.
_MARKS: Final = re.compile(r"```[A-Za-z]{0,20}|`|</s>|<eos>|<\|[a-z_]{1,20}\|>|<end_of_turn>")


def read(text: str) -> Place | Unparsed:
    """
    Take the last line of a reply where it is a box and nothing else.

    No other line may hold a separator: of two boxes none is the answer. Spaces around the
    line and its separators do not count, nor do fences of code and marks of a reply's end;
    units, brackets or words in the line do.

    >>> read("12<SEP>30<SEP>88.5<SEP>61</s>")
    Place(numbers=(12.0, 30.0, 88.5, 61.0))
    >>> read("The box is 12<SEP>30<SEP>88<SEP>61")
    Unparsed(why='a last line that is no box of four numbers')
    """
    lines = _MARKS.sub("\n", text).strip().splitlines() or [""]
    found = _BOX.fullmatch(lines[-1].strip())
    if found is None:
        return Unparsed("a last line that is no box of four numbers")
    if any(SEPARATOR in line for line in lines[:-1]):
        return Unparsed("separators before the last line")
    return place_of(found.groups())


TASK: Final = (
    "On this screenshot, {width} pixels wide and {height} pixels high, parts of the interface "
    "may be covered or missing. Work out from what is around it where the one control must be "
    "that this instruction is about:\n{instruction}\n\n"
    "{how} and nothing else, as x1<SEP>y1<SEP>x2<SEP>y2: the pixels of its left, top, right and "
    "bottom side, with <SEP> written out between them."
)
HFORMS: Final = Format(
    name="hforms",
    version=2,
    summary="Hidden Forms without training: a box x1<SEP>y1<SEP>x2<SEP>y2 in pixels",
    space=IMAGE_PIXELS,
    read=read,
    writes=ReplySpelling(
        box=SEPARATOR.join(("{left}", "{top}", "{right}", "{bottom}")), decimals=2
    ),
    prompts=two_prompts(
        TASK,
        "Reply with its box",
        "First say in one or two sentences what is around the place. Then end with a line that "
        "holds its box",
    ),
)
