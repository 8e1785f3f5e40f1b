"""
A baseline's file: it reads back as it was, and a broken one is refused with its line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.run.asking.runs import open_run
from surefoot.run.gates.baseline import read_baseline, read_run, write_baseline


def test_a_baseline_reads_back_as_it_was_written(
    drawn: Path, write_run: Callable[..., Path], stumble: object, tmp_path: Path
) -> None:
    """All but the ids of questions comes back, with the hits that the replies have."""
    counted = read_run(open_run(write_run(drawn, tmp_path / "run", stumble)))
    write_baseline(tmp_path / "new" / "b.jsonl", counted)
    found = read_baseline(tmp_path / "new" / "b.jsonl")
    bare = tuple(msgspec.structs.replace(one, id="") for one in counted.questions)
    assert (found.head, found.pages, found.questions) == (counted.head, counted.pages, bare)
    assert len(found.questions) == 36
    original = [one for one in found.questions if one.variant == "original"]
    assert all(one.hits == one.asked == 1 for one in original)
    assert 0 < sum(one.hits for one in found.questions) < 36


Lines = list[bytes]
BROKEN: Final[dict[str, tuple[Callable[[Lines], Lines], str]]] = {
    "empty": (lambda _: [], "line 1"),
    "no JSON": (lambda lines: [lines[0], b"{", *lines[1:]], "line 2"),
    "of another format": (
        lambda lines: [lines[0].replace(b"baseline@1", b"baseline@9"), *lines[1:]],
        "baseline@9",
    ),
    "a page that is not there": (lambda lines: [lines[0], *lines[4:]], "above line 2"),
    "more hits than answers": (
        lambda lines: [*lines[:-1], lines[-1].replace(b'"asked":1', b'"asked":0')],
        "hits",
    ),
    "a control beyond the page": (
        lambda lines: [*lines[:-1], lines[-1].replace(b'"control":', b'"control":9')],
        "control 9",
    ),
    "an unknown kind of line": (
        lambda lines: [*lines, b'{"type":"other"}'],
        "other",
    ),
    "bytes": (lambda _: [b"\xff\x00\x01"], "line 1"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_baseline_is_refused_by_its_line(
    drawn: Path, write_run: Callable[..., Path], stumble: object, tmp_path: Path, case: str
) -> None:
    """Whatever was changed in the file, the error names the place and what was found."""
    counted = read_run(open_run(write_run(drawn, tmp_path / "run", stumble)))
    file = tmp_path / "b.jsonl"
    write_baseline(file, counted)
    change, words = BROKEN[case]
    file.write_bytes(b"\n".join(change(file.read_bytes().splitlines())))
    with pytest.raises(InvalidInputError, match=words):
        read_baseline(file)


def test_no_baseline_at_all_says_how_to_write_one(tmp_path: Path) -> None:
    """A file that is not there is refused with the command that writes it."""
    with pytest.raises(InvalidInputError, match="--update"):
        read_baseline(tmp_path / "none.jsonl")
