"""
Published records as episodes: which are taken, with which letters, and how they are scored.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.run.forms.importing import import_forms
from surefoot.run.forms.published import read_published
from surefoot.run.forms.running import read_results
from surefoot.verbs.forms import score_forms
from surefoot.verbs.forms_run import run_forms


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """Import two accounts with an empty record between them, and two bugs, with letters."""
    data = tmp_path / "data"
    account = {"Full Name": "Ana Lee", "ID Number": 2868883095, "Date of Birth": "1957/08/01"}
    records = {
        "bank_account_applications": [
            {**account, "Account Type": "Golden Account", "ID Type": "Passport", "Sign": "Leo"},
            {"Odd": 1},
            {**account, "Full Name": "Bo Ito"},
        ],
        "Bug_report": [{"Bug Title": "Slow"}, {"Bug Title": "Slower"}],
    }
    letters = {
        "bank_account_applications": "1) My full name is Ana Lee; passport no. 2868883095.\n\n"
        "2) Nothing.\n\n3) I am Bo Ito.\n",
        "Bug_report": "1. Slow\n2. Slower",
    }
    for folder, suffix, texts in (
        ("data1", "json", {stem: json.dumps(own) for stem, own in records.items()}),
        ("data2", "txt", letters),
    ):
        (data / folder).mkdir(parents=True)
        for stem, text in texts.items():
            (data / folder / f"{stem}.{suffix}").write_text(text, encoding="utf-8")
    import_forms(data, tmp_path / "imported")
    return tmp_path / "imported"


def test_records_are_taken_in_their_order(imported: Path) -> None:
    """The first so many of each form with a value are taken, and forms that are named."""
    bench = read_published(imported, instances=2)
    assert [(one.form, one.number) for one in bench.records] == [
        ("bug_report", 1),
        ("bug_report", 2),
        ("bank_account_opening", 1),
        ("bank_account_opening", 3),
    ]
    assert bench.records[2].text == "My full name is Ana Lee; passport no. 2868883095."
    assert bench.records[2].left_out == {"account_type": "not-an-option", "Sign": "no-field"}
    named = read_published(imported, only=["bank_account_opening"])
    assert [one.number for one in named.records] == [1]
    few = read_published(imported, first=1, instances=2)
    assert [form.id for form in few.forms] == [one.form for one in few.records[:1]]
    assert [(one.form, one.number) for one in few.records] == [
        ("bug_report", 1),
        ("bug_report", 2),
    ]
    assert not any(field.required for form in bench.forms for field in form.fields)
    with pytest.raises(InvalidInputError, match="nda_submission"):
        read_published(imported, only=["nda_submission"])
    with pytest.raises(InvalidInputError, match="2 forms"):
        read_published(imported, first=3)


def test_letters_and_levels_that_are_not_there_are_refused(imported: Path, tmp_path: Path) -> None:
    """Published letters need an import, an import no other papers, and its letters be there."""
    with pytest.raises(InvalidInputError, match="no --bench"):
        run_forms(out=tmp_path / "run", agent="null", level=["published"])
    with pytest.raises(InvalidInputError, match="derived"):
        run_forms(out=tmp_path / "run", agent="null", level=["derived"], bench=imported)
    bare = tmp_path / "bare" / "data1"
    bare.mkdir(parents=True)
    (bare / "NDA.json").write_text('[{"Party Name": "Ana"}]', encoding="utf-8")
    import_forms(bare, tmp_path / "silent")
    with pytest.raises(InvalidInputError, match=r"no\. 1 of 'nda_submission'"):
        run_forms(out=tmp_path / "run", agent="null", bench=tmp_path / "silent")
    assert not (tmp_path / "run").exists()
    assert len(read_published(tmp_path / "silent", letters=False).records) == 1


@pytest.mark.long
@pytest.mark.browser
def test_the_oracle_is_right_in_all_that_can_be_answered(imported: Path, tmp_path: Path) -> None:
    """Agents are handed the record's letter, and scored by its values; no others are asked for."""
    run = run_forms(
        out=tmp_path / "run",
        agent=["oracle", "words", "null"],
        form=["E12"],
        instances=2,
        bench=imported,
        workers=1,
    )
    assert run.outcome is not None
    assert any("Of 9 published values 7 are asked for" in line for line in run.outcome.lines)
    results = read_results(tmp_path / "run")
    assert {(one.source, one.level) for one in results} == {("formfactory", "published")}
    scores = {(one.score.agent, one.score.instance): one.score for one in results}
    assert all(scores["oracle", number].right for number in (1, 3))
    asked = [field.field for field in scores["oracle", 3].fields if field.asked]
    assert asked == ["full_name", "date_of_birth", "id_number"]
    found = {field.field: field.submitted for field in scores["words", 1].fields}
    assert (found["full_name"], found["id_type"]) == (True, True)
    assert not any(field.submitted for field in scores["null", 1].fields)
    assert any("2 are left out" in line for line in score_forms(tmp_path / "run").sentences)
