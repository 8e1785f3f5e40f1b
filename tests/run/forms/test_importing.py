"""
FormFactory's published records as a folder: what was taken, what was not, and the counts.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import pytest

from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.forms.values.formfactory import ImpossibleValue, PublishedRecord
from surefoot.run.folders.folder import read_document, read_table
from surefoot.run.forms.importing import FormImportCounts, import_forms

KIND: Final = "form-import"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return records of two forms in the shape of theirs, with one of every kind of trouble."""
    folder = tmp_path / "data1"
    folder.mkdir()
    bug = {"Bug Title": "Slow", "Severity Level": "High", "Attachments (Optional)": "None"}
    bugs = [bug, {**bug, "Severity Level": "Dire\n" + "and worse " * 9}]
    rent = {"Monthly Income (USD)": 1600, "Maximum Monthly Rent (USD)": 1700, "Odd": 1}
    account = [{"Account Type": "Saving Account", "Full Name": "Ana Lee"}]
    for stem, records in (
        ("Bug_report", bugs),
        ("real_estate_rental_applications", [rent]),
        ("bank_account_applications", account),
    ):
        (folder / f"{stem}.json").write_text(json.dumps(records), encoding="utf-8")
    return folder


def test_a_folder_holds_what_was_taken_and_what_was_not(data: Path, tmp_path: Path) -> None:
    """Every pair is in one of the tables or counted, and the counts add up."""
    outcome = import_forms(data, tmp_path / "out")
    records = read_table(tmp_path / "out", "records.jsonl", PublishedRecord, kind=KIND)
    wrong = read_table(tmp_path / "out", "impossible.jsonl", ImpossibleValue, kind=KIND)
    counts = read_document(tmp_path / "out", "counts.json", FormImportCounts, kind=KIND)

    assert counts == FormImportCounts(
        records=4,
        forms=3,
        pairs=11,
        taken=7,
        no_file=2,
        impossible={"not-an-option": 1, "no-field": 1},
        against_rules=1,
        drop_downs=3,
        drop_downs_impossible=1,
    )
    assert sum(len(record.values) for record in records) == counts.taken
    assert {value.why for value in wrong} == {"no-field", "not-an-option", "rule-at-most"}
    assert outcome.tally.done == 4
    account = next(record for record in records if record.form == "bank_account_opening")
    assert account.values["account_type"] == "savings"


def test_the_summary_names_the_worst_fields(data: Path, tmp_path: Path) -> None:
    """Reasons and fields are told with their counts, a value of many lines on one."""
    lines = import_forms(data, tmp_path / "out").lines

    assert lines[:3] == (
        "4 records of 3 forms, 11 pairs",
        "0 of the records have their letter",
        "7 pairs taken; 2 only say that a file is missing",
    )
    assert "drop-downs: 1 of 3 values are no option (33.3 %)" in lines
    assert not any("published pages" in line for line in lines)
    severity = next(line for line in lines if "severity" in line)
    assert severity.startswith(
        "   1 of   2  bug_report, severity: not-an-option, such as 'Dire and worse"
    )
    assert len(severity) < 110
    assert lines[-1] == "1 forms take every value that is published for them"


def test_the_same_files_write_the_same_bytes(data: Path, tmp_path: Path) -> None:
    """A second import changes nothing; one of other files into the same folder is refused."""
    out = tmp_path / "out"
    import_forms(data, out)
    before = {path.name: path.read_bytes() for path in out.glob("*.json*")}
    import_forms(data, out)
    assert {path.name: path.read_bytes() for path in out.glob("*.json*")} == before

    (data / "Bug_report.json").write_text("[]", encoding="utf-8")
    with pytest.raises(PlanMismatchError, match="files"):
        import_forms(data, out)


def test_a_bad_file_begins_no_folder(data: Path, tmp_path: Path) -> None:
    """A file that is no array of objects is named, and nothing is written."""
    (data / "NDA.json").write_text("[[]]", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"NDA\.json"):
        import_forms(data, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_real_release(tmp_path: Path) -> None:
    """Of the whole release as many values are impossible as the documents say."""
    beside = Path(__file__).parents[3].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside)) / "formfactory"
    if not folder.is_dir():
        pytest.skip("FormFactory's data is absent; set SUREFOOT_SHARED_DATA to its folder")
    outcome = import_forms(folder, tmp_path / "out")
    counts = read_document(tmp_path / "out", "counts.json", FormImportCounts, kind=KIND)

    assert (counts.records, counts.letters, counts.pairs, counts.taken) == (
        1240,
        1240,
        12910,
        12347,
    )
    assert counts.impossible == {"no-field": 160, "not-an-option": 122, "malformed": 81}
    assert (counts.drop_downs, counts.drop_downs_impossible) == (1920, 122)
    assert any("204 of 1,860" in line for line in outcome.lines)
