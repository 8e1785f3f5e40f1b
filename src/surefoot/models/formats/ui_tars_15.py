"""
UI-TARS-1.5: "Action: click(start_box='(x,y)')" in pixels of the resized image.

Facts of the interface: one user turn with output format, action space and instruction; a
position is a start_box with or without box tokens, or a point element; coordinates are
pixels after a resize to multiples of 28 between 100 and 16,384 patches.
"""

from __future__ import annotations

import re

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.reading import NUMBER, Place, place_of
from surefoot.models.spaces import resized_pixels

__all__ = ["UI_TARS_15", "read"]

MARK = re.compile(r"^[ \t]*Action:", re.MULTILINE)
POINTING = (
    "click|left_single|left_double|right_single|double_click|right_click|long_press|hover|select"
)
CALL = re.compile(rf"\b(?:(?P<pointing>{POINTING})|(?P<other>[a-z_]{{1,20}}))\(")
SPAN = 400  # characters of a call that are searched for its position
BOX = re.compile(
    rf"(?:start_box|point|start_point)\s{{0,9}}=\s{{0,9}}[\"']?\s{{0,9}}"
    rf"(?:<\|box_start\|>|<point>|<bbox>)?\s{{0,9}}[(\[]{{0,2}}\s{{0,9}}"
    rf"(?P<numbers>{NUMBER}(?:[\s,]{{1,9}}{NUMBER}){{1,3}})(?![\d.])"
)


def read(text: str) -> Place | Refusal | Unparsed:
    r"""
    Take the position of the first pointing call after the first "Action:" line.

    Without such a line the whole reply is searched. Clicks of every kind, a long press
    and a hover point; a call to type, scroll or wait before them is passed over. A
    ``call_user()`` before any pointing call is a Refusal.

    >>> read("Thought: there.\nAction: click(start_box='(840,541)')")
    Place(numbers=(840.0, 541.0))
    >>> read("Action: call_user()")
    Refusal(reason='call_user()')
    """
    mark = MARK.search(text)
    others: list[str] = []
    for call in CALL.finditer(text, mark.end() if mark else 0):
        if call["pointing"]:
            return _position(text[call.end() : call.end() + SPAN])
        if call["other"] == "call_user":
            return Refusal("call_user()")
        others.append(call["other"])
    return Unparsed(f"no click, only {others[0]}()" if others else "no action")


def _position(arguments: str) -> Place | Unparsed:
    match = BOX.search(arguments)
    if match is None:
        return Unparsed("a click without a position")
    return place_of(re.findall(NUMBER, match["numbers"]))


ACTIONS = """\
click(start_box='<|box_start|>(x1,y1)<|box_end|>')
left_double(start_box='<|box_start|>(x1,y1)<|box_end|>')
right_single(start_box='<|box_start|>(x1,y1)<|box_end|>')
type(content='')
scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', direction='down or up or right or left')
wait()
finished()
call_user()"""
TASK = "You are a GUI agent. You see a screenshot and do the next single action of a task."
UI_TARS_15 = Format(
    name="ui-tars-1.5",
    version=1,
    summary="UI-TARS-1.5: Action: click(start_box='(x,y)') in pixels of the resized image",
    space=resized_pixels(28, 100 * 28 * 28, 16384 * 28 * 28),
    read=read,
    prompts=Prompts(
        plain=Prompt(
            f"{TASK} Point at the element that the task is about.\n\n## Output Format\n"
            f"Action: ...\n\n## Action Space\n{ACTIONS}\n\n## User Instruction\n{{instruction}}"
        ),
        reasoning=Prompt(
            f"{TASK} Point at the element that the task is about.\n\n## Output Format\n"
            f"Thought: ...\nAction: ...\n\n## Action Space\n{ACTIONS}\n\n## Note\n"
            "Write in Thought what you see and where the element is, in one or two "
            "sentences.\n\n## User Instruction\n{instruction}"
        ),
    ),
)
