"""
UGround-V1: a bare "(x, y)" in thousandths of the picture.

Facts of the interface: the user's turn gives a description and ends with "Answer:"; the reply is
a pair in parentheses, each from 0 to 999.
"""

from __future__ import annotations

from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import first_listed
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

TASK = (
    "Below is a description of one element, area or object on the screenshot. Point to it: to "
    "its centre, where it covers an area. {how}\n\nDescription: {instruction}\n\nAnswer:"
)
UGROUND = Format(
    name="uground-v1",
    version=1,
    summary="UGround-V1: (x, y) in thousandths of the picture",
    space=PER_MILLE,
    source="OSU-NLP-Group/UGround, grounding/uground_qwen2vl.py",
    models=("uground-v1*",),
    read=first_listed("()"),
    writes=ReplySpelling(point="({x}, {y})"),
    prompts=two_prompts(
        TASK,
        "Reply with one pair (x, y) and nothing else.",
        "Say in one or two sentences where it is, then give one pair (x, y).",
    ),
    plain_tokens=32,
)
