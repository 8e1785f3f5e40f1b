"""
InternVL: "<box>[[x1, y1, x2, y2]]</box>" in thousandths of the picture.

Facts of the interface: what is to be found stands between <ref> tags; the reply repeats it and
gives a box in double brackets, mostly between <box> tags; numbers run from 0 to 1000.
"""

from __future__ import annotations

from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import first_listed
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

TASK = (
    "Give the bounding box, in numbers from 0 to 1000, of what this instruction is about: "
    "<ref>{instruction}</ref>{how}"
)
INTERNVL = Format(
    name="internvl",
    version=1,
    summary="InternVL: <box>[[x1, y1, x2, y2]]</box> in thousandths of the picture",
    source="OpenGVLab/InternVL, chat data format",
    space=PER_MILLE,
    models=("internvl*", "mini-internvl*"),
    read=first_listed("[]"),
    writes=ReplySpelling(box="<box>[[{left}, {top}, {right}, {bottom}]]</box>"),
    prompts=two_prompts(TASK, "", "\nFirst say in one or two sentences where it is."),
)
