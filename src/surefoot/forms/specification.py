"""
What a form is: pages of fields, options, and constraints between fields, as data.

One specification is the only source of truth. Renderers draw it, values are made for it,
the server validates against it, and the scorer reads it.
"""

from __future__ import annotations

import datetime as dt
import enum
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Annotated, Final, Literal, TypeAlias, assert_never

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.registry import Registry
from surefoot.forms.instance import Value

LANGUAGES: Final = ("en", "zh", "fr", "ru", "ja", "th", "ar")
RIGHT_TO_LEFT: Final = frozenset({"ar"})
"""
The languages whose pages run from right to left.
"""

Words: TypeAlias = dict[str, str]
Name: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]*$")]
Label: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9_-]*$")]


class Kind(enum.StrEnum):
    """
    Name the kinds of fields that come with Surefoot.

    Each is a widget as well: pages draw these and no others, and agents know how to use them.
    """

    STRING = "string"
    EMAIL = "email"
    TELEPHONE = "telephone"
    URL = "url"
    PASSWORD = "password"  # noqa: S105 (a kind of field, no secret)
    NUMBER = "number"
    DATE = "date"
    DROP_DOWN = "drop-down"
    RADIO = "radio"
    MULTI_CHOICE = "multi-choice"
    CHECKBOX = "checkbox"
    DESCRIPTION = "description"
    FILE = "file"


class Holds(enum.StrEnum):
    """Say what the values of a kind are, which settles their Python type and their limits."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    OPTION = "option"
    OPTIONS = "options"
    TICK = "tick"
    FILE = "file"


class FieldKind(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say all that is special about the fields of one kind; whoever handles a field asks this.

    ``widget`` is what pages draw and agents operate. ``holds`` settles which limits the
    fields may state and are held to; a form must state what ``needs`` names. ``read`` turns
    the texts of a field, as a form posts them, into its value, or None where they mean none;
    ``hint`` says below a field how its value is given. ``say`` spells a value in the words of
    a language, None for as it stands. ``found_as`` names the signs by which values are found
    in running text, None where they have none. ``words`` are those of a line or of a passage
    written by hand, "" for values that are no prose. ``secret`` values stand in no document.
    A model that writes letters is asked for the values of the lowest ``rank`` first.
    ``column`` is the one of the paper's table 2, "" where it has none.
    """

    name: str
    version: int
    widget: Kind
    holds: Holds
    read: Callable[[Field, Sequence[str], str], Value | None]
    rank: int
    column: str
    needs: tuple[str, ...] = ()
    hint: Callable[[Field, str], str] = lambda _field, _language: ""
    say: Callable[[Field, str, Random, str], str] | None = None
    found_as: Kind | None = None
    words: Literal["", "line", "passage"] = ""
    secret: bool = False

    @property
    def chosen(self) -> bool:
        """Say whether values are chosen from the field's options."""
        return self.holds in {Holds.OPTION, Holds.OPTIONS}

    @property
    def written(self) -> bool:
        """Say whether a value is a text that can be typed."""
        return self.holds in {Holds.TEXT, Holds.NUMBER, Holds.DATE}

    @property
    def found_by_reading(self) -> bool:
        """Say whether values are spelled in so many ways that texts are read for them."""
        return self.found_as in {Kind.TELEPHONE, Kind.DATE, Kind.NUMBER}

    @property
    def family(self) -> str:
        """Return the name that kinds share whose values may be taken for each other."""
        return self.found_as or self.name

    @property
    def limits(self) -> tuple[str, ...]:
        """Return which parts of a field its values are held to."""
        match self.holds:
            case Holds.TEXT:
                return ("shortest", "longest")
            case Holds.NUMBER:
                return ("lowest", "highest", "step")
            case Holds.DATE:
                return ("earliest", "latest")
            case Holds.OPTION | Holds.OPTIONS:
                return ("options",)
            case Holds.FILE:
                return ("accepts",)
            case Holds.TICK:
                return ()
            case _:
                assert_never(self.holds)


KINDS: Final[Registry[FieldKind]] = Registry(
    FieldKind, "surefoot.forms.kinds", what="kind of field"
)


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Offer one choice: the value that is sent, and what is shown in each language.

    Where ``when`` names a field, the option is offered only while that field holds one of
    the listed option values; that field comes before this option's own.
    """

    value: Label
    label: Words
    when: dict[str, tuple[str, ...]] = {}


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Ask for one value.

    ``fill`` names the maker of its values ("person.email"), and ``about`` whom or what the
    value belongs to: fields about the same thing get values that agree (one person's name,
    e-mail, address). Lengths are counted in characters; dates are ISO 8601; ``accepts``
    lists file suffixes.
    """

    id: Name
    kind: str
    label: Words
    fill: str
    about: Name = "applicant"
    help: Words = {}
    required: bool = True
    options: tuple[Option, ...] = ()
    shortest: int = 0
    longest: int = 0
    lowest: float | None = None
    highest: float | None = None
    step: float | None = None
    earliest: str = ""
    latest: str = ""
    accepts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        keep_own_kind(self)

    @property
    def traits(self) -> FieldKind:
        """Return what is special about the field's kind; raises UnknownNameError."""
        return KINDS.get(self.kind)

    def option(self, value: str) -> Option | None:
        """Return the option of a value, or None."""
        return next((item for item in self.options if item.value == value), None)


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Show some of a form's fields together, under a title."""

    title: Words
    fields: tuple[Field, ...]


class Constraint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Bind fields to each other, where all of them are filled in.

    "after": the first is a later date than the second. "at-most": the first is a number no
    larger than the second. "sum": the first is the sum of all others. "same": the first
    repeats the second. "weeks": the first is the number of full weeks from the second, a
    date, to the third. "percent": the first is how many percent the second is of the third,
    to the nearest whole number, halves up.
    """

    rule: Literal["after", "at-most", "sum", "same", "weeks", "percent"]
    fields: Annotated[tuple[Name, ...], msgspec.Meta(min_length=2)]


class LikelyValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Narrow what instances say in a field, so that it goes with what they say elsewhere.

    It holds while each field of ``when`` has one of the listed option values, or is left
    empty where none is listed; without ``when`` always. Limits and ``options`` lie within
    the field's own; ``filled`` says whether the field, an optional one, is filled in; and
    ``fill`` names another maker. Nobody who fills the form in is held to it.
    """

    field: Name
    when: dict[str, tuple[str, ...]] = {}
    lowest: float | None = None
    highest: float | None = None
    earliest: str = ""
    latest: str = ""
    options: tuple[str, ...] = ()
    filled: bool | None = None
    fill: str = ""


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Describe one form whole.

    ``code`` is the form's number in FormFactory's Table 1 ("A11"), ``published`` the count
    of fields printed there, and ``deviation`` says in a sentence where this form differs.
    ``machine_made`` lists the languages whose words no native reader has checked.
    """

    id: Name
    code: str
    domain: str
    title: Words
    pages: Annotated[tuple[Page, ...], msgspec.Meta(min_length=1)]
    introduction: Words = {}
    constraints: tuple[Constraint, ...] = ()
    likely: tuple[LikelyValues, ...] = ()
    version: int = 1
    machine_made: tuple[str, ...] = ()
    published: int = 0
    deviation: str = ""

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields of all pages, in reading order."""
        return tuple(itertools.chain.from_iterable(page.fields for page in self.pages))

    def field(self, name: str) -> Field | None:
        """Return the field of that id, or None."""
        return next((item for item in self.fields if item.id == name), None)

    def page_of(self, name: str) -> int:
        """Return the number of the page, from 0, on which a field stands; raises KeyError."""
        for number, page in enumerate(self.pages):
            if any(item.id == name for item in page.fields):
                return number
        raise KeyError(name)

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise InvalidInputError(f"form '{self.id}' to agree with itself", found=problem)


def keep_own_kind(record: msgspec.Struct) -> None:
    """
    Let the kind of a record that was read from a file be a member of Kind, if it is ours.

    So ``field.kind is Kind.DATE`` may be asked of all records alike.
    """
    ours = _OURS.get(getattr(record, "kind", ""))
    if ours is not None:
        msgspec.structs.force_setattr(record, "kind", ours)


def said(words: Words, language: str) -> str:
    """
    Return words in a language, or in English where it lacks them.

    >>> said({"en": "City", "fr": "Ville"}, "fr"), said({"en": "City"}, "th")
    ('Ville', 'City')
    """
    return words.get(language) or words.get("en", "")


def _problems(form: Form) -> Iterator[str]:
    """Say what of a form contradicts another part of it."""
    names = [item.id for item in form.fields]
    yield from (f"two fields '{name}'" for name in sorted(set(names)) if names.count(name) > 1)
    for language in sorted({*form.machine_made} - {*LANGUAGES}):
        yield f"machine-made words in '{language}', which is no language of a form"
    if unknown := list(_unknown_kinds(form)):
        yield from unknown
        return
    for constraint in form.constraints:
        yield from _problems_of_rule(constraint, form)
    for likely in form.likely:
        yield from _problems_of_likely(likely, form)
    for field in form.fields:
        yield from _problems_of(field)
        yield from _problems_of_limits(field)
        for option in field.options:
            yield from _problems_of_option(option, field, form)


def _unknown_kinds(form: Form) -> Iterator[str]:
    for field in form.fields:
        try:
            KINDS.get(field.kind)
        except UnknownNameError as error:
            yield f"field '{field.id}' of kind '{field.kind}'; {error.remedy}"


def _problems_of_rule(constraint: Constraint, form: Form) -> Iterator[str]:
    rule, names = constraint.rule, constraint.fields
    kinds = _RULED.get(rule, ())
    if rule in _OF_THREE and len(names) != len(kinds):
        yield f"a rule '{rule}' on {len(names)} fields"
    for number, name in enumerate(names):
        field = form.field(name)
        if field is None:
            yield f"a constraint on '{name}', which is no field"
        elif kinds and field.traits.holds is not kinds[min(number, len(kinds) - 1)]:
            yield f"a rule '{rule}' on '{name}' of kind {field.kind}"


def _problems_of_likely(likely: LikelyValues, form: Form) -> Iterator[str]:
    """Say what is wrong about one narrowing: names, options, or limits beyond the field's."""
    field = form.field(likely.field)
    if field is None:
        yield f"something likely of '{likely.field}', which is no field"
        return
    for name, values in likely.when.items():
        other = form.field(name)
        if other is None or not all(map(other.option, values)):
            yield f"something likely of '{field.id}' while '{name}' is {list(values)}"
    if not all(map(field.option, likely.options)):
        yield f"options {list(likely.options)} of '{field.id}', which are none of its own"
    if likely.filled is not None and field.required:
        yield f"'{field.id}', which is required, {'' if likely.filled else 'not '}to be filled in"
    yield from _problems_of_limits(narrowed(field, likely))
    if _is_beyond(likely, field):
        yield f"a likely limit of '{field.id}' beyond its own"


def _is_beyond(likely: LikelyValues, field: Field) -> bool:
    """Say whether a narrowing lets in what the field itself does not take."""
    numbers = ((field.lowest, likely.lowest), (likely.highest, field.highest))
    dates = ((field.earliest, likely.earliest), (likely.latest, field.latest))
    return any(
        first is not None and second is not None and first > second for first, second in numbers
    ) or any(first > second for first, second in dates if first and second)


def narrowed(field: Field, likely: LikelyValues) -> Field:
    """Return a field with the limits, options and maker that are likely for it."""
    own = {
        "lowest": likely.lowest,
        "highest": likely.highest,
        "earliest": likely.earliest,
        "latest": likely.latest,
        "fill": likely.fill,
        "options": tuple(item for item in field.options if item.value in likely.options),
    }
    return msgspec.structs.replace(
        field, **{name: value for name, value in own.items() if value not in (None, "", ())}
    )


def _problems_of(field: Field) -> Iterator[str]:
    kind, given = field.traits, set(stated_limits(field))
    for name in sorted({*kind.needs} - given):
        yield f"field '{field.id}' of kind {kind.name} {_stated(field, name)}"
    for name in sorted(given - {*kind.limits}):
        yield f"field '{field.id}' of kind {kind.name} {_stated(field, name)}"
    values = [item.value for item in field.options]
    if len(set(values)) < len(values):
        yield f"two options of one value in '{field.id}'"
    for words in (field.label, *(item.label for item in field.options)):
        if not words.get("en"):
            yield f"field '{field.id}' without English words"


def _stated(field: Field, limit: str) -> str:
    """Say which limit a field states that it should not, or lacks."""
    if limit == "options":
        return f"with {len(field.options)} options"
    if limit == "accepts":
        return f"that accepts {list(field.accepts)}"
    return f"with {limit}" if limit in stated_limits(field) else f"without {limit}"


def stated_limits(field: Field) -> tuple[str, ...]:
    """
    Return which limits of its values a field states.

    >>> stated_limits(Field("age", "number", {"en": "Age"}, "number.count", lowest=0))
    ('lowest',)
    """
    return tuple(name for name in _LIMITS if getattr(field, name) != getattr(_BARE, name))


def _problems_of_limits(field: Field) -> Iterator[str]:
    numbers = [value for value in (field.lowest, field.highest) if value is not None]
    step = 1.0 if field.step is None else field.step
    if not all(map(math.isfinite, [*numbers, step])) or sorted(numbers) != numbers or step <= 0:
        yield f"field '{field.id}' from {field.lowest} to {field.highest} by {field.step}"
    if field.shortest < 0 or field.longest < 0 or 0 < field.longest < field.shortest:
        yield f"field '{field.id}' of {field.shortest} to {field.longest} characters"
    dates = [item for item in (field.earliest, field.latest) if item]
    if not all(map(_is_date, dates)) or sorted(dates) != dates:
        yield f"field '{field.id}' from '{field.earliest}' to '{field.latest}'"
    yield from (
        f"field '{field.id}' that accepts '{suffix}', which is no suffix such as '.pdf'"
        for suffix in field.accepts
        if not _SUFFIX.fullmatch(suffix)
    )


def _problems_of_option(option: Option, field: Field, form: Form) -> Iterator[str]:
    order = [item.id for item in form.fields]
    for name, values in option.when.items():
        hangs = f"option '{option.value}' of '{field.id}' that hangs on '{name}'"
        other = form.field(name)
        if other is None:
            yield f"{hangs}, which is no field"
        elif order.index(name) >= order.index(field.id):
            yield f"{hangs}, which does not come before it"
        else:
            yield from (
                f"{hangs} being '{value}', which is none of its options"
                for value in values
                if other.option(value) is None
            )


def _is_date(text: str) -> bool:
    """Say whether a text is a day in the one form of ISO 8601 that sorts as text."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


_RULED: Final[Mapping[str, tuple[Holds, ...]]] = {
    "after": (Holds.DATE,),
    "at-most": (Holds.NUMBER,),
    "sum": (Holds.NUMBER,),
    "weeks": (Holds.NUMBER, Holds.DATE, Holds.DATE),
    "percent": (Holds.NUMBER, Holds.NUMBER, Holds.NUMBER),
}
_OURS: Final = {str(kind): kind for kind in Kind}
_LIMITS: Final = (
    *("options", "shortest", "longest", "lowest", "highest", "step", "earliest", "latest"),
    "accepts",
)
_OF_THREE: Final = frozenset({"weeks", "percent"})
_BARE: Final = Field("bare", "", {}, "")
_SUFFIX: Final = re.compile(r"\.[a-z0-9]+")
