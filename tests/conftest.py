"""
A small benchmark with real pictures, drawn without a browser, and runs over it.

And a real server on loopback that does as it is told, for all that asks models; command
lines run in this process; where GUI-Perturbed's published files lie; and axe-core.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import io
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import pytest
from PIL import Image, ImageDraw

from surefoot.benchmarks.benchmark import Fall, Funnel
from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.sources.npm import fetch
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import MissingComponentError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction, InstructionKind, Specificity
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import Answer, Cell, Parsed, Question, Unparsed
from surefoot.core.registry import Registry
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import remember_bench
from surefoot.run.folders.folder import export, read_questions, read_screens, run_plan

# Test workers fill the processors; threads of torch that wait for one another would only spin.
os.environ.setdefault("OMP_NUM_THREADS", "1")

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES: Final = ("site/a.html", "site/b.html", "site/c.html")
VARIANTS: Final = ("original", "style", "zoom:1.5")
TARGETS: Final = ("save", "send")
FUNNEL: Final = Funnel(
    (Fall("direct on the original", "name-not-visible", 4),),
    {"available": {"above": 6, "left of": 2, "right of": 1}, "kept": {"above": 4, "left of": 2}},
    sites={"one": 2, "two": 2, "three": 1},
)
WORDINGS: Final[dict[str, tuple[InstructionKind, Specificity, str]]] = {
    "direct": ("direct", "high", "Click '{}'"),
    "direct+spelling-swap": ("direct", "high", "Clikc '{}' <now>"),
    "direct+synonym": ("direct", "high", "Press '{}'"),
    "visual": ("visual", "medium", "Click the blue button that reads {}"),
    "ordinal": ("ordinal", "low", "Click the next button in the row, {}"),
    "relational": ("relational", "medium", "Click the button right of the one before {}"),
}
Replies = Callable[[Question], Parsed | None]
ScreenMaker = Callable[..., Screen]


def _screen(page: str, variant: str, store: ObjectStore) -> Screen:
    step = 10.0 * VARIANTS.index(variant)
    boxes = {
        target: Box.from_xywh(20 + 66 * at, 90 + step, 50, 24) for at, target in enumerate(TARGETS)
    }
    boxes["title"] = Box.from_xywh(20, 40 + step, 200, 20)
    image = Image.new("RGB", (320, 200), "#eeeeee")
    pen = ImageDraw.Draw(image)
    for box in boxes.values():
        pen.rectangle(box.as_tuple(), fill="#334455")
    pen.text((4, 4), page, fill="#000000")
    file = io.BytesIO()
    image.save(file, "PNG")
    elements = tuple(
        Element(name, "heading" if name == "title" else "button", box, name=name)
        for name, box in boxes.items()
    )
    return Screen(
        id=f"{page} {variant}",
        page=page,
        source=f"folder:{page}",
        image=store.put(file.getvalue()),
        width=320,
        height=200,
        scale=1.0,
        platform="web",
        locale="en-US",
        elements=elements,
        variant=variant,
    )


def _instruction(target: str, kind: str) -> Instruction:
    if kind == "direct":
        expression = Expression(role="button", name=target)
        text = f"Click '{target}' & wait"
        return Instruction(text, "en", "direct", "high", expression, target)
    expression = Expression(role="button", direction="below", landmark=Expression(text="title"))
    return Instruction(
        "Click the button below <title>",
        "en",
        "relational",
        "high",
        expression,
        target,
        landmark="title",
    )


def _question(screen: Screen, target: str, kind: str) -> Question:
    element = screen.element(target)
    assert element is not None
    return Question(
        id=f"{screen.id} {target} {kind}",
        pair=f"{screen.page}#{target}",
        cluster=screen.page,
        cell=Cell(screen.variant, kind),
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        instruction=_instruction(target, kind),
        truth=element.box,
        role="button",
    )


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a BENCH of three pages, two targets, three variants and two kinds: 36 questions."""
    folder = tmp_path_factory.mktemp("drawn") / "bench"
    with Ledger.open(folder, {"kind": "bench", "seed": 0}):
        store = ObjectStore(folder)
        screens = [_screen(page, variant, store) for page in PAGES for variant in VARIANTS]
        questions = [
            _question(screen, target, kind)
            for screen in screens
            for target in TARGETS
            for kind in ("direct", "relational")
        ]
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": screens,
            "questions.jsonl": questions,
        }
        export(folder, "bench", tables, {"funnel.json": FUNNEL})
    return folder


@pytest.fixture(scope="session")
def guessed(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return ``drawn`` with 10 questions on guessed elements, and 2 in a data set's own words."""
    folder = tmp_path_factory.mktemp("guessed") / "bench"
    questions = list(read_questions(drawn))
    for at in range(12):
        facts = {"elements told by": "pixels@1", "share of the scene seen": "83%"}
        questions[at] = msgspec.structs.replace(questions[at], facts=facts)
    for at in (10, 11):
        given = msgspec.structs.replace(questions[at].instruction, kind="given")
        questions[at] = msgspec.structs.replace(questions[at], instruction=given)
    with Ledger.open(folder, {"kind": "bench", "benchmark": "sensitivity@9"}):
        shutil.copytree(ObjectStore(drawn).folder, ObjectStore(folder).folder)
        tables = {"screens.jsonl": read_screens(drawn), "questions.jsonl": questions}
        export(folder, "bench", tables, {"funnel.json": FUNNEL})
    return folder


@pytest.fixture(scope="session")
def write_run() -> Callable[..., Path]:
    """Write a RUN over a BENCH from a function of the question; None is a failed question."""

    def write(
        bench: Path,
        out: Path,
        reply: Replies,
        *,
        name: str = "walker",
        raw: str = "",
        seconds: float = 0.0,
    ) -> Path:
        questions, identity = read_questions(bench), {"name": name, "note": "<b>bold</b>"}
        with Ledger.open(out, run_plan(bench, identity)) as ledger:
            remember_bench(out, bench)
            for question in questions:
                key, parsed = answer_key(question, identity), reply(question)
                if parsed is None:
                    ledger.failed(key, "timeout", "no reply\nin time")
                else:
                    payload = canonical_json(Answer(question.id, raw, parsed))
                    ledger.record_many([Done(key, payload, seconds)])
            export_answers(out, questions, identity, ledger)
        return out

    return write


@pytest.fixture(scope="session")
def stumble() -> Replies:
    """Reply with a hit on the original and, on other variants, on the first page alone."""

    def reply(question: Question) -> Parsed:
        sure = question.cell.variant == "original" or question.cluster == PAGES[0]
        return question.truth.center if sure else Point(300.0, 190.0)

    return reply


def _worded_screen(page: int, view: str, store: ObjectStore) -> Screen:
    """Draw a desktop window with a row of six buttons; the crop shows its middle."""
    cut = 100 if view == "crop" else 0
    image = Image.new("RGB", (640 - 2 * cut, 360 - cut), "#dfe4ea")
    pen = ImageDraw.Draw(image)
    elements = []
    for at in range(6):
        box = Box.from_xywh(110 + 70 * at - cut, 150 + 20 * (page % 3) - cut, 56, 30)
        pen.rectangle(box.as_tuple(), fill="#2f4a6b")
        pen.text((box.left + 6, box.top + 8), f"item {at}", fill="#ffffff")
        elements.append(Element(f"b{at}", "button", box, name=f"item {at}"))
    file = io.BytesIO()
    image.save(file, "PNG")
    return Screen(
        id=f"w{page}-{view}",
        page=f"window{page}",
        source=f"desktop:program{page}",
        image=store.put(file.getvalue()),
        width=image.width,
        height=image.height,
        scale=1.0,
        platform="desktop",
        locale="en-US",
        elements=tuple(elements),
        variant=view,
        site=f"program{page // 2}",
        toolkit=("gtk3", "qt")[page % 2],
    )


def _worded_questions(screen: Screen) -> list[Question]:
    asked = []
    for element in screen.elements[2:4]:
        for name, (kind, specificity, text) in WORDINGS.items():
            wording = name.partition("+")[2]
            if wording and screen.variant != "original":
                continue
            words = Instruction(
                text.format(element.name),
                "en",
                kind,
                specificity,
                Expression(role="button", name=f"{kind} {element.name}"),
                element.id,
                wording=wording,
            )
            asked.append(
                Question(
                    id=f"{screen.id}-{element.id}-{name}",
                    pair=f"{screen.page}#{element.id}",
                    cluster=screen.page,
                    cell=Cell(screen.variant, name),
                    screen=screen.id,
                    image=screen.image,
                    width=screen.width,
                    height=screen.height,
                    instruction=words,
                    truth=element.box,
                    role="button",
                )
            )
    return asked


@pytest.fixture(scope="session")
def worded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sensitivity BENCH: eight windows, two views, two elements, six wordings."""
    folder = tmp_path_factory.mktemp("worded") / "bench"
    with Ledger.open(folder, {"kind": "bench", "benchmark": "sensitivity@7", "seed": 0}):
        store = ObjectStore(folder)
        screens = [
            _worded_screen(page, view, store) for page in range(8) for view in ("original", "crop")
        ]
        questions = [question for screen in screens for question in _worded_questions(screen)]
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": screens,
            "questions.jsonl": questions,
        }
        export(folder, "bench", tables, {"funnel.json": FUNNEL})
    return folder


@pytest.fixture(scope="session")
def waver() -> Callable[[float], Replies]:
    """
    Make models that hit direct words and waver otherwise by a number of box widths.

    Ordinal words send them to the neighbour, now and then a reply is no place or fails.
    """

    def make(noise: float) -> Replies:
        def reply(question: Question) -> Parsed | None:
            draw = random_source(1, "waver", question.id)
            middle, kind = question.truth.center, question.instruction.kind
            lost = draw.random()
            if kind == "direct" and not question.instruction.wording:
                return middle
            if lost < 0.06:
                return None if lost < 0.02 else Unparsed("no numbers")
            side = 70.0 if kind == "ordinal" else draw.gauss(0, 56 * noise)
            return Point(middle.x + side, middle.y + draw.gauss(0, 15 * noise))

        return reply

    return make


GOOD: Final = json.dumps(
    {
        "choices": [{"message": {"role": "assistant", "content": '{"x": 5, "y": 6}'}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 12, "cost": 0.002},
    }
).encode()


class Step:
    """Say what the server does with one request."""

    def __init__(
        self,
        body: bytes = GOOD,
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
        wait: float = 0.0,
        drop: bool = False,
    ) -> None:
        self.body = body
        self.status = status
        self.headers = headers or {}
        self.wait = wait
        self.drop = drop


MakeStep = Callable[..., Step]


class FakeServer:
    """
    Play steps in order, the last one for ever, and remember the requests.

    Where ``choose`` is set, it says from a request's body which step is played.
    """

    def __init__(self) -> None:
        self.steps = [Step()]
        self.choose: Callable[[dict[str, Any]], Step] | None = None
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.times: list[float] = []
        self.busy = 0
        self.busiest = 0
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def take(self, handler: http.server.BaseHTTPRequestHandler) -> Step:
        """Note a request and return its step."""
        body = handler.rfile.read(int(handler.headers["content-length"]))
        with self.lock:
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
            self.bodies.append(json.loads(body))
            self.headers.append({key.lower(): value for key, value in handler.headers.items()})
            self.paths.append(handler.path)
            self.times.append(time.monotonic())
            if self.choose is not None:
                return self.choose(self.bodies[-1])
            return self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]

    @property
    def base(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def stop(self) -> None:
        """Stop serving."""
        self.stopped.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def handler_for(fake: FakeServer) -> type[http.server.BaseHTTPRequestHandler]:
    """Return a handler that plays a fake's steps."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            step = fake.take(self)
            fake.stopped.wait(step.wait)
            with fake.lock:
                fake.busy -= 1
            if step.drop:
                self.close_connection = True
                self.connection.shutdown(2)
                return
            self.send_response(step.status)
            for name, value in step.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(step.body)))
            self.end_headers()
            try:
                self.wfile.write(step.body)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """Return a running server."""
    fake = FakeServer()
    yield fake
    fake.stop()


@pytest.fixture
def step() -> type[Step]:
    """Return the maker of steps."""
    return Step


class Ended(msgspec.Struct, frozen=True):
    """Hold how a command line ended: its exit code, its stdout and its stderr."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def command_line() -> Callable[..., Ended]:
    """Run a command line through a program's own door."""

    def run(main: Callable[[Sequence[str]], None], *arguments: object) -> Ended:
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.raises(SystemExit) as left,
        ):
            main([str(argument) for argument in arguments])
        return Ended(int(left.value.code or 0), out.getvalue(), err.getvalue())

    return run


@pytest.fixture(scope="session")
def surefoot(command_line: Callable[..., Ended]) -> Callable[..., Ended]:
    """Run a command line through the program's own door, in this process."""
    from surefoot.cli.main import main

    return functools.partial(command_line, main)


@pytest.fixture(scope="session")
def published_folder() -> Path:
    """Return the folder of GUI-Perturbed's published files; skip where it is absent."""
    beside = Path(__file__).parents[1].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside)) / "gui_perturbed"
    if not (folder / "predictions.jsonl.gz").exists():
        pytest.skip("the published files are absent; set SUREFOOT_SHARED_DATA to their folder")
    return folder


@pytest.fixture
def quay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bring the applications of another package, and lend the cache that they go into."""
    package = tmp_path / "package"
    facts = package / "quay-1.0.dist-info"
    facts.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("quay_shop.py"), package)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: quay\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[{RECIPES.package}]\nquay = quay_shop\n")
    monkeypatch.syspath_prepend(package)
    monkeypatch.delitem(sys.modules, "quay_shop", raising=False)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package), *sys.path]))
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(
        vars(RECIPES), "entries", Registry(ApplicationRecipe, RECIPES.package, what="").entries
    )
    return tmp_path / "cache"


@pytest.fixture
def screen_of() -> ScreenMaker:
    """Make a screen from the sizes of its groups, controls listed in page order."""

    def make(groups: Mapping[str, int], page: str = "page") -> Screen:
        elements = tuple(
            Element(
                id=f"{group or 'alone'}-{index}",
                role="button",
                box=Box.from_xywh(100.0 * index, 10.0, 90.0, 20.0),
                visible_fraction=1.0,
                hits=(True,) * 5,
                group=group,
            )
            for group, size in groups.items()
            for index in range(size)
        )
        return Screen(
            id=page,
            page=page,
            source="by hand",
            image="",
            width=800,
            height=600,
            scale=1.0,
            platform="web",
            locale="en-US",
            elements=elements,
        )

    return make


@pytest.fixture(scope="session")
def assert_accessible() -> Callable[[Page], None]:
    """Check that a page fits its window and that axe-core has nothing to say; skip without it."""
    described = Path(__file__).parents[1] / "package.json"
    pins = json.loads(described.read_text("utf-8"))["devDependencies"]
    try:
        axe = (fetch("axe-core", pins["axe-core"]) / "axe.min.js").read_text("utf-8")
    except MissingComponentError as error:
        pytest.skip(str(error))

    def check(page: Page) -> None:
        wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], page.url
        page.evaluate(axe)
        found: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
        told = [
            f"{page.url}: {item['id']} {node['html'][:200]} {node['failureSummary']}"
            for item in found["violations"]
            for node in item["nodes"]
        ]
        assert told == []
        assert found["passes"]

    return check
