"""
A key taken out of whatever a server or a page repeats, however it is spelt there.

Text is read in every way in which a key may be spelt in it (escapes of JSON, C, URLs and HTML,
base64 at each alignment, hexadecimal, letters apart), readings are read again, and what a run
of the key's characters was spelt by is replaced. So a key that was cut is found too.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, NamedTuple, Self

from surefoot.core.errors import SurefootError

# What people write where a server wants no key, such as EMPTY, is shorter, and words of it are.
SHORTEST: Final = 8
# In base64 and in hexadecimal no words stand by chance, and the ends of a run are shared.
SHORTEST_SPELT: Final = 6
DEPTH: Final = 4
GONE: Final = "***"
ESCAPE: Final = re.compile(
    r"""\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\([0-7]{3})|%([0-9a-f]{2})
    |=([0-9a-f]{2})|&\#([0-9]{1,7});?|&\#x([0-9a-f]{1,6});?|(\\.)|(&[a-z]{2,9};)""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
BASES: Final = (16, 16, 16, 8, 16, 16, 10, 16)
BETWEEN: Final = r"\s\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060\ufeff\ufffd"
APART: Final = re.compile(f"[{BETWEEN}]+")
TOGETHER: Final = re.compile(f"[^{BETWEEN}]+")
BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{8,}")
HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){6,}[0-9A-Fa-f]?")
URL_SAFE: Final = str.maketrans("-_", "+/")


class _ReadText(NamedTuple):
    """
    Hold text as it was read, and what tells of each letter where it begins and ends in the other.

    ``again`` says whether it may be spelt in turn: bytes of all kinds are not.
    """

    text: str
    begin: Callable[[int], int]
    end: Callable[[int], int]
    shortest: int = SHORTEST
    again: bool = True


class Scrubber:
    r"""
    Replace secrets in text that may have repeated them, or eight of their characters in a row.

    A secret of fewer characters is an ordinary word, and stays.

    >>> scrub = Scrubber("sk-12345678")
    >>> scrub("no such key: sk-12345678"), scrub('{"key": "\\u0073k-1234567'), scrub("%73k-12345")
    ('no such key: ***', '{"key": "***', '***')
    """

    def __init__(self, *secrets: str) -> None:
        long = [secret for secret in secrets if len(secret) >= SHORTEST]
        self._parts: dict[int, dict[str, None]] = {}
        for length in (SHORTEST, SHORTEST_SPELT) if long else ():
            self._parts[length] = dict.fromkeys(
                secret[at : at + length]
                for secret in long
                for at in range(len(secret) - length + 1)
            )

    def __call__(self, text: str) -> str:
        """Return the text without the secrets."""
        if not self._parts:
            return text
        left, at = [], 0
        for start, end in _joined(self._spans(text, SHORTEST, DEPTH, {})):
            left += [text[at:start], GONE]
            at = end
        return "".join([*left, text[at:]])

    def __enter__(self) -> Self:
        """Begin a block out of which no error comes that tells the secret."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the secret out of what the block raises, and out of what led to it."""
        self._clean(error, set())

    def _clean(self, error: BaseException | None, seen: set[int]) -> None:
        if error is None or id(error) in seen or not self._parts:
            return
        seen.add(id(error))
        error.args = tuple(self(part) if isinstance(part, str) else part for part in error.args)
        if isinstance(error, SurefootError):
            error.expected, error.found = self(error.expected), self(error.found)
            error.remedy = self(error.remedy)
        self._clean(error.__cause__, seen)
        self._clean(error.__context__, seen)

    def _spans(
        self, text: str, shortest: int, depth: int, seen: dict[tuple[str, int], int]
    ) -> list[tuple[int, int]]:
        """
        Return where runs of the secret begin and end, in no order.

        ``seen`` are texts in which nothing was found so deep: orders of readings lead to the same.
        """
        if seen.get((text, shortest), -1) >= depth:
            return []
        parts = self._parts[shortest]
        if len(parts) > len(text):  # a long secret, a short text
            begun = range(len(text) - shortest + 1)
            spans = [(at, at + shortest) for at in begun if text[at : at + shortest] in parts]
        else:
            spans = [
                (found.start(), found.start() + shortest)
                for part in parts
                if part in text
                for found in re.finditer(f"(?={re.escape(part)})", text)
            ]
        for reading in _readings(text) if depth else ():
            least = min(shortest, reading.shortest)
            deeper = depth - 1 if reading.again else 0
            for start, end in self._spans(reading.text, least, deeper, seen):
                spans.append((reading.begin(start), reading.end(end - 1)))
        if not spans:
            seen[text, shortest] = depth
        return spans

    def __repr__(self) -> str:
        return f"Scrubber({GONE})"


def _readings(text: str) -> Iterator[_ReadText]:
    if ESCAPE.search(text):
        yield _unescaped(text)
    if APART.search(text):
        kept = [at for found in TOGETHER.finditer(text) for at in range(*found.span())]
        yield _ReadText(APART.sub("", text), kept.__getitem__, lambda at: kept[at] + 1)
    for found in BASE64.finditer(text):
        for first in range(4):
            yield _from_base64(found[0][first:], found.start() + first)
    for found in HEX.finditer(text):
        for first in range(2):
            yield _from_hex(found[0][first:], found.start() + first)


def _unescaped(text: str) -> _ReadText:
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for found in [*ESCAPE.finditer(text), None]:
        until = len(text) if found is None else found.start()
        letters += text[at:until]
        starts += range(at, until)
        ends += range(at + 1, until + 1)
        if found is not None:
            at = found.end()
            letters.append(_letter(found))
            starts.append(found.start())
            ends.append(at)
    return _ReadText("".join(letters), starts.__getitem__, ends.__getitem__)


def _letter(found: re.Match[str]) -> str:
    *numbers, escaped, entity = found.groups()
    for digits, base in zip(numbers, BASES, strict=True):
        if digits is not None:
            number = int(digits, base)
            return chr(number) if number < 0x110000 else "\ufffd"  # noqa: PLR2004 - of Unicode
    return escaped[1] if escaped else html.unescape(entity)[0]


def _from_base64(text: str, begin: int) -> _ReadText:
    usable = text[: len(text) - (len(text) % 4 == 1)].translate(URL_SAFE)
    data = base64.b64decode(usable + "=" * (-len(usable) % 4))
    return _ReadText(
        data.decode("latin-1"),
        lambda at: begin + at * 8 // 6,
        lambda at: begin + (at * 8 + 7) // 6 + 1,
        SHORTEST_SPELT,
        data.isascii(),
    )


def _from_hex(text: str, begin: int) -> _ReadText:
    data = bytes.fromhex(text[: len(text) // 2 * 2])
    return _ReadText(
        data.decode("latin-1"),
        lambda at: begin + 2 * at,
        lambda at: begin + 2 * at + 2,
        SHORTEST_SPELT,
        data.isascii(),
    )


def _joined(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans in order, those that touch as one."""
    begun, ended = -1, -1
    for start, end in sorted(spans):
        if start > ended:
            if ended > 0:
                yield begun, ended
            begun = start
        ended = max(ended, end)
    if ended > 0:
        yield begun, ended
