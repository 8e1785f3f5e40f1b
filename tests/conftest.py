"""
A small benchmark with real pictures, drawn without a browser, and runs over it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageDraw

from surefoot.benchmarks.benchmark import Fall, Funnel
from surefoot.core.canonical import canonical_json
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import Answer, Cell, Parsed, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.run.answers import answer_key, export_answers
from surefoot.run.folder import export, read_questions, run_plan
from surefoot.run.runs import remember_bench

PAGES: Final = ("site/a.html", "site/b.html", "site/c.html")
VARIANTS: Final = ("original", "style", "zoom:1.5")
TARGETS: Final = ("save", "send")
FUNNEL: Final = Funnel(
    (Fall("direct on the original", "name-not-visible", 4),),
    {"available": {"above": 6, "left of": 2, "right of": 1}, "kept": {"above": 4, "left of": 2}},
)
Replies = Callable[[Question], Parsed | None]


def _screen(page: str, variant: str, store: ObjectStore) -> Screen:
    step = 10.0 * VARIANTS.index(variant)
    boxes = {
        each: Box.from_xywh(20 + 66 * at, 90 + step, 50, 24) for at, each in enumerate(TARGETS)
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
def write_run() -> Callable[..., Path]:
    """Write a RUN over a BENCH from a function of the question; None is a failed question."""

    def write(bench: Path, out: Path, reply: Replies, *, name: str = "walker") -> Path:
        questions, identity = read_questions(bench), {"name": name, "note": "<b>bold</b>"}
        with Ledger.open(out, run_plan(bench, identity)) as ledger:
            remember_bench(out, bench)
            for each in questions:
                key, parsed = answer_key(each, identity), reply(each)
                if parsed is None:
                    ledger.failed(key, "timeout", "no reply\nin time")
                else:
                    ledger.record_many([Done(key, canonical_json(Answer(each.id, "", parsed)))])
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
