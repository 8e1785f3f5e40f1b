"""
The work behind ``surefoot forms import``: FormFactory's published records become a folder.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import digest, sha256
from surefoot.core.ledger import Ledger
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.scoring.published import REASONS
from surefoot.forms.specification import Kind
from surefoot.forms.values.formfactory import (
    FormFactoryRecords,
    as_published,
    import_formfactory,
    published_files,
)
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import export
from surefoot.run.forms.units import Handover

# Raised whenever the same files would give other records.
FORM_IMPORT_VERSION: Final = 3
SHOWN: Final = 12
LONGEST: Final = 40  # characters of an example
# Of all the values for drop-downs in the release, those that none of the options on the
# released pages equals, case and white space aside.
PUBLISHED_PAGES: Final = (204, 1860)


class FormImportCounts(msgspec.Struct, frozen=True):
    """
    Count what became of all pairs of key and value.

    ``pairs`` = ``taken`` + ``no_file`` + those ``impossible``, by reason. ``against_rules``
    are taken, but not together with another value of their record.
    """

    records: int
    forms: int
    pairs: int
    taken: int
    no_file: int
    impossible: dict[str, int]
    against_rules: int
    drop_downs: int
    drop_downs_impossible: int
    letters: int = 0


class FormImport(Outcome, frozen=True, kw_only=True):
    """Hold what was written, and what became of all pairs."""

    counts: FormImportCounts

    @property
    def level(self) -> Handover:
        """Say what there is of every record to hand over: its letter, or else its values."""
        return "published" if self.counts.letters == self.counts.records else "lines"


def import_forms(folder: Path, out: Path) -> FormImport:
    """
    Write FormFactory's records as our forms take them, and every value that they cannot take.

    ``folder`` is the ``data`` of its repository. Raises InvalidInputError for one without
    any file of theirs, for a file that is no JSON array of objects and for letters of another
    number, and PlanMismatchError where ``out`` was begun with other files or forms.
    """
    imported = import_formfactory(folder)
    counts = count_import(imported)
    with Ledger.open(out, _plan(folder)):
        there = {record.form for record in imported.records}
        tables: dict[str, Sequence[object]] = {
            "forms.jsonl": [
                as_published(form) for form in catalogue().values() if form.id in there
            ],
            "records.jsonl": imported.records,
            "impossible.jsonl": imported.impossible,
        }
        export(out, "form-import", tables, {"counts.json": counts})
    tally = Tally(total=counts.records, done=counts.records)
    return FormImport(out, tally, lines=tuple(_lines(imported, counts)), counts=counts)


def count_import(imported: FormFactoryRecords) -> FormImportCounts:
    """Count what was imported."""
    wrong = [value for value in imported.impossible if not value.why.startswith("rule-")]
    taken = [_kind(record.form, name) for record in imported.records for name in record.values]
    refused = [_kind(value.form, value.field) for value in wrong]
    return FormImportCounts(
        records=len(imported.records),
        forms=len({record.form for record in imported.records}),
        pairs=imported.pairs,
        taken=len(taken),
        no_file=imported.no_file,
        impossible=dict(Counter(value.why for value in wrong).most_common()),
        against_rules=len(imported.impossible) - len(wrong),
        drop_downs=(taken + refused).count(Kind.DROP_DOWN),
        drop_downs_impossible=refused.count(Kind.DROP_DOWN),
        letters=sum(bool(record.text) for record in imported.records),
    )


def _plan(folder: Path) -> dict[str, object]:
    return {
        "kind": "form-import",
        "version": FORM_IMPORT_VERSION,
        "forms": {form.id: digest(form) for form in catalogue().values()},
        "files": {path.name: sha256(path.read_bytes()) for path in published_files(folder)},
    }


def _lines(imported: FormFactoryRecords, counts: FormImportCounts) -> Iterator[str]:
    cannot = sum(counts.impossible.values())
    yield f"{counts.records:,} records of {counts.forms} forms, {counts.pairs:,} pairs"
    yield f"{counts.letters:,} of the records have their letter"
    yield f"{counts.taken:,} pairs taken; {counts.no_file:,} only say that a file is missing"
    yield f"{cannot:,} pairs cannot be taken ({_percent(cannot, counts.pairs)})"
    for why, count in counts.impossible.items():
        yield f"{count:7,}  {REASONS.get(why, why)}"
    if counts.against_rules:
        yield f"{counts.against_rules:,} taken, but against a rule between fields"
    yield from _drop_down_lines(counts)
    yield from _worst(imported)


def _drop_down_lines(counts: FormImportCounts) -> Iterator[str]:
    few, many = counts.drop_downs_impossible, counts.drop_downs
    yield f"drop-downs: {few:,} of {many:,} values are no option ({_percent(few, many)})"
    if counts.forms == len(catalogue()):
        few, many = PUBLISHED_PAGES
        share = _percent(few, many)
        yield f"on the published pages: {few:,} of {many:,} ({share})"


def _worst(imported: FormFactoryRecords) -> Iterator[str]:
    """Name the fields with the most values left out, each with one of them."""
    places = [(value.form, value.field, value.why) for value in imported.impossible]
    examples = dict(zip(reversed(places), reversed(imported.impossible), strict=True))
    ordered = Counter(places).most_common()
    of = Counter(record.form for record in imported.records)
    for place, count in ordered[:SHOWN]:
        form, field, why = place
        example = textwrap.shorten(examples[place].value, LONGEST, placeholder=" ...")
        yield f"{count:4} of {of[form]:3}  {form}, {field}: {why}, such as '{example}'"
    if len(ordered) > SHOWN:
        rest, others = sum(count for _, count in ordered[SHOWN:]), len(ordered) - SHOWN
        yield f"{rest:4}         in {others} other fields; all are in impossible.jsonl"
    whole = len(of.keys() - {form for form, _, _ in places})
    yield f"{whole} forms take every value that is published for them"


def _kind(form: str, name: str) -> str | None:
    field = catalogue()[form].field(name)
    return None if field is None else field.kind


def _percent(few: int, many: int) -> str:
    return f"{few / many:.1%}".replace("%", " %") if many else "0.0 %"
