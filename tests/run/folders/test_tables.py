"""
Tables read record by record: as the whole reader reads them, and as strictly.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.core.canonical import canonical_json, sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.run.folders.folder import (
    export,
    read_manifest,
    read_questions,
    read_screens,
    seal,
)
from surefoot.run.folders.lines import open_table
from surefoot.run.folders.tables import cluster_by_site, stream_table

ROWS = [{"b": number, "a": "\u9009"} for number in range(100)]


def test_records_are_those_of_the_whole_reader(bench: Path) -> None:
    """Questions and screens come in the same order and are equal."""
    questions = stream_table(bench, "questions.jsonl", Question, kind="bench")
    screens = stream_table(bench, "screens.jsonl", Screen, kind="bench")
    assert tuple(questions) == read_questions(bench)
    assert tuple(screens) == read_screens(bench)


def test_of_wanted_records_no_other_is_read(bench: Path) -> None:
    """Those that are wanted come in order, and what stands in the others does not matter."""
    questions = read_questions(bench)
    others = dict(read_manifest(bench).files)
    with open_table(bench / "questions.jsonl") as table:
        for question in questions[:2]:
            table.write({"id": question.id, "screen": 7})
        for question in questions[2:]:
            table.write(question)
    seal(bench, "bench", others | {"questions.jsonl": table.exported})
    wanted = {questions[4].id, questions[2].id, "elsewhere"}
    found = stream_table(bench, "questions.jsonl", Question, kind="bench", wanted=wanted)

    assert list(found) == [questions[2], questions[4]]


def test_a_changed_or_absent_table_is_refused_before_the_first_record(bench: Path) -> None:
    """Bytes that the manifest does not know are never read."""
    path = bench / "questions.jsonl"
    path.write_bytes(path.read_bytes() + b"\n")
    for _ in range(2):
        with pytest.raises(InvalidInputError, match=r"manifest\.json"):
            stream_table(bench, "questions.jsonl", Question, kind="bench")
        path.unlink(missing_ok=True)
    with pytest.raises(InvalidInputError, match="what `surefoot run` writes"):
        stream_table(bench, "screens.jsonl", Screen, kind="run")


@pytest.mark.parametrize("order", [(1, 0), (0, 0)])
def test_ids_ascend(bench: Path, order: tuple[int, int]) -> None:
    """A sealed table whose ids fall or come twice is refused with the line."""
    questions = read_questions(bench)
    others = dict(read_manifest(bench).files)
    with open_table(bench / "questions.jsonl") as table:
        for number in order:
            table.write(questions[number])
    seal(bench, "bench", others | {"questions.jsonl": table.exported})
    with pytest.raises(InvalidInputError, match="in line 2"):
        list(stream_table(bench, "questions.jsonl", Question, kind="bench"))


def test_clusters_are_the_sites_of_screens(bench: Path, tmp_path: Path) -> None:
    """Pages as clusters give way to the sites of their screens, where these are known."""
    screens = [
        msgspec.structs.replace(screen, site="shop" if number < 3 else "")
        for number, screen in enumerate(read_screens(bench))
    ]
    asked = [
        msgspec.structs.replace(question, cluster=f"cluster of {question.screen}")
        for question in read_questions(bench)
    ]
    stray = msgspec.structs.replace(asked[0], id="stray", screen="elsewhere")
    folder = tmp_path / "old"
    Ledger.open(folder, {"seed": 1}).close()
    export(folder, "bench", {"questions.jsonl": asked, "screens.jsonl": screens})
    pages = {screen.id: screen.page for screen in screens}

    found = list(cluster_by_site(folder, [*read_questions(folder), stray]))
    for one in found[:-1]:
        if one.screen in {"s0", "s1", "s2"}:
            assert (one.cluster, one.page) == ("shop", pages[one.screen])
        else:
            assert (one.cluster, one.page) == (f"cluster of {one.screen}", "")
    assert found[-1] == stray
    bare = tmp_path / "bare"
    Ledger.open(bare, {"seed": 1}).close()
    export(bare, "bench", {"questions.jsonl": asked})
    assert list(cluster_by_site(bare, asked)) == list(asked)


def test_hash_and_count_are_those_of_the_file(tmp_path: Path) -> None:
    """The manifest's entry describes exactly what lies there."""
    with open_table(tmp_path / "rows.jsonl") as table:
        for row in ROWS:
            table.write(row)
    data = (tmp_path / "rows.jsonl").read_bytes()
    assert data == b"".join(canonical_json(row) + b"\n" for row in ROWS)
    assert (table.exported.sha256, table.exported.count) == (sha256(data), len(ROWS))


def test_an_unfinished_table_has_no_name(tmp_path: Path) -> None:
    """Where the writer fails, neither the table nor a part of it is left."""

    def fail() -> None:
        with open_table(tmp_path / "rows.jsonl") as table:
            table.write(ROWS[0])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
