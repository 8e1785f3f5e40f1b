"""
Which parts of an instruction's text are quoted, and so not ours to change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from surefoot.core.instruction import Expression, Instruction

_OPENING: Final = "'\"\u201c\u00ab`"
_CLOSING: Final = "'\"\u201d\u00bb`"
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


class QuoteSpan(msgspec.Struct, frozen=True, order=True):
    """Hold a part of a text by its places, and whether it is the value to type or select."""

    start: int
    end: int
    value: bool = False


def quoted_spans(instruction: Instruction) -> tuple[QuoteSpan, ...]:
    """
    Return the parts of an instruction's text that quote the screen or the value, in order.

    They are found by what they quote, so signs inside a name end nothing. The signs
    themselves lie outside of a span.

    >>> from surefoot.core.instruction import Expression, Instruction
    >>> quoted_spans(Instruction("Click the 'Save' button", "en", "direct", "high",
    ...                          Expression(role="button", name="Save"), "a"))
    (QuoteSpan(start=11, end=15, value=False),)
    """
    quotes = {*_quotes(instruction.expression), instruction.value} - {""}
    found: list[QuoteSpan] = []
    for words in sorted(quotes, key=len, reverse=True):
        pattern = f"(?<=[{_OPENING}]){re.escape(words)}(?=[{_CLOSING}])"
        for match in re.finditer(pattern, instruction.text):
            inside = any(span.start <= match.start() < span.end for span in found)
            if not inside:
                found.append(
                    QuoteSpan(match.start(), match.end(), value=words == instruction.value)
                )
    return tuple(sorted(found))


def free_words(text: str, spans: tuple[QuoteSpan, ...]) -> tuple[QuoteSpan, ...]:
    """Return the words of a text that lie outside of the spans."""
    words = (QuoteSpan(*match.span()) for match in _WORD.finditer(text))
    return tuple(
        word
        for word in words
        if not any(word.start < span.end and span.start < word.end for span in spans)
    )


def with_words(text: str, changes: dict[QuoteSpan, str]) -> str:
    """
    Return a text with parts of it replaced.

    >>> with_words("one two", {QuoteSpan(0, 3): "three"})
    'three two'
    """
    for span in sorted(changes, reverse=True):
        text = text[: span.start] + changes[span] + text[span.end :]
    return text


def _quotes(expression: Expression | None) -> Iterator[str]:
    if expression is not None:
        yield from (expression.name, expression.text, expression.label)
        for inner in (expression.landmark, expression.second, expression.container):
            yield from _quotes(inner)
