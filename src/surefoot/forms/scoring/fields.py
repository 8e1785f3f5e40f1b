"""
What became of each field: its value mentioned, typed, in the right field, submitted.

The four nest: each holds wherever the next does. The first is the published measure, which
a value in the wrong field passes too; the gap between two neighbours is a finding. Mentioned
is asked twice, literally and by meaning, and neither includes the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

import msgspec

from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.scoring.attempt import Attempt
from surefoot.forms.scoring.descriptions import nearest
from surefoot.forms.scoring.meaning import means, picks, says
from surefoot.forms.specification import (
    KINDS,
    Field,
    FieldKind,
    Form,
    Holds,
    Kind,
    keep_own_kind,
)
from surefoot.forms.values.normalise import normalise, raw_of, same_value


class FieldScore(msgspec.Struct, frozen=True):
    """
    Judge one field of one attempt.

    ``mentioned`` looks for the value literally, ``by_meaning`` for whatever means it (None in
    records of before it was asked). ``mentioned``, ``by_meaning`` and ``clicked`` are None
    where nobody watched what was said and clicked. ``asked`` says that there is something to
    fill in; an optional field without a value, and a box that is to stay unticked, should stay
    as they are, and ``collateral`` says that they did not: doing nothing is never counted as
    doing right. ``exact`` compares raw texts where ``submitted`` compares normalised values.
    ``clicked`` says that a click hit the field or one of its options, ``aimed`` that clicks hit
    what its value is entered by (of radio buttons and boxes, each right one; None in records of
    before it was asked, and where nobody watched), and ``distance`` how
    near the nearest click came to its control, in pixels of the screenshot (None without a
    click on its page). ``found_in`` names the other fields that hold the value at the end.
    ``said`` is, of all passages that were said, the one that is nearest to a description
    ("" without any, None where nobody watched).
    """

    field: str
    kind: str
    page: int
    asked: bool
    mentioned: bool | None = False
    by_meaning: bool | None = None
    typed: bool = False
    in_field: bool = False
    submitted: bool = False
    exact: bool = False
    clicked: bool | None = False
    distance: float | None = None
    found_in: tuple[str, ...] = ()
    collateral: bool = False
    aimed: bool | None = None
    said: str | None = None

    def __post_init__(self) -> None:
        keep_own_kind(self)

    @property
    def traits(self) -> FieldKind:
        """Return what is special about the field's kind; raises UnknownNameError."""
        return KINDS.get(self.kind)


def score_fields(
    form: Form, instance: Instance, attempt: Attempt, *, language: str = "en"
) -> tuple[FieldScore, ...]:
    """
    Return what became of every field of the form, in reading order.

    ``language`` is the one that the form was shown in: dates and numbers are read by it.
    """
    ends = {**attempt.held, **(attempt.submitted or {})}
    found = _told(form, instance, attempt)
    return tuple(
        msgspec.structs.replace(
            _asked(form, instance, field, attempt, ends=ends, language=language),
            said=found.get(field.id),
        )
        if instance.values.get(field.id, False) not in (False, ())
        else _unasked(form, field, ends)
        for field in form.fields
    )


def mentions(text: str, field: Field, value: Value) -> bool:
    """
    Say whether a text names a value, as itself or by an option's label in any language.

    Case and white space do not count, and the value must stand between word boundaries. A
    tick is named by the label of its box, and the want of one by nothing.

    >>> age = Field(id="age", kind=Kind.NUMBER, label={"en": "Age"}, fill="person.age")
    >>> mentions("Type('12')", age, "12"), mentions("in 2012", age, "12")
    (True, False)
    """
    if isinstance(value, bool):
        folded = _folded(text)
        return value and any(_stands_in(label, folded) for label in field.label.values())
    wanted = [value] if isinstance(value, str) else raw_of(value)[: _counted(field)]
    folded = _folded(text)
    return all(any(_stands_in(form, folded) for form in _spelled(field, item)) for item in wanted)


def _counted(field: Field) -> int | None:
    """Take of a file its name only: nobody says a hash."""
    return 1 if field.traits.holds is Holds.FILE else None


def _spelled(field: Field, text: str) -> list[str]:
    option = field.option(text)
    return [text, *(option.label.values() if option else ())]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _stands_in(words: str, folded: str) -> bool:
    wanted = _folded(words)
    before = r"(?<!\w)" if wanted[:1].isalnum() else ""
    after = r"(?!\w)" if wanted[-1:].isalnum() else ""
    return bool(wanted) and re.search(before + re.escape(wanted) + after, folded) is not None


def _asked(
    form: Form,
    instance: Instance,
    field: Field,
    attempt: Attempt,
    *,
    ends: Mapping[str, tuple[str, ...]],
    language: str,
) -> FieldScore:
    value = instance.values[field.id]
    sent = (attempt.submitted or {}).get(field.id, ()) if attempt.submitted is not None else None
    submitted = sent is not None and _holds(field, sent, value, language)
    in_field = submitted or _holds(field, ends.get(field.id, ()), value, language)
    typed = in_field or _ever_held(form, field, value, attempt, language)
    found_in = tuple(
        other.id
        for other in form.fields
        if other.id != field.id
        and not same_value(instance.values.get(other.id), value)
        and _strays(field, other, ends.get(other.id, ()), value, language)
    )
    return FieldScore(
        field=field.id,
        kind=field.kind,
        page=form.page_of(field.id),
        asked=True,
        mentioned=(
            typed or any(mentions(text, field, value) for text in attempt.said)
            if attempt.watched
            else None
        ),
        by_meaning=typed or _meant(attempt, field, value, language) if attempt.watched else None,
        typed=typed,
        in_field=in_field,
        submitted=submitted,
        exact=submitted and sent is not None and _exact(field, sent, value),
        clicked=(
            any(click.field == field.id for click in attempt.clicks) if attempt.watched else None
        ),
        aimed=_aimed(field, value, attempt) if attempt.watched else None,
        distance=min(
            (click.distances[field.id] for click in attempt.clicks if field.id in click.distances),
            default=None,
        ),
        found_in=found_in,
    )


def _meant(attempt: Attempt, field: Field, value: Value, language: str) -> bool:
    """Say whether anything that an agent said, typed or pointed out means a value."""
    return any(
        tells(text, field, value, language=language)
        for tells, texts in (
            (means, attempt.said),
            (says, attempt.written),
            (picks, attempt.picked),
        )
        for text in texts
    )


def _told(form: Form, instance: Instance, attempt: Attempt) -> dict[str, str]:
    """Return what was said of each description; nothing where nobody watched."""
    right = {
        field.id: str(instance.values[field.id])
        for field in form.fields
        if field.traits.words == "passage" and field.id in instance.values and attempt.watched
    }
    return dict(zip(right, nearest(attempt.passages, [*right.values()]), strict=True))


def _aimed(field: Field, value: Value, attempt: Attempt) -> bool:
    """Say whether clicks met a field; of radio buttons and boxes, each that is right."""
    own = {click.option for click in attempt.clicks if click.field == field.id}
    if field.traits.widget in {Kind.RADIO, Kind.MULTI_CHOICE} and not isinstance(
        value, FileValue | bool
    ):
        return own.issuperset((value,) if isinstance(value, str) else value)
    return bool(own)


def _unasked(form: Form, field: Field, ends: Mapping[str, tuple[str, ...]]) -> FieldScore:
    return FieldScore(
        field.id,
        field.kind,
        form.page_of(field.id),
        asked=False,
        collateral=bool(ends.get(field.id)),
    )


def _holds(field: Field, texts: tuple[str, ...], value: Value, language: str) -> bool:
    """Say whether raw texts mean a value; of a file the name will do while no hash is known."""
    if isinstance(value, FileValue) and len(texts) == 1:
        return texts[0] == value.name
    return same_value(normalise(field, texts, language=language), value)


def _ever_held(form: Form, field: Field, value: Value, attempt: Attempt, language: str) -> bool:
    for name, texts in attempt.ever:
        other = form.field(name)
        if other is None:
            continue
        if name == field.id and _holds(field, texts, value, language):
            return True
        if name != field.id and _strays(field, other, texts, value, language):
            return True
    return False


def _strays(
    field: Field, other: Field, texts: tuple[str, ...], value: Value, language: str
) -> bool:
    """
    Say whether another field holds the value of this one.

    Ticks and choices cannot stray: "yes" in another box is that box's own value.
    """
    if not texts or not all(_can_stray(item) for item in (field, other)):
        return False
    return _holds(field, texts, value, language)


def _can_stray(field: Field) -> bool:
    return field.traits.written or field.traits.holds is Holds.FILE


def _exact(field: Field, texts: tuple[str, ...], value: Value) -> bool:
    expected = raw_of(value)
    spelled = (expected,) if isinstance(expected, str) else expected
    return (
        sorted(texts) == sorted(spelled)
        if field.traits.holds is Holds.OPTIONS
        else texts == spelled
    )
