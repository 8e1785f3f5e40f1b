"""
A baseline that takes what is handed over for a bag of words, and understands none of it.

It is told the form (labels, kinds, options, limits and rules), where the controls lie, and the
names of the files, so that all it can get wrong is which value belongs where. Each field takes,
of the pieces of the text that could be its value, the one nearest to the words of its label.
"""

from __future__ import annotations

import bisect
import collections
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.core.seeds import derive_seed
from surefoot.forms.driver.agent import AgentKind, FormTask
from surefoot.forms.driver.filler import Filler
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.letters.proof.choices import content_words
from surefoot.forms.scoring.figures import dates_in, numbers_in, telephones_in
from surefoot.forms.scoring.meaning import means
from surefoot.forms.specification import Field, Form, Holds, Kind, Option, said
from surefoot.forms.values.constraints import broken, broken_field, offered
from surefoot.forms.values.making import make_instance
from surefoot.forms.values.normalise import normalise
from surefoot.forms.values.numerals import plain_digits
from surefoot.forms.values.scripts import UNSPACED

UNKNOWN: Final = "0" * 64  # the hash of a file that nobody has looked into
FAR: Final = 15  # words, beyond which a label's word tells nothing of a value
LONGEST: Final = 50_000  # characters of a text that are read
ENOUGH: Final = 0.5  # of the words of one option among several to choose
SENTENCE: Final = 4  # words that the end of a sentence in between counts as
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019.][^\W_]+)*")
# Scripts that set no space between words are taken apart into pairs of characters.
_UNSPACED: Final = re.compile(rf"[{UNSPACED}]+")
_END: Final = re.compile(r"[.!?;](?=\s)|\n|[\u3002\uff01\uff1f\uff1b]")
_E_MAIL: Final = re.compile(r"\b(e)-(mail)", re.IGNORECASE)
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_URL: Final = re.compile(r"https?://[^\s<>\"\u201d,]+[^\s<>\"\u201d,.;:!?)]")
_LINE: Final = re.compile(r"(?<=[:\uff1a])[^\n]+")
_LABELLED: Final = re.compile(
    r"(?<=[:\uff1a])[^\n\u3002]+?(?:$|(?<=\w\w)\.(?=\s)|\u3002)", re.MULTILINE
)
_QUOTED: Final = re.compile(
    r"[\"\u201c\u00ab\u300c\u300e]([^\"\u201c\u201d\u00ab\u00bb\u300c\u300d\u300e\u300f]{2,})"
    r"[\"\u201d\u00bb\u300d\u300f]"
)
_MARKS: Final = ' \t\n*_"\u201c\u201d\u00ab\u00bb\u300c\u300d'
_CAPITAL: Final = r"[^\W\d_a-z\u0430-\u044f](?:[\w'\u2019&-]*\b|\w{1,3}\.(?= [A-Z]))"
_CAPITALS: Final = re.compile(
    rf"(?<!\w){_CAPITAL}(?:,? (?:(?:of|and|the|for|de|in|&) )?(?:{_CAPITAL}|\d+))*"
)
_NUMBERED: Final = re.compile(r"(?<![\w-])(?:[A-Z]{1,6}[-#]?)?\d[\w-]*(?: [A-Z]\w+)*")
_CLAUSE: Final = re.compile(
    r"[^\s,.;:!?()\u3001\u3002\uff0c\uff1a][^\n,;:!?()\u3001\u3002\uff0c\uff1a]*"
)
_PARAGRAPH: Final = re.compile(r"(?:^[^\S\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_SENTENCE: Final = re.compile(r"[^\s.\u3002][^\n]*?(?:[.!?](?=\s|$)|\u3002|$)", re.MULTILINE)


class _Piece(msgspec.Struct, frozen=True):
    """Hold a piece of the text that could be a value, and between which characters it stands."""

    start: int
    end: int
    text: str


class _Fit(msgspec.Struct, frozen=True, order=True):
    """Say how well a piece fits a field; of equal fits, fields and pieces go in their order."""

    far: float
    field: int
    piece: int


def read_by_words(
    form: Form, text: str, *, files: Sequence[str] = (), language: str = "en"
) -> dict[str, Value]:
    """
    Return the value that each field takes from a text; a field that finds none is missing.

    The best fits go first, and a piece of the text is used once. A file comes with its name
    alone. ``language`` is the one that the form is shown in: dates and numbers are read by it.

    >>> from surefoot.forms.catalogue.reading import find_form
    >>> read_by_words(find_form("E12"), "my full name is Ana Lee, the document's number 77-12.")
    {'full_name': 'Ana Lee', 'id_number': '77-12'}
    """
    bag = _Bag(text[:LONGEST])
    found: dict[str, Value] = dict(_placed(form, bag, files, language))
    for field in form.fields:
        value = _chosen(field, found, bag, language)
        if value is not None:
            found[field.id] = value
    return {field.id: found[field.id] for field in form.fields if field.id in found}


def filled_up(form: Form, values: Mapping[str, Value]) -> dict[str, Value]:
    """
    Return values that a form accepts: what is missing or breaks a rule is made up.

    One refused field would hide all others of its page. Files are left alone.
    """
    made = make_instance(form, seed=derive_seed(0, "made up"), index=0).values
    whole = dict(values)
    for _ in form.fields:
        blamed = {
            name
            for breach in broken(form, whole)
            for name in (
                breach.field,
                *(breach.expected.split() if breach.reason.startswith("rule-") else ()),
            )
        }
        wrong = {
            name: made[name]
            for name in blamed
            if name in made
            and not isinstance(made[name], FileValue)
            and whole.get(name) != made[name]
        }
        if not wrong:
            break
        whole |= wrong
    return whole


def open_words(task: FormTask) -> Filler:
    """Return an agent that knows the form and the text, and looks at no right value."""
    form, _ = task.gold()
    found = read_by_words(form, task.text, files=task.files, language=task.language)
    return Filler("words", form, filled_up(form, found), task.language)


class _Bag:
    """Hold a text, and where each of its words stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        spans = list(_words(text))
        ends = [found.start() for found in _END.finditer(text)]
        self.starts = [start for start, _, _ in spans]
        self.stops = [end for _, end, _ in spans]
        self.sentences = [bisect.bisect_left(ends, start) for start in self.starts]
        self.at: dict[str, list[int]] = collections.defaultdict(list)
        for number, (_, _, word) in enumerate(spans):
            self.at[word].append(number)

    def mean(self, weights: Mapping[str, int], piece: _Piece, *, within: bool) -> float:
        """Return how far words lie from a piece, in the weighted mean; 0 ``within`` it."""
        own = {word for _, _, word in _words(piece.text)} if within else set()
        far = sum(
            weight * (0 if word in own else self.far(word, piece))
            for word, weight in weights.items()
        )
        return far / (sum(weights.values()) or 1)

    def near(self, some: set[str], others: set[str]) -> int:
        """Return how many words lie between any two words of two sets, at most FAR."""
        places = sorted({at for word in others for at in self.at.get(word, ())})
        near = FAR
        for item in (at for word in some for at in self.at.get(word, ())):
            at = bisect.bisect_left(places, item)
            near = min([near, *(abs(item - other) for other in places[max(0, at - 1) : at + 1])])
        return near

    def far(self, word: str, piece: _Piece) -> int:
        """Return how many words lie between a word and a piece, at most FAR."""
        if piece.start < 0:
            return FAR
        first = bisect.bisect_right(self.stops, piece.start)
        last = bisect.bisect_left(self.starts, piece.end) - 1
        places = self.at.get(word, [])
        before = bisect.bisect_left(places, first) - 1
        after = bisect.bisect_right(places, last)
        near = FAR
        if before >= 0:
            near = min(near, first - places[before] - 1 + self._ends(places[before], first))
        if after < len(places):
            # What a value is called mostly stands before it.
            near = min(near, places[after] - last + self._ends(places[after], last))
        return near

    def _ends(self, one: int, other: int) -> int:
        """Return as how many words the ends of sentences between two words count."""
        last = len(self.sentences) - 1
        return SENTENCE * abs(self.sentences[one] - self.sentences[max(0, min(other, last))])


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the words of a text, folded, with where they stand; "" for one without a sense."""
    for found in _WORD.finditer(_E_MAIL.sub(r"\1\2 ", text)):
        if not _UNSPACED.search(found[0]):
            yield found.start(), found.end(), min(content_words(found[0]), default="")
            continue
        for at in range(max(1, len(found[0]) - 1)):
            pair = found[0][at : at + 2]
            yield found.start() + at, found.start() + at + len(pair), pair


def _placed(
    form: Form, bag: _Bag, files: Sequence[str], language: str
) -> Iterator[tuple[str, Value]]:
    """Give pieces to fields: the best fits first, then what is left, in reading order."""
    called = {field.id: _content(said(field.label, language)) for field in form.fields}
    common = collections.Counter(word for words in called.values() for word in words)
    # Whole numbers add up to the same in whatever order a set gives its words.
    whole = math.lcm(*common.values())
    fits: list[tuple[_Fit, Field, _Piece, Value]] = []
    for row, field in enumerate(form.fields):
        weights = {word: whole // common[word] for word in called[field.id]}
        for column, piece in enumerate(_pieces(field, bag.text, files, language)):
            value = _taken(field, piece, language)
            if value is not None:
                far = bag.mean(weights, piece, within=field.traits.holds is Holds.FILE)
                fits.append((_Fit(far, row, column), field, piece, value))
    given: set[str] = set()
    used: list[_Piece] = []
    for again in (False, True):
        for fit, field, piece, value in sorted(fits, key=lambda one: one[0]):
            free = all(piece.end <= other.start or other.end <= piece.start for other in used)
            wanted = field.required if again else field.required or fit.far < FAR
            if field.id not in given and wanted and (free or again):
                given.add(field.id)
                used.append(piece)
                yield field.id, value


def _pieces(field: Field, text: str, files: Sequence[str], language: str) -> Iterator[_Piece]:
    """Yield what of a text could be a field's value, by its kind alone."""
    even = plain_digits(text)
    match field.traits.found_as:
        case Kind.EMAIL:
            yield from _found(_EMAIL, text)
        case Kind.URL:
            yield from _found(_URL, text)
        case Kind.TELEPHONE:
            yield from (_Piece(*item) for item in telephones_in(even))
        case Kind.DATE:
            yield from (_Piece(*item) for item in dates_in(even, language))
        case Kind.NUMBER:
            yield from sorted(
                (_Piece(*item) for item in numbers_in(even, language)), key=lambda one: one.start
            )
        case _ if field.traits.holds is Holds.FILE:
            for number, name in enumerate(files):
                at = text.find(name)
                # One that the text does not name has a place of its own, before it.
                start, end = (at, at + len(name)) if at >= 0 else (-number - 1, -number)
                yield _Piece(start, end, name)
        case _ if field.traits.words == "passage":
            yield from _several((_LINE, _QUOTED, _PARAGRAPH, _SENTENCE), text)
        case _ if field.traits.holds is Holds.TEXT:
            patterns = (_LABELLED, _QUOTED, _CAPITALS, _NUMBERED)
            yield from _several((*patterns, *([_CLAUSE] if _UNSPACED.search(text) else [])), text)
        case _:
            return


def _several(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[_Piece]:
    """Yield what any of the patterns finds, in the order of the text, the longest first."""
    found = {piece for pattern in patterns for piece in _found(pattern, text)}
    yield from sorted(found, key=lambda piece: (piece.start, -piece.end))


def _found(pattern: re.Pattern[str], text: str) -> Iterator[_Piece]:
    for found in pattern.finditer(text):
        group = found.lastindex or 0
        yield _Piece(found.start(group), found.end(group), found[group])


def _taken(field: Field, piece: _Piece, language: str) -> Value | None:
    """Return a piece as the value of a field, if the field takes it."""
    if field.traits.holds is Holds.FILE:
        value: Value | None = FileValue(piece.text, UNKNOWN)
    elif field.traits.found_by_reading:
        value = piece.text
    elif field.traits.words == "line":
        bare = piece.text.strip(f"{_MARKS}.,;")
        value = normalise(field, bare, language=language) if _content(bare) else None
    else:
        value = normalise(field, piece.text.strip(_MARKS), language=language)
    return None if value is None or broken_field(field, {field.id: value}) else value


def _chosen(field: Field, found: Mapping[str, Value], bag: _Bag, language: str) -> Value | None:
    """Return the options that the text names, or shares most words with; a box's state."""
    if field.traits.holds is Holds.TICK:
        return means(bag.text, field, value=True, language=language) or None
    if not field.traits.chosen:
        return None
    options = offered(field, found)
    named = [
        option for option in options if means(bag.text, field, option.value, language=language)
    ]
    called = _content(said(field.label, language))
    shares = {option.value: _shared(option, called, bag, language) for option in named or options}
    if field.traits.holds is Holds.OPTIONS:
        return tuple(sorted(item for item, (share, _) in shares.items() if share > ENOUGH)) or None
    best = max(shares, key=lambda one: shares[one], default="")
    return best if best and shares[best][0] else None


def _shared(option: Option, called: set[str], bag: _Bag, language: str) -> tuple[float, int]:
    """Return the share of an option's words that the text has, and how near the label's."""
    words = _content(said(option.label, language))
    there = {word for word in words if word in bag.at}
    return len(there) / (len(words) or 1), -bag.near(there, called)


def _content(text: str) -> set[str]:
    return {word for _, _, word in _words(text)} - {""}


WORDS = AgentKind(
    name="words",
    version=3,
    summary="takes for each field the value nearest to its label's words; told form and boxes",
    open=open_words,
    privileged=True,
)
