"""
UI-TARS-1.5: "Action: click(start_box='(x,y)')" in pixels of the resized image.

Facts of the interface: one user turn with output format, action space and instruction; a
position is a start_box with or without box tokens, or a point element; coordinates are
pixels after a resize to multiples of 28 between 100 and 16,384 patches. Models tuned
further write the same position in other ways, all in this one space: docs/replies.md.
The first UI-TARS, tuned from Qwen2-VL, counts from 0 to 1000; asked for one point it replies
with a bare pair, asked for an action with these calls.
"""

from __future__ import annotations

import re

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.format import Format, Prompt, Prompts, two_prompts
from surefoot.models.reading import (
    COORDINATE,
    Place,
    answer_start,
    coordinates_in,
    first_listed,
    place_of,
)
from surefoot.models.spaces import PER_MILLE, resized_pixels
from surefoot.models.spelling import ReplySpelling

NO_ACTION = Unparsed("no action")

POINTING = (
    "click|left_click|left_single|left_double|right_single|double_click|right_click|long_press"
    "|hover|tap|select"
)
CALL = re.compile(rf"\b(?:(?P<pointing>{POINTING})|(?P<other>[a-z_]{{1,20}}))\(", re.IGNORECASE)
SPAN = 400  # characters of a call that are searched for its position
NAME = r"(?<![a-z_])(?:start_box|start_point|point|box|bbox|coordinates?|position)\s{0,9}=\s{0,9}"
OPENING = r"(?:[\s\"'\\(\[]|<\|box_start\|>|<(?:point|bbox|box)>){0,12}"
BETWEEN = r"[\"']?[\s,]{1,9}[\"']?"
CORNERS = r"\)\s{0,9},\s{0,9}\("
PAIR = f"{COORDINATE}{BETWEEN}{COORDINATE}"
# A number with nothing behind it may have been cut off in its middle.
CLOSING = r"\s{0,9}(?:[\"'\\)\]<]|,\s{0,9}[a-z_])"
POSITION = re.compile(
    rf"(?:^|{NAME}){OPENING}(?P<numbers>{PAIR}(?:(?:{BETWEEN}|{CORNERS}){PAIR})?)(?={CLOSING})",
    re.IGNORECASE,
)


def read(text: str) -> Place | Refusal | Unparsed:
    r"""
    Take the position of the first call after "Action:" that points and has one.

    Without that mark the whole reply is searched. Clicks of every kind, a long press, a tap
    and a hover point; they say their position as their first argument or under a usual name.
    Calls to type, scroll or wait are passed over, as are clicks without a position, which
    are false starts. A ``call_user()`` before any pointing call is a Refusal.

    >>> read("Thought: there.\nAction: click(start_box='(840,541)')")
    Place(numbers=(840.0, 541.0))
    >>> read("Action: click on the link\n```Action: click('(428, 379)')```")
    Place(numbers=(428.0, 379.0))
    >>> read("Action: call_user()")
    Refusal(reason='call_user()')
    """
    calls = list(CALL.finditer(text, answer_start(text) or 0))
    ends = [*(call.start() for call in calls[1:]), len(text)]
    pointed = False
    others: list[str] = []
    for call, end in zip(calls, ends, strict=False):
        if call["pointing"]:
            found = POSITION.search(_arguments(text[call.end() : min(end, call.end() + SPAN)]))
            if found:
                return place_of(coordinates_in(found["numbers"]))
            pointed = True
        elif call["other"] == "call_user" and not pointed:
            return Refusal("call_user()")
        else:
            others.append(call["other"])
    if pointed:
        return Unparsed("a click without a position")
    return Unparsed(f"no click, only {others[0]}()") if others else NO_ACTION


def _arguments(text: str) -> str:
    """Return a text up to the parenthesis that closes the call, or all where none does."""
    depth = 1
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[: place + 1]
    return text


ACTIONS = """\
click(start_box='<|box_start|>(x1,y1)<|box_end|>')
left_double(start_box='<|box_start|>(x1,y1)<|box_end|>')
right_single(start_box='<|box_start|>(x1,y1)<|box_end|>')
drag(start_box='<|box_start|>(x1,y1)<|box_end|>', end_box='<|box_start|>(x3,y3)<|box_end|>')
hotkey(key='')
type(content='')
scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', direction='down or up or right or left')
wait()
finished()
call_user()"""
TASK = (
    "You are a GUI agent. You see a screenshot and do the next single action of a task. Point at "
    "the element that the task is about.\n\n## Output Format\n"
)
UI_TARS_15 = Format(
    name="ui-tars-1.5",
    version=3,
    summary="UI-TARS-1.5: Action: click(start_box='(x,y)') in pixels of the resized image",
    space=resized_pixels(28, 100 * 28 * 28, 16384 * 28 * 28),
    source="bytedance/UI-TARS, codes/ui_tars/prompt.py",
    models=("ui-tars-1.5*", "ui-tars-1-5*", "uitars-1.5*", "uitars15*"),
    read=read,
    writes=ReplySpelling(
        point="Action: click(start_box='<|box_start|>({x},{y})<|box_end|>')",
        refusal="Action: call_user()",
        reasoned="Thought: {thought}\n{answer}",
    ),
    prompts=Prompts(
        plain=Prompt(
            f"{TASK}Action: ...\n\n## Action Space\n{ACTIONS}\n\n## User Instruction\n"
            "{instruction}"
        ),
        reasoning=Prompt(
            f"{TASK}"
            f"Thought: ...\nAction: ...\n\n## Action Space\n{ACTIONS}\n\n## Note\n"
            "Write in Thought what you see and where the element is, in one or two "
            "sentences.\n\n## User Instruction\n{instruction}"
        ),
    ),
)

BARE = first_listed("()")


def read_first(text: str) -> Place | Refusal | Unparsed:
    """
    Take the position of a call, as UI-TARS-1.5 writes it, else the first pair of the reply.

    >>> read_first("(502,37)")
    Place(numbers=(502.0, 37.0))
    >>> read_first("Action: click(start_box='(502,37)')")
    Place(numbers=(502.0, 37.0))
    """
    called = read(text)
    return BARE(text) if called == NO_ACTION else called


POINT_TASK = (
    "Which element of the screenshot does this task need? {instruction}\n"
    "Reply with the coordinates of one point on it, (x,y), {how}."
)
UI_TARS = Format(
    name="ui-tars",
    version=1,
    summary="UI-TARS (first): (x,y) in thousandths of the picture",
    source="bytedance/UI-TARS, README_v1",
    space=PER_MILLE,
    models=("ui-tars-2b*", "ui-tars-7b*", "ui-tars-72b*"),
    read=read_first,
    writes=ReplySpelling(point="({x},{y})"),
    prompts=two_prompts(
        POINT_TASK, "and nothing else", "below one or two sentences that say where it is"
    ),
    plain_tokens=64,
)
