"""
The pages on forms agree with the catalogue and the specification, and their example is a form.
"""

from __future__ import annotations

import re
import typing
from pathlib import Path
from typing import Final

import msgspec

from surefoot.forms.catalogue.reading import catalogue, read_form
from surefoot.forms.specification import LANGUAGES, Constraint, Field, Form, Kind, LikelyValues

DOCS: Final = Path(__file__).parents[3] / "docs"
PAGE: Final = (DOCS / "form-files.md").read_text("utf-8")


def first_cells(head: str) -> str:
    """Return the first cells of all rows of the table under a head."""
    table = PAGE.partition(f"| {head} |")[2].partition("\n\n")[0]
    return " ".join(line.split("|")[1] for line in table.splitlines()[2:])


def test_the_page_counts_the_catalogue_and_names_what_differs() -> None:
    """The page has the catalogue's counts, and lists the forms that differ from the paper."""
    forms = catalogue().values()
    fields = sum(len(form.fields) for form in forms)
    domains = {form.domain for form in forms}
    listed = re.findall(r"[A-H]\d\d", first_cells("form"))

    assert f"{len(forms)} forms" in PAGE
    assert f"over {len(domains)} domains, with its {fields} fields" in PAGE
    assert sorted(listed) == sorted(form.code for form in forms if form.deviation)


def test_the_example_is_a_form(tmp_path: Path) -> None:
    """The TOML of the page on forms is read as it stands, with its rule."""
    page = (DOCS / "forms.md").read_text("utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "example.toml"
    path.write_text(example, "utf-8")
    form = read_form(path)

    assert form.constraints == (Constraint("after", ("last_day", "first_day")),)
    seats = {option.value: option.when for option in form.fields[-1].options}
    assert seats["window"] == {"room": ("general",)}
    assert seats["cabin"] == seats["lectern"] == {"room": ("rare-books",)}


def test_every_key_is_told() -> None:
    """The tables name each key of each part of a form, each kind, rule and language."""
    names = set(re.findall(r"`([a-z_]+)`", first_cells("key of a form")))
    assert names == set(Form.__struct_fields__)
    names = set(re.findall(r"`([a-z-]+)`", first_cells("key of a field")))
    assert names == set(Field.__struct_fields__)
    names = set(re.findall(r"`([a-z-]+)`", first_cells("key of something `likely`")))
    assert names == set(LikelyValues.__struct_fields__)
    rules = typing.get_args(msgspec.structs.fields(Constraint)[0].type)
    assert re.findall(r"`([a-z-]+)`", first_cells("rule")) == list(rules)
    assert {name for name in Kind if f"`{name}`" not in PAGE} == set()
    assert {name for name in LANGUAGES if f"`{name}`" not in PAGE} == set()
