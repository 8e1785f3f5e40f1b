"""
Gemini: JSON with y before x, or a call of Google's computer tool, in thousandths of the picture.

Facts of the interface: a point is ``{"point": [y, x], "label": ...}``, a box
``{"box_2d": [ymin, xmin, ymax, xmax]}``, both from 0 to 1000. The computer tool is called by the
name of an action with "x" and "y" from 0 to 999 (``click``; in Gemini 2.5 ``click_at``). A reply
that Google's filters stop has no text.
"""

from __future__ import annotations

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompt, Prompts, two_prompts
from surefoot.models.reading import Place, place_of
from surefoot.models.replies.calls import tool_reader
from surefoot.models.replies.objects import json_objects, refusal_in
from surefoot.models.spaces import PER_MILLE
from surefoot.models.spelling import ReplySpelling

Y_FIRST = ("point", "box_2d")
POINTING = frozenset(
    {
        *("click", "double_click", "triple_click", "middle_click", "right_click", "long_press"),
        *("move", "click_at", "hover_at"),
    }
)


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the last point or box of the reply, y first; a non-empty "refusal" is one.

    >>> read('[{"point": [88, 412], "label": "Save"}]')
    Place(numbers=(412.0, 88.0))
    >>> read('{"box_2d": [80, 400, 96, 424]}')
    Place(numbers=(400.0, 80.0, 424.0, 96.0))
    """
    answer: Place | Refusal | Unparsed = Unparsed("no JSON object with a point or a box_2d")
    for found in json_objects(text):
        key = next((item for item in Y_FIRST if item in found), "")
        if key:
            answer = _x_first(place_of(found[key]))
        elif refusal := refusal_in(found):
            answer = refusal
    return answer


def _x_first(place: Place | Unparsed) -> Place | Unparsed:
    if isinstance(place, Unparsed):
        return place
    y, x, *rest = place.numbers
    return Place((x, y, *reversed(rest)))


TASK = (
    "Point to the element of the screenshot that this instruction is about: {instruction}\n{how} "
    'a JSON object, {"point": [y, x], "label": "<what it is>"}, y and x normalized to 0-1000, or '
    '{"refusal": "<why>"} if it is not on the screenshot.'
)
GEMINI = Format(
    name="gemini",
    version=1,
    summary="Gemini: JSON with a point, y first, in thousandths of the picture",
    source="ai.google.dev, Image understanding and Spatial reasoning",
    space=PER_MILLE,
    models=("gemini-*",),
    read=read,
    writes=ReplySpelling(point='{"point": [{y}, {x}], "label": "the element"}'),
    prompts=two_prompts(
        TASK,
        "Reply with nothing but",
        "First say in one or two sentences where it is. Then end with",
    ),
)
TOOL_TASK = "The screenshot is the current screen. Do one thing on it, at once: {instruction}"
GEMINI_COMPUTER = Format(
    name="gemini-computer",
    version=1,
    summary="Google's computer tool: a call with x and y in thousandths of the picture",
    source="ai.google.dev, Computer use",
    space=PER_MILLE,
    models=("gemini-2.5-computer-use*",),
    read=tool_reader(POINTING, read),
    writes=ReplySpelling(
        point='<tool_call>{"name": "click", "arguments": {"x": {x}, "y": {y}}}</tool_call>'
    ),
    prompts=Prompts(
        plain=Prompt(TOOL_TASK, "Answer with one action of the computer tool and no words."),
        reasoning=Prompt(
            TOOL_TASK,
            "Say in one or two sentences where the element is, then answer with one action of "
            "the computer tool.",
        ),
    ),
    plain_tokens=512,
    computer_tool=True,
)
