"""
Seed-VL and Doubao: numbers between <point> or <bbox> tags, in thousandths of the picture.

Facts of the interface: a place is ``<point>x y</point>``, a box ``<bbox>x1 y1 x2 y2</bbox>``, each
number a share of the picture's side times 1000, whatever the picture's size.
"""

from __future__ import annotations

from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import between_tags
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

TASK = (
    "Find the element of the screenshot that this instruction is about: {instruction}\n"
    "Give the point to click as <point>x y</point>. {how}"
)
SEED = Format(
    name="seed",
    version=1,
    summary="Seed and Doubao: <point>x y</point> in thousandths of the picture",
    source="Volcano Engine, Visual Grounding (docs 82379)",
    space=PER_MILLE,
    models=("doubao-*", "seed-1*", "seed1*", "seed-2*", "seed2*"),
    read=between_tags("point", "bbox"),
    writes=ReplySpelling(
        point="<point>{x} {y}</point>", box="<bbox>{left} {top} {right} {bottom}</bbox>"
    ),
    prompts=two_prompts(
        TASK, "Reply with it alone.", "First say in one or two sentences where it is."
    ),
)
