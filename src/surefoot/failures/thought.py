"""
What a model thought before it answered: the words, what they name, and where they look.

Only marks that models write tell a thought from an answer; where there is none, nothing
counts as thought.
"""

from __future__ import annotations

import re
from typing import Final

from surefoot.core.geometry import Point
from surefoot.core.replies.thoughts import marked_thoughts
from surefoot.models.reading import answer_start
from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene

LEAST_WORDS: Final = 3
LONGEST: Final = 20_000  # characters of a thought that are read
HEADED: Final = re.compile(r"^[^\w\n]{0,20}Thoughts?[\s*_]{0,9}[:\uff1a][*_]{0,2}", re.MULTILINE)
LINE: Final = re.compile(r"^[^\w\n]{0,20}Action[\s*_]{0,9}[:\uff1a]", re.MULTILINE)
LAST_MARK: Final = re.compile(r"[^\w.!?\"'\u201d\u2019]{0,20}\bAction\s{0,9}[:\uff1a]?\s*$")
CALL: Final = re.compile(r"<tool_call>|\{")
WORD: Final = re.compile(r"[^\W\d_]+")
QUOTED: Final = re.compile(
    r"(?<!\w)(?:\"([^\"\n]{1,120})\"|'([^'\n]{1,120})'(?!\w)|\u201c([^\u201d\n]{1,120})\u201d"
    r"|\u2018([^\u2019\n]{1,120})\u2019(?!\w)|`([^`\n]{1,120})`)"
)
# A part of the whole screen; "left of" something is none.
PART: Final = re.compile(
    r"\b(?P<first>top|upper|bottom|lower|left|right)(?:[- ](?P<second>left|right))?"
    r"(?:[- ](?:hand|most))?[- ]?(?:corner|side|part|half|portion|section|edge|area)?"
    r" of the (?:whole |entire )?"
    r"(?:page|screen|interface|window|image|website|webpage|screenshot)\b",
    re.IGNORECASE,
)
PARTS: Final = {"upper": "top", "lower": "bottom"}


def thought_of(raw: str) -> str:
    r"""
    Return what a reply says before its answer, "" where it marks nothing as thought.

    A thought stands between a family's marks of thoughts, behind "Thought:", or before the mark
    of an answer ("Action:", a call, an object), and has at least three words.

    >>> thought_of("Thought: The logo is at the top.\nAction: click(12, 30)")
    'The logo is at the top.'
    >>> thought_of('I see a blue link. {"x": 1, "y": 2}'), thought_of("Action: (3, 4)")
    ('I see a blue link.', '')
    """
    text = raw[:LONGEST]
    marked = marked_thoughts(text)
    if marked is not None:
        return _worded(marked)
    head = HEADED.search(text)
    rest = text[head.end() :] if head else text
    call, line, mark = CALL.search(rest), LINE.search(rest), answer_start(rest)
    if call:
        return _worded(rest[: call.start()])
    if line:
        return _worded(rest[: line.start()])
    if mark is not None:
        return _worded(rest[:mark])
    return _worded(rest) if head else ""


def _worded(text: str) -> str:
    plain = LAST_MARK.sub("", text).strip()
    return plain if len(WORD.findall(plain)) >= LEAST_WORDS else ""


def quoted(thought: str) -> tuple[str, ...]:
    """
    Return what a thought has in quotes, in order.

    >>> quoted("It's the `Sign in` link above 'More'.")
    ('Sign in', 'More')
    """
    return tuple(next(filter(None, match_.groups())) for match_ in QUOTED.finditer(thought))


def mentions(thought: str, words: str) -> bool:
    """
    Tell whether a thought has some words, in any case and with any punctuation.

    >>> mentions("I click on the sign-in button.", "Sign in"), mentions("Resign, then", "sign")
    (True, False)
    """
    wanted = " ".join(_words(words))
    return bool(wanted) and f" {wanted} " in f" {' '.join(_words(thought))} "


def _words(text: str) -> list[str]:
    return [word for part in re.split(r"[\W_]+", text) for word in key_of(part).words if part]


def claims(thought: str) -> tuple[str, ...]:
    """
    Return the parts of the screen where a thought sees something, each once.

    >>> claims("It is in the upper left corner of the page, left of 'More'.")
    ('top', 'left')
    """
    parts: dict[str, None] = {}
    for match in PART.finditer(thought):
        for part in (match["first"], match["second"]):
            if part:
                parts[PARTS.get(part.lower(), part.lower())] = None
    return tuple(parts)


def in_part(scene: Scene, part: str, point: Point) -> bool:
    """Tell whether a point lies in a half of the picture: top, bottom, left or right."""
    middle = scene.screen.bounds.center
    return {
        "top": point.y < middle.y,
        "bottom": point.y > middle.y,
        "left": point.x < middle.x,
        "right": point.x > middle.x,
    }[part]
