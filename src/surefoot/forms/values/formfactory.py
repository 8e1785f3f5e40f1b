"""
FormFactory's published records on our forms, with all that our forms cannot accept.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.files.json_records import array_records, decode_record
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import Value
from surefoot.forms.specification import Field, Form, Kind
from surefoot.forms.values.constraints import CHOSEN, broken, broken_field
from surefoot.forms.values.normalise import normalise

__all__ = [
    "FormFactoryRecords",
    "ImpossibleValue",
    "PublishedRecord",
    "file_names",
    "import_formfactory",
]


class PublishedRecord(msgspec.Struct, frozen=True):
    """Hold what of one published record our form accepts; ``number`` counts from 1."""

    form: str
    number: int
    values: dict[str, Value]


class ImpossibleValue(msgspec.Struct, frozen=True):
    """
    Name a published value that our form cannot take.

    ``field`` is the id of our field, or the published key where we have none ("no-field").
    ``why`` is otherwise a reason of ``values.constraints``.
    """

    form: str
    record: int
    field: str
    value: str
    why: str


class FormFactoryRecords(msgspec.Struct, frozen=True):
    """
    Hold the records of a folder, and every value left out of them.

    ``pairs`` counts all pairs of key and value, those of records within records singly.
    ``no_file`` counts those that only say that a file is missing.
    """

    records: tuple[PublishedRecord, ...]
    impossible: tuple[ImpossibleValue, ...]
    pairs: int
    no_file: int


class _Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    form: str
    fields: dict[str, str]
    spelled: dict[str, str] = {}


def import_formfactory(folder: Path) -> FormFactoryRecords:
    """
    Read FormFactory's ``data1`` folder onto our forms; files that are missing are passed over.

    Values are normalised as English text. A value that breaks a rule between fields is
    kept in its record and listed, since each of the two alone could be entered. Raises
    InvalidInputError for a folder without any file of theirs, and for one that is no JSON
    array of objects.
    """
    records: list[PublishedRecord] = []
    impossible: list[ImpossibleValue] = []
    pairs = no_file = 0
    for stem, mapping in _mappings().items():
        path = folder / f"{stem}.json"
        if not path.is_file():
            continue
        form = catalogue()[mapping.form]
        for number, record in _read(path):
            values, wrong = _placed(form, mapping, number, record)
            accepted = len(record) - len(wrong)
            pairs += len(record)
            no_file += accepted - len(values)
            records.append(PublishedRecord(form.id, number, values))
            impossible += [*wrong, *_against_rules(form, number, values)]
    if not records:
        raise InvalidInputError(
            f"FormFactory's records in '{folder}'",
            found="none of its files",
            remedy="name the folder 'data1' of its repository",
        )
    return FormFactoryRecords(tuple(records), tuple(impossible), pairs, no_file)


def file_names() -> dict[str, str]:
    """Return the form of ours that each of their files is about, by the file's bare name."""
    return {stem: mapping.form for stem, mapping in _mappings().items()}


@functools.cache
def _mappings() -> Mapping[str, _Mapping]:
    text = files("surefoot.forms.values").joinpath("formfactory.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, _Mapping])


def _read(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the records of a file, with the records within them taken apart."""
    for entry in array_records(path):
        try:
            record = decode_record(entry.data, dict[str, object])
        except RecordError as error:
            place = f"an object as record {entry.number} of '{path.name}'"
            raise InvalidInputError(place, found=error.found) from error
        yield entry.number, dict(_flat("", record))


def _flat(prefix: str, record: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{key}.", value)
        else:
            yield f"{prefix}{key}", value


def _placed(
    form: Form, mapping: _Mapping, number: int, record: Mapping[str, object]
) -> tuple[dict[str, Value], list[ImpossibleValue]]:
    values: dict[str, Value] = {}
    wrong: list[ImpossibleValue] = []
    for key, gold in record.items():
        field = form.field(mapping.fields.get(key, ""))
        if field is None:
            wrong.append(ImpossibleValue(form.id, number, key, str(gold), "no-field"))
        elif field.kind is not Kind.FILE or gold not in {None, "None", ""}:
            value, why = _accepted(field, _meant(field, gold, mapping.spelled), values)
            if value is None:
                wrong.append(ImpossibleValue(form.id, number, field.id, str(gold), why))
            else:
                values[field.id] = value
    return values, wrong


def _meant(field: Field, gold: object, spelled: Mapping[str, str]) -> object:
    """Return our option for one that the published page spells otherwise, else the value."""
    known = field.kind in CHOSEN and isinstance(gold, str)
    return spelled.get(str(gold), gold) if known else gold


def _accepted(field: Field, gold: object, values: Mapping[str, Value]) -> tuple[Value | None, str]:
    """Return the value, or None with the reason why the field cannot take it."""
    value = normalise(field, _raw(field, gold))
    if value is None:
        return None, "not-an-option" if field.kind in CHOSEN else "malformed"
    found = broken_field(field, {**values, field.id: value})
    return (None, found[0].reason) if found else (value, "")


def _raw(field: Field, gold: object) -> str | tuple[str, ...]:
    """Spell a JSON value as text; a list is several options, or a line with commas."""
    if isinstance(gold, bool):
        return "yes" if gold else "no"
    if isinstance(gold, list):
        texts = tuple(str(item) for item in gold)
        return texts if field.kind is Kind.MULTI_CHOICE else ", ".join(texts)
    return str(gold)


def _against_rules(
    form: Form, number: int, values: Mapping[str, Value]
) -> Iterator[ImpossibleValue]:
    for breach in broken(form, values):
        if breach.reason.startswith("rule-"):
            shown = str(values[breach.field])
            yield ImpossibleValue(form.id, number, breach.field, shown, breach.reason)
