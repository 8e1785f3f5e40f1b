"""
What people judge is kept: acknowledged is on the disk, and a kill cuts off one line at most.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.run.ratings import agreement_of, read_lines
from surefoot.run.verdicts import failed_columns, people_verdicts
from surefoot.view.judging import COLUMNS, Judgement, Judgements, SampleChoice, agreements

KILLED: Final = """
import os, sys
from pathlib import Path
from surefoot.view.judging import Judgements
with Judgements(Path(sys.argv[1]), "Ada") as kept:
    for number in range(1000):
        kept.add("bench", f"q{number}", "site", "rating", "yes")
        print(number, flush=True)
        if number == 400:
            os.kill(os.getpid(), 9)
"""


def test_the_latest_counts_column_by_column(tmp_path: Path) -> None:
    """Servers on one file, two of them one person's, keep what others wrote, and nothing twice."""
    path = tmp_path / "said.jsonl"
    with Judgements(path, "Ada ") as ada, Judgements(path, "Bob") as bob:
        ada.add("b", "q", "s", "rating", "yes")
        bob.add("b", "q", "s", "rating", "no")
        with Judgements(path, "Ada") as again:
            again.add("b", "q", "s", "box_right", "no")
        ada.add("b", "q", "s", "note", "two of them")
        ada.add("b", "q", "s", "rating", "unclear")
        ada.add("b", "q", "s", "rating", "unclear")
        ada.add("b", "q", "s", "box_right", "")

        assert bob.latest() == [
            Judgement("b", "q", "s", "Bob", 1, {"rating": "no"}),
            Judgement("b", "q", "s", "Ada", 5, {"rating": "unclear", "note": "two of them"}),
        ]
    assert len(path.read_bytes().splitlines()) == 6


def test_acknowledged_is_kept_through_a_kill(tmp_path: Path) -> None:
    """Of a process that is killed while people judge, every acknowledged verdict is there."""
    path = tmp_path / "said.jsonl"
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], check=False, capture_output=True, text=True
    )
    assert ended.returncode == -signal.SIGKILL
    with Judgements(path, "Ada") as kept:
        found = [one.item for one in kept.latest()]

    assert found == [f"q{number}" for number in range(401)]
    assert ended.stdout.split() == [str(number) for number in range(401)]


def test_a_line_cut_off_anywhere_is_dropped_and_said(tmp_path: Path) -> None:
    """Wherever a kill cuts the last line, readers and the next server tell, and the rest stays."""
    path = tmp_path / "said.jsonl"
    with Judgements(path, "Ada") as kept:
        kept.add("b", "q1", "s", "rating", "yes")
        first = path.read_bytes()
        kept.add("b", "q2", "s", "note", "é" * 9)
        kept.add("b", "q2", "s", "rating", "no")
    whole = path.read_bytes().splitlines(keepends=True)[-1]
    for length in range(1, len(whole) - 1, 3):
        path.write_bytes(first + whole[:length])
        assert agreement_of(read_lines([path])).items == 1
        with Judgements(path, "Ada") as kept:
            (words,) = kept.said
            assert "line 2" in words
            kept.add("b", "q3", "s", "rating", "no")
        assert [json.loads(line)["item"] for line in path.read_bytes().splitlines()] == [
            "q1",
            "q3",
        ]
    path.write_bytes(first + whole[:-1])  # whole, as an editor leaves it
    with Judgements(path, "Ada") as kept:
        assert (kept.said, len(kept.latest())) == ((), 2)
    assert path.read_bytes() == first + whole


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"SQLite format 3\x00\x10\x00\x01\x01", "line 1"),
        (b"not a file of judgements", "line 1"),
        (b'{"item":"q","rating":"yes"}\n', "'bench'"),
        (b"[" * 100_000 + b"\n", "line 1"),
        (b"\n\xff\xfe\n", "line 2"),
        (b"null\n", "line 1"),
    ],
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, data: bytes, why: str) -> None:
    """What is no file of judgements loses no byte, and the first line that is none is named."""
    path = tmp_path / "other"
    path.write_bytes(data)

    with pytest.raises(InvalidInputError, match=why):
        Judgements(path, "Ada")
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    "change",
    [
        {"revision": 0}, {"revision": "1"}, {"revision": True}, {"rating": "perhaps"},
        {"rating": 1}, {"rater": 5}, {"more": "x"}, {"note": ["x"]}, {"note": None},
    ],
)  # fmt: skip
def test_hostile_lines_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    """A line of other columns, other verdicts or other types is named, and nothing is written."""
    path = tmp_path / "said.jsonl"
    line = json.loads(Judgement("b", "q", "s", "Ada", 1).line())
    path.write_text(json.dumps(line) + "\n" + json.dumps({**line, **change}) + "\n")
    before = path.read_bytes()

    with pytest.raises(InvalidInputError):
        Judgements(path, "Ada")
    assert path.read_bytes() == before


def test_mistakes_are_named(tmp_path: Path) -> None:
    """A person without a name, no folder, a pipe, and criteria that are none end in an error."""
    with pytest.raises(InvalidInputError, match="Name yourself"):
        Judgements(tmp_path / "said.jsonl", " ")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Judgements(tmp_path / "nowhere" / "said.jsonl", "Ada")
    with pytest.raises(InvalidInputError, match="something else"):
        Judgements(Path("/dev/null"), "Ada")
    with pytest.raises(InvalidInputError, match="'beauty'"):
        SampleChoice(("beauty",))


def test_a_file_that_was_replaced_is_not_written_to(tmp_path: Path) -> None:
    """Where an editor has put another file in its place, a verdict is refused and not lost."""
    path = tmp_path / "said.jsonl"
    with Judgements(path, "Ada") as kept:
        kept.add("b", "q1", "s", "rating", "yes")
        (tmp_path / "new").write_bytes(path.read_bytes())
        (tmp_path / "new").replace(path)
        with pytest.raises(SurefootError, match="another one"):
            kept.add("b", "q2", "s", "rating", "yes")
        path.unlink()
        with pytest.raises(SurefootError, match="none"):
            kept.latest()


@settings(max_examples=10)
@given(
    said=st.dictionaries(
        st.tuples(st.sampled_from("abcdefg"), st.sampled_from(["Ada", "Bob"])),
        st.dictionaries(
            st.sampled_from(list(COLUMNS)), st.sampled_from(["yes", "no", "unclear"]), min_size=1
        ),
        min_size=1,
    )
)
def test_sheets_and_pages_give_the_same_numbers(
    said: dict[tuple[str, str], dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same verdicts, on two sheets or by two pages, have one rate, interval and agreement."""
    folder = tmp_path_factory.mktemp("said")
    head, pages, sheets = ["item", "site", *COLUMNS], [], []
    for rater in sorted({rater for _, rater in said}):
        own = {item: cells for (item, who), cells in said.items() if who == rater}
        pages.append(folder / f"{rater}.jsonl")
        with Judgements(pages[-1], rater) as kept:
            for item, cells in own.items():
                for column, value in cells.items():
                    kept.add("b", item, f"site {ord(item) % 3}", column, "unclear")
                    kept.add("b", item, f"site {ord(item) % 3}", column, value)
        lines = [
            [item, f"site {ord(item) % 3}", *(cells.get(column, "") for column in COLUMNS)]
            for item, cells in own.items()
        ]
        sheets.append(folder / f"{rater}.csv")
        sheets[-1].write_text("".join(",".join(line) + "\n" for line in [head, *lines]))

    assert people_verdicts(read_lines(pages)) == people_verdicts(read_lines(sheets))
    assert failed_columns(read_lines(pages)) == failed_columns(read_lines(sheets))
    for column in {column for cells in said.values() for column in cells}:
        assert agreement_of(read_lines(pages), column=column) == agreement_of(
            read_lines(sheets), column=column
        )


def test_agreement_is_of_those_who_judged_the_same() -> None:
    """Three persons have three statistics together and Cohen's kappa for each two of them."""
    verdicts = {"Ada": "yynynuyy", "Bob": "yynnnuyy", "Eve": "yy"}
    names = {"y": "yes", "n": "no", "u": "unclear"}
    judged = [
        Judgement("bench", f"q{at}", f"site {at % 4}", person, 1, {"rating": names[letter]})
        for person, letters in verdicts.items()
        for at, letter in enumerate(letters)
    ]
    rows = agreements(judged)
    square = [[4, 1, 0], [0, 2, 0], [0, 0, 1]]

    assert [row.statistic for row in rows].count("Cohen's kappa") == 3
    assert [row.items for row in rows] == [8, 8, 8, 8, 2, 2]
    pair = next(row for row in rows if row.persons == ("Ada", "Bob"))
    assert pair.value == pytest.approx(cohens_kappa(square).kappa)
    assert pair.interval is not None
    assert pair.interval.low < cohens_kappa(square).kappa < pair.interval.high
    assert agreements(judged, "box_right") == agreements([]) == []
