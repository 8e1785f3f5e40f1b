"""
``surefoot agreement``: what people said on the sheets of an audit becomes coefficients.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from surefoot.core.errors import ExitCode


def test_sheets_that_were_filled_in_are_read(
    surefoot: Callable[..., Any], drawn: Path, tmp_path: Path
) -> None:
    """Two copies of an audit's table, filled in, have a line a coefficient, and JSON."""
    surefoot("audit", drawn, "--out", tmp_path, "--count", 6)
    with (tmp_path / "ratings.csv").open(encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    copies = {"ann": ["right"] * 6, "bob": ["right"] * 4 + ["wrong", ""]}
    place = head.index("rating")
    for name, said in copies.items():
        filled = [
            [*row[:place], word, *row[place + 1 :]] for row, word in zip(rows, said, strict=True)
        ]
        with (tmp_path / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head, *filled])
    files = [tmp_path / f"{name}.csv" for name in copies]
    ended = surefoot("agreement", *files)
    told = json.loads(surefoot("agreement", *files, "--json").out)

    assert ended.code == ExitCode.FINE
    lines = ended.out.splitlines()
    assert lines[0] == "6 items: 10 right, 1 wrong, by ann, bob"
    assert [line.partition(":")[0] for line in lines[1:]] == [
        "share of equal verdicts", "Fleiss' kappa", "Gwet's AC1", "Cohen's kappa of ann and bob",
    ]  # fmt: skip
    assert "0.800" in lines[1]
    assert told["rows"][0]["value"] == 0.8
    assert all((drawn / row[head.index("picture")]).is_file() for row in rows)


def test_one_person_alone_agrees_with_nobody(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """One person's ratings have no agreement, which is said; no file is a mistake."""
    (tmp_path / "ann.csv").write_text("item,rating\nq1,yes\n", encoding="utf-8")
    alone = surefoot("agreement", tmp_path / "ann.csv")

    assert alone.out.splitlines() == [
        "1 item: 1 yes, by ann", "no item was rated by two people",
    ]  # fmt: skip
    assert surefoot("agreement", tmp_path / "nobody.csv").code == ExitCode.USER_ERROR


def test_thousands_of_raters_are_compared_all_together(
    surefoot: Callable[..., Any], tmp_path: Path
) -> None:
    """Two thousand persons make two million pairs, which nobody reads: that is said instead."""
    lines = [
        f"q{item},p{person},{'yes' if (item + person) % 3 else 'no'}"
        for person in range(2000)
        for item in range(2)
    ]
    (tmp_path / "all.csv").write_text("\n".join(["item,rater,rating", *lines]), encoding="utf-8")
    ended = surefoot("agreement", tmp_path / "all.csv")

    first, *rows, last = ended.out.splitlines()
    assert first.endswith("and 1,980 others")
    assert [row.partition(":")[0] for row in rows] == [
        "share of equal verdicts", "Fleiss' kappa", "Gwet's AC1",
    ]  # fmt: skip
    assert last == "no two persons are compared: there are over 50"
