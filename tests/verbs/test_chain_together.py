"""
The whole way in a real browser: pages, screens, benchmark, three models, scores, report.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from surefoot.core.canonical import readable_json
from surefoot.core.errors import ExitCode
from surefoot.core.ledger import read_plan
from surefoot.core.plan import plan_digest
from surefoot.core.question import Question
from surefoot.run.folders.folder import (
    read_answers,
    read_document,
    read_manifest,
    read_questions,
    read_screens,
)
from surefoot.run.folders.lines import lines_digest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VARIANTS: Final = ("original", "style", "precision", "text_shrink")
MODELS: Final = ("oracle", "center", "ocr")
HEAD: Final = "<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title>"
STYLE: Final = (
    "<style>body{font:16px sans-serif;margin:24px}label{display:block;margin:10px 0}"
    "nav a{margin-right:28px}button{margin:6px;padding:6px 14px}</style>"
)
FORM: Final = (
    "<nav><a href=#h>Home</a><a href=#o>Orders</a><a href=#i>Invoices</a></nav><h1>Profile</h1>"
    "<form><label>Given name <input name=g></label><label>Family name <input name=f></label>"
    "<label>City <input name=c></label><label><input type=checkbox> Send news</label>"
    "<button type=button>Save profile</button><button type=button>Discard</button></form>"
)
LIST: Final = (
    "<h1>Orders</h1><ul><li><a href=#a>Garden chair</a></li><li><a href=#b>Desk lamp</a></li>"
    "<li><a href=#c>Tea kettle</a></li></ul><p>Total of the month</p>"
    "<button type=button>Print list</button><button type=button>Export table</button>"
)


class Chain:
    """Hold the folders of one run through all the verbs, and what each verb printed."""

    def __init__(self, folder: Path, surefoot: Callable[..., Any]) -> None:
        self.folder = folder
        self.surefoot = surefoot
        self.screens, self.bench = folder / "screens", folder / "bench"
        self.runs = [folder / f"run-{model}" for model in MODELS]
        self.scores, self.page = folder / "made" / "scores.json", folder / "made" / "report.html"
        self.ended: dict[str, Any] = {}

    def build(self, out: Path, *options: object) -> Any:  # noqa: ANN401 - the fixture's own type
        """Build from the captured screens into a folder."""
        given = ("--variants", ",".join(VARIANTS), *options)
        return self.surefoot("build", "perturbed", "--screens", self.screens, "--out", out, *given)

    def go(self) -> None:
        """Give every command once."""
        site = f"folder:{self.folder / 'site'}"
        self.ended["capture"] = self.surefoot("capture", site, "--out", self.screens)
        self.ended["build"] = self.build(self.bench)
        for model, run in zip(MODELS, self.runs, strict=True):
            self.ended[model] = self.surefoot("run", self.bench, "--model", model, "--out", run)
        self.ended["score"] = self.surefoot("score", *self.runs, "--json", self.scores)
        sanity = [literal for run in self.runs[:2] for literal in ("--sanity", run)]
        self.ended["report"] = self.surefoot("report", self.runs[2], *sanity, "--out", self.page)

    def exports(self) -> dict[str, bytes]:
        """Return the bytes of everything that the commands wrote for others to read."""
        found = [file for end in ("jsonl", "json", "html", "png") for file in self._files(end)]
        return {str(file.relative_to(self.folder)): file.read_bytes() for file in found}

    def _files(self, end: str) -> list[Path]:
        return sorted(self.folder.rglob(f"*.{end}"))


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory, surefoot: Callable[..., Any]) -> Chain:
    """Write two small pages and give every command once."""
    folder = tmp_path_factory.mktemp("chain")
    (folder / "site").mkdir()
    for name, body in (("form", FORM), ("list", LIST)):
        (folder / "site" / f"{name}.html").write_text(HEAD + STYLE + body, encoding="utf-8")
    made = Chain(folder, surefoot)
    made.go()
    return made


def test_every_command_ends_well(chain: Chain) -> None:
    """Each verb exits with 0, says what it wrote, and prints no error."""
    assert {name: item.code for name, item in chain.ended.items()} == dict.fromkeys(
        chain.ended, ExitCode.FINE
    )
    for name in ("capture", "build", *MODELS):
        assert f"wrote {chain.folder}" in chain.ended[name].out


def test_questions_stand_in_every_variant(chain: Chain) -> None:
    """Each target is asked in the same words in all variants, or where a landmark still holds."""
    groups: dict[tuple[str, str], list[Question]] = {}
    for question in read_questions(chain.bench):
        groups.setdefault((question.pair, question.cell.instruction), []).append(question)

    assert {kind for _, kind in groups} == {"direct", "relational"}
    assert len(groups) >= 12
    for (_, kind), group in groups.items():
        shown = {item.cell.variant for item in group}
        assert shown == set(VARIANTS) or (kind == "relational" and "original" in shown)
        assert len(shown) > 1
        assert len({item.instruction.text for item in group}) == 1
        assert len({item.screen for item in group}) == len(shown)
    images = {screen.image for screen in read_screens(chain.bench)}
    assert len(images) == 2 * len(VARIANTS)


def test_the_funnel_is_printed_and_adds_up(chain: Chain) -> None:
    """What was considered is what fell plus what was kept, and the last line counts it."""
    questions = read_questions(chain.bench)
    printed = chain.ended["build"].out.splitlines()

    targets = len({question.pair for question in questions})
    asked = f"{len(questions)} questions about {targets} targets on 2 pages"
    assert f"{asked} of 1 sites, {targets} to {targets} targets each" in printed
    assert any(line.startswith("directions available: ") for line in printed)
    funnel = read_document(chain.bench, "funnel.json", dict, kind="bench")
    available, kept = (funnel["directions"][which] for which in ("available", "kept"))
    assert all(kept[way] <= available[way] for way in kept)


def test_the_oracle_always_hits_and_the_middle_hardly_ever(chain: Chain) -> None:
    """A model that is told the truth hits always; one that is blind stays near 0."""
    scores = json.loads(chain.scores.read_text())["scores"]
    rates = {
        model: [score["amount"] for score in scores if (score["model"], score["metric"]) == wanted]
        for model in MODELS
        for wanted in [(model, "hit")]
    }

    assert rates["oracle"] == [1.0] * 8
    assert max(rates["center"]) < 0.2
    assert max(rates["ocr"]) > 0.5


def test_scores_have_one_object_a_cell_and_a_comparison(chain: Chain) -> None:
    """The scores' file holds what a program needs, and agrees with the answers."""
    scores = json.loads(chain.scores.read_text())
    named = {"model", "reasoning", "instruction", "variant", "n", "total", "unparsed", "interval"}
    tested = {"discordance", "p", "p_holm", "test", "clusters"}
    hits = [score for score in scores["scores"] if score["metric"] == "hit"]

    assert len(hits) == len(MODELS) * len(VARIANTS) * 2
    assert all(named <= set(hit) for hit in hits)
    within = len(MODELS) * (2 * 3 + len(VARIANTS))
    assert len(scores["comparisons"]) == within + len(MODELS)  # each model against the others
    assert all(tested <= set(score) for score in scores["comparisons"])
    answers = len(read_answers(chain.runs[2]))
    assert sum(hit["n"] for hit in hits if hit["model"] == "ocr") == answers


def test_the_report_is_one_file_that_needs_nothing(chain: Chain) -> None:
    """The page names no host but namespaces, runs no script, and says what was printed."""
    page = chain.page.read_text("utf-8")
    elsewhere = {
        item for item in re.findall(r"https?://[^\s\"'<>)]+", page) if "w3.org" not in item
    }

    assert elsewhere == set()
    assert not re.search(r"<script|<link|<iframe|javascript:|\son\w+=", page)
    assert "data:image/webp;base64," in page
    printed = chain.ended["report"].out.splitlines()[:-1]
    assert printed
    plain = page.replace("&#39;", "'")
    assert all(line in plain for line in printed)
    assert "of one site; for other pages and sites nothing follows" in plain


def test_the_same_commands_change_no_byte(chain: Chain) -> None:
    """Giving every command again computes nothing and leaves every export as it was."""
    before = chain.exports()
    assert len(before) > 20
    chain.go()

    assert chain.exports() == before


@pytest.mark.long
def test_another_build_gives_the_same_questions(chain: Chain, tmp_path: Path) -> None:
    """A second build from the same screens, with one browser, writes the same bytes."""
    assert chain.build(tmp_path / "again", "--workers", 1).code == ExitCode.FINE

    for name in ("questions.jsonl", "screens.jsonl", "funnel.json"):
        assert lines_digest(tmp_path / "again" / name) == lines_digest(chain.bench / name)


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [("--seed", "7", "options.seed: 0 then, 7 now"), ("--targets", "3", "options.targets: 16")],
)
def test_a_changed_option_is_refused(chain: Chain, option: str, value: str, named: str) -> None:
    """Building into a folder that was begun otherwise names the first difference."""
    ended = chain.build(chain.bench, option, value)

    assert ended.code == ExitCode.USER_ERROR
    assert named in ended.err


def test_screens_of_another_renderer_are_refused(chain: Chain, tmp_path: Path) -> None:
    """Screens that another browser drew cannot be built from: variants would not match."""
    copy = tmp_path / "screens"
    shutil.copytree(chain.screens, copy)
    plan = read_plan(copy)
    plan["renderer"] = {"browser": "another"}
    (copy / "plan.json").write_bytes(readable_json(plan))
    manifest = msgspec.structs.replace(read_manifest(chain.screens), plan=plan_digest(plan))
    (copy / "manifest.json").write_bytes(readable_json(manifest))
    ended = chain.surefoot("build", "perturbed", "--screens", copy, "--out", tmp_path / "bench")

    assert ended.code == ExitCode.USER_ERROR
    assert "have them captured again (--recapture)" in ended.err.lower()
    assert not (tmp_path / "bench").exists()


def test_audit_and_export_take_the_benchmark(chain: Chain, tmp_path: Path) -> None:
    """The benchmark is drawn onto contact sheets and published as parquet."""
    sheets = chain.surefoot(
        "audit", chain.bench, "--out", tmp_path / "audit", "--count", 5, "--per-sheet", 2
    )
    published = chain.surefoot("export", chain.bench, "--out", tmp_path / "hf")

    assert sheets.code == published.code == ExitCode.FINE
    assert [path.name for path in sorted((tmp_path / "audit").iterdir())] == [
        "ratings.csv",
        *(f"sheet-0{number}.png" for number in (1, 2, 3)),
    ]
    assert list((tmp_path / "hf").rglob("*.parquet"))


def test_a_run_over_another_benchmark_is_refused(chain: Chain, tmp_path: Path) -> None:
    """A run is never scored against questions that it was not asked."""
    chain.build(tmp_path / "less", "--variants", "original", "--workers", 1)
    ended = chain.surefoot("score", chain.runs[0], "--bench", tmp_path / "less")

    assert ended.code == ExitCode.USER_ERROR
    assert "another one in" in ended.err
