"""
From words back to every expression that they could say: the inverse of ``realise``.

The table's templates are read in their order, and each way to go on is followed: words that
could be read in two ways are refused, in any language and any order of parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from string import Formatter
from typing import Any, Final, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError, UserError
from surefoot.core.instruction import Action, Expression, Ordinal, Region
from surefoot.refer.languages.phrases import Forms, Language, Noun, Part, agreeing, form_of
from surefoot.refer.languages.tables import language_of
from surefoot.refer.resolve.wellformed import MOST_NESTED
from surefoot.refer.say.realise import realise

Parts: TypeAlias = dict[str, Any]
Readings: TypeAlias = Iterator[tuple[Parts, int]]
Field: TypeAlias = Callable[[int, str], Iterator[tuple[Any, int]]]

LONGEST: Final = 2000
SHOWN: Final = 80
SPELLED: Final = 12
DROPPED: Final = ", "  # signs of which one is dropped at the end of a sentence
_DIGITS: Final = re.compile(r"(?<!\d)\d{1,4}(?!\d)")
_WITHOUT_NOUN: Final[frozenset[Part]] = frozenset({"name", "container", "region", "relation"})
_OF_CONTAINERS: Final[frozenset[Part]] = frozenset({"noun", "name", "text"})


class InstructionReading(msgspec.Struct, frozen=True):
    """Hold what an instruction asks for."""

    expression: Expression
    action: Action
    value: str


def read_back(text: str, language: str | Language = "en") -> InstructionReading:
    """
    Read an instruction as ``realise`` writes it in a language, by its code or its table.

    Saying it again gives the text. Raises InvalidInputError for other words, and for those
    that can be read in two ways.

    >>> read_back("Click the 'Save' button").expression.name
    'Save'
    >>> read_back("Cliquez sur le bouton rouge", "fr").expression.colour
    'red'
    """
    if isinstance(language, str):
        language = language_of(language)
    if len(text) > LONGEST:
        raise InvalidInputError(f"at most {LONGEST} characters", found=f"{len(text)}")
    asked = {
        reading
        for dropped in _dropped(language)
        for reading in _Sentence(language, text[:1].lower() + text[1:] + dropped).readings()
        if _says(reading, text, language)
    }
    if len(asked) != 1:
        expected = "words that can be read in one way alone" if asked else "an instruction"
        raise InvalidInputError(expected, found=f"'{text[:SHOWN]}'")
    return asked.pop()


def _says(reading: InstructionReading, text: str, language: Language) -> bool:
    try:
        spelled = realise(reading.expression, reading.action, reading.value, language=language)
    except UserError:
        return False
    return spelled == text


def _dropped(language: Language) -> Iterator[str]:
    """Yield what may have been dropped at the end: nothing, and the ends of templates."""
    ends = (language.beginning, language.text, language.label, *language.quotes)
    yield ""
    yield from (sign for sign in DROPPED if any(end.endswith(sign) for end in ends))


class _Sentence:
    """Hold a text, and what its parts were read as from each place."""

    def __init__(self, language: Language, text: str) -> None:
        self.language = language
        self.text = text
        self.nouns: dict[str, list[tuple[str, Noun]]] = {}
        for role, noun in language.nouns.items():
            if any(word in text for word in (*noun.forms.values(), *noun.counted.values())):
                self.nouns.setdefault(noun.gender, []).append((role, noun))
        # Each landmark is said with words of its own, so no more of them can be nested.
        words = (*language.directions.values(), *language.relations.values())
        literals = {_longest_literal(template) for template in words}
        self.deepest = min(MOST_NESTED, sum(map(text.count, literals)))
        self._read: dict[tuple[int, str, int], tuple[tuple[Expression, int], ...]] = {}
        self._counted: dict[tuple[str, str], list[tuple[int, str]]] = {}

    def readings(self) -> Iterator[InstructionReading]:
        """Yield all that the whole text could ask for."""
        for expression, action, value, end in self._asked(0):
            if end == len(self.text):
                yield InstructionReading(expression, action, value)
        fields: dict[str, Field] = {
            "container": self._contained,
            "said": lambda at, _: (((*words, end), end) for *words, end in self._asked(at)),
        }
        for found, end in self._filled(self.language.fronted, 0, fields):
            if end == len(self.text):
                target, action, value, _ = found["said"]
                whole = msgspec.structs.replace(target, container=found["container"])
                yield InstructionReading(whole, action, value)

    def _asked(self, at: int) -> Iterator[tuple[Expression, Action, str, int]]:
        fields: dict[str, Field] = {
            "target": lambda at, case: self._references(at, case, 0),
            "value": self._quotes,
        }
        for action, template in self.language.actions.items():
            for found, end in self._filled(template, at, fields):
                yield found["target"], action, found.get("value", ""), end

    def _references(self, at: int, case: str, depth: int) -> Iterator[tuple[Expression, int]]:
        if depth > self.deepest:
            return
        key = (at, case, depth)
        if key not in self._read:
            self._read[key] = tuple(dict.fromkeys(self._reference(at, case, depth)))
        yield from self._read[key]

    def _reference(self, at: int, case: str, depth: int) -> Iterator[tuple[Expression, int]]:
        language = self.language
        for start in self._after(form_of(language.bare, "", case), at):
            if depth:
                for words, end in self._quotes(start, case):
                    yield Expression(text=words), end
            alone = tuple(part for part in language.parts if part in _WITHOUT_NOUN)
            for parts, end in self._walk(alone, start, start, ("", case), depth):
                yield from _made(parts, end)
        order = tuple(part for part in language.parts if part != "article")
        yield from self._with_noun(order, at, case, depth)

    def _contained(self, at: int, case: str) -> Iterator[tuple[Expression, int]]:
        """Yield what a container can be: a role with a name or with a text."""
        order = tuple(part for part in self.language.parts if part in _OF_CONTAINERS)
        yield from self._with_noun(order, at, case, 0)

    def _with_noun(
        self, order: tuple[Part, ...], at: int, case: str, depth: int
    ) -> Iterator[tuple[Expression, int]]:
        for gender in self.nouns:
            agreed = (gender, case)
            for start in self._articles(at, agreed):
                for parts, end in self._walk(order, start, start, agreed, depth):
                    if "role" in parts:
                        yield from _made(parts, end)

    def _articles(self, at: int, agreed: tuple[str, str]) -> Iterator[int]:
        """Yield where the words after an article begin."""
        language = self.language
        if "article" not in language.parts:
            yield at
            return
        for forms in (language.article, language.elided):
            article = form_of(forms, *agreed)
            for start in self._after(article, at):
                if language.article_before(self.text[start:], *agreed) == article:
                    yield start

    def _after(self, words: str, at: int) -> Iterator[int]:
        """Yield the place after words and what follows them."""
        if self.text.startswith(words, at):
            end = at + len(words)
            gap = self.language.gap(words, self.text[end:])
            if self.text.startswith(gap, end):
                yield end + len(gap)

    def _walk(
        self, order: tuple[Part, ...], start: int, at: int, agreed: tuple[str, str], depth: int
    ) -> Readings:
        """Yield the parts read from a place on, in their order, any of them left out."""
        if not order:
            yield {}, at
            return
        first, *others = order
        rest = tuple(others)
        yield from self._walk(rest, start, at, agreed, depth)
        gap = self.language.gap(self.text[start:at], self.text[at:])
        if not self.text.startswith(gap, at):
            return
        for parts, end in self._part(first, at + len(gap), agreed, depth):
            for more, last in self._walk(rest, start, end, agreed, depth):
                if not parts.keys() & more.keys():
                    yield {**parts, **more}, last

    def _part(self, part: Part, at: int, agreed: tuple[str, str], depth: int) -> Readings:
        """Yield what one part could be, with its value."""
        ways: Mapping[Part, Callable[[int, tuple[str, str]], Readings]] = {
            "noun": self._noun,
            "nth": self._nth,
            "counting": self._counting,
            "region": self._region,
            "beginning": self._beginning,
            "function": self._function,
        }
        looks: Mapping[Part, Mapping[Any, Forms]] = {
            "size": self.language.sizes,
            "state": self.language.states,
            "colour": self.language.colours,
            "shape": self.language.shapes,
            "content": self.language.contents,
        }
        quoting: Mapping[Part, str] = {
            "name": self.language.name,
            "text": self.language.text,
            "label": self.language.label,
        }
        drawing: Mapping[Part, str] = {
            "icon": self.language.icon,
            "ink": self.language.ink,
            "outline": self.language.outline,
        }
        if part in drawing:
            fields: dict[str, Field] = {"colour": self._colours, "icon": self._icons}
            for found, end in self._filled(drawing[part], at, fields):
                yield dict.fromkeys((part,), *found.values()), end
        elif part in ways:
            yield from ways[part](at, agreed)
        elif part in looks:
            for value, forms in looks[part].items():
                yield from self._word(form_of(forms, *agreed), at, {part: value})
        elif part in quoting:
            for found, end in self._said(quoting[part], at, agreed):
                yield dict.fromkeys((part,), *found.values()), end
        else:
            yield from self._placed(part, at, agreed, depth)

    def _nth(self, at: int, agreed: tuple[str, str]) -> Readings:
        for count, end in self._counts(at, agreed):
            yield {"nth": count}, end

    def _region(self, at: int, _agreed: tuple[str, str]) -> Readings:
        for place, by in self.language.places.items():
            for of, words in by.items():
                yield from self._word(words, at, {"region": Region(place, of)})

    def _colours(self, at: int, case: str) -> Iterator[tuple[str, int]]:
        for colour, forms in self.language.colours.items():
            if self.text.startswith(word := form_of(forms, "", case), at):
                yield colour, at + len(word)

    def _icons(self, at: int, _case: str) -> Iterator[tuple[str, int]]:
        for icon, word in self.language.icons.items():
            if self.text.startswith(word, at):
                yield icon, at + len(word)

    def _beginning(self, at: int, agreed: tuple[str, str]) -> Readings:
        for found, end in self._said(self.language.beginning, at, agreed):
            yield {**found, "name_cut": True}, end

    def _function(self, at: int, agreed: tuple[str, str]) -> Readings:
        for function, template in self.language.functions.items():
            for found, end in self._said(template, at, agreed):
                yield {**found, "function": function}, end

    def _word(self, word: str, at: int, parts: Parts) -> Readings:
        if word and self.text.startswith(word, at):
            yield parts, at + len(word)

    def _said(self, template: str, at: int, agreed: tuple[str, str]) -> Readings:
        fields: dict[str, Field] = {"name": self._quotes, "text": self._quotes}
        yield from self._filled(agreeing(template, self.language, *agreed), at, fields)

    def _noun(self, at: int, agreed: tuple[str, str]) -> Readings:
        for role, noun in self.nouns[agreed[0]]:
            parts = {"role": role}
            if role == "icon":
                parts = {"role": "control", "content": "icon"}
            for forms in (noun.forms, noun.counted):
                yield from self._word(form_of(forms, *agreed), at, parts)

    def _counts(self, at: int, agreed: tuple[str, str]) -> Iterator[tuple[int, int]]:
        """Yield counts that are said at a place, from the end as negative ones."""
        if agreed not in self._counted:
            written = {int(digits) for digits in _DIGITS.findall(self.text)} - {0}
            ways = ((1, self.language.from_start), (-1, self.language.from_end))
            self._counted[agreed] = [
                (sign * count, say(count, *agreed))
                for count in {*range(1, SPELLED + 1), *written}
                for sign, say in ways
            ]
        for count, number_words in self._counted[agreed]:
            if self.text.startswith(number_words, at):
                yield count, at + len(number_words)

    def _counting(self, at: int, agreed: tuple[str, str]) -> Readings:
        fields: dict[str, Field] = {"row": lambda at, case: self._counts(at, ("", case))}
        for order, templates in self.language.counting.items():
            for from_end, template in enumerate(templates):
                agreed_template = agreeing(template, self.language, *agreed)
                for found, end in self._filled(agreed_template, at, fields):
                    if end > at:
                        yield {"counted": (order, bool(from_end), found.get("row", 0))}, end

    def _placed(self, part: Part, at: int, agreed: tuple[str, str], depth: int) -> Readings:
        """Yield what a target is in, or how it stands to a landmark."""

        def reference(at: int, case: str) -> Iterator[tuple[Expression, int]]:
            return self._references(at, case, depth + 1)

        fields: dict[str, Field] = {
            "container": self._contained,
            "landmark": reference,
            "second": reference,
        }
        language = self.language
        templates: list[tuple[str, Parts]] = (
            [(template, {}) for template in dict.fromkeys(language.containers.values())]
            if part == "container"
            else [
                *((how, {"direction": name}) for name, how in language.directions.items()),
                *((how, {"relation": name}) for name, how in language.relations.items()),
            ]
        )
        for template, parts in templates:
            agreed_template = agreeing(template, language, *agreed)
            for found, end in self._filled(agreed_template, at, fields):
                yield {**parts, **found}, end

    def _filled(self, template: str, at: int, fields: Mapping[str, Field]) -> Readings:
        pieces = list(Formatter().parse(template))
        yield from self._pieces(pieces, at, fields)

    def _pieces(
        self,
        pieces: list[tuple[str, str | None, str | None, str | None]],
        at: int,
        fields: Mapping[str, Field],
    ) -> Readings:
        if not pieces:
            yield {}, at
            return
        (literal, field, case, _), *rest = pieces
        if not self.text.startswith(literal, at):
            return
        at += len(literal)
        if field is None:
            yield from self._pieces(rest, at, fields)
            return
        for value, end in fields[field](at, case or ""):
            for more, last in self._pieces(rest, end, fields):
                yield {field: value, **more}, last

    def _quotes(self, at: int, _case: str) -> Iterator[tuple[str, int]]:
        for pair in self.language.quotes:
            half = len(pair) // 2
            opening, closing = pair[:half], pair[half:]
            if self.text.startswith(opening, at):
                end = self.text.find(closing, at + half)
                if end > at + half:
                    yield self.text[at + half : end], end + len(closing)


def _longest_literal(template: str) -> str:
    """Return the longest run of words of a template."""
    return max((literal for literal, *_ in Formatter().parse(template)), key=len)


def _made(parts: Parts, end: int) -> Iterator[tuple[Expression, int]]:
    """Yield the expression of parts that go together."""
    parts = dict(parts)
    count = parts.pop("nth", None)
    order, from_end, row = parts.pop("counted", ("list", False, 0))
    if count is None and order != "list":
        return
    if count is not None:
        turned = order in ("row", "column")
        if turned and count < 0:
            return
        parts["ordinal"] = Ordinal(-count if turned and from_end else count, order, row)
    yield Expression(**parts), end
