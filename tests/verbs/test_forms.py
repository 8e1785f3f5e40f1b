"""
``surefoot forms score`` and ``report`` at the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.core.ledger import Ledger
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Kind
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import export, read_manifest
from surefoot.run.forms import building as form_building
from surefoot.run.forms.units import FormResult

Surefoot = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a finished run of one attempt that was half right."""
    fields = tuple(
        FieldScore(name, Kind.STRING, 0, asked=True, mentioned=True, typed=hit, in_field=hit)
        for name, hit in (("name", True), ("age", False))
    )
    score = EpisodeScore("a", 0, "weak", Rendering(), fields, accepted=False, right=False)
    folder = tmp_path / "run"
    with Ledger.open(folder, {"kind": "forms", "choices": {}}):
        export(folder, "forms", {"episodes.jsonl": [FormResult("1", score, ())]})
    return folder


def test_scores_are_printed_and_written(surefoot: Surefoot, run: Path, tmp_path: Path) -> None:
    """The terminal has the table, the file every number."""
    ended = surefoot("forms", "score", run, "--json", tmp_path / "new" / "scores.json")
    assert ended.code == 0
    (row,) = [line for line in ended.out.splitlines() if line.startswith("weak  ")]
    assert row.split()[1:9] == ["2", "100.0", "%", "50.0", "%", "50.0", "%", "0.0"]
    found = json.loads((tmp_path / "new" / "scores.json").read_bytes())
    levels = {item["metric"]: item["amount"] for item in found["scores"]}
    assert (levels["mentioned"], levels["in_field"], levels["submitted"]) == (1.0, 0.5, 0.0)


def test_the_report_is_written(surefoot: Surefoot, run: Path, tmp_path: Path) -> None:
    """The page is there under its title; without pictures it says so."""
    out = tmp_path / "page.html"
    ended = surefoot("forms", "report", run, "--out", out, "--title", "Weak & weaker")
    assert ended.code == 0
    assert "<h1>Weak &amp; weaker</h1>" in out.read_text("utf-8")
    assert "No pictures at hand." in out.read_text("utf-8")


def test_a_folder_of_another_kind_is_refused(surefoot: Surefoot, tmp_path: Path) -> None:
    """A folder that no run over forms wrote is refused in one line."""
    ended = surefoot("forms", "score", tmp_path)
    assert ended.code != 0
    assert len(ended.err.strip().splitlines()) == 1


@pytest.mark.parametrize("limit", ["steps=3", "actions=few", "actions=0", "seconds=nan", "="])
def test_a_limit_that_is_none_is_refused(surefoot: Surefoot, tmp_path: Path, limit: str) -> None:
    """A limit of another name, or that is no number above 0, is refused with the usual ones."""
    out = tmp_path / "run"
    ended = surefoot("forms", "run", "--agent", "null", "--limit", limit, "--out", out)
    assert ended.code != 0
    assert "actions=500" in ended.err
    assert not out.exists()


def test_it_counts_what_it_wrote(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """The last line names the folder, the ones before it what lies there."""
    chosen = ("--form", "A11", "--form", "bug_report", "--instances", 1)
    ended = surefoot("forms", "build", *chosen, "--out", tmp_path)

    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "2 instances of 2 forms, 14 pairs of field and value"
    assert lines[-1] == f"wrote {tmp_path}"
    assert read_manifest(tmp_path, "form-bench").files["instances.jsonl"].count == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--form", "bug_reprot"), "bug_report"),
        (("--form", "none.toml"), "none.toml"),
        (("--instances", "0"), "--instances"),
        (("--forms", "0"), "--forms"),
        (("--writer", "ocr"), "openai:NAME@BASE_URL"),
        (("--writer", "openai:m@http://127.0.0.1:9/v1", "--key-variable", "NO_KEY"), "NO_KEY"),
    ],
)
def test_mistakes_exit_with_2_and_begin_nothing(
    surefoot: Callable[..., Any], tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    """A form or a count that there is not is refused, and no folder is made."""
    ended = surefoot("forms", "build", "--out", tmp_path / "built", *given)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "built").exists()


def test_a_writer_is_opened_and_handed_on(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Model, address, seed and key reach the writer; without the option there is none."""
    seen: list[Any] = []

    def build(*_given: object, **options: object) -> Outcome:
        seen.append(options.get("writer"))
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(form_building, "build_forms", build)
    monkeypatch.setenv("SCRIBE_KEY", "sk-secret")
    given = ("forms", "build", "--form", "A11", "--out", tmp_path / "out")
    surefoot(*given)
    more = ("--writer", "openai:m@http://127.0.0.1:9/v1", "--key-variable", "SCRIBE_KEY")
    surefoot(*given, *more, "--seed", 7)

    assert seen[0] is None
    plan = seen[1].identity()
    assert (plan["name"], plan["base_url"], plan["seed"]) == ("m", "http://127.0.0.1:9/v1", 7)
    assert "sk-secret" not in str(plan)


def test_it_says_what_could_not_be_taken(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """The summary names the folder, which holds the tables."""
    (tmp_path / "NDA.json").write_text(json.dumps([{"Party Type": "Robot"}]), encoding="utf-8")
    ended = surefoot("forms", "import", tmp_path, "--out", tmp_path / "out")

    assert ended.code == 0
    assert "nda_submission, party_type: not-an-option, such as 'Robot'" in ended.out
    assert f"wrote {tmp_path / 'out'}" in ended.out.splitlines()
    files = read_manifest(tmp_path / "out", "form-import").files
    assert {name: file.count for name, file in files.items()} == {
        "forms.jsonl": 1,
        "records.jsonl": 1,
        "impossible.jsonl": 1,
        "counts.json": 1,
    }


def test_the_next_command_hands_over_what_there_is(
    surefoot: Callable[..., Any], tmp_path: Path
) -> None:
    """Letters where every record has one, and lines of values where one has none."""
    told = {}
    for folder, letters in (("bare", ""), ("whole", "1. I am Ana.\n2. I am Bo.")):
        (tmp_path / folder / "data1").mkdir(parents=True)
        records = json.dumps([{"Party Name": "Ana"}, {"Party Name": "Bo"}])
        (tmp_path / folder / "data1" / "NDA.json").write_text(records, encoding="utf-8")
        if letters:
            (tmp_path / folder / "data2").mkdir()
            (tmp_path / folder / "data2" / "NDA.txt").write_text(letters, encoding="utf-8")
        ended = surefoot("forms", "import", tmp_path / folder, "--out", tmp_path / f"{folder}-in")
        told[folder] = next(line for line in ended.err.splitlines() if line.startswith("next: "))

    assert f"--bench {tmp_path / 'bare-in'} --level lines --out" in told["bare"]
    assert "--level" not in told["whole"]


def test_another_folder_exits_with_2(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """A folder without their files, and one that is not there, are refused in a line."""
    for folder in (tmp_path, tmp_path / "none"):
        ended = surefoot("forms", "import", folder, "--out", tmp_path / "out")
        assert ended.code == ExitCode.USER_ERROR
        assert "data1" in ended.err
    assert not (tmp_path / "out").exists()


def test_the_list_has_the_columns_of_the_papers_first_table(surefoot: Surefoot) -> None:
    """A row a form has its fields, pairs and fields of each type; the sums are the paper's."""
    lines = surefoot("forms", "list").out.splitlines()
    head, loan, total = (
        next(line.split() for line in lines if name in line.split())
        for name in ("pairs", "E11", "all")
    )

    assert head[2:6] == ["fields", "pairs", "pages", "types"]
    assert loan[3:] == ["7", "350", "1", "3", "3", "2", "2"]
    assert total[1:5] == ["279", "13950", "61", "9"]
