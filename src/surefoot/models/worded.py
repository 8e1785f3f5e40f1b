r"""
Questions that are answered in words: how they are asked, and how a reply is read.

They are the same for every family of models, since formats differ in how they spell places.
Several pictures are named as such, and sent in their order.
A reply may reason first; what counts is the last JSON object with an "answer" or a "refusal",
else its last line, after "Answer:" where that stands.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.question import Choice, Parsed, Question, Refusal, Text, Unparsed
from surefoot.core.replies.thoughts import answer_behind
from surefoot.models.format import ChatMessages, Prompt, Prompts
from surefoot.models.reading import MAX_REPLY_CHARS
from surefoot.models.replies.answering import ENDLESS
from surefoot.models.replies.objects import json_object, json_objects

VERSION: Final = 2
NO_ANSWER: Final = "<no answer>"
TASK: Final = "Look at the screenshot and answer this question about it:\n{instruction}\n\n"
SEQUENCE: Final = (
    "Look at the screenshots, which follow on each other in this order, and answer this question "
    "about them:\n{instruction}\n\n"
)
LABEL: Final = '{"answer": "<label>"} with the label of the one right option.'
SHORT: Final = (
    '{"answer": "<words>"} with as few words as the screenshot itself uses, or '
    '{"refusal": "<why>"} if the screenshot does not tell.'
)
PLAIN: Final = "Reply with one JSON object and nothing else: "
REASON: Final = "First say in one or two sentences what you see. Then end with one JSON object: "
OPTIONS: Final = Prompts(Prompt(TASK + PLAIN + LABEL), Prompt(TASK + REASON + LABEL))
WORDS: Final = Prompts(Prompt(TASK + PLAIN + SHORT), Prompt(TASK + REASON + SHORT))

_LEAD: Final = re.compile(
    r"(?:the\s+)?(?:(?:final|correct|right|best)\s+)?(?:answer|option)"
    r"(?:\s+is|\s*[:\uff1a])\s*[:\uff1a]?",
    re.IGNORECASE,
)
_DECOR: Final = " \t*_`\"'\u201c\u201d"


def messages(question: Question) -> ChatMessages:
    """Return what a model is sent about a question that words or an option answer."""
    prompts = OPTIONS if question.asks == "option" else WORDS
    prompt = prompts.reasoning if question.cell.reasoning else prompts.plain
    if question.further:
        prompt = msgspec.structs.replace(prompt, user=prompt.user.replace(TASK, SEQUENCE))
    return prompt.fill(question.instruction.text, question.width, question.height)


def identity() -> dict[str, object]:
    """Return all of this that determines answers."""
    # What is said of several pictures has no digest of its own: runs that began without it
    # go on. Whoever changes SEQUENCE raises VERSION.
    return {"version": VERSION, "prompts": digest([OPTIONS, WORDS])}


def read_reply(text: str, question: Question) -> Parsed:
    """Read a reply as what the question asks for; what cannot be read is Unparsed."""
    if len(text) > MAX_REPLY_CHARS:
        return Unparsed(f"a reply of over {MAX_REPLY_CHARS:,} characters")
    answer = answer_behind(text)
    if answer is None:
        return ENDLESS
    if question.asks == "option":
        return read_option(answer, question.options)
    return read_words(answer)


def write_reply(answer: Choice | Text | Refusal, thought: str = "") -> str:
    """
    Spell an answer as the prompts ask for it, behind a thought if there is one.

    >>> write_reply(Choice("B"))
    '{"answer": "B"}'
    """
    match answer:
        case Choice(words) | Text(words):
            document = {"answer": words}
        case Refusal(reason):
            document = {"refusal": reason}
    return f"{thought}\n" * bool(thought) + json.dumps(document, ensure_ascii=False)


def read_words(text: str) -> Text | Refusal | Unparsed:
    r"""
    Read a short answer.

    "<no answer>", as ScreenQA spells it, is a refusal.

    >>> read_words('I see it. {"answer": "4:30 PM"}')
    Text(text='4:30 PM')
    >>> read_words("It is late.\nAnswer: 4:30 PM")
    Text(text='4:30 PM')
    """
    words = _said(text)
    if not isinstance(words, str):
        return words
    return Refusal(words) if words.casefold() == NO_ANSWER else Text(words)


def read_option(text: str, labels: Sequence[str]) -> Choice | Refusal | Unparsed:
    """
    Read the label of an option: alone, in brackets, or before its words.

    Letter case does not count. Words without a label are no choice, and neither is a line
    in which two labels stand before their words.

    >>> read_option('{"answer": "B"}', "ABCD"), read_option("**(c)** Settings", "ABCD")
    (Choice(label='B'), Choice(label='C'))
    >>> read_option("A: one B: two", "ABCD")
    Unparsed(why='no label of one option')
    """
    words = _said(text)
    if not isinstance(words, str):
        return words
    known = {label.casefold(): label for label in labels}
    start, other = _patterns(tuple(labels))
    found = start.match(words)
    if found is None or other.match(words, found.end()):
        return Unparsed("no label of one option")
    return Choice(known[(found[1] or found[2]).casefold()])


@functools.lru_cache(maxsize=64)
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a choice begins with, and what tells of another label."""
    one = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True)) or "(?!)"
    end = r"(?=[*_`\s]*(?:$|[.:)\uff1a\u3002]))"
    start = rf"[*_`]*(?:option\s+)?(?:[(\[\uff08]({one})[)\]\uff09]|({one}){end})"
    again = rf"\W*(?:(?:and|or)\W+)?(?:{one})\W*$"
    other = rf"{again}|.*?(?<!\w)(?:{one})[)\]\uff09]?\s*[:\uff1a)]"
    return re.compile(start, re.IGNORECASE), re.compile(other, re.DOTALL)


def _said(text: str) -> str | Refusal | Unparsed:
    """Return the words of an answer without what is around them."""
    whole = json_object(text)
    found = json_objects(text) if whole is None else [whole]
    objects = [item for item in found if "answer" in item or "refusal" in item]
    if objects:
        return _answer_in(objects[-1])
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return Unparsed("an empty reply")
    last = lines[-1]
    if last.startswith("{"):
        return Unparsed("a JSON object without an answer")
    lead = _LEAD.match(last.lstrip(_DECOR))
    words = last.lstrip(_DECOR)[lead.end() :] if lead else last
    return words.strip(_DECOR) or Unparsed("no words after 'answer'")


def _answer_in(found: dict[str, object]) -> str | Refusal | Unparsed:
    answer = found.get("answer")
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        answer = str(answer)
    if isinstance(answer, str) and answer.strip():
        return answer.strip()
    refusal = found.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return Refusal(refusal)
    return Unparsed("a JSON object with an answer that is no words")
