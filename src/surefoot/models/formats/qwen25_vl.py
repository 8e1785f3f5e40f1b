"""
Qwen2.5-VL: a computer_use tool call in pixels of the resized image.

Facts of the interface: the system text declares the tool with the resized resolution; the
reply is JSON between <tool_call> tags whose arguments hold an action and a coordinate. The
image processor's limits are 3,136 and 12,845,056 pixels at factor 28.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.reading import COORDINATE, Place, coordinates_in, place_of
from surefoot.models.replies.objects import json_objects, sides_in
from surefoot.models.spaces import resized_pixels
from surefoot.models.spelling import ReplySpelling

PLACES = ("coordinate", "point_2d", "bbox_2d")
ELSEWHERE = frozenset({"scroll", "hscroll", "left_click_drag", "type", "key", "wait"})
XML = re.compile(
    rf"<points?\s{{1,9}}(?P<numbers>(?=x){COORDINATE}[\"']?\s{{1,9}}(?=y){COORDINATE})[\"']"
)


def read(text: str) -> Place | Refusal | Unparsed:
    """
    Take the coordinate of the first call that has one and does not scroll, drag or type.

    ``point_2d`` and ``bbox_2d`` objects, another way of the family to say a place, count as
    calls. A ``terminate`` with status "failure" before any such call is a Refusal. Where
    nothing is called, the first point of a ``<points x1="..." y1="...">`` counts.

    >>> read('<tool_call>{"name": "computer_use", "arguments": '
    ...      '{"action": "left_click", "coordinate": [511, 380]}}</tool_call>')
    Place(numbers=(511.0, 380.0))
    """
    others: list[str] = []
    called = max(0, text.find("<tool_call>"))
    for call in json_objects(text[called:]):
        action = str(call.get("action", ""))
        place = _place_in(call, action) if action not in ELSEWHERE else None
        if place is not None:
            return place
        if action == "terminate" and call.get("status") == "failure":
            return Refusal("terminate with status failure")
        if action:
            others.append(action[:40])
    if others:
        return Unparsed(f"no coordinate, only '{others[0]}'")
    points = XML.search(text)
    return place_of(coordinates_in(points["numbers"])) if points else Unparsed("no tool call")


def _place_in(call: Mapping[str, object], action: str) -> Place | Unparsed | None:
    named = next((call[place] for place in PLACES if place in call), call if action else None)
    return (
        sides_in(named) if isinstance(named, dict) else None if named is None else place_of(named)
    )


ACTIONS = {
    "left_click": "press and release the left mouse button at the coordinate",
    "double_click": "do that twice",
    "right_click": "press and release the right mouse button at the coordinate",
    "mouse_move": "put the mouse pointer at the coordinate",
    "type": "type the text",
    "key": "press the keys",
    "scroll": "turn the mouse wheel at the coordinate",
    "wait": "let time pass",
    "terminate": "end the task with a status",
}
# What the cookbook lists besides, as GUI-Perturbed's appendix D does.
FURTHER = {
    "left_click_drag": "hold the left mouse button while moving to the coordinate",
    "middle_click": "press and release the middle mouse button at the coordinate",
}


def tool_prompts(actions: Mapping[str, str]) -> Prompts:
    """Return the prompts that declare a computer with these actions, each with what it does."""
    tool = {
        "type": "function",
        "function": {
            "name": "computer_use",
            "description": "Operate a computer with mouse and keyboard; see it as screenshots. "
            "The screen's resolution is {width}x{height}. Point at the middle of an element.",
            "parameters": {
                "type": "object",
                "required": ["action"],
                "properties": {
                    "action": {
                        "type": "string",
                        "enum": list(actions),
                        "description": "; ".join(
                            f"{name}: {does}" for name, does in actions.items()
                        ),
                    },
                    "coordinate": {
                        "type": "array",
                        "description": "(x, y): pixels from the left edge, "
                        "pixels from the top edge",
                    },
                    "text": {"type": "string"},
                    "keys": {"type": "array"},
                    "status": {"type": "string", "enum": ["success", "failure"]},
                },
            },
        },
    }
    system = (
        "You are a helpful assistant.\n\n# Tools\n\nYou can call the function whose signature "
        f"stands between the tags:\n<tools>\n{json.dumps(tool)}\n</tools>\n\nTo call it, return "
        "a JSON object with its name and arguments between tool_call tags:\n<tool_call>\n"
        '{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>'
    )
    return Prompts(
        plain=Prompt("{instruction}\nReply with the tool call alone.", system),
        reasoning=Prompt(
            "{instruction}\nReply with a line 'Thought: ...' that says in one or two "
            "sentences where the element is, then with the tool call.",
            system,
        ),
    )


SPELLING = ReplySpelling(
    point=(
        '<tool_call>\n{"name": "computer_use", "arguments": '
        '{"action": "left_click", "coordinate": [{x}, {y}]}}\n</tool_call>'
    ),
    refusal=(
        '<tool_call>\n{"name": "computer_use", "arguments": '
        '{"action": "terminate", "status": "failure"}}\n</tool_call>'
    ),
    reasoned="Thought: {thought}\n{answer}",
)
QWEN25_VL = Format(
    name="qwen2.5-vl",
    version=3,
    summary="Qwen2.5-VL: computer_use tool call in pixels of the resized image",
    space=resized_pixels(28, 3136, 12845056),
    source="QwenLM/Qwen2.5-VL, cookbooks/computer_use",
    models=("qwen2.5-vl*", "qwen2_5-vl*", "qwen2.5vl*", "qwen25vl*", "jedi-*", "groundnext-*"),
    read=read,
    writes=SPELLING,
    prompts=tool_prompts(ACTIONS | FURTHER),
)
