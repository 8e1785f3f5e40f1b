"""
A benchmark whose words, names and replies are hostile, two runs over it, and all of it opened.
"""

from __future__ import annotations

import contextlib
import shutil
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from surefoot.capture.routes import Upstream
from surefoot.capture.web.chromium import launch
from surefoot.capture.web.host import SiteHost
from surefoot.capture.web.room import Room
from surefoot.core.canonical import canonical_json
from surefoot.core.geometry import Point
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import Answer, Parsed, Question, Refusal, Unparsed, Usage
from surefoot.core.store import ObjectStore
from surefoot.diagnose.findings import (
    AskedInstruction,
    AskedRound,
    Diagnosis,
    ElementFinding,
    FailingInstruction,
    Outcome,
)
from surefoot.diagnose.folder import write_diagnosis, write_failing
from surefoot.diagnose.rates import FAILED
from surefoot.forms.driver.episode import LeftPage
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Kind
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import remember_bench
from surefoot.run.folders.folder import export, read_questions, read_screens, run_plan
from surefoot.run.forms.units import FormResult, Turn
from surefoot.run.forms.words import FieldWords
from surefoot.score.conditions.scores import mean_of
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders

HOSTILE: Final = "</title><script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"
Reply = Callable[[Question], Answer | None]


def hostile_bench(drawn: Path, folder: Path) -> Path:
    """Write the drawn benchmark again, with markup in its words, sites and titles."""
    screens = [
        msgspec.structs.replace(screen, title=f"{screen.page} {HOSTILE}", site=f"site {HOSTILE}")
        for screen in read_screens(drawn)
    ]
    questions = [
        msgspec.structs.replace(
            question,
            cluster=f"site {HOSTILE}",
            page=question.cluster,
            instruction=msgspec.structs.replace(
                question.instruction, text=f"{question.instruction.text} {HOSTILE}"
            ),
        )
        for question in read_questions(drawn)
    ]
    with Ledger.open(folder, {"kind": "bench", "benchmark": "perturbed@4", "seed": 0}):
        shutil.copytree(ObjectStore(drawn).folder, ObjectStore(folder).folder)
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": screens,
            "questions.jsonl": questions,
        }
        export(folder, "bench", tables)
    return folder


def hostile_run(bench: Path, out: Path, name: str, reply: Reply) -> Path:
    """Write a run of a model; no answer is a failed question."""
    questions, identity = read_questions(bench), {"name": name}
    with Ledger.open(out, run_plan(bench, identity)) as ledger:
        remember_bench(out, bench)
        for question in questions:
            key, answer = answer_key(question, identity), reply(question)
            if answer is None:
                ledger.failed(key, "timeout", "no reply")
            else:
                ledger.record_many([Done(key, canonical_json(answer), 1.25)])
        export_answers(out, questions, identity, ledger)
    return out


def steady(question: Question) -> Answer:
    """Hit everything, after a thought."""
    middle = question.truth.center
    raw = f"Thought: the button is {HOSTILE} there.\nAction: click({middle.x}, {middle.y})"
    return Answer(question.id, raw, middle, Usage(900, 12, 0.002))


def wavering(question: Question) -> Answer | None:
    """Hit the original alone; elsewhere miss, decline, say nothing that can be read, or fail."""
    if question.cell.variant == "original":
        return Answer(question.id, "=1+1", question.truth.center)
    ends: tuple[Parsed | None, ...] = (
        Point(300.0, 190.0),
        Refusal(f"no such thing {HOSTILE}"),
        Unparsed("no numbers"),
        None,
    )
    parsed = ends[sum(map(ord, question.id)) % len(ends)]
    return None if parsed is None else Answer(question.id, f"zebra {HOSTILE}", parsed)


@pytest.fixture(scope="session")
def opened(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds a benchmark and two runs, of which one model's name is markup."""
    folder = tmp_path_factory.mktemp("opened")
    bench = hostile_bench(drawn, folder / "bench")
    hostile_run(bench, folder / "run-steady", "steady", steady)
    hostile_run(bench, folder / "run-wavering", f"waver {HOSTILE}", wavering)
    return folder


@pytest.fixture(scope="session")
def looked_at(opened: Path) -> LookedAt:
    """Open the folder as ``surefoot view`` does."""
    return LookedAt(open_folders([opened]))


def _asked(name: str, outcome: Outcome) -> AskedInstruction:
    return AskedInstruction(
        name, f"Click <{outcome}>", "original", "direct", "high", 12.0, outcome
    )


@pytest.fixture(scope="session")
def diagnosed(tmp_path_factory: pytest.TempPathFactory, drawn: Path) -> Path:
    """Return the folder of a diagnosis with one failing instruction and its benchmark."""
    questions = {question.id: question for question in read_questions(drawn)}
    screens = {screen.id: screen for screen in read_screens(drawn)}
    one = next(iter(questions.values()))
    failing = FailingInstruction(
        one.id, one.cell.variant, one.instruction, "raw <b>", Refusal("no"), "", "refused",
        "no <b>", (), "valid", 1,
    )  # fmt: skip
    element = ElementFinding(
        one.pair, one.cluster, one.screen, "save", "button", "", "web", 9, 1, 9, 0, 1, (failing,),
        one.id, (), (), name="Save <all>", confuses="It shares <its> role.",
        trail=(
            AskedRound(-1, (), "drawn at random", (_asked("other", "hit"),)),
            AskedRound(1, ("spatial",), "where <it> is", (_asked(one.id, "failed"),)),
            AskedRound(2, (), "nothing is left", ()),
        ),
    )  # fmt: skip
    share = mean_of(FAILED, [("one", 1.0), ("two", 0.0)], "walker")
    found = Diagnosis(
        plan="a", bench="b", model="walker", planner="search", elements=(element,), questions=9,
        shrink_questions=0, baseline_questions=0, unanswered=0, success=share, failures=1,
        per_hundred=share, baseline_per_hundred=share, ratio=None, ratio_interval=None,
        agreement=share, taxonomy={}, usual_taxonomy={}, profile=(), names=(),
        unnameable=(), unexplained=0.0,
        warnings=("few <pages>",),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("diagnosed") / "found"
    with Ledger.open(folder, {"kind": "diagnosis", "model": "walker"}) as ledger:
        write_diagnosis(folder, found, {}, {"name": "walker"}, ledger)
        write_failing(folder, found, questions, screens, ObjectStore(drawn).get)
    return folder


@pytest.fixture(scope="session")
def filled_in(tmp_path_factory: pytest.TempPathFactory, drawn: Path) -> Path:
    """Return the folder of a run over forms with one attempt."""
    folder, image = tmp_path_factory.mktemp("filled") / "tried", read_screens(drawn)[0].image
    score = EpisodeScore(
        "bug_report", 0, "tester", Rendering(), (FieldScore("title", Kind.STRING, 0, asked=True),),
        accepted=True, right=False,
    )  # fmt: skip
    turn = Turn(image, 320, 200, 0, (), {}, "type('<b>')", (), ())
    result = FormResult(
        "one", score, (turn,), filled=(LeftPage(0, image, 320, 200, ()),),
        words=(FieldWords("title", "Title <b>", "Crash", "Crush"),),
    )  # fmt: skip
    with Ledger.open(folder, {"kind": "forms"}):
        ObjectStore(folder).put(ObjectStore(drawn).get(image))
        export(folder, "forms", {"episodes.jsonl": [result]})
    return folder


@pytest.fixture(scope="module")
def visiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., object]]:
    """Visit a server's pages, which reach nothing else; a complaint of the browser fails."""
    with (
        SiteHost() as nowhere,
        SiteHost() as host,
        sync_playwright() as playwright,
    ):
        browser, _ = launch(playwright, nowhere.address, Room(tmp_path_factory.mktemp("room")))

        @contextlib.contextmanager
        def visit(address: str) -> Iterator[Callable[..., object]]:
            url = urllib.parse.urlsplit(address)

            @contextlib.contextmanager
            def open_page(
                path: str,
                width: int = 1280,
                scheme: Literal["light", "dark"] = "light",
                scale: float = 1,
            ) -> Iterator[Page]:
                with _page(browser, host, width, scheme, scale) as page:
                    page.goto(address)
                    page.goto(f"http://{url.netloc}{path}")
                    yield page

            with host.serving(Upstream(f"http://{url.netloc}", "127.0.0.1", url.port or 0)):
                yield open_page

        yield visit
        browser.close()


@contextlib.contextmanager
def _page(
    browser: Browser,
    host: SiteHost,
    width: int,
    scheme: Literal["light", "dark"],
    scale: float,
) -> Iterator[Page]:
    complaints: list[str] = []
    context = browser.new_context(
        proxy={"server": host.address, "bypass": "<-loopback>"},
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        device_scale_factor=scale,
    )
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert page.evaluate("window.ran") is None
    assert [text for text in complaints if "ERR_CONNECTION_RESET" not in text] == []
    context.close()
