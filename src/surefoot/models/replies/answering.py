"""
What every family's replies have in common: which part is the answer, and how they decline.

Thoughts come before an answer and are never read; so do the reasons that our own prompts ask for.
Each reader of a family is asked about the answer alone.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from surefoot.core.question import Refusal, Unparsed
from surefoot.core.replies.thoughts import answer_behind
from surefoot.models.reading import Place, ReplyReader, answer_start
from surefoot.models.replies.objects import json_object, json_objects, refusal_in

VERSION: Final = 3  # of what is the same in every family
ENDLESS: Final = Unparsed("thoughts that do not end")
CUT: Final = Unparsed("cut at the limit of tokens; --max-tokens raises it")

# Marks behind which the readers of families look by themselves.
ANSWER_MARKS: Final = (
    *("<tool_call>", "<answer>", "Grounded Operation:", "<|begin_of_box|>", "<|box_start|>"),
)
HEAD: Final = re.compile(r"\s{0,9}[^\w\s]{0,5}Thoughts?[\s*_]{0,9}[:\uff1a]", re.IGNORECASE)
# Where a sentence or a line ends, and the turn of a model that does not stop.
BREAK: Final = re.compile(r"(?<=[.!?;\u3002\uff01\uff1f])[\"')\]*]{0,3}\s|(?<![,\[({\s])\s{0,9}\n")
NEXT_TURN: Final = re.compile(
    r"(?<=\S)\s{0,9}\n(?:<\|im_start\|>)?(?:assistant|user)\s{0,9}(?:\n|\Z)"
)
MOST_TAILS: Final = 40
LONGEST_TAIL: Final = 8_000  # characters

# A number below 20,000 with a comma before its last three digits, beside one that a comma and a
# blank part it from, or behind a name: "(1,234, 567)", "x=1,234, y=5".
THOUSANDS: Final = re.compile(
    r"(?<![\d.,])(?:[1-9]|1\d),\d{3}(?![\d.])(?=\s{0,9},\s{1,9}[-+xy\d\"'])"
    r"|(?<=\d,\s)(?:[1-9]|1\d),\d{3}(?![\d.,])"
    r"|(?<=[xy]=)(?:[1-9]|1\d),\d{3}(?![\d.])(?=\s{0,9},)"
)
TERMINATED: Final = re.compile(
    r"\bterminate\(\s{0,9}(?:status\s{0,9}=\s{0,9})?[\"']?fail(?:ure|ed)?\b", re.IGNORECASE
)
REFUSING: Final = re.compile(r'\{\s{0,9}"refusal"\s{0,9}:')
FAILURES: Final = frozenset({"failure", "failed", "fail", "infeasible", "impossible"})


class AnswerReader(msgspec.Struct, frozen=True):
    """
    Read the answer of a reply as a family's ``reader`` does.

    What stands before the last end of thoughts is not read, and nothing where thoughts do not
    end. Behind a prompt that asks to reason first (``reasoned``), or where the reply begins with
    "Thought:", the shortest tail of lines and sentences that says a place is the answer, unless
    a mark of the family tells where it begins. In every family declines: an object whose last
    field is a refusal in words, a place of -1 and -1, and ``terminate`` with a failure.

    >>> from surefoot.models.reading import first_listed
    >>> read = AnswerReader(first_listed("()"))
    >>> read("<think>Not (7, 8).</think> (502, 37)")
    Place(numbers=(502.0, 37.0))
    >>> read("(-1, -1)"), read('{"refusal": "safety"}')
    (Refusal(reason='[-1,-1]'), Refusal(reason='safety'))
    >>> read.reasoned("Not the one at (7, 8). (502, 37)")
    Place(numbers=(502.0, 37.0))
    """

    reader: ReplyReader

    def __call__(self, text: str) -> Place | Refusal | Unparsed:
        """Return what the answer of a reply says; Unparsed, and why, where it says nothing."""
        return self._read(text, reasoned=False)

    def reasoned(self, text: str) -> Place | Refusal | Unparsed:
        """Return what a reply says that was asked to reason first."""
        return self._read(text, reasoned=True)

    def _read(self, text: str, *, reasoned: bool) -> Place | Refusal | Unparsed:
        answer = text if REFUSING.match(text) and json_object(text) else answer_behind(text)
        if answer is None:
            return ENDLESS
        refusal = _last_refusal(answer)
        if refusal is not None:
            return refusal
        plain = answer
        if "," in answer:
            plain = THOUSANDS.sub(lambda found: found[0].replace(",", "'"), answer)
        head = HEAD.match(plain)
        if reasoned or head:
            behind = plain[head.end() :] if head else plain
            for tail in _tails(behind):
                found = self._declining(self.reader(tail))
                if not isinstance(found, Unparsed):
                    return found
        found = self._declining(self.reader(plain))
        declined = isinstance(found, Unparsed) and _terminated(plain)
        return Refusal("terminate with status failure") if declined else found

    def _declining(self, found: Place | Refusal | Unparsed) -> Place | Refusal | Unparsed:
        nowhere = isinstance(found, Place) and set(found.numbers) == {-1.0}
        return Refusal("[-1,-1]") if nowhere else found


def _last_refusal(text: str) -> Refusal | None:
    if "refusal" not in text:
        return None
    begins = [found.start() for found in REFUSING.finditer(text)]
    if begins:  # whose words may look like an object of their own
        with contextlib.suppress(ValueError):
            value, end = json.JSONDecoder(strict=False).raw_decode(text, begins[-1])
            if "{" not in text[end:]:
                return refusal_in(value)
    objects = list(json_objects(text))
    return refusal_in(objects[-1]) if objects else None


def _tails(text: str) -> Iterator[str]:
    """Yield ends of a text that begin where a sentence or a line does, the shortest first."""
    if answer_start(text) is not None or any(mark in text for mark in ANSWER_MARKS):
        return
    turn = NEXT_TURN.search(text)
    end = text[: turn.start() if turn else len(text)][-LONGEST_TAIL:]
    starts = [found.end() for found in BREAK.finditer(end)]
    for start in reversed(starts[-MOST_TAILS:]):
        yield end[start:]


def _terminated(text: str) -> bool:
    if "terminate" not in text:
        return False
    return bool(TERMINATED.search(text)) or any(
        "terminate" in (found.get("action"), found.get("name"))
        and str(found.get("status", "")).casefold() in FAILURES
        for found in json_objects(text)
    )
