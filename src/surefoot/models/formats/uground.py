"""
UGround-V1: a bare "(x, y)" in thousandths of the picture.

Facts of the interface: the user's turn gives a description and ends with "Answer:"; the reply is
a pair in parentheses, each from 0 to 999.
"""

from __future__ import annotations

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.reading import Place, listed, place_found
from surefoot.models.spaces import PER_MILLE

__all__ = ["UGROUND", "read"]

PAIR = listed("()")


def read(text: str) -> Place | Unparsed:
    """
    Take the first pair, or box of four, in parentheses.

    >>> read("(502, 37)")
    Place(numbers=(502.0, 37.0))
    """
    found = PAIR.search(text)
    if found is None:
        return Unparsed("no (x, y)")
    return place_found(found)


TASK = (
    "Below is a description of one element, area or object on the screenshot. Point to it: to "
    "its centre, where it covers an area. {then}\n\nDescription: {instruction}\n\nAnswer:"
)
UGROUND = Format(
    name="uground-v1",
    version=1,
    summary="UGround-V1: (x, y) in thousandths of the picture",
    space=PER_MILLE,
    models=("uground-v1*",),
    read=read,
    prompts=Prompts(
        plain=Prompt(TASK.replace("{then}", "Reply with one pair (x, y) and nothing else.")),
        reasoning=Prompt(
            TASK.replace(
                "{then}", "Say in one or two sentences where it is, then give one pair (x, y)."
            )
        ),
    ),
    plain_tokens=32,
)
