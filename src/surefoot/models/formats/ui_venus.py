"""
UI-Venus-1.5: "[x,y]" in thousandths of the picture, [-1,-1] where there is nothing to point to.
"""

from __future__ import annotations

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import Place, first_listed
from surefoot.models.spaces import PER_MILLE

__all__ = ["UI_VENUS", "read"]

LISTED = first_listed("[]")
INFEASIBLE = Place((-1.0, -1.0))


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the first point, or box, in brackets; [-1,-1] is a refusal.

    >>> read("[512,80]")
    Place(numbers=(512.0, 80.0))
    >>> read("[-1,-1]")
    Refusal(reason='[-1,-1]')
    """
    place = LISTED(text)
    return Refusal("[-1,-1]") if place == INFEASIBLE else place


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
    read=read,
    prompts=two_prompts(
        TASK, "Reply with the list alone.", "First say in one or two sentences where it is."
    ),
    plain_tokens=64,
)
