"""
The work behind ``surefoot forms build``: forms become instances, papers and files in a folder.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.store import ObjectStore
from surefoot.forms.instance import Document, FileValue, Instance
from surefoot.forms.letters.verifying import verify
from surefoot.forms.letters.writing import LEVELS, write_document
from surefoot.forms.specification import Form
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.making import make_instance
from surefoot.run.folder import export, read_table
from surefoot.run.outcome import Outcome
from surefoot.run.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["FORM_BENCH_VERSION", "BuiltFile", "FormBench", "Paper", "build_forms", "read_forms"]

# Raised whenever the same forms and seed would give other instances, papers or files.
FORM_BENCH_VERSION: Final = 1


class Paper(msgspec.Struct, frozen=True):
    """Hold one document of an instance, which is named by its form and index."""

    form: str
    index: int
    document: Document


class BuiltFile(msgspec.Struct, frozen=True):
    """
    Name a file to upload: what it is called, and under which SHA-256 it lies in the objects.

    ``size`` is in bytes.
    """

    form: str
    index: int
    field: str
    name: str
    sha256: str
    size: int


class FormBench(msgspec.Struct, frozen=True):
    """Hold what a folder was built from: frozen forms, the seed, and the count of each."""

    forms: tuple[Form, ...]
    instances: int
    seed: int


def build_forms(
    forms: Sequence[Form],
    out: Path,
    *,
    instances: int,
    seed: int,
    console: Console | None = None,
) -> Outcome:
    """
    Write instances of every form, the papers that say them at each level, and their files.

    Equal arguments write equal bytes. A paper that the verifier cannot prove is left out
    and counted. Raises InvalidInputError for two forms of one id, PlanMismatchError for a
    folder that was begun otherwise, and what ``make_instance`` raises.
    """
    plan = _plan(forms, instances, seed)
    store = ObjectStore(out)
    made: list[Instance] = []
    papers: list[Paper] = []
    files: list[BuiltFile] = []
    with Ledger.open(out, plan), Progress("building", console) as progress:
        progress.begin(total=len(forms) * instances, kept=0, failed=0)
        for form in forms:
            for index in range(instances):
                instance = make_instance(form, seed=seed, index=index)
                made.append(instance)
                papers += _papers(form, instance)
                files += _files(form, instance, store)
                progress.advance()
        tables: dict[str, Sequence[object]] = {
            "forms.jsonl": forms,
            "instances.jsonl": made,
            "documents.jsonl": papers,
            "files.jsonl": files,
        }
        export(out, "form-bench", tables)
    return Outcome(out, progress.tally, (), tuple(_lines(forms, made, papers, files)))


def read_forms(
    folder: Path,
    *,
    only: Sequence[str] = (),
    instances: int | None = None,
    seed: int | None = None,
) -> FormBench:
    """
    Read what a folder was built from, and check that it would be built so again.

    ``only`` are the ids of the forms to take, and ``instances`` how many of each; all if
    not given. Raises InvalidInputError where the folder is not finished, was changed, lacks
    a form, an instance or the seed asked for, or holds other values than this version makes.
    """
    forms = read_table(folder, "forms.jsonl", Form, kind="form-bench")
    kept = read_table(folder, "instances.jsonl", Instance, kind="form-bench")
    built = FormBench(forms, len(kept) // len(forms), kept[0].seed)
    count = built.instances if instances is None else instances
    known = {form.id: form for form in forms if not only or form.id in only}
    lacking = sorted(set(only) - set(known))
    if lacking or count > built.instances or seed not in {None, built.seed}:
        held = f"{built.instances} of each form, of the seed {built.seed}"
        raise InvalidInputError(
            f"instances in {folder} as they are asked for",
            found=f"none of '{lacking[0]}'" if lacking else held,
            remedy="ask for those that are there, or build others",
        )
    for each in (each for each in kept if each.form in known and each.index < count):
        if make_instance(known[each.form], seed=built.seed, index=each.index) != each:
            raise InvalidInputError(
                f"instances in {folder} as this version makes them",
                found=f"another '{each.form}' no. {each.index}",
                remedy="build the folder anew",
            )
    return FormBench(tuple(known.values()), count, built.seed)


def _plan(forms: Sequence[Form], instances: int, seed: int) -> dict[str, object]:
    digests = {form.id: digest(form) for form in forms}
    if len(digests) < len(forms):
        counts = collections.Counter(form.id for form in forms)
        twice = next(name for name, count in counts.items() if count > 1)
        raise InvalidInputError("each form once", found=f"'{twice}' twice")
    return {
        "kind": "form-bench",
        "version": FORM_BENCH_VERSION,
        "forms": digests,
        "instances": instances,
        "seed": seed,
        "levels": list(LEVELS),
    }


def _papers(form: Form, instance: Instance) -> Iterator[Paper]:
    """Write an instance at each level; a paper that proves too little is left out."""
    for level in LEVELS:
        document = write_document(form, instance, level=level, seed=instance.seed)
        if not verify(form, instance, document):
            yield Paper(form.id, instance.index, document)


def _files(form: Form, instance: Instance, store: ObjectStore) -> Iterator[BuiltFile]:
    for field in form.fields:
        value = instance.values.get(field.id)
        if isinstance(value, FileValue):
            data = file_bytes(form, instance, field)
            sha = store.put(data, PurePosixPath(value.name).suffix.removeprefix("."))
            yield BuiltFile(form.id, instance.index, field.id, value.name, sha, len(data))


def _lines(
    forms: Sequence[Form],
    made: Sequence[Instance],
    papers: Sequence[Paper],
    files: Sequence[BuiltFile],
) -> Iterator[str]:
    pairs = sum(len(form.fields) for form in forms) * len(made) // len(forms)
    yield f"{len(made)} instances of {len(forms)} forms, {pairs} pairs of field and value"
    yield f"{len(files)} files to upload"
    unproven = len(made) * len(LEVELS) - len(papers)
    left_out = f"; {unproven} left out, which could not be proved" if unproven else ""
    yield f"{len(papers)} papers, each proved to say its values{left_out}"
