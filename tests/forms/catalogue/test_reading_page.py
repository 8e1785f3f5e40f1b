"""
The page on forms agrees with the catalogue and the specification, and its example is a form.
"""

from __future__ import annotations

import re
import typing
from pathlib import Path
from typing import Final

import msgspec

from surefoot.forms.catalogue.reading import catalogue, read_form
from surefoot.forms.specification import LANGUAGES, Constraint, Field, Form, Kind, LikelyValues

PAGE: Final = (Path(__file__).parents[3] / "docs" / "forms.md").read_text("utf-8")


def row(form: Form) -> str:
    """Return a form's row of the table."""
    cells = (form.code, f"`{form.id}`", form.domain, len(form.fields), len(form.pages))
    return " | ".join(["", *map(str, cells), form.deviation, ""]).strip()


def first_cells(head: str) -> str:
    """Return the first cells of all rows of the table under a head."""
    table = PAGE.partition(f"| {head} |")[2].partition("\n\n")[0]
    return " ".join(line.split("|")[1] for line in table.splitlines()[2:])


def test_the_table_is_the_catalogue() -> None:
    """The page has a row for each form, in order, with its counts and its deviation."""
    rows = [line for line in PAGE.splitlines() if re.match(r"\| [A-H]\d\d \|", line)]
    assert rows == [row(form) for form in catalogue().values()]


def test_the_example_is_a_form(tmp_path: Path) -> None:
    """The TOML of the page is read as it stands, rule and dependent option with it."""
    parts = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    path = tmp_path / "example.toml"
    path.write_text("\n".join(parts), "utf-8")
    form = read_form(path)
    assert form.constraints == (Constraint("after", ("last_day", "first_day")),)
    assert form.likely == (
        LikelyValues("first_day", when={"room": ("rare-books",)}, earliest="2026-06-01"),
    )
    assert [option.when for option in form.fields[-1].options] == [{}, {"room": ("rare-books",)}]


def test_every_key_is_told() -> None:
    """The tables name each key of each part of a form, each kind, rule and language."""
    names = set(re.findall(r"`([a-z-]+)`", first_cells("key of a form")))
    assert names == set(Form.__struct_fields__)
    names = set(re.findall(r"`([a-z-]+)`", first_cells("key of a field")))
    assert names == set(Field.__struct_fields__)
    names = set(re.findall(r"`([a-z-]+)`", first_cells("key of something likely")))
    assert names == set(LikelyValues.__struct_fields__)
    rules = typing.get_args(msgspec.structs.fields(Constraint)[0].type)
    assert re.findall(r"`([a-z-]+)`", first_cells("rule")) == list(rules)
    assert {name for name in Kind if f"`{name}`" not in PAGE} == set()
    assert {name for name in LANGUAGES if f"`{name}`" not in PAGE} == set()
