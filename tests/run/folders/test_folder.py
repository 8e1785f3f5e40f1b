"""
The three kinds of folders: what is exported is read back, and nothing else is.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Choice, Parsed, Refusal, Text, Unparsed, Usage
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_answers,
    read_document,
    read_manifest,
    read_questions,
    read_screens,
    read_table,
    run_plan,
)
from surefoot.run.folders.lines import lines_digest

EVERY_PARSE: list[Parsed] = [
    Point(1, 2),
    Box(1, 2, 3, 4),
    Choice("B"),
    Text("möglich"),
    Refusal("infeasible"),
    Unparsed("no numbers"),
]


def _begin(folder: Path, plan: dict[str, object] | None = None) -> Path:
    Ledger.open(folder, plan or {"seed": 1}).close()
    return folder


def test_screens_and_questions_round_trip(bench: Path) -> None:
    """What a BENCH exports is read back as equal values, sorted by id."""
    questions, screens = read_questions(bench), read_screens(bench)
    assert [question.id for question in questions] == [f"q{number:03d}" for number in range(12)]
    assert questions[3].instruction.text == "Click 'Größe 3'"
    assert questions[3].truth == Box(1, 2, 3, 4.5)
    assert [screen.id for screen in screens] == [f"s{number}" for number in range(6)]
    assert screens[0].element("e1") is not None


def test_answers_of_every_kind_round_trip(tmp_path: Path) -> None:
    """Each thing that a reply can parse to survives the export."""
    answers = [
        Answer(f"q{number}", "raw \u2028 text", parsed, Usage(1, 2, 0.5))
        for number, parsed in enumerate(EVERY_PARSE)
    ]
    export(_begin(tmp_path), "run", {"answers.jsonl": reversed(answers)})
    assert list(read_answers(tmp_path)) == answers


def test_manifest_vouches_for_the_bytes(bench: Path) -> None:
    """The manifest holds each export's SHA-256 and count, and the kind."""
    manifest = read_manifest(bench, "bench")
    table = manifest.files["questions.jsonl"]
    assert table.sha256 == sha256((bench / "questions.jsonl").read_bytes())
    assert (table.count, manifest.files["screens.jsonl"].count) == (12, 6)


def test_equal_records_are_equal_bytes(bench: Path, tmp_path: Path) -> None:
    """Exporting the same records in another order gives the same files."""
    other = _begin(tmp_path / "other", {"kind": "bench", "seed": 0})
    tables = {
        "questions.jsonl": reversed(read_questions(bench)),
        "screens.jsonl": reversed(read_screens(bench)),
    }
    export(other, "bench", tables)
    for name in ("manifest.json", "questions.jsonl", "screens.jsonl"):
        assert lines_digest(other / name) == lines_digest(bench / name)
    assert manifest_digest(other, "bench") == manifest_digest(bench, "bench")


def test_documents_round_trip(tmp_path: Path) -> None:
    """A document beside the tables is read back as the type it was."""
    export(_begin(tmp_path), "bench", {}, {"usage.json": Usage(3, 4, 0.25)})
    assert read_document(tmp_path, "usage.json", Usage, kind="bench") == Usage(3, 4, 0.25)


def test_two_records_of_one_id_are_refused(bench: Path, tmp_path: Path) -> None:
    """An export with a repeated id is refused before anything is written."""
    question = read_questions(bench)[0]
    folder = _begin(tmp_path / "other")
    with pytest.raises(InvalidInputError, match="one record of the id 'q000'"):
        export(folder, "bench", {"questions.jsonl": [question, question]})
    assert not (folder / "questions.jsonl").exists()


def test_a_plan_of_a_run_names_benchmark_and_model(bench: Path) -> None:
    """A RUN's plan changes with the benchmark's contents and the model's identity."""
    plan = run_plan(bench, {"name": "center"}, {"limit": 3})
    assert plan["bench"] == manifest_digest(bench, "bench")
    assert (plan["model"], plan["limit"]) == ({"name": "center"}, 3)
    export(bench, "bench", {"questions.jsonl": read_questions(bench)[:3]})
    assert run_plan(bench, {"name": "center"}, {"limit": 3}) != plan


def _cut(name: str, count: int) -> Callable[[Path], object]:
    def cut(bench: Path) -> None:
        (bench / name).write_bytes((bench / name).read_bytes()[:count])

    return cut


def _other_manifest(bench: Path) -> None:
    manifest = json.loads((bench / "manifest.json").read_bytes())
    (bench / "manifest.json").write_text(json.dumps({**manifest, "plan": "0" * 64}))


def _bad_line(bench: Path) -> None:
    lines = (bench / "questions.jsonl").read_bytes().splitlines(keepends=True)
    lines[4] = b'{"id": 7}\n'
    _vouch(bench, b"".join(lines))


def _twice(bench: Path) -> None:
    _vouch(bench, (bench / "questions.jsonl").read_bytes() * 2)


def _vouch(bench: Path, data: bytes) -> None:
    (bench / "questions.jsonl").write_bytes(data)
    manifest = json.loads((bench / "manifest.json").read_bytes())
    manifest["files"]["questions.jsonl"]["sha256"] = sha256(data)
    (bench / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (shutil.rmtree, "no such folder of surefoot's"),
        (lambda bench: (bench / "manifest.json").unlink(), "an unfinished one"),
        (lambda bench: (bench / "questions.jsonl").unlink(), "questions.jsonl"),
        (_cut("questions.jsonl", 500), "other bytes"),
        (_cut("manifest.json", 30), "manifest.json to be a valid Manifest"),
        (_cut("plan.json", 5), "to be JSON"),
        (lambda bench: (bench / "plan.json").write_text("[]"), "to hold an object"),
        (_other_manifest, "another plan"),
        (_bad_line, "line 5"),
        (_twice, "one record of the id 'q000'"),
    ],
)
def test_damaged_folders_are_refused(
    damage: Callable[[Path], object], message: str, bench: Path
) -> None:
    """Whatever is missing, torn or exchanged is named, and nothing is read."""
    damage(bench)
    with pytest.raises(InvalidInputError, match=message):
        read_questions(bench)


def test_a_folder_of_another_kind_is_refused(bench: Path, tmp_path: Path) -> None:
    """Naming a BENCH where a RUN is wanted says which command writes one."""
    with pytest.raises(InvalidInputError, match="surefoot run") as caught:
        read_answers(bench)
    assert "what `surefoot build` writes" in str(caught.value)
    (bench / "answers.jsonl").write_text("")
    with pytest.raises(InvalidInputError, match="no word of it"):
        read_table(bench, "answers.jsonl", Answer, kind="bench")
    with pytest.raises(InvalidInputError, match="no such folder"):
        read_screens(tmp_path / "absent")


def test_manifests_are_read_strictly(bench: Path) -> None:
    """A manifest with a field that we do not know is not half understood."""
    manifest = msgspec.json.decode((bench / "manifest.json").read_bytes())
    (bench / "manifest.json").write_bytes(msgspec.json.encode({**manifest, "shards": 3}))
    with pytest.raises(InvalidInputError, match="shards"):
        read_manifest(bench)
