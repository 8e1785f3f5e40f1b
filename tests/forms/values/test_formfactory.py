"""
Tests of FormFactory's published records on our forms, with records made up in their shape.
"""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.specification import Form
from surefoot.forms.values.constraints import broken
from surefoot.forms.values.formfactory import (
    ImpossibleValue,
    PublishedRecord,
    as_published,
    import_formfactory,
    published_files,
)


def write(folder: Path, stem: str, records: object) -> None:
    """Write a file as theirs are."""
    (folder / f"{stem}.json").write_text(json.dumps(records), encoding="utf-8")


def test_every_form_has_a_file_and_every_key_a_field() -> None:
    """The mapping names each form of the catalogue once, and only fields that it has."""
    text = files("surefoot.forms.values").joinpath("formfactory.toml").read_text("utf-8")
    mappings = tomllib.loads(text).values()

    assert sorted(mapping["form"] for mapping in mappings) == sorted(catalogue())
    for mapping in mappings:
        form = as_published(catalogue()[mapping["form"]])
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
    bare = [msgspec.structs.replace(record, left_out={}) for record in imported.records]
    assert sorted(bare, key=lambda record: (record.form, record.number)) == [
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


def test_fields_of_the_released_pages_alone_take_their_records(tmp_path: Path) -> None:
    """The emergency contact and the comments, which our forms leave out, are asked for."""
    contact = {"Emergency Contact Name": "Ana Lee", "Emergency Contact Phone": "202-555-0142"}
    write(tmp_path, "Patient_Consent", [contact])
    write(tmp_path, "startup_funding_applications", [{"Additional Comments": "None."}])

    imported = import_formfactory(tmp_path)
    values = {record.form: record.values for record in imported.records}
    assert imported.impossible == ()
    assert values["startup_funding"] == {"additional_comments": "None."}
    assert values["surgery_consent"].keys() == {"emergency_name", "emergency_phone"}
    for form, taken in values.items():
        ours, theirs = catalogue()[form], as_published(catalogue()[form])
        added = {field.id for field in theirs.fields} - {field.id for field in ours.fields}
        assert added == taken.keys()
        assert all(set(field.label) == set(ours.title) for field in theirs.fields[-len(added) :])


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


def test_each_record_has_its_letter_and_why_a_field_has_no_value(tmp_path: Path) -> None:
    """Letters stand in data2 beside data1, whichever of the two folders is named."""
    (tmp_path / "data1").mkdir()
    (tmp_path / "data2").mkdir()
    duration = {"Duration (Years)": "long", "Party Name": "Ana", "Odd": 1}
    write(tmp_path / "data1", "NDA", [duration, {}])
    (tmp_path / "data2" / "NDA.txt").write_text("1. For Ana.\n2. Nil.", encoding="utf-8")

    imported = import_formfactory(tmp_path)

    assert [record.text for record in imported.records] == ["For Ana.", "Nil."]
    left = imported.records[0].left_out
    assert (left["duration"], left["Odd"], left["purpose"]) == (
        "malformed",
        "no-field",
        "no-value",
    )
    assert "party_name" not in left
    assert import_formfactory(tmp_path / "data1") == imported
    assert [path.name for path in published_files(tmp_path)] == ["NDA.json", "NDA.txt"]
    (tmp_path / "data2" / "NDA.txt").write_text("1. For Ana.", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"NDA\.txt"):
        import_formfactory(tmp_path)


@pytest.mark.parametrize("form", catalogue().values(), ids=lambda form: form.code)
def test_as_published_no_field_has_to_be_filled_in(form: Form) -> None:
    """Nothing at all is accepted, a value out of its limits is not."""
    assert broken(as_published(form), {}) == ()
    limited = next(field for field in form.fields if field.longest)
    assert broken(as_published(form), {limited.id: "x" * (limited.longest + 1)})


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            '{\n"error": 404\n}',
            "[1]",
            '[{"a": 1, "a": 2}]',
            '[{"a": NaN}]',
            "[{",
            '[{"a": "\\ud800"}]',
        ),
        '[{"a": ' + '{"b": ' * 5000 + "1" + "}" * 5001 + "]",
    ],
    ids=lambda text: text[:16],
)
def test_a_hostile_file_is_refused(text: str, tmp_path: Path) -> None:
    """A file that is no JSON array of objects is refused by its name."""
    (tmp_path / "NDA.json").write_text(text, encoding="utf-8")

    with pytest.raises(InvalidInputError, match=r"NDA\.json"):
        import_formfactory(tmp_path)


@pytest.mark.parametrize(
    "value",
    [
        *("x" * 100_000, "\x00", "\u202e", 10**300, -0.0, 1e308, [], [[]], ["a"] * 5000),
        *({"a": {"b": None}}, None, True, "1" * 5000, " \n\t ", "9" * 400),
    ],
    ids=lambda value: repr(value)[:12],
)
def test_a_hostile_value_is_taken_or_listed(value: object, tmp_path: Path) -> None:
    """Whatever stands for a value, it is a value of its field's or is named with its reason."""
    keys = ("Party Name", "Party Type", "Effective Date", "Duration (Years)", "Purpose of NDA")
    write(tmp_path, "NDA", [dict.fromkeys(keys, value)])

    (record,) = import_formfactory(tmp_path).records

    assert broken(as_published(catalogue()["nda_submission"]), record.values) == ()
    assert len(json.dumps(record.left_out)) < 10_000


def test_a_folder_without_their_files_is_refused(tmp_path: Path) -> None:
    """A folder that holds none of their files is refused."""
    with pytest.raises(InvalidInputError, match="data1"):
        import_formfactory(tmp_path)
