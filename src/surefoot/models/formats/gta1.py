"""
GTA1: a bare "(x, y)" in pixels of the resized image.

Facts of the interface: the system text names the height and width of the resized image;
the user's turn is the instruction alone; the reply is a pair in parentheses. The resize
limits are 3,136 and 4096 x 2160 pixels at factor 28.
"""

from __future__ import annotations

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.reading import Place, answer_start, listed, place_found
from surefoot.models.spaces import resized_pixels
from surefoot.models.spelling import ReplySpelling

TUPLE = listed("()")


def read(text: str) -> Place | Unparsed:
    r"""
    Take the first pair (or box of four) in parentheses after the first "Action:" line.

    Without such a line the first pair of the whole reply counts. The model goes on
    repeating itself after its answer, so later pairs never count; coordinates named in
    the thoughts before "Action:" do not count either.

    >>> read("Thought: not (1, 1).\nAction: (851, 116)\nassistant\n(4, 4)")
    Place(numbers=(851.0, 116.0))
    """
    start = answer_start(text)
    why = "no (x, y)" + (" after 'Action:'" if start is not None else "")
    return place_found(TUPLE.search(text, start or 0), why)


SYSTEM = (
    "You locate elements of user interfaces. The screenshot has a height of {height} and a "
    "width of {width} pixels. Given the screenshot and an instruction, find the one element "
    "that the instruction is about and give the point to act on: its centre, where the "
    "element covers an area."
)
GTA1 = Format(
    name="gta1",
    version=2,
    summary="GTA1: (x, y) in pixels of the resized image",
    space=resized_pixels(28, 3136, 4096 * 2160),
    source="Yan98/GTA1, README",
    models=("gta1*",),
    read=read,
    writes=ReplySpelling(point="({x},{y})", reasoned="Thought: {thought}\nAction: {answer}"),
    prompts=Prompts(
        plain=Prompt("{instruction}", SYSTEM + " Reply with the pair alone:\n(x,y)"),
        reasoning=Prompt(
            "{instruction}",
            SYSTEM + " First think in one or two sentences, then answer, in two lines:\n"
            "Thought: ...\nAction: (x,y)",
        ),
    ),
    plain_tokens=64,
)
