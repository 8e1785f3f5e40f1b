"""
Calls of tools in a model's reply, between <tool_call> tags.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from surefoot.core.question import Refusal, Unparsed
from surefoot.models.reading import Place, ReplyReader
from surefoot.models.replies.objects import decoded, place_in

ARGUMENTS: Final = ("arguments", "parameters", "input", "args")


class ToolCall(NamedTuple):
    """Hold a call that a model wrote: the function's name and its arguments."""

    name: str
    arguments: dict[str, object]


def tool_calls(text: str) -> Iterator[ToolCall]:
    """
    Yield the calls between <tool_call> tags in order; one that was cut off is none.

    >>> text = '<tool_call>{"name": "click", "arguments": {"x": 3, "y": 4}}</tool_call>'
    >>> list(tool_calls(text))
    [ToolCall(name='click', arguments={'x': 3, 'y': 4})]
    """
    for part in text.split("<tool_call>")[1:]:
        body, closed, _ = part.partition("</tool_call>")
        call = decoded(body) if closed else None
        if not isinstance(call, dict):
            continue
        call = call["function"] if isinstance(call.get("function"), dict) else call
        arguments = decoded(next((call[key] for key in ARGUMENTS if key in call), None))
        if isinstance(name := call.get("name"), str) and isinstance(arguments, dict):
            yield ToolCall(name, arguments)


def called_place(calls: Iterable[ToolCall], pointing: Collection[str]) -> Place | Unparsed | None:
    """
    Return the place of the first call that points and says where; None where nothing is called.

    A call is named by its function, or by an "action" among its arguments; its place is a
    "coordinate", or its sides.

    >>> called_place([ToolCall("computer", {"action": "click", "coordinate": [3, 4]})], {"click"})
    Place(numbers=(3.0, 4.0))
    >>> called_place([ToolCall("scroll", {"x": 3, "y": 4})], {"click"})
    Unparsed(why='no click, only scroll')
    """
    others: list[str] = []
    for call in calls:
        action = str(call.arguments.get("action", call.name))
        place = place_in(call.arguments) if action in pointing else None
        if place is not None:
            return place
        others.append(action[:40])
    return Unparsed(f"no click, only {others[0]}") if others else None


def tool_reader(pointing: Collection[str], otherwise: ReplyReader) -> ReplyReader:
    """
    Return a reader of calls of a computer tool, of which those that point count.

    What stands before the first call is read ``otherwise``, and counts where it is a refusal or
    nothing is called; a call that was cut off is none.
    """

    def read(text: str) -> Place | Refusal | Unparsed:
        place_or_refusal = otherwise(text.partition("<tool_call>")[0])
        if isinstance(place_or_refusal, Refusal):
            return place_or_refusal
        place = called_place(tool_calls(text), pointing)
        return place_or_refusal if place is None else place

    return read
