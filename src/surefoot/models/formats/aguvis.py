"""
Aguvis: a pyautogui call with shares of the picture.

Facts of the interface: the system text says that the model performs pyautogui actions; the reply
holds ``pyautogui.click(x=0.12, y=0.34)``, each number from 0 to 1. The published prompt goes on
behind the assistant's mark with a recipient, which no chat API sends.
"""

from __future__ import annotations

import re

from surefoot.core.question import Unparsed
from surefoot.models.format import Format, Prompt, Prompts
from surefoot.models.reading import NUMBER, Place, place_of
from surefoot.models.spaces import UNIT

__all__ = ["AGUVIS", "read"]

CALL = re.compile(
    r"pyautogui\.(?:click|doubleClick|tripleClick|rightClick|middleClick|moveTo)\(\s{0,9}"
    rf"(?:x\s{{0,9}}=\s{{0,9}})?({NUMBER})\s{{0,9}},\s{{0,9}}(?:y\s{{0,9}}=\s{{0,9}})?({NUMBER})"
    r"\s{0,9}[,)]"
)


def read(text: str) -> Place | Unparsed:
    """
    Take the position of the first call that clicks or moves the pointer.

    >>> read("pyautogui.click(x=0.12, y=0.34)")
    Place(numbers=(0.12, 0.34))
    """
    found = CALL.search(text)
    return place_of(found.groups()) if found else Unparsed("no click of pyautogui at x and y")


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
    read=read,
    prompts=Prompts(
        plain=Prompt(
            "Do this by one `pyautogui.click`, without more words:\n{instruction}", SYSTEM
        ),
        reasoning=Prompt(
            "Do this by one `pyautogui.click`, after one or two sentences that say where to "
            "click:\n{instruction}",
            SYSTEM,
        ),
    ),
)
