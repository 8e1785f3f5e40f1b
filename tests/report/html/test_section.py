"""
Tests of a report's tables: what is saved is what is shown.
"""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.report.html.document import Document, Gallery, render
from surefoot.report.html.section import Figure, Section, Table

_VALUES = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)


@settings(max_examples=20)
@given(st.lists(st.tuples(_VALUES, _VALUES), min_size=1, max_size=3))
def test_a_saved_table_is_the_shown_one(rows: list[tuple[str, str]]) -> None:
    """Each value of a table, whatever is in it, is read back from the link of its page."""
    table = Table(("name, and more", 'rate "%"'), tuple(rows))
    page = render(
        Document(
            title="t",
            kicker="k",
            facts="f",
            headlines=(),
            warnings=(),
            sections=(Section("s", "S", "", (Figure("Rates", table),)),),
            gallery=Gallery("g", "", (), (), "none"),
            rulers=(),
        )
    )

    (link,) = re.findall(r'download="Rates.csv" href="data:text/csv;charset=utf-8,([^"]*)"', page)
    saved = csv.reader(io.StringIO(unquote(unescape(link)), newline=""))

    shown = [tuple(value.removeprefix("'") for value in line) for line in saved]
    assert shown == [tuple(v.removeprefix("'") for v in line) for line in (table.head, *rows)]


@pytest.mark.parametrize("value", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-1+1|x", "\t=1"])
def test_no_saved_value_is_a_formula(value: str) -> None:
    """What a spreadsheet would run is saved as text; a signed number stays a number."""
    assert Table(("v",), ((value,),)).csv.splitlines()[1].strip('"').startswith("'")
    assert Table(("v",), (("-38.3",),)).csv.splitlines()[1] == "-38.3"
