"""
Make the inputs of the golden numbers: real pages and programs, built, asked and filled in.

Usage: golden_inputs.py WORK

WORK keeps captures, benchmarks and runs, so that a second call goes on. What scores and
reports read of them, without a picture, is packed into tests/golden/inputs.tar.xz. The
built-in models are asked; three repliers of known skill, drawn by a seed, stand beside them.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import sys
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.cli.main import main
from surefoot.core.canonical import canonical_json, readable_json
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import (
    Answer,
    Cell,
    Choice,
    Parsed,
    Question,
    Refusal,
    Text,
    Unparsed,
)
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.diagnose import diagnosing, summary
from surefoot.diagnose.causes.confusions import CONFUSIONS, showings
from surefoot.diagnose.collecting import CheckedMisses
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.pool import open_pool
from surefoot.models import Options
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import asked_questions, remember_bench
from surefoot.run.folders.folder import export, read_screens, run_plan
from surefoot.run.forms.running import read_results
from surefoot.run.forms.units import FormResult

PACKED: Final = Path(__file__).parent.parent / "tests" / "golden" / "inputs.tar.xz"
PAGES: Final = (
    "npm:gentelella@4.2.0/production/form.html",
    "npm:gentelella@4.2.0/production/calendar.html",
    "npm:gentelella@4.2.0/production/inbox.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/buttons.html",
    "npm:startbootstrap-sb-admin-2@4.1.4/tables.html",
    "npm:startbootstrap-sb-admin@7.0.7/layout-sidenav-light.html",
    "npm:startbootstrap-sb-admin@7.0.7/login.html",
    "npm:soft-ui-dashboard@1.0.1/pages/billing.html",
    "npm:soft-ui-dashboard@1.0.1/pages/tables.html",
    "npm:material-dashboard@3.1.0/pages/sign-in.html",
    "npm:material-dashboard@3.1.0/pages/sign-up.html",
    "npm:startbootstrap-agency@7.0.12/dist/index.html",
    "npm:startbootstrap-freelancer@7.0.7/dist/index.html",
    "npm:startbootstrap-shop-homepage@5.0.6/dist/index.html",
    "npm:startbootstrap-resume@7.0.6/dist/index.html",
    "npm:themekit@2.1.0/index.html",
)
PROGRAMS: Final = tuple(
    f"desktop:demo/{name}" for name in ("kcalc", "mousepad-replace", "galculator", "gedit")
)
FORMS: Final = ("A11", "A15", "B12", "C12", "D11", "E12", "F11", "H11")
# How often each is right on an untouched screen, and what a changed one costs it.
REPLIERS: Final = {"careful": (0.92, 0.04), "hasty": (0.72, 0.18), "lost": (0.25, 0.1)}
OCR_TARGETS: Final = {"hidden": 12, "words": 15}  # reading a picture takes a second or more
BOXED: Final = 0.9  # of the places that are asked for as boxes
KEPT: Final = (
    "plan.json", "manifest.json", "bench.txt", "screens.jsonl.zst", "questions.jsonl",
    "funnel.json", "answers.jsonl", "failures.jsonl", "episodes.jsonl",
)  # fmt: skip


def make(work: Path) -> None:
    """Capture, build, ask and fill in under ``work``, and pack what scores read."""
    surefoot("capture", *PAGES, "--out", work / "web")
    surefoot("capture", *PAGES, *PROGRAMS, "--out", work / "all")
    web, every = ("--screens", work / "web"), ("--screens", work / "all")
    surefoot("build", "perturbed", *web, "--out", work / "hits", "--targets", 6)
    surefoot("build", "hidden", *web, "--out", work / "hidden", "--targets", 4)
    surefoot("build", "sensitivity", *every, "--out", work / "words", "--targets", 3)
    _label(work / "all", work / "set")
    variants = "original,jpeg,blur"
    surefoot(
        "build", "perturbed", "--screens", work / "set", "--out", work / "labelled",
        "--variants", variants,
    )  # fmt: skip
    models = {
        "hits": ("ocr", "random", "center", "oracle"),
        "hidden": ("ocr", "random", "center", "flat-mask"),
        "words": ("ocr", "random", "center"),
        "labelled": ("random", "oracle"),
    }
    for bench, names in models.items():
        for name in names:
            limit = OCR_TARGETS.get(bench, 0) if name == "ocr" else 0
            out = work / f"{bench}-{name}"
            surefoot("run", work / bench, "--model", name, "--out", out, "--limit", limit)
        for name in filter(
            lambda replier: not (work / f"{bench}-{replier}" / "manifest.json").exists(), REPLIERS
        ):
            _reply(work / bench, work / f"{bench}-{name}", name)
    _fill_in(work)
    _diagnose(work)
    _pack(work)


def surefoot(*arguments: object) -> None:
    """Run one command line in this process; units that failed are part of the numbers."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as left:
            if int(left.code or 0) > 1:
                raise
    sys.stderr.write(f"done: surefoot {' '.join(map(str, arguments[:3]))}\n")


def _label(screens: Path, out: Path) -> None:
    """Write a set of questions for words, options and places, as an import would write it."""
    shown = [item for item in read_screens(screens) if len(_named(item)) >= 4]  # noqa: PLR2004 - four options
    plan = {"kind": "bench", "dataset": "labelled-by-script@1", "screens": len(shown)}
    with Ledger.open(out, plan):
        source, store = ObjectStore(screens), ObjectStore(out)
        for screen in shown:
            store.put(source.get(screen.image))
        questions = [question for screen in shown for question in _labelled(screen)]
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": shown,
            "questions.jsonl": questions,
        }
        export(out, "bench", tables, {"funnel.json": Funnel((), {})})


def _named(screen: Screen) -> list[Element]:
    """Return an element of each name, those that are seen in the picture."""
    seen = [
        element
        for element in screen.elements
        if element.hit and element.name and element.box.area > 0
    ]
    return list({item.name.casefold(): item for item in seen}.values())


def _labelled(screen: Screen) -> Iterator[Question]:
    """Yield questions of every sort about one screen, drawn by its id."""
    source = random_source(0, "labels", screen.id)
    elements = _named(screen)
    source.shuffle(elements)
    for element in elements[:3]:
        at = f"at {element.box.center.x:.0f}, {element.box.center.y:.0f}"
        names = sorted([element.name, *(item.name for item in elements if item != element)][:4])
        labels = tuple("ABCD"[: len(names)])
        right = (labels[names.index(element.name)],)
        words = (element.name, f"the {element.name}")
        twins = tuple(item.box for item in elements if item.role == element.role)[:2]
        more = tuple(twin for twin in twins if twin != element.box)
        yield _asked(screen, element, f"What stands {at}?", asks="words", answers=words)
        yield _asked(screen, element, f"Which {at}?", asks="option", answers=right, options=labels)
        yield _asked(screen, element, f"Click '{element.name}'", polygon=_diamond(element.box))
        yield _asked(screen, element, f"Click one {element.role}", boxes=more)
    first = elements[0]
    gone = {"answerable": False, "truth": Box(0, 0, 0, 0)}
    yield _asked(screen, first, "Click what is not here", **gone)
    yield _asked(screen, first, "What is not here?", asks="words", **gone)


def _diamond(box: Box) -> tuple[Point, ...]:
    x, y = box.center.x, box.center.y
    return Point(x, box.top), Point(box.right, y), Point(x, box.bottom), Point(box.left, y)


def _asked(screen: Screen, element: Element, text: str, **more: Any) -> Question:  # noqa: ANN401 - fields of Question
    kind = more.get("asks", "place")
    name = f"{screen.id}/{element.id}/{text}"
    fields: dict[str, Any] = {"truth": element.box, **more}
    return Question(
        id=name,
        pair=name,
        cluster=screen.site,
        cell=Cell("original", kind),
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        instruction=Instruction(text, "en", "given", "high", Expression(), element.id),
        role=element.role,
        platform=screen.platform,
        **fields,
    )


def _reply(bench: Path, out: Path, name: str) -> None:
    """Write the run of a replier of known skill, in both modes of reasoning."""
    identity: dict[str, object] = {"name": name, "drawn by": "golden_inputs@1"}
    plan = run_plan(bench, identity, {"reasoning": "both", "limit": 0})
    questions, boxes = asked_questions(bench, "both", 0), bench.name == "hidden"
    with Ledger.open(out, plan) as ledger:
        remember_bench(out, bench)
        done = []
        for question in questions:
            key, parsed = answer_key(question, identity), _drawn(question, name, boxes=boxes)
            if parsed is None:
                ledger.failed(key, "timeout", "no reply in time")
            else:
                raw = canonical_json(parsed).decode()
                done.append(Done(key, canonical_json(Answer(question.id, raw, parsed))))
        ledger.record_many(done)
        export_answers(out, questions, identity, ledger)


def _drawn(question: Question, name: str, *, boxes: bool) -> Parsed | None:
    """Draw a reply; sites, targets, words and changes of the screen each have their effect."""
    source = random_source(0, name, question.id)
    skill, cost = REPLIERS[name]
    skill += 0.1 * random_source(0, name, question.cluster.partition("/")[0]).gauss()
    skill += 0.1 * random_source(0, name, question.pair).gauss()
    skill -= cost * (question.cell.variant != "original")
    skill -= cost * (question.cell.instruction not in ("direct", "place", "words"))
    skill += 0.05 * question.cell.reasoning
    luck = source.random()
    if luck > 0.99:  # noqa: PLR2004 - one in a hundred
        return None
    if luck > 0.97:  # noqa: PLR2004 - two in a hundred
        return Unparsed("no numbers")
    right = source.random() < skill
    if not question.answerable:
        return Refusal("it is not there") if right else Point(10.0, 10.0)
    if question.asks == "option":
        return Choice(question.answers[0] if right else source.choice(question.options))
    if question.asks == "words":
        return Text(question.answers[0] if right else f"{question.answers[0]} or so")
    box, reach = question.truth, 0.15 if right else 1.5
    x = round(box.center.x + reach * box.width * source.gauss(), 2)
    y = round(box.center.y + reach * box.height * source.gauss(), 2)
    half = round(box.width * 0.6, 2), round(box.height * 0.6, 2)
    drawn = Box(x - half[0], y - half[1], x + half[0], y + half[1])
    return drawn if boxes and source.random() < BOXED else Point(x, y)


def _fill_in(work: Path) -> None:
    """Let the built-in agents fill forms in, drawn by two renderers in two languages."""
    looks = ("--renderer", "plain", "--renderer", "rjsf", "--language", "en", "--language", "fr")
    forms = itertools.chain.from_iterable(("--form", form) for form in FORMS)
    agents = itertools.chain.from_iterable(("--agent", literal) for literal in ("ocr", "shuffle"))
    told = ("--level", "lines")
    surefoot("forms", "run", *agents, *forms, *looks, *told, "--out", work / "forms-full")
    bare = ("--renderer", "plain", "--agent", "null", "--agent", "oracle")
    surefoot("forms", "run", *bare, "--form", FORMS[0], *told, "--out", work / "forms-bare-full")
    for name in ("forms", "forms-bare"):
        results = read_results(work / f"{name}-full")
        with Ledger.open(work / name, {"kind": "forms", "of": name}):
            export(work / name, "forms", {"episodes.jsonl": map(_without_turns, results)})


def _without_turns(result: FormResult) -> FormResult:
    """Return a result without what only pictures need."""
    return msgspec.structs.replace(result, turns=(), filled=())


def _diagnose(work: Path) -> None:
    """Record what the summary of a diagnosis is made from, and what each answer shows."""
    given: list[Any] = []
    summarise = summary.summarise_findings

    def recorded(*arguments: Any, **named: Any) -> Diagnosis:  # noqa: ANN401 - all it takes
        given.extend((*arguments, named["usual"].expected))
        return summarise(*arguments, **named)

    bench = work / "words"
    chosen = DiagnoseOptions(limit=40, baseline=True, shrink=0)
    spec = f"simulated:left-right@{bench}"
    setattr(diagnosing, "summarise_findings", recorded)  # noqa: B010 - nothing else sees all of it
    diagnosing.diagnose_model(bench, spec, work / "diagnosis-full", chosen, options=Options())
    plan, model, options, checked, findings, baseline, blind = given
    pool = open_pool(bench, work / "diagnosis-full", seed=chosen.seed, most=chosen.most)
    answers = summary.distinct_answers((*checked, *baseline))
    known = [answer for answer in answers if answer.answered]
    shown = {
        confusion.name: told
        for confusion, told in showings(CONFUSIONS, known, pool.scenes).items()
    }
    table = {
        "plan": plan,
        "model": model,
        "options": options,
        "checked": list(map(_flat, checked)),
        "findings": findings,
        "baseline": list(map(_flat, baseline)),
        "shown": shown,
        "blind": blind,
    }
    (work / "diagnosis").mkdir(exist_ok=True)
    (work / "diagnosis" / "table.json").write_bytes(readable_json(table))


def _flat(checked: CheckedMisses) -> dict[str, object]:
    """Return one element's search as data: what was tried, and which of it was a valid miss."""
    trail = checked.trail
    sorts = ("valid", "disputed", "invalid")
    ids = {sort: [item.arm.question.id for item in getattr(checked, sort)] for sort in sorts}
    return {"subject": trail.subject, "tried": trail.tried, **ids}


def _pack(work: Path) -> None:
    """Write the archive; equal files give equal bytes."""
    PACKED.parent.mkdir(exist_ok=True)
    with tarfile.open(PACKED, "w:xz", preset=9) as archive:
        for name, data in _packed(work):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def _packed(work: Path) -> Iterable[tuple[str, bytes]]:
    left_out = {"web", "all", "set", "forms-full", "forms-bare-full", "diagnosis-full"}
    for folder in sorted(path for path in work.iterdir() if path.is_dir()):
        if folder.name not in left_out:
            for file in sorted(folder.iterdir()):
                if file.name in (*KEPT, "table.json"):
                    yield f"{folder.name}/{file.name}", file.read_bytes()


if __name__ == "__main__":
    make(Path(sys.argv[1]).absolute())
