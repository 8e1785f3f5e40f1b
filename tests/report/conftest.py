"""
A diagnosis made by hand over the drawn benchmark.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question, Refusal
from surefoot.core.store import ObjectStore
from surefoot.diagnose.findings import (
    Diagnosis,
    ElementFinding,
    FailingInstruction,
    LooseMatch,
    ShrunkInstruction,
    Transfer,
    TransferCell,
    Weakness,
)
from surefoot.diagnose.folder import write_diagnosis, write_failing
from surefoot.diagnose.rates import AGREED, FAILED, FAILURES, MISSED
from surefoot.failures.modes import MODES
from surefoot.run.folders.folder import export, read_questions, read_screens
from surefoot.score.conditions.scores import Score, mean_of
from surefoot.score.metric import GivenMetric
from surefoot.score.stats.intervals import Interval

DiagnosisWriter = Callable[..., Path]


def failing(question: Question, *, matches: int = 0) -> FailingInstruction:
    """Return a question's failure, with so many other elements that nearly fit."""
    refused = question.cell.instruction == "direct"
    return FailingInstruction(
        question=question.id,
        view=question.cell.variant,
        instruction=question.instruction,
        raw="",
        parsed=Refusal("no") if refused else Point(30.0, 50.0),
        landed="" if refused else "title",
        taxonomy="refused" if refused else "spatial-reasoning error",
        why="" if refused else "above <the> landmark",
        matches=(LooseMatch("send", ("direction",)),) * matches,
        judged="valid",
        round=1,
    )


def element(questions: list[Question], matches: int) -> ElementFinding:
    """Return a finding whose relational question fails and shrinks to the direct one."""
    direct, relational = questions
    worst = failing(relational, matches=matches)
    return ElementFinding(
        pair=direct.pair,
        cluster=direct.cluster,
        page=direct.page_name,
        screen=direct.screen,
        target=direct.instruction.target,
        role="button",
        toolkit="",
        platform="web",
        pool=20,
        rounds=2,
        asked=8,
        unanswered=1,
        first_failure=2,
        failures=(worst,),
        best=worst.question,
        shrunk=(
            ShrunkInstruction(
                worst.question, failing(direct), ("without <landmark>",), 3, minimal=True
            ),
        ),
        easy=("kind:direct",),
    )


def weakness(kind: str, words: str, effect: float, *, named: bool) -> Weakness:
    """Return a weakness with an effect of the given size."""
    return msgspec.convert(
        {
            "words": words, "failed_with": 9, "n_with": 10, "failed_without": 1, "n_without": 10,
            "named": named,
            "comparison": {
                "metric": "missed", "contrast": kind, "varies": kind, "model": "walker",
                "reasoning": False, "instruction": "", "variant": "", "value": f"{kind}:x",
                "baseline": "without", "n": 20, "unmatched": 0, "clusters": 3, "unparsed": 0,
                "before": 0.1, "after": 0.9, "change": effect, "detectable": None,
                "interval": {"low": effect - 0.1, "high": effect + 0.1, "method": "b"},
                "p": 0.01, "p_holm": 0.02,
            },
        },
        Weakness,
    )  # fmt: skip


def rated(metric: GivenMetric, total: int, n: int, model: str) -> Score:
    """Return a score without a word on how sure it is, but for shares."""
    found = mean_of(metric, ((f"site {at % 3}", float(at < total)) for at in range(n)), model)
    interval = found.interval if metric.unit == "share" else None
    return msgspec.structs.replace(found, total=total, amount=total / n, interval=interval)


def make_diagnosis(questions: list[Question], model: str) -> Diagnosis:
    """Return a diagnosis of a model that fails one way of two to say each element."""
    pairs: dict[str, list[Question]] = {}
    for question in questions:
        if question.cell.variant == "original":
            pairs.setdefault(question.pair, []).append(question)
    elements = tuple(element(pairs[pair], at) for at, pair in enumerate(sorted(pairs)))
    count = len(elements)
    return Diagnosis(
        plan="abc", bench="def", model=model, planner="search", elements=elements,
        questions=8 * count, shrink_questions=3 * count, baseline_questions=8 * count,
        unanswered=count, success=rated(FAILED, count, count, model), failures=count,
        per_hundred=rated(FAILURES, 100 * count, 8 * count, model),
        baseline_per_hundred=rated(FAILURES, 50 * count, 8 * count, model), ratio=2.0,
        ratio_interval=Interval(1.5, 2.5, "b"), agreement=rated(AGREED, count, count, model),
        taxonomy={mode: 2 * (mode == "refused") for mode in MODES},
        usual_taxonomy={"visual confusion": 1.5},
        telling=("refused",),
        unnameable=("targets of role tab",),
        unexplained=0.25,
        profile=(
            weakness("feature", "fails with <ordinals>", -0.3, named=False),
            weakness("confusion", "confuses left and right", 0.8, named=True),
        ),
        names=("confuses left and right",), warnings=("few <pages>",),
    )  # fmt: skip


@pytest.fixture(scope="session")
def diagnosis_folder(drawn: Path) -> DiagnosisWriter:
    """Write what ``surefoot diagnose`` does, for a model that fails half of what it is asked."""

    def write(out: Path, model: str = "walker") -> Path:
        questions = {question.id: question for question in read_questions(drawn)}
        screens = {screen.id: screen for screen in read_screens(drawn)}
        found = make_diagnosis(list(questions.values()), model)
        with Ledger.open(out, {"kind": "diagnosis", "model": model}) as ledger:
            write_diagnosis(out, found, {}, {"name": model}, ledger)
            write_failing(out, found, questions, screens, ObjectStore(drawn).get)
        return out

    return write


@pytest.fixture(scope="session")
def transfer_folder() -> Callable[[Path], Path]:
    """Write a transfer matrix of two models, of which one cell was never asked."""

    def write(out: Path) -> Path:
        cells = tuple(
            TransferCell(a, b, rated(MISSED, 3, 4, b), 1)
            for a, b in (("walker", "walker"), ("walker", "other"), ("other", "other"))
        )
        with Ledger.open(out, {"kind": "diagnosis", "transfer": []}):
            transfer = Transfer(("walker", "other"), cells)
            export(out, "diagnosis", {}, {"transfer.json": transfer})
        return out

    return write
