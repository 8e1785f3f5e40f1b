"""
InfiGUI-R1: JSON with "point_2d" behind its thoughts, in pixels of the resized image.

Facts of the interface: the system text asks for thoughts between <think> tags; the user's turn
names the resized resolution and asks for ``[{"point_2d": [x, y], "label": ...}]``; the image
processor is Qwen2.5-VL's, with limits of 3,136 and 12,845,056 pixels at factor 28.
"""

from __future__ import annotations

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.formats import qwen25_vl
from surefoot.models.reading import Place
from surefoot.models.spelling import ReplySpelling


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the first point, as Qwen2.5-VL writes places.

    >>> read('[{"point_2d": [412, 88], "label": "Save"}]')
    Place(numbers=(412.0, 88.0))
    """
    place = qwen25_vl.read(text)
    return Unparsed("no point_2d") if isinstance(place, Unparsed) else place


TASK = (
    "The screenshot has a resolution of {width}x{height}. Point to the element of the user "
    'interface that fits "{instruction}" best. Give its coordinates as JSON:\n'
    '[{"point_2d": [x, y], "label": "<what it is>"}]'
)
INFIGUI_R1 = Format(
    name="infigui-r1",
    version=1,
    summary="InfiGUI-R1: JSON with point_2d in pixels of the resized image",
    source="GroundCUA, eval/prompts.py (InfiguiR1Prompt)",
    space=qwen25_vl.QWEN25_VL.space,
    models=("infigui-r1*",),
    read=read,
    writes=ReplySpelling(
        point='[{"point_2d": [{x}, {y}], "label": "the element"}]',
        reasoned="<think>\n{thought}\n</think>\n{answer}",
    ),
    prompts=Prompts(
        plain=Prompt(TASK, "You are a helpful assistant."),
        reasoning=Prompt(
            TASK,
            "First think in one or two sentences, between <think> and </think>. Then give the "
            "answer.",
        ),
    ),
)
