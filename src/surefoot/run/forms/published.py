"""
Published records to fill in: read from what ``surefoot forms import`` wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.forms.specification import Form
from surefoot.forms.values.formfactory import PublishedRecord
from surefoot.run.folders.folder import read_table
from surefoot.run.forms.building import FormBench

IMPORTED: Final = "form-import"


def read_published(
    folder: Path,
    *,
    only: Sequence[str] = (),
    first: int | None = None,
    instances: int = 1,
    letters: bool = True,
) -> FormBench:
    """
    Read the first so many records of each form.

    ``only`` are the ids of the forms to take, without any the ``first`` so many; all if not
    given. A form that has fewer records gives those. Records of which no value is taken are
    passed over. Raises InvalidInputError where the folder is not finished, was changed, lacks
    a form, so many forms, or letters that are asked for.
    """
    forms = read_table(folder, "forms.jsonl", Form, kind=IMPORTED)
    records = read_table(folder, "records.jsonl", PublishedRecord, kind=IMPORTED)
    known = {form.id: form for form in forms}
    lacking = sorted(set(only) - set(known))
    if lacking or (first is not None and first > len(forms) and not only):
        raise InvalidInputError(
            f"records in {folder} as they are asked for",
            found=f"none of '{lacking[0]}'" if lacking else f"those of {len(forms)} forms",
            remedy="ask for those that are there",
        )
    names = [form.id for form in forms if form.id in only] if only else list(known)[:first]
    chosen = tuple(_chosen(records, names, instances))
    silent = next((record for record in chosen if letters and not record.text), None)
    if silent is not None:
        raise InvalidInputError(
            "the letter of each record",
            found=f"none of no. {silent.number} of '{silent.form}'",
            remedy="import a folder with data1 and data2 in it, or add --level lines",
        )
    return FormBench(tuple(known[name] for name in names), instances, 0, records=chosen)


def _chosen(
    records: Sequence[PublishedRecord], names: Sequence[str], count: int
) -> Iterable[PublishedRecord]:
    for name in names:
        own = [record for record in records if record.form == name and record.values]
        yield from sorted(own, key=lambda one: one.number)[:count]
