"""
FormFactory's published records on our forms, with all that our forms cannot accept.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.datasets.files.json_records import array_records, decode_record
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import Value
from surefoot.forms.specification import Field, Form, Holds
from surefoot.forms.values.constraints import broken, broken_field
from surefoot.forms.values.normalise import normalise
from surefoot.forms.values.numbered import read_parts

NO_VALUE: Final = "no-value"


class PublishedRecord(msgspec.Struct, frozen=True):
    """
    Hold what of one published record our form accepts; ``number`` counts from 1.

    ``text`` is the record's own letter, "" where the folder has none. ``left_out`` says of
    each published value that is not taken, and of each field of ours without a value
    ("no-value"), why nobody is asked for it: by our field, or the published key ("no-field").
    """

    form: str
    number: int
    values: dict[str, Value]
    text: str = ""
    left_out: dict[str, str] = {}


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
    released: tuple[Field, ...] = ()


def import_formfactory(folder: Path) -> FormFactoryRecords:
    """
    Read FormFactory's folder ``data`` onto our forms; files that are missing are passed over.

    It has the records in ``data1`` and their letters in ``data2``; ``data1`` itself will do,
    and letters are then looked for beside it. Values are normalised as English text. A value
    that breaks a rule between fields is kept in its record and listed, since each of the two
    alone could be entered. Raises InvalidInputError for a folder without any file of theirs,
    for one that is no JSON array of objects, and for letters that are not as many as the
    records.
    """
    records: list[PublishedRecord] = []
    impossible: list[ImpossibleValue] = []
    pairs = no_file = 0
    for stem, (path, letters) in _found(folder).items():
        mapping = _mappings()[stem]
        form = _as_released(catalogue()[mapping.form])
        read = list(_read(path))
        texts = read_parts(letters, len(read)) if letters.is_file() else ("",) * len(read)
        for (number, record), text in zip(read, texts, strict=True):
            values, wrong = _placed(form, mapping, number, record)
            accepted = len(record) - len(wrong)
            pairs += len(record)
            no_file += accepted - len(values)
            records.append(
                PublishedRecord(form.id, number, values, text, _why(form, values, wrong))
            )
            impossible += [*wrong, *_against_rules(form, number, values)]
    if not records:
        raise InvalidInputError(
            f"FormFactory's records in '{folder}'",
            found="none of its files",
            remedy="name the folder 'data' of its repository, with data1 and data2 in it",
        )
    return FormFactoryRecords(tuple(records), tuple(impossible), pairs, no_file)


def published_files(folder: Path) -> Iterator[Path]:
    """Yield the files of FormFactory's folder that are read: records, then their letters."""
    for path, letters in _found(folder).values():
        yield path
        if letters.is_file():
            yield letters


def as_published(form: Form) -> Form:
    """
    Return a form that asks as FormFactory's pages do: no field is required, no rule binds two.

    Fields that their pages have and ours do not stand at the end of its last page.

    Their records lack values that our forms require, and break rules of ours; each value
    alone still has to be one that its field takes.
    """
    pages = tuple(
        msgspec.structs.replace(
            page,
            fields=tuple(msgspec.structs.replace(field, required=False) for field in page.fields),
        )
        for page in _as_released(form).pages
    )
    return msgspec.structs.replace(form, pages=pages, constraints=())


def _as_released(form: Form) -> Form:
    """Return a form with the fields that the released page alone has."""
    more = next(
        (mapping.released for mapping in _mappings().values() if mapping.form == form.id), ()
    )
    last = msgspec.structs.replace(form.pages[-1], fields=(*form.pages[-1].fields, *more))
    return msgspec.structs.replace(form, pages=(*form.pages[:-1], last))


def _found(folder: Path) -> dict[str, tuple[Path, Path]]:
    """Return the files that are there, by bare name, each with that of its letters."""
    records = folder / "data1" if (folder / "data1").is_dir() else folder
    letters = records.absolute().parent / "data2"
    return {
        stem: (records / f"{stem}.json", letters / f"{stem}.txt")
        for stem in _mappings()
        if (records / f"{stem}.json").is_file()
    }


def _why(
    form: Form, values: Mapping[str, Value], wrong: Iterable[ImpossibleValue]
) -> dict[str, str]:
    """Say of each field and each published value that is not asked for why it is not."""
    unasked = {field.id: NO_VALUE for field in form.fields if field.id not in values}
    return {**unasked, **{value.field: value.why for value in wrong if value.field not in values}}


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
        elif field.traits.holds is not Holds.FILE or gold not in {None, "None", ""}:
            value, why = _accepted(field, _meant(field, gold, mapping.spelled), values)
            if value is None:
                wrong.append(ImpossibleValue(form.id, number, field.id, str(gold), why))
            else:
                values[field.id] = value
    return values, wrong


def _meant(field: Field, gold: object, spelled: Mapping[str, str]) -> object:
    """Return our option for one that the published page spells otherwise, else the value."""
    known = field.traits.chosen and isinstance(gold, str)
    return spelled.get(str(gold), gold) if known else gold


def _accepted(field: Field, gold: object, values: Mapping[str, Value]) -> tuple[Value | None, str]:
    """Return the value, or None with the reason why the field cannot take it."""
    value = normalise(field, _raw(field, gold))
    if value is None:
        return None, "not-an-option" if field.traits.chosen else "malformed"
    found = broken_field(field, {**values, field.id: value})
    return (None, found[0].reason) if found else (value, "")


def _raw(field: Field, gold: object) -> str | tuple[str, ...]:
    """Spell a JSON value as text; a list is several options, or a line with commas."""
    if isinstance(gold, bool):
        return "yes" if gold else "no"
    if isinstance(gold, list):
        texts = tuple(str(item) for item in gold)
        return texts if field.traits.holds is Holds.OPTIONS else ", ".join(texts)
    return str(gold)


def _against_rules(
    form: Form, number: int, values: Mapping[str, Value]
) -> Iterator[ImpossibleValue]:
    for breach in broken(form, values):
        if breach.reason.startswith("rule-"):
            shown = str(values[breach.field])
            yield ImpossibleValue(form.id, number, breach.field, shown, breach.reason)
