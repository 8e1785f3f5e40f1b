"""
A folder of instances, papers and files: the same bytes from a seed, and nothing unproved in it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec
import pytest

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.core.store import ObjectStore
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.letters.printing import resume_pdf
from surefoot.forms.letters.verifying import verify
from surefoot.forms.specification import Form
from surefoot.run.folders.folder import export, read_manifest, read_table
from surefoot.run.forms.building import BuiltFile, Paper, build_forms, read_forms

FORMS: Final = tuple(map(find_form, ("A13", "D11")))
TABLES: Final = {"forms.jsonl": 2, "instances.jsonl": 4, "documents.jsonl": 12}


def contents(folder: Path) -> dict[str, str]:
    """Return the digest of each file but the ledger, which is SQLite's own."""
    files = [path for path in folder.rglob("*") if path.is_file() and "ledger" not in path.name]
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


def build(folder: Path, *, seed: int = 2, instances: int = 2) -> None:
    """Build two forms."""
    build_forms(FORMS, folder, instances=instances, seed=seed)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that was built once."""
    folder = tmp_path_factory.mktemp("built")
    build(folder)
    return folder


def test_the_same_seed_writes_the_same_bytes(built: Path, tmp_path: Path) -> None:
    """Two folders of one seed are equal byte by byte, built again or anew; another differs."""
    before = contents(built)
    build(built)
    build(tmp_path / "again")
    build(tmp_path / "other", seed=4)

    assert contents(built) == contents(tmp_path / "again") == before
    others = contents(tmp_path / "other")
    assert others["instances.jsonl"] != before["instances.jsonl"]
    assert others["forms.jsonl"] == before["forms.jsonl"]


def test_a_folder_holds_all_that_its_instances_need(built: Path) -> None:
    """Every file lies in the objects under its hash, every paper proves its instance."""
    counts = {name: item.count for name, item in read_manifest(built, "form-bench").files.items()}
    files = read_table(built, "files.jsonl", BuiltFile, kind="form-bench")
    assert counts == {**TABLES, "files.jsonl": len(files)}

    instances = read_table(built, "instances.jsonl", Instance, kind="form-bench")
    wanted = {
        (item.form, item.index, name): value
        for item in instances
        for name, value in item.values.items()
        if isinstance(value, FileValue)
    }
    assert wanted == {
        (item.form, item.index, item.field): FileValue(item.name, item.sha256) for item in files
    }
    for file in files:
        data = ObjectStore(built).get(file.sha256, file.name.rpartition(".")[2])
        assert len(data) == file.size

    forms = {form.id: form for form in read_table(built, "forms.jsonl", Form, kind="form-bench")}
    found = {(item.form, item.index): item for item in instances}
    resumes = 0
    for paper in read_table(built, "documents.jsonl", Paper, kind="form-bench"):
        instance = found[paper.form, paper.index]
        assert verify(forms[paper.form], instance, paper.document) == ()
        assert bool(paper.pdf) == (paper.document.kind == "resume")
        if paper.pdf:
            resumes += 1
            assert ObjectStore(built).get(paper.pdf, "pdf") == resume_pdf(paper.document)
    assert resumes > 0


def test_what_was_built_is_read_again(built: Path) -> None:
    """The forms, the seed and the count of each come back as they were chosen."""
    bench = read_forms(built)
    assert (bench.forms, bench.instances, bench.seed) == (FORMS, 2, 2)
    fewer = read_forms(built, only=["bug_report"], instances=1, seed=2)
    assert (fewer.forms, fewer.instances) == (FORMS[1:], 1)
    with pytest.raises(InvalidInputError, match="none of 'paper_submission'"):
        read_forms(built, only=["bug_report", "paper_submission"])
    for instances, seed in ((3, 2), (2, 0)):
        with pytest.raises(InvalidInputError, match="2 of each form, of the seed 2"):
            read_forms(built, instances=instances, seed=seed)


def test_other_instances_than_ours_are_refused(tmp_path: Path) -> None:
    """A folder whose values were changed is refused by its hash, and by its values too."""
    build(tmp_path)
    table = tmp_path / "instances.jsonl"
    (first, *rest) = read_table(tmp_path, "instances.jsonl", Instance, kind="form-bench")
    values = {**first.values, "first_name": "Somebody"}
    changed = msgspec.structs.replace(first, values=values)
    before = table.read_bytes()
    table.write_bytes(b"\n".join([canonical_json(changed), *before.splitlines()[1:], b""]))
    with pytest.raises(InvalidInputError, match="other bytes"):
        read_forms(tmp_path)

    export(tmp_path, "form-bench", {"forms.jsonl": FORMS, "instances.jsonl": (changed, *rest)})
    with pytest.raises(InvalidInputError, match="as this version makes them"):
        read_forms(tmp_path)


def test_mistakes_are_named(tmp_path: Path) -> None:
    """One form twice begins nothing, and a folder goes on only as it was begun."""
    with pytest.raises(InvalidInputError, match="'bug_report' twice"):
        build_forms((FORMS[1], FORMS[1]), tmp_path / "none", instances=1, seed=0)
    assert not (tmp_path / "none").exists()

    build_forms(FORMS[1:], tmp_path, instances=1, seed=0)
    with pytest.raises(PlanMismatchError, match="seed"):
        build_forms(FORMS[1:], tmp_path, instances=1, seed=1)
