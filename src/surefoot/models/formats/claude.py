"""
Claude: JSON, or a call of Anthropic's computer tool, in pixels of the image that Claude sees.

Facts of the interface: Claude points best in pixels, of the image after Anthropic's own resize; it
does badly where it is asked for thousandths. Models before Claude 4.7 see at most 1,568 pixels a
side and 1,568 patches of 28 x 28, later ones 2,576 pixels and 4,784 patches. The computer tool is
called by the name of an action (``left_click``), in its older versions by "computer" with an
"action"; either way the place is a "coordinate". Where the tool is used, the text comes before the
picture. A refusal of Anthropic's classifiers has no text.
"""

from __future__ import annotations

import msgspec

from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.formats import plain_json
from surefoot.models.replies.calls import tool_reader
from surefoot.models.spaces import patched_pixels
from surefoot.models.spelling import ReplySpelling

POINTING = frozenset(
    {
        *("left_click", "right_click", "middle_click", "double_click", "triple_click"),
        "mouse_move",
    }
)
TASK = (
    "This is the current screen, {width} x {height} pixels. Do one thing on it with the computer "
    "tool, in a single action: {instruction}"
)
HIGH, STANDARD = patched_pixels(2576, 4784), patched_pixels(1568, 1568)
CLAUDE = Format(
    name="claude",
    version=1,
    summary="Claude 4.7 and later: JSON with x and y in pixels of the image that it sees",
    source="platform.claude.com, Coordinates and bounding boxes",
    space=HIGH,
    models=(
        *("claude-opus-4[-.][789]*", "claude-opus-5*", "claude-sonnet-5*", "claude-haiku-5*"),
        *("claude-fable-*", "claude-mythos-*"),
    ),
    read=plain_json.read,
    writes=plain_json.SPELLING,
    prompts=plain_json.PLAIN_JSON.prompts,
)
CLAUDE_1568 = msgspec.structs.replace(
    CLAUDE,
    name="claude-1568",
    summary="Claude before 4.7: JSON with x and y in pixels of the image that it sees",
    space=STANDARD,
    models=("claude-*",),
)
CLAUDE_COMPUTER = Format(
    name="claude-computer",
    version=1,
    summary="Anthropic's computer tool, Claude 4.7 and later: a call with a coordinate",
    source="platform.claude.com, Computer use tool",
    space=HIGH,
    read=tool_reader(POINTING, plain_json.read),
    writes=ReplySpelling(
        point='<tool_call>{"name": "left_click", '
        '"arguments": {"coordinate": [{x}, {y}]}}</tool_call>'
    ),
    prompts=Prompts(
        plain=Prompt(
            TASK, "Act at once, without words and without a screenshot.", image_first=False
        ),
        reasoning=Prompt(
            TASK,
            "Say in one or two sentences where the element is, then act, without a screenshot.",
            image_first=False,
        ),
    ),
    plain_tokens=512,
    computer_tool=True,
)
CLAUDE_COMPUTER_1568 = msgspec.structs.replace(
    CLAUDE_COMPUTER,
    name="claude-computer-1568",
    summary="Anthropic's computer tool, Claude before 4.7: a call with a coordinate",
    space=STANDARD,
)
