"""
Tests of FormFactory's published records on our forms, with records made up in their shape.
"""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.values.formfactory import ImpossibleValue, PublishedRecord, import_formfactory


def write(folder: Path, stem: str, records: object) -> None:
    """Write a file as theirs are."""
    (folder / f"{stem}.json").write_text(json.dumps(records), encoding="utf-8")


def test_every_form_has_a_file_and_every_key_a_field() -> None:
    """The mapping names each form of the catalogue once, and only fields that it has."""
    text = files("surefoot.forms.values").joinpath("formfactory.toml").read_text("utf-8")
    mappings = tomllib.loads(text).values()

    assert sorted(mapping["form"] for mapping in mappings) == sorted(catalogue())
    for mapping in mappings:
        form = catalogue()[mapping["form"]]
        assert all(form.field(name) for name in mapping["fields"].values())


def test_records_are_placed_in_our_fields(tmp_path: Path) -> None:
    """Values of every JSON type are normalised, and a file said to be missing is counted."""
    write(
        tmp_path,
        "Bug_report",
        [{"Bug Title": " Too  slow ", "Severity Level": "High", "Attachments (Optional)": "None"}],
    )
    write(
        tmp_path,
        "student_courses",
        [{"Student ID": 88741153, "Selected Courses": ["CS104 - Web Development"]}],
    )
    write(tmp_path, "grant_applications", [{"Date of Birth": "1951/09/28"}, {"Gender": "Female"}])
    write(tmp_path, "Art_Exhibition_Submission_Form", [{"Artwork is available for sale": False}])
    write(tmp_path, "membership_application", [{"reference": {"name": "Ana Lee", "contact": "a"}}])

    imported = import_formfactory(tmp_path)
    assert sorted(imported.records, key=lambda record: (record.form, record.number)) == [
        PublishedRecord("art_exhibition_submission", 1, {"for_sale": False}),
        PublishedRecord("association_membership", 1, {"reference_name": "Ana Lee"}),
        PublishedRecord("bug_report", 1, {"title": "Too slow", "severity": "high"}),
        PublishedRecord("grant_application", 1, {"date_of_birth": "1951-09-28"}),
        PublishedRecord("grant_application", 2, {"gender": "female"}),
        PublishedRecord(
            "student_course_registration", 1, {"student_id": "88741153", "courses": ("cs104",)}
        ),
    ]
    assert imported.no_file == 1
    assert imported.pairs == 10
    assert imported.impossible == (
        ImpossibleValue("association_membership", 1, "reference_email", "a", "malformed"),
    )


def test_what_no_field_can_take_is_listed(tmp_path: Path) -> None:
    """Options that do not exist, unknown keys, limits and rules are each named."""
    income = {"Monthly Income (USD)": 1600, "Maximum Monthly Rent (USD)": 1700}
    write(tmp_path, "real_estate_rental_applications", [income])
    write(tmp_path, "scholarship_applications", [{"Annual Family Income": 80303, "Odd": 1}])
    write(tmp_path, "person_loan_applications", [{"Loan Amount ($)": 10**9}])

    imported = import_formfactory(tmp_path)
    assert {(value.field, value.value, value.why) for value in imported.impossible} == {
        ("max_rent", "1700", "rule-at-most"),
        ("family_income", "80303", "not-an-option"),
        ("Odd", "1", "no-field"),
        ("loan_amount", "1000000000", "too-high"),
    }
    rental = next(record for record in imported.records if record.form == "real_estate_rental")
    assert rental.values == {"monthly_income": "1600", "max_rent": "1700"}


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"a": 1, "a": 2}]', '[{"a": NaN}]', "[{"])
def test_a_hostile_file_is_refused(text: str, tmp_path: Path) -> None:
    """A file that is no JSON array of objects is refused by its name."""
    (tmp_path / "NDA.json").write_text(text, encoding="utf-8")

    with pytest.raises(InvalidInputError, match=r"NDA\.json"):
        import_formfactory(tmp_path)


def test_a_folder_without_their_files_is_refused(tmp_path: Path) -> None:
    """A folder that holds none of their files is refused."""
    with pytest.raises(InvalidInputError, match="data1"):
        import_formfactory(tmp_path)
