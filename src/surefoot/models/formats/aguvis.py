"""
Aguvis: a pyautogui call with shares of the picture.

Facts of the interface: the system text says that the model performs pyautogui actions; the reply
holds ``pyautogui.click(x=0.12, y=0.34)``, each number from 0 to 1. The published prompt goes on
behind the assistant's mark with a recipient, which no chat API sends.
"""

from __future__ import annotations

import re

from surefoot.models.format import Format, two_prompts
from surefoot.models.reading import NAMED_PAIR, first_found
from surefoot.models.spaces import UNIT
from surefoot.models.spelling import ReplySpelling

CALL = re.compile(
    r"pyautogui\.(?:click|doubleClick|tripleClick|rightClick|middleClick|moveTo)"
    rf"\(\s{{0,9}}{NAMED_PAIR}\s{{0,9}}[,)]"
)
SYSTEM = (
    "You act on graphical user interfaces. You are given a task and a screenshot, and carry the "
    "task out by pyautogui actions whose x and y are shares of the screenshot, from 0 to 1."
)
AGUVIS = Format(
    name="aguvis",
    version=1,
    summary="Aguvis: pyautogui.click(x=..., y=...) from 0 to 1",
    space=UNIT,
    source="xlang-ai/aguvis, constants.py",
    models=("aguvis*",),
    read=first_found(CALL, "no click of pyautogui at x and y"),
    writes=ReplySpelling(point="pyautogui.click(x={x}, y={y})", decimals=4),
    prompts=two_prompts(
        "Do this by one `pyautogui.click`, {how}:\n{instruction}",
        "without more words",
        "after one or two sentences that say where to click",
        SYSTEM,
    ),
)
