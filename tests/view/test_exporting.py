"""
An export has every answer of the selection, and nothing that a spreadsheet runs.
"""

from __future__ import annotations

import csv
import io
import json

import numpy as np

from surefoot.view.exporting import COLUMNS, csv_lines, json_lines
from surefoot.view.looking import LookedAt
from surefoot.view.selection import Selection, select


def test_both_forms_have_each_answer_once(looked_at: LookedAt) -> None:
    """CSV and JSON Lines have a record for each question and model, with the same contents."""
    table = looked_at.table
    rows = select(table, Selection(variant="style"))
    records = [json.loads(line) for line in json_lines(table, rows)]
    lines = list(csv.DictReader(io.StringIO("".join(csv_lines(table, rows)), newline="")))

    keys = [(record["question"], record["model"]) for record in records]
    asked = [(table.ids[row], model) for row in rows for model in table.models]
    assert keys == asked
    assert [(line["question"], line["model"]) for line in lines] == asked
    assert tuple(lines[0]) == COLUMNS
    assert [line["outcome"] for line in lines] == [record["outcome"] for record in records]


def test_formulas_are_tamed(looked_at: LookedAt) -> None:
    """A reply that begins like a formula has a quote before it in CSV, and none in JSON."""
    table = looked_at.table
    row = select(table, Selection(variant="original"))[:1]
    lines = list(csv.DictReader(io.StringIO("".join(csv_lines(table, np.asarray(row))))))

    assert lines[1]["raw"] == "'=1+1"
    assert json.loads(list(json_lines(table, row))[1])["raw"] == "=1+1"
