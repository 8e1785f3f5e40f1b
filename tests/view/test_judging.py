"""
What people judge is kept: acknowledged is on the disk, sent twice is kept once.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.view.judging import Judgement, Judgements, SentJudgement, agreements

KILLED: Final = """
import os, sys
from pathlib import Path
from surefoot.view.judging import Judgements, SentJudgement
with Judgements(Path(sys.argv[1]), "Ada") as kept:
    for number in range(1000):
        kept.add(SentJudgement(f"stamp-{number:04}", 0, f"q{number}", "right"), "bench", "site")
        print(number, flush=True)
        if number == 400:
            os.kill(os.getpid(), 9)
"""


def sent(stamp: str, question: str, verdict: str, note: str = "") -> SentJudgement:
    """Return what a page sends."""
    return SentJudgement(stamp.rjust(8, "0"), 0, question, verdict, note)  # type: ignore[arg-type]


def test_the_latest_counts_and_a_second_sending_does_not(tmp_path: Path) -> None:
    """A verdict sent again changes nothing, a later one replaces it, another person's stays."""
    path = tmp_path / "judgements.sqlite"
    with Judgements(path, "Ada ") as ada, Judgements(path, "Bob") as bob:
        ada.add(sent("1", "q", "right"), "bench", "site")
        bob.add(sent("2", "q", "wrong", "two of them"), "bench", "site")
        ada.add(sent("3", "q", "unclear"), "bench", "site")
        ada.add(sent("1", "q", "right"), "bench", "site")

        assert ada.latest() == [
            Judgement("Bob", "bench", "q", "site", "wrong", "two of them"),
            Judgement("Ada", "bench", "q", "site", "unclear", ""),
        ]


def test_acknowledged_is_kept_through_a_kill(tmp_path: Path) -> None:
    """Of a process that is killed while people judge, every acknowledged verdict is there."""
    path = tmp_path / "judgements.sqlite"
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], check=False, capture_output=True, text=True
    )
    assert ended.returncode == -signal.SIGKILL
    with Judgements(path, "Ada") as kept:
        found = [one.question for one in kept.latest()]

    assert found == [f"q{number}" for number in range(401)]
    assert ended.stdout.split() == [str(number) for number in range(401)]


def test_mistakes_are_named(tmp_path: Path) -> None:
    """A person without a name, a file that is none of ours, and no folder end in an error."""
    with pytest.raises(InvalidInputError, match="Name yourself"):
        Judgements(tmp_path / "judgements.sqlite", " ")
    (tmp_path / "text").write_text("not a database, but long enough to be looked at as one\n" * 9)
    with pytest.raises(SurefootError, match="text"):
        Judgements(tmp_path / "text", "Ada")
    with pytest.raises(SurefootError, match="nowhere"):
        Judgements(tmp_path / "nowhere" / "judgements.sqlite", "Ada")


def test_agreement_is_of_those_who_judged_the_same() -> None:
    """Three persons have three statistics together and Cohen's kappa for each two of them."""
    verdicts = {"Ada": "rrwrwurr", "Bob": "rrwwwurr", "Eve": "rr"}
    names = {"r": "right", "w": "wrong", "u": "unclear"}
    judged = [
        Judgement(person, "bench", f"q{at}", f"site {at % 4}", names[letter], "")  # type: ignore[arg-type]
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
    assert agreements([]) == []
