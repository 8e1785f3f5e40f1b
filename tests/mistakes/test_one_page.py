"""
One page, or one site: it stands for itself alone, so nothing is green, red or claimed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from surefoot.core.ledger import Ledger
from surefoot.core.question import Parsed, Question
from surefoot.run.folders.folder import export, read_questions

Surefoot = Callable[..., Any]
Replies = Callable[[Question], Parsed]


def test_nothing_is_claimed_of_one_site(
    surefoot: Surefoot,
    drawn: Path,
    write_run: Callable[..., Path],
    stumble: Replies,
    tmp_path: Path,
) -> None:
    """A fall on one site alone is said as that site's: no verdict, no colour of gain or loss."""
    bench = tmp_path / "bench"
    asked = [msgspec.structs.replace(one, cluster="lone") for one in read_questions(drawn)]
    with Ledger.open(bench, {"asked": "one site"}):
        export(bench, "bench", {"questions.jsonl": asked, "screens.jsonl": ()}, {})
        (bench / "funnel.json").write_text("{}")
    run = write_run(bench, tmp_path / "run", stumble)
    ended = surefoot("score", run)

    assert "all from one site, which says nothing of others" in ended.out
    assert "one site alone" in ended.out
    assert not re.search(r"(?m)(gain|loss)$", ended.out)
