"""
Ratings are read from files of both layouts, and what is no rating is refused by its line.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.run.ratings import agreement_of, ratings_of, read_lines
from surefoot.score.stats.agreement import UNRATED, fleiss_kappa

# Fleiss, 1971, table 1: thirty patients, six psychiatrists, five diagnoses; kappa is 0.430.
PSYCHIATRIC = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
DIAGNOSES = ("depression", "personality disorder", "schizophrenia", "neurosis", "other")


def written(folder: Path, name: str, rows: list[list[str]], mark: str = ",") -> Path:
    """Write rows as a spreadsheet does."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=mark).writerows(rows)
    path = folder / name
    path.write_bytes(out.getvalue().encode("utf-8-sig"))
    return path


def psychiatric() -> list[list[str]]:
    """Return Fleiss' table with a line a patient."""
    return [[f"patient {at}", *row] for at, row in enumerate(PSYCHIATRIC.split(), start=1)]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_fleiss_example_is_read_from_counts(tmp_path: Path, mark: str) -> None:
    """Of Fleiss' own table, with any mark between cells, kappa is 0.430 of 0.555 agreement."""
    path = written(tmp_path, "counts.csv", [["item", *DIAGNOSES], *psychiatric()], mark)
    found = agreement_of(read_lines([path]))
    values = {row.statistic: row.value for row in found.rows}

    assert values["share of equal verdicts"] == pytest.approx(0.5556, abs=5e-5)
    assert values["Fleiss' kappa"] == pytest.approx(0.430, abs=5e-4)
    assert (found.items, found.raters, found.over) == (30, (), "items")
    assert found.counts == dict(zip(DIAGNOSES, (26, 26, 30, 55, 43), strict=True))
    assert len(values) == 3


def test_counts_and_ratings_say_the_same(tmp_path: Path) -> None:
    """Fleiss' table with a rating a line, as JSON Lines, has the same values and intervals."""
    counts = written(tmp_path, "counts.csv", [["item", *DIAGNOSES], *psychiatric()])
    lines = []
    for item, *row in psychiatric():
        said = [
            name for name, count in zip(DIAGNOSES, row, strict=True) for _ in range(int(count))
        ]
        for rater, rating in enumerate(said):
            lines.append(json.dumps({"item": item, "rater": f"r{rater}", "rating": rating}))
    ratings = tmp_path / "ratings.jsonl"
    ratings.write_text("\n".join(lines), encoding="utf-8")
    ours, theirs = (
        agreement_of(read_lines([ratings]), DIAGNOSES),
        agreement_of(read_lines([counts])),
    )

    assert [row.value for row in ours.rows[:3]] == [row.value for row in theirs.rows]
    assert [row.interval for row in ours.rows[:3]] == [row.interval for row in theirs.rows]
    assert ours.counts == theirs.counts


def test_each_persons_copy_is_a_file(tmp_path: Path) -> None:
    """Copies of one sheet belong to who they are called after; an empty cell is no rating."""
    head = ["item", "site", "question", "rating"]
    said = {"ann": "Right,right,wrong,,right", "bob": "right,WRONG ,wrong,right,right"}
    files = [
        written(
            tmp_path,
            f"{name}.csv",
            [head, *([f"q{at}", f"s{at % 2}", "a, b\nc", word] for at, word in enumerate(words))],
        )
        for name, words in ((name, text.split(",")) for name, text in said.items())
    ]
    found = ratings_of(read_lines(files), ["unclear"])
    told = agreement_of(read_lines(files), ["unclear"])

    assert found.raters == ("ann", "bob")
    assert found.categories == ("unclear", "right", "wrong")
    assert found.table.tolist() == [[1, 1], [1, 2], [2, 2], [UNRATED, 1], [1, 1]]
    assert told.over == "sites"
    assert [row.items for row in told.rows] == [4] * 4
    assert told.rows[0].value == pytest.approx(3 / 4)


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=8))
def test_any_counts_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[int]]
) -> None:
    """Whatever was counted, the table that is read has the same counts, item by item."""
    folder = tmp_path_factory.mktemp("counts")
    cells = [[f"i{at}", *map(str, row)] for at, row in enumerate(rows)]
    path = written(folder, "counts.csv", [["item", "a", "b", "c"], *cells])
    if not any(map(any, rows)):
        with pytest.raises(InvalidInputError, match="found none"):
            ratings_of(read_lines([path]))
        return
    table = ratings_of(read_lines([path])).table
    counts = np.stack([(table == code).sum(axis=1) for code in range(3)], axis=1)

    assert counts.tolist() == rows


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "found none"),
        (b"item,rating\n", "found none"),
        (b"item,rating\nq1,\n", "found none"),
        (b"name,rating\nq1,yes\n", "column 'item'"),
        (b"item,rating\n,yes\n", "name of an item"),
        (b"item,rating\nq1,yes\nq1,no\n", "two of 'q1' by 'hostile'"),
        (b"item,rater,rating\nq1, ,yes\n", "name of a rater"),
        (b"item,site,rater,rating\nq1,a,x,yes\nq1,b,y,yes\n", "'a' and 'b'"),
        (b"item,yes,no\nq1,2,-1\n", "whole number"),
        (b"item,yes,no\nq1,2,1.5\n", "whole number"),
        (b"item,yes,no\nq1,2,99999999999999999999\n", "whole number"),
        (b"item,yes,no\nq1,99999999,0\n", "at most 10,000,000"),
        ("item,yes,no\nq1,2,²\n".encode(), "whole number"),
        (b"item,yes,no\nq1,2,1\nq1,2,1\n", "each item on one line"),
        (b"item,rating,rating\nq1,yes,no\n", "different names"),
        (b"item,rating\nq1,yes,no\n", "found 3"),
        (b'item,rating\nq1,"yes\n', "CSV"),
        (b"item,rating\nq1," + b"y" * 200_000, "CSV"),
        (b"item,rating\nq1,\xff\xfe\n", "UTF-8"),
        ("item,rating\nq1,yes\n".encode("utf-16"), "UTF-8"),
        (b"\x00\x00\x00", "column 'item'|CSV|found none"),
    ],
)  # fmt: skip
def test_hostile_files_are_refused(tmp_path: Path, data: bytes, why: str) -> None:
    """What is no table of ratings is a mistake that says where it is, and no crash."""
    path = tmp_path / "hostile.csv"
    path.write_bytes(data)

    with pytest.raises(InvalidInputError, match=why):
        agreement_of(read_lines([path]))


def test_long_cells_are_refused_whatever_a_library_allows(tmp_path: Path) -> None:
    """The limit on a cell is ours: another library may have lifted that of the process."""
    path = tmp_path / "long.csv"
    path.write_bytes(b"item,rating\nq1," + b"y" * 200_000)
    usual = csv.field_size_limit(1 << 24)
    try:
        with pytest.raises(InvalidInputError, match="at most 100,000 characters"):
            agreement_of(read_lines([path]))
    finally:
        csv.field_size_limit(usual)


@pytest.mark.parametrize(
    "line", ["[1]", '{"item": "q", "rating": ["a"]}', "{", '{"item": "\\ud800", "rating": "a"}',
             "[" * 100_000, '{"rating": "a"}', "null"]
)  # fmt: skip
def test_hostile_lines_of_json_are_refused(tmp_path: Path, line: str) -> None:
    """A line that is no flat object is named by its number."""
    path = tmp_path / "ratings.jsonl"
    path.write_text('{"item": "q0", "rating": "a"}\n\n' + line + "\n", encoding="utf-8")

    with pytest.raises(InvalidInputError, match="line 3"):
        agreement_of(read_lines([path]))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Whatever a file holds, ratings come out or an error of ours does."""
    path = tmp_path_factory.mktemp("any") / "any.csv"
    path.write_bytes(b"item,rating\n" + data)
    try:
        found = ratings_of(read_lines([path]))
    except SurefootError:
        return

    assert found.table.shape == (len(found.items), len(found.raters))


def test_a_layout_is_one_for_all(tmp_path: Path) -> None:
    """Counts are of one file alone, and no line of them stands among ratings."""
    counts = written(tmp_path, "counts.csv", [["item", "yes"], ["q1", "2"]])
    ratings = written(tmp_path, "ratings.csv", [["item", "rating"], ["q1", "yes"]])

    with pytest.raises(InvalidInputError, match="column 'rating'"):
        ratings_of(read_lines([counts, ratings]))
    with pytest.raises(InvalidInputError, match="no such file"):
        ratings_of(read_lines([tmp_path / "absent.csv"]))


def test_thousands_of_items_have_an_interval(tmp_path: Path) -> None:
    """A table as large as a published benchmark has the kappa of its counts, and an interval."""
    rows = [[f"q{at}", str(3 - at % 7 // 5), str(at % 7 // 5)] for at in range(4_000)]
    found = agreement_of(
        read_lines([written(tmp_path, "c.csv", [["item", "good", "bad"], *rows])])
    )
    kappa = found.rows[1]
    table = np.array([[0, 0, at % 7 // 5] for at in range(4_000)])

    assert kappa.value == pytest.approx(fleiss_kappa(table))
    assert kappa.value is not None
    assert kappa.interval is not None
    assert kappa.interval.clusters == 4_000
    assert kappa.interval.low < kappa.value < kappa.interval.high
