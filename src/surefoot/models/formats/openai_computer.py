"""
OpenAI's computer tool: an action with x and y in pixels of the picture.

Facts of the interface: a call has actions such as ``{"type": "click", "x": 405, "y": 157}``, of
which click, double_click and move point; coordinates are pixels of the screenshot that was sent.
"""

from __future__ import annotations

from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.formats import plain_json
from surefoot.models.replies.calls import tool_reader
from surefoot.models.spaces import IMAGE_PIXELS
from surefoot.models.spelling import ReplySpelling

TASK = (
    "The screenshot, {width} x {height} pixels, is the current screen. Do one thing on it with "
    "the computer tool, in a single action: {instruction}"
)
OPENAI_COMPUTER = Format(
    name="openai-computer",
    version=1,
    summary="OpenAI's computer tool: an action with x and y in pixels of the picture",
    source="developers.openai.com, Computer use",
    space=IMAGE_PIXELS,
    models=("computer-use-preview*",),
    read=tool_reader(("click", "double_click", "move"), plain_json.read),
    writes=ReplySpelling(
        point='<tool_call>{"name": "click", "arguments": {"x": {x}, "y": {y}}}</tool_call>'
    ),
    prompts=Prompts(
        plain=Prompt(TASK, "Act at once, without words and without asking for a screenshot."),
        reasoning=Prompt(
            TASK,
            "Say in one or two sentences where the element is, then act, without asking for a "
            "screenshot.",
        ),
    ),
    plain_tokens=512,
    computer_tool=True,
)
