"""
Qwen's computer tool: a JSON object in ``<tool_call>`` marks for each action.

Actions and arguments are those of ``computer_use`` as Qwen2.5-VL and Qwen3-VL know it; files,
pages and handing in are ours.
"""

from __future__ import annotations

import json
from typing import Final

from surefoot.forms.driver.actions import Action
from surefoot.forms.driver.language import ActionLanguage
from surefoot.forms.driver.tools import read_tools, tool_arguments


def write(action: Action) -> str:
    """
    Return an action as a call of the tool.

    >>> from surefoot.forms.driver.actions import Click
    >>> write(Click(10, 20))  # doctest: +ELLIPSIS
    '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", ...}}</tool_call>'
    """
    called = {"name": "computer_use", "arguments": tool_arguments(action)}
    return f"<tool_call>{json.dumps(called, ensure_ascii=False)}</tool_call>"


QWEN: Final = ActionLanguage(
    name="qwen",
    version=1,
    summary="Qwen's computer_use: a JSON object in <tool_call> marks for each action",
    verbs=(),
    write=write,
    reads=read_tools,
    manner="Call the tool computer_use once for each action, one call a line, like this: "
    '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": '
    "[x, y]}}</tool_call>",
    lines=(
        "left_click, right_click, middle_click, double_click, mouse_move: with coordinate",
        "triple_click: with coordinate; selects a line",
        "left_click_drag: with start_coordinate and coordinate",
        "type: with text, which is typed where the focus is",
        'key: with keys, a list such as ["ctrl", "a"]',
        "scroll: with pixels, above 0 for up and below 0 for down, and coordinate if need be",
        "wait: with time, in seconds",
        "upload_file: with coordinate and file, which is chosen in the dialog that a click opens",
        "next_page: go to the form's next page",
        "submit_form: hand the form in",
        "terminate: stop without handing in, with status",
    ),
)
