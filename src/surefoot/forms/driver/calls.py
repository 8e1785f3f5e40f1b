"""
Calls in a model's reply, such as ``Click(10, 20)``: read and written, never evaluated.

A call stands at the beginning of a line, after a bullet, a number or a backtick if there is
one. Words around it are the model's reasoning and are passed over; a call amid a sentence
is counted as unread, since nobody knows whether it was meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final, TypeAlias

import msgspec

from surefoot.core.question import Unparsed
from surefoot.core.replies.thoughts import blank_thoughts

Argument: TypeAlias = float | str

FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
LEAD: Final = re.compile(r"[ \t]*(?:(?:[-*>]|\d{1,3}[.):])[ \t]+)?`{0,3}[ \t]*")
NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,40}")
SPACE: Final = re.compile(r"\s*")
AFTER: Final = re.compile(r"[ \t]*(?:`{1,3}|[;,.])*[ \t]*(?:(?:#|//)[^\n]*)?")
NUMBER: Final = re.compile(r"[+-]?(?:\d{1,18}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?")
TEXTS: Final = (
    re.compile(r'"""((?:[^\\]|\\.)*?)"""', re.DOTALL),
    re.compile(r"'''((?:[^\\]|\\.)*?)'''", re.DOTALL),
    re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL),
    re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL),
)
ESCAPE: Final = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))", re.DOTALL
)
SIMPLE: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "\n": ""}
PLAIN: Final = {"\\", '"', "'", "/"}
LAST_CODE: Final = 0x10FFFF
MOST_CALLS: Final = 1000
SHOWN: Final = 60


class Call(msgspec.Struct, frozen=True):
    """Hold one call: its name, its arguments in order and by name, its line from 1."""

    name: str
    positional: tuple[Argument, ...]
    named: dict[str, Argument]
    line: int


class _Broken(msgspec.Struct, frozen=True):
    """Say what is wrong with a call, and where in the reply."""

    why: str
    at: int


class _Arguments(msgspec.Struct, frozen=True):
    positional: tuple[Argument, ...]
    named: dict[str, Argument]
    end: int


def read_calls(reply: str, names: Collection[str]) -> tuple[Call | Unparsed, ...]:
    r"""
    Return the calls of a reply in order, with an Unparsed, naming the line, for each bad one.

    ``names`` are the functions that exist. A reply without any call gives one Unparsed.
    Of a reply with fenced blocks, the blocks are read; else all of it. At most 1,000 calls
    are read.

    >>> for item in read_calls("I see.\nClick(1, 2.5)\nJump(3)", {"Click"}):
    ...     print(item)
    Call(name='Click', positional=(1.0, 2.5), named={}, line=2)
    Unparsed(why="line 3: 'Jump' is no action")
    """
    found = []
    for item in _found(_without_reasoning(reply), names):
        found.append(item)
        if len(found) > MOST_CALLS:
            found[-1] = Unparsed(f"more than {MOST_CALLS} actions")
            break
    return tuple(found) or (Unparsed("no action in the reply"),)


def quoted(text: str) -> str:
    r"""
    Return a text in double quotes, as read_calls reads it.

    >>> quoted('say "hi"\n')
    '"say \\"hi\\"\\n"'
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return '"' + "".join(item if item >= " " else f"\\x{ord(item):02x}" for item in escaped) + '"'


def spelled(number: float) -> str:
    """
    Return the shortest spelling of a number, without a superfluous ".0".

    >>> spelled(12.0), spelled(0.5)
    ('12', '0.5')
    """
    text = repr(float(number))
    return text.removesuffix(".0")


def _without_reasoning(reply: str) -> str:
    """Blank out what is not meant as an action, so that lines keep their numbers."""
    text = blank_thoughts(reply)
    fences = list(FENCE.finditer(text))
    if not fences:
        return text
    kept, ends = "", [*fences[1::2], None]
    last = 0
    for start, end in zip(fences[::2], ends, strict=False):
        stop = end.start() if end else len(text)
        kept += "\n" * text.count("\n", last, start.end()) + text[start.end() : stop]
        last = stop
    return kept


def _found(text: str, names: Collection[str]) -> Iterator[Call | Unparsed]:
    amid = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\(\s*[-+.\d\"')a-z]")
    at = counted = 0
    line = 1
    while at < len(text):
        lead = LEAD.match(text, at)
        start = lead.end() if lead else at
        line += text.count("\n", counted, start)
        counted = start
        name = NAME.match(text, start)
        if name is None or text[name.end() : name.end() + 1] != "(":
            end = _line_end(text, at)
            if amid.search(text, at, end):
                yield Unparsed(f"line {line}: an action amid a sentence: {_shown(text, at)}")
            at = end + 1
            continue
        arguments = _arguments(text, name.end() + 1)
        if isinstance(arguments, _Broken):
            yield Unparsed(f"line {line}: {arguments.why}: {_shown(text, start)}")
            at = _line_end(text, start) + 1
            continue
        if name[0] in names:
            yield Call(name[0], arguments.positional, arguments.named, line)
        else:
            yield Unparsed(f"line {line}: '{name[0]}' is no action")
        after = AFTER.match(text, arguments.end)
        at = after.end() if after else arguments.end
        at += text[at : at + 1] == "\n"


def _arguments(text: str, at: int) -> _Arguments | _Broken:
    """Read from behind the opening bracket to behind the closing one."""
    positional: list[Argument] = []
    named: dict[str, Argument] = {}
    at = _skip(text, at)
    while text[at : at + 1] != ")":
        key, at = _key(text, at)
        read = _value(text, at)
        if isinstance(read, _Broken):
            return read
        value, at = read
        if key in named or (named and not key):
            return _Broken("an argument out of order", at)
        if key:
            named[key] = value
        else:
            positional.append(value)
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != ")":
            return _Broken("a call that does not end", at)
    return _Arguments(tuple(positional), named, at + 1)


def _key(text: str, at: int) -> tuple[str, int]:
    name = NAME.match(text, at)
    if name is None:
        return "", at
    equals = _skip(text, name.end())
    return (name[0], _skip(text, equals + 1)) if text[equals : equals + 1] == "=" else ("", at)


def _value(text: str, at: int) -> tuple[Argument, int] | _Broken:
    """Read a number, a quoted text, or one quoted text in square brackets."""
    if text[at : at + 1] == "[":
        inner = _plain_value(text, _skip(text, at + 1))
        if isinstance(inner, _Broken):
            return inner
        end = _skip(text, inner[1])
        closed = text[end : end + 1] == "]"
        return (inner[0], end + 1) if closed else _Broken("a list of other than one thing", end)
    return _plain_value(text, at)


def _plain_value(text: str, at: int) -> tuple[Argument, int] | _Broken:
    number = NUMBER.match(text, at)
    if number is not None:
        value = float(number[0])
        return (value, number.end()) if abs(value) < float("inf") else _Broken("a number", at)
    quote = next((item for pattern in TEXTS if (item := pattern.match(text, at))), None)
    if quote is None:
        return _Broken("neither a number nor a quoted text", at)
    plain = unescaped(quote[1])
    return _Broken("a half character", at) if plain is None else (plain, quote.end())


def unescaped(text: str) -> str | None:
    r"""
    Return a text with its escapes read; None where a surrogate stands alone.

    >>> unescaped(r"O\'Brien"), unescaped(r"\ud800")
    ("O'Brien", None)
    """
    plain = ESCAPE.sub(_character, text)
    try:
        return plain.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= LAST_CODE else match[0]
    letter = match[4]
    return letter if letter in PLAIN else SIMPLE.get(letter, match[0])


def _skip(text: str, at: int) -> int:
    space = SPACE.match(text, at)
    return space.end() if space else at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _shown(text: str, at: int) -> str:
    return repr(text[at : min(_line_end(text, at), at + SHOWN)].strip())
