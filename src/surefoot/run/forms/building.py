"""
The work behind ``surefoot forms build``: forms become instances, papers and files in a folder.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.store import ObjectStore
from surefoot.forms.instance import FileValue, Instance, TaskDocument
from surefoot.forms.letters.asking import WantedLetter
from surefoot.forms.letters.printing import is_printable, resume_pdf
from surefoot.forms.letters.verifying import verify
from surefoot.forms.letters.writing import LEVELS, write_document
from surefoot.forms.specification import Form
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.formfactory import PublishedRecord
from surefoot.forms.values.making import make_instance
from surefoot.run.asking.writer import Writer
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import export, read_table
from surefoot.run.forms.letters import AskedLetter, Letters, ask_letters, letter_lines

if TYPE_CHECKING:
    from rich.console import Console


# Raised whenever the same forms and seed would give other instances, papers or files.
FORM_BENCH_VERSION: Final = 4


class Paper(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold one document of an instance, which is named by its form and index.

    ``writer`` is the model that wrote it, "" where the grammar did. ``pdf`` is the SHA-256
    under which a résumé lies in the objects as PDF, "" for other kinds, and for one that
    cannot be printed.
    """

    form: str
    index: int
    document: TaskDocument
    writer: str = ""
    pdf: str = ""


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
    """
    Hold what a folder was built from: frozen forms, the seed, and the count of each.

    ``letters`` are texts that the grammar would not write, by form, index and level;
    ``records`` are published ones, which are filled in instead of instances.
    """

    forms: tuple[Form, ...]
    instances: int
    seed: int
    letters: Mapping[tuple[str, int, str], str] = {}
    records: tuple[PublishedRecord, ...] = ()


class _Draft(msgspec.Struct, frozen=True):
    """Hold the grammar's document about an instance, and whether it can be proven."""

    form: Form
    instance: Instance
    document: TaskDocument
    proven: bool

    @property
    def wanted(self) -> WantedLetter:
        return WantedLetter(self.form, self.instance, self.document.kind, self.document.level)


class _Made(msgspec.Struct, frozen=True):
    """Hold all that a build makes without a model."""

    instances: list[Instance]
    drafts: list[_Draft]
    files: list[BuiltFile]


def build_forms(  # noqa: PLR0913 - one argument an option
    forms: Sequence[Form],
    out: Path,
    *,
    instances: int,
    seed: int,
    language: str = "en",
    writer: Writer | None = None,
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Write instances of every form, the papers that say them at each level, and their files.

    Papers are in a ``language``, and résumés are printed as PDF too. A ``writer``, who writes
    in English, is asked for every paper; where no reply of it can be proven, the grammar's
    stands. Equal arguments and replies write equal bytes. A paper that the verifier cannot
    prove is left out and counted. Raises InvalidInputError for two forms of one id, and for
    a writer of another language, PlanMismatchError for a folder that was begun otherwise,
    SurefootError for a writer that is not there, and what ``make_instance`` raises.
    """
    plan = _plan(forms, instances, seed, language)
    if writer is not None:
        if language != "en":
            raise InvalidInputError(
                "papers of a writer in English", found=f"'{language}'", remedy="leave one out"
            )
        plan["writer"] = writer.identity()
    with Ledger.open(out, plan, retry_failed=retry_failed) as ledger:
        with Progress("building", console) as progress:
            made = _made(forms, instances, seed, language, ObjectStore(out), progress)
        letters = Letters([], [])
        if writer is not None:
            wanted = [draft.wanted for draft in made.drafts]
            letters = ask_letters(wanted, writer, ledger, console)
        written = _papers(made.drafts, letters.kept, writer.name if writer else "")
        papers = _printed(written, ObjectStore(out))
        _export(out, forms, made, papers, letters.asked)
        failures = (*ledger.failures(), *(writer.unread if writer else ()))
    letters_made = [] if writer is None else letter_lines(writer.name, letters.asked)
    return Outcome(out, progress.tally, failures, (*_lines(forms, made, papers), *letters_made))


def read_forms(
    folder: Path,
    *,
    only: Sequence[str] = (),
    first: int | None = None,
    instances: int | None = None,
    seed: int | None = None,
    levels: Sequence[str] = (),
) -> FormBench:
    """
    Read what a folder was built from, and check that it would be built so again.

    ``only`` are the ids of the forms to take, without any the ``first`` so many, and
    ``instances`` how many of each; all if not given. ``levels`` are those whose letters are
    read. Raises InvalidInputError where the folder is not finished, was changed, lacks a
    form, so many forms, an instance or the seed asked for, or holds other values than this
    version makes.
    """
    forms = read_table(folder, "forms.jsonl", Form, kind="form-bench")
    kept = read_table(folder, "instances.jsonl", Instance, kind="form-bench")
    built = FormBench(forms, len(kept) // len(forms), kept[0].seed)
    count = built.instances if instances is None else instances
    if first is not None and not only:
        if first > len(forms):
            raise InvalidInputError(
                f"{first} forms in {folder}",
                found=str(len(forms)),
                remedy="ask for those that are there, or build others",
            )
        forms = forms[:first]
    known = {form.id: form for form in forms if not only or form.id in only}
    lacking = sorted(set(only) - set(known))
    if lacking or count > built.instances or seed not in {None, built.seed}:
        held = f"{built.instances} of each form, of the seed {built.seed}"
        raise InvalidInputError(
            f"instances in {folder} as they are asked for",
            found=f"none of '{lacking[0]}'" if lacking else held,
            remedy="ask for those that are there, or build others",
        )
    for instance in (item for item in kept if item.form in known and item.index < count):
        if make_instance(known[instance.form], seed=built.seed, index=instance.index) != instance:
            raise InvalidInputError(
                f"instances in {folder} as this version makes them",
                found=f"another '{instance.form}' no. {instance.index}",
                remedy="build the folder anew",
            )
    made = {
        (instance.form, instance.index): instance for instance in kept if instance.index < count
    }
    letters = dict(_letters(folder, known, made, levels))
    return FormBench(tuple(known.values()), count, built.seed, letters)


def _letters(
    folder: Path,
    forms: Mapping[str, Form],
    made: Mapping[tuple[str, int], Instance],
    levels: Sequence[str],
) -> Iterator[tuple[tuple[str, int, str], str]]:
    """Yield the texts of some levels that the grammar would not write."""
    papers = read_table(folder, "documents.jsonl", Paper, kind="form-bench") if levels else ()
    for paper in papers:
        form, instance = forms.get(paper.form), made.get((paper.form, paper.index))
        level, text = paper.document.level, paper.document.text
        if form is None or instance is None or level not in levels:
            continue
        language = paper.document.language
        drafted = write_document(
            form, instance, level=level, seed=instance.seed, language=language
        )
        if drafted.text != text:
            yield (paper.form, paper.index, level), text


def _plan(forms: Sequence[Form], instances: int, seed: int, language: str) -> dict[str, object]:
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
        "language": language,
    }


def _made(
    forms: Sequence[Form],
    instances: int,
    seed: int,
    language: str,
    store: ObjectStore,
    progress: Progress,
) -> _Made:
    made = _Made([], [], [])
    progress.begin(total=len(forms) * instances, kept=0, failed=0)
    for form in forms:
        for index in range(instances):
            instance = make_instance(form, seed=seed, index=index)
            made.instances.append(instance)
            made.drafts.extend(_drafts(form, instance, language))
            made.files.extend(_files(form, instance, store))
            progress.advance()
    return made


def _drafts(form: Form, instance: Instance, language: str) -> Iterator[_Draft]:
    """Write an instance at each level."""
    for level in LEVELS:
        document = write_document(
            form, instance, level=level, seed=instance.seed, language=language
        )
        yield _Draft(form, instance, document, not verify(form, instance, document))


def _papers(
    drafts: Sequence[_Draft], kept: Sequence[TaskDocument | None], writer: str
) -> Iterator[Paper]:
    """Yield the writer's document where there is one, else the grammar's if it is proven."""
    for draft, letter in itertools.zip_longest(drafts, kept):
        name, index = draft.form.id, draft.instance.index
        if letter is not None:
            yield Paper(name, index, letter, writer)
        elif draft.proven:
            yield Paper(name, index, draft.document)


def _printed(papers: Iterable[Paper], store: ObjectStore) -> list[Paper]:
    """Print the résumés among papers, and say of each where it lies."""
    return [
        msgspec.structs.replace(paper, pdf=store.put(resume_pdf(paper.document), "pdf"))
        if is_printable(paper.document)
        else paper
        for paper in papers
    ]


def _files(form: Form, instance: Instance, store: ObjectStore) -> Iterator[BuiltFile]:
    for field in form.fields:
        value = instance.values.get(field.id)
        if isinstance(value, FileValue):
            data = file_bytes(form, instance, field)
            sha = store.put(data, PurePosixPath(value.name).suffix.removeprefix("."))
            yield BuiltFile(form.id, instance.index, field.id, value.name, sha, len(data))


def _export(
    out: Path,
    forms: Sequence[Form],
    made: _Made,
    papers: Sequence[Paper],
    asked: Sequence[AskedLetter],
) -> None:
    tables: dict[str, Sequence[object]] = {
        "forms.jsonl": forms,
        "instances.jsonl": made.instances,
        "documents.jsonl": papers,
        "files.jsonl": made.files,
    }
    export(out, "form-bench", tables | ({"letters.jsonl": asked} if asked else {}))


def _lines(forms: Sequence[Form], made: _Made, papers: Sequence[Paper]) -> Iterator[str]:
    count = len(made.instances)
    pairs = sum(len(form.fields) for form in forms) * count // len(forms)
    yield f"{count} instances of {len(forms)} forms, {pairs} pairs of field and value"
    yield f"{len(made.files)} files to upload"
    unproven = len(made.drafts) - len(papers)
    left_out = f"; {unproven} left out, which could not be proved" if unproven else ""
    yield f"{len(papers)} papers, each proved to say its values{left_out}"
    resumes = [paper.pdf for paper in papers if paper.document.kind == "resume"]
    if resumes:
        plain = resumes.count("")
        unprinted = f"; {plain} more hold letters that its fonts lack" if plain else ""
        yield f"{len(resumes) - plain} of the papers are résumés, printed as PDF too{unprinted}"
