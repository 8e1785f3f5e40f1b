"""
What is the same in every format: thoughts, reasons, refusals, cut replies.
"""

from __future__ import annotations

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from surefoot.core.question import Parsed, Refusal, Unparsed
from surefoot.core.replies.thoughts import answer_behind
from surefoot.models.checking.screens import draw_screens
from surefoot.models.model import Model, Reply, Request
from surefoot.models.opening import FORMATS
from surefoot.models.reading import Place
from surefoot.models.replies.answering import CUT, ENDLESS
from surefoot.models.servers.chat import spelled_refusal

ROWS: Final[dict[str, list[dict[str, Any]]]] = tomllib.loads(
    (Path(__file__).parents[1] / "formats" / "replies.toml").read_text("utf-8")
)
NAMES: Final = sorted(FORMATS.entries)
MARKS: Final = (
    ("<think>", "</think>"),
    ("", "</think>"),
    ("<thinking>\n", "\n</thinking>\n\n"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)


def places(name: str) -> list[str]:
    """Return the known replies of a format that say a place."""
    return [row["reply"] for row in ROWS[name] if "place" in row]


def elsewhere(reply: str) -> str:
    """Return a reply that says another place in the same notation."""
    return re.sub(r"\d+", lambda found: "0" + "1" * (len(found[0]) - 1), reply).replace("01", "1")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("opening", "closing"), MARKS)
def test_a_place_in_thoughts_is_never_the_answer(name: str, opening: str, closing: str) -> None:
    """Thoughts that say another place in the family's own notation change nothing."""
    read = FORMATS.get(name).read

    for reply in places(name):
        thoughts = f"{opening}Maybe {elsewhere(reply)}? No.{closing}"
        assert read(thoughts + reply) == read(reply), thoughts


@pytest.mark.parametrize("name", NAMES)
def test_thoughts_that_do_not_end_are_not_read(name: str) -> None:
    """A place in thoughts without an end is none, in every family."""
    read = FORMATS.get(name).read

    unmarked = [reply for reply in places(name) if answer_behind(reply) == reply]
    endless = [f"{mark}Maybe {reply}, but" for reply in unmarked for mark, _ in MARKS if mark]

    assert {read(text) for text in endless} == {ENDLESS}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("head", ["Thought: ", "**Thought:** ", ""])
def test_a_place_in_the_reasons_that_we_ask_for_is_not_the_answer(name: str, head: str) -> None:
    """Behind a prompt that asks for reasons, the place said last is read."""
    form = FORMATS.get(name)

    reply = places(name)[0]
    reasons = f"{head}It is not at {elsewhere(reply)}.\n"
    # Where a call is the mark of an answer, the one in the reasons is a call as well.
    if "<tool_call>" not in reply and "Action:" not in reply and "<answer>" not in reply:
        found = form.parse(reasons + reply, 1280, 800, reasoning=True)
        assert found == form.parse(reply, 1280, 800, reasoning=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "reply",
    [
        spelled_refusal("safety"),
        "I cannot do that.\n" + spelled_refusal("cyber: It could do harm."),
        '{"x": null, "y": null, "refusal": "It is not there."}',
        '{"x": 0, "y": 0, "refusal": "It is not there."}',
        '{"action": "left_click", "coordinate": null, "refusal": "It is not there."}',
        '{"point": [0, 0], "label": "", "refusal": "It is not there."}',
        (
            '<tool_call>{"name": "computer_use", "arguments": {"action": "terminate", '
            '"status": "failure"}}</tool_call>'
        ),
        '{"name": "terminate", "status": "failure"}',
        "terminate(status='failure')",
        'computer.terminate(status="fail")',
        "<think>Is it (1, 1)?</think>" + spelled_refusal("safety"),
    ],
)
def test_refusals_decline_in_every_family(name: str, reply: str) -> None:
    """A refusal that is told outside the text, or beside filled fields, is one in every format."""
    assert isinstance(FORMATS.get(name).read(reply), Refusal)


@pytest.mark.parametrize("name", NAMES)
def test_minus_one_declines_in_every_family(name: str) -> None:
    """The place (-1,-1), in the family's own notation, says that there is nothing to point to."""
    for row in ROWS[name]:
        if len(row.get("place", ())) != 2:
            continue
        numbers = [f"{number:g}" for number in row["place"]]
        minus = re.sub(
            "|".join(rf"(?<![\d.]){re.escape(one)}(?:\.0|0)?(?![\d.])" for one in numbers),
            "-1",
            row["reply"],
        )
        assert isinstance(FORMATS.get(name).read(minus), Refusal), minus
        break


class Said:
    """Reply with one text, cut or not."""

    name = "said"
    speaks = ""

    def __init__(self, reply: Reply) -> None:
        self.one = reply

    def identity(self) -> dict[str, object]:
        """Return nothing."""
        return {}

    async def reply(self, request: Request) -> Reply:  # noqa: ARG002 - the same to all
        """Return the reply."""
        return self.one

    async def close(self) -> None:
        """Do nothing."""


def parsed(name: str, reply: Reply) -> Parsed:
    """Return what a model's reply to a drawn screen is read as."""
    question, image = draw_screens()[0]
    return asyncio.run(Model(Said(reply), FORMATS.get(name)).answer(question, image)).parsed


@pytest.mark.parametrize("name", NAMES)
def test_a_cut_reply_is_no_place(name: str) -> None:
    """What a limit of tokens ended is cut, whatever place it has said, in every format."""
    reply = places(name)[0]

    assert parsed(name, Reply(reply, cut=True)) == CUT
    assert not isinstance(parsed(name, Reply(reply)), Unparsed)


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("gta1", "(1,234, 567)"),
        ("gta1", "(567, 1,234)"),
        ("gta1", "(1,234, 1,567)"),
        ("gta1", "Action: (12,345, 678)"),
        ("uground-v1", "(1,234, 567)"),
        ("showui", "[1,234, 567]"),
        ("showui", "[567, 1,234]"),
        ("holo1", "Click(1,234, 567)"),
        ("holo1", "Click(x=1,234, y=567)"),
        ("aguvis", "pyautogui.click(x=1,234, y=567)"),
        ("ui-tars-1.5", "Action: click(x=1,234, y=567)"),
        ("ui-tars-1.5", "Action: click(start_box='(1,234, 567)')"),
        ("qwen2.5-vl", '{"action": "left_click", "coordinate": [1,234, 1,567]}'),
        ("qwen2.5-vl", '{"action": "left_click", "coordinate": "1,234, 567"}'),
        ("json", '{"x": "1,234", "y": "567"}'),
        ("json", '{"bbox": [1,234, 1,567]}'),
        ("seed", "<point>1,234 567</point>"),
    ],
)
def test_thousands_separators_are_no_coordinates(name: str, reply: str) -> None:
    """A number with a comma before its last three digits is no two coordinates."""
    assert isinstance(FORMATS.get(name).read(reply), Unparsed)


def test_a_box_with_small_sides_is_one() -> None:
    """Numbers that are all parted in one way are coordinates, also where they are small."""
    assert FORMATS.get("gta1").read("(1,234,9,567)") == Place((1, 234, 9, 567))
    assert FORMATS.get("gta1").read("(9,234)") == Place((9, 234))
