"""
How long ``surefoot view`` takes to filter, search and sort many questions.

``python bench/view_filters.py [QUESTIONS]`` writes a benchmark and three runs in the real
format, of 100,000 questions unless told otherwise, serves them, and fetches each page over
loopback as a browser would: the time has the filter, the 48 records of the page, and the HTML.
No answer is fetched twice, so none is remembered.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx

from surefoot.core.canonical import digest
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Cell, Parsed, Question, Refusal, Unparsed
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.run.asking.runs import remember_bench
from surefoot.run.folders.folder import export, run_plan
from surefoot.view.application import serve_view
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from surefoot.view.selection import ORDERS, OUTCOMES, Selection, query_of, select

VARIANTS: Final = ("original", "style", "zoom", "text_shrink")
ROLES: Final = ("button", "link", "textbox", "checkbox", "tab", "menuitem")
MODELS: Final = ("first", "second", "third")
WORDS: Final = ("save", "open", "order", "invoice", "search", "settings", "total", "next", "close")
SYLLABLES: Final = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi")
RARE: Final = tuple(map("".join, itertools.product(SYLLABLES, repeat=4)))
TARGETS: Final = 25  # of a page
SITES: Final = 40
TIMES: Final = 5


def write(folder: Path, count: int) -> Path:
    """Write a benchmark of so many questions, and a run of each model."""
    screens, questions = [], []
    for number in range(-(-count // (TARGETS * len(VARIANTS)))):
        for variant in VARIANTS:
            screen = draw_screen(number, variant)
            screens.append(screen)
            questions += [ask(screen, element) for element in screen.elements]
    questions = questions[:count]
    bench = folder / "bench"
    with Ledger.open(bench, {"kind": "bench", "benchmark": "perturbed@4", "seed": 0}):
        export(bench, "bench", {"screens.jsonl": screens, "questions.jsonl": questions})
    for name in MODELS:
        run = folder / f"run-{name}"
        with Ledger.open(run, run_plan(bench, {"name": name}, {"reasoning": "off", "limit": 0})):
            remember_bench(run, bench)
            answers = [answer(name, question) for question in questions]
            export(run, "run", {"answers.jsonl": answers, "failures.jsonl": []})
    return folder


def draw_screen(number: int, variant: str) -> Screen:
    """Return a screen of as many elements as it has targets."""
    source = random_source(0, "screen", str(number))
    elements = []
    for place in range(TARGETS):
        left, top = 20.0 + 240 * (place % 5), 20.0 + 150 * (place // 5)
        box = Box.from_xywh(left, top, source.uniform(12, 200), source.uniform(10, 60))
        name = " ".join(source.sample(WORDS, 2))
        elements.append(Element(f"e{place}", source.choice(ROLES), box, name=f"{name} {place}"))
    page = f"site-{number % SITES}/page-{number}.html"
    return Screen(
        f"{number:06}-{variant}", page, f"folder:{page}", "", 1280, 800, 1.0, "web", "en-US",
        tuple(elements), variant=variant, site=f"site-{number % SITES}",
    )  # fmt: skip


def ask(screen: Screen, element: Element) -> Question:
    """Return the question for an element."""
    words = Instruction(
        f"Click the '{element.name}' {element.role}", "en", "direct", "high",
        Expression(role=element.role, name=element.name), element.id,
    )  # fmt: skip
    kind = "direct" if int(element.id[1:]) % 3 else "relational"
    return Question(
        digest([screen.id, element.id])[:20], f"{screen.page}#{element.id}", screen.site,
        Cell(screen.variant, kind), screen.id, "", screen.width, screen.height, words,
        element.box, role=element.role, page=screen.page,
    )  # fmt: skip


def answer(name: str, question: Question) -> Answer:
    """Return a model's answer, after a thought of common words and rare ones."""
    source = random_source(0, name, question.id)
    middle, drawn = question.truth.center, source.random()
    parsed: Parsed = middle
    if drawn > 0.96:  # noqa: PLR2004 - shares of the answers
        parsed = Unparsed("no numbers") if drawn > 0.98 else Refusal("not there")  # noqa: PLR2004
    elif drawn > 0.7:  # noqa: PLR2004
        parsed = Point(source.uniform(0, 1280), source.uniform(0, 800))
    thought = " ".join([*source.choices(WORDS, k=25), *source.choices(RARE, k=15)])
    return Answer(
        question.id, f"Thought: {thought}\nAction: click({middle.x}, {middle.y})", parsed
    )


def selections() -> Iterator[tuple[str, Selection]]:
    """Yield every filter by itself, the searches, the orders, and some together."""
    yield "nothing", Selection()
    yield "variant", Selection(variant="zoom")
    yield "kind", Selection(kind="relational")
    yield "role", Selection(role="tab")
    yield "size", Selection(size="16 to 24")
    yield "site", Selection(site="site-7")
    yield "model", Selection(model="second")
    for outcome in OUTCOMES:
        yield f"outcome {outcome}", Selection(outcome=outcome)
    yield "mode", Selection(mode="refused")
    yield "right on the original, wrong here", Selection(flip="lost")
    yield (
        "one right, another wrong",
        Selection(model="first", outcome="hit", against="third", other="wrong"),
    )
    yield "search: a word in every reply", Selection(words="thought")
    yield "search: a word in many", Selection(words="invoice")
    yield "search: three words", Selection(words="invoice settings tab")
    common = f"thought action click {' '.join(WORDS[:5])}"
    yield "search: eight common words", Selection(words=common)
    yield "search: a rare word", Selection(words="".join(SYLLABLES[:4]))
    yield "search: a part of many words", Selection(words="di")
    yield "search: a letter", Selection(words="e")
    yield "search: three digits of an id", Selection(words="123")
    yield "search: nowhere", Selection(words="aardvark")
    for order in ORDERS:
        yield f"order: {ORDERS[order]}", Selection(order=order)
    yield "all together", Selection(
        variant="style", kind="direct", role="link", model="second", outcome="wrong",
        words="invoice total", order="far",
    )  # fmt: skip


def main(count: int = 100_000) -> None:
    """Write, serve, fetch, and print a line for each selection."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.perf_counter()
        folder = write(Path(scratch), count)
        print(f"written in {time.perf_counter() - began:.1f} s")
        began = time.perf_counter()
        looked_at = LookedAt(open_folders([folder]))
        print(f"{len(looked_at.table):,} questions opened in {time.perf_counter() - began:.1f} s")
        assert len(looked_at.table) == count
        worst = 0.0
        print(f"{'selection':45} {'found':>8} {'filter, ms':>11} {'page, ms':>9}")
        with serve_view(looked_at) as address, httpx.Client(follow_redirects=True) as client:
            base = address.partition("/?")[0]
            assert client.get(address).is_success
            for name, selection in selections():
                filtering, fetching = [], []
                for _ in range(TIMES):
                    began = time.perf_counter()
                    found = len(select(looked_at.table, selection))
                    filtering.append(1000 * (time.perf_counter() - began))
                    looked_at.forget()
                    began = time.perf_counter()
                    page = client.get(f"{base}/questions{query_of(selection)}")
                    fetching.append(1000 * (time.perf_counter() - began))
                    assert f"{found:,} of {count:,} questions" in page.text
                worst = max(worst, *fetching)
                one, whole = statistics.median(filtering), statistics.median(fetching)
                print(f"{name:45} {found:8,} {one:11.1f} {whole:9.1f}")
        print(f"the slowest page of all {TIMES} rounds: {worst:.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
