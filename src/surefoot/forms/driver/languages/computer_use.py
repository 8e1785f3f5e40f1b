"""
The computer tools of Anthropic, OpenAI and Gemini, as JSON objects in a reply's text.

What is written, and explained, are Anthropic's names; all three are read.
"""

from __future__ import annotations

import json
from typing import Final

from surefoot.forms.driver.actions import Action
from surefoot.forms.driver.language import ActionLanguage
from surefoot.forms.driver.tools import read_tools, tool_arguments


def write(action: Action) -> str:
    """
    Return an action as a JSON object.

    >>> from surefoot.forms.driver.actions import Type
    >>> write(Type("a"))
    '{"action": "type", "text": "a"}'
    """
    return json.dumps(tool_arguments(action), ensure_ascii=False)


COMPUTER_USE: Final = ActionLanguage(
    name="computer-use",
    version=1,
    summary="computer tools of Anthropic, OpenAI and Gemini: a JSON object for each action",
    verbs=(),
    write=write,
    reads=read_tools,
    manner="Write one JSON object for each action, each on a line of its own, like this: "
    '{"action": "left_click", "coordinate": [x, y]}',
    lines=(
        "left_click, right_click, middle_click, double_click, mouse_move: with coordinate",
        "triple_click: with coordinate; selects a line",
        "left_click_drag: with start_coordinate and coordinate",
        "type: with text, which is typed where the focus is",
        'key: with text, such as "ctrl+a"',
        "scroll: with coordinate, scroll_direction (such as down) and scroll_amount, in notches",
        "wait: with duration, in seconds",
        "upload_file: with coordinate and file, which is chosen in the dialog that a click opens",
        "next_page: go to the form's next page",
        "submit_form: hand the form in",
        "terminate: stop without handing in, with status",
    ),
)
