"""
A suite diagnosed: faults planted in several benchmarks are named, each where it was planted.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import pytest
from PIL import Image, ImageDraw

from surefoot import diagnose
from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.benchmarks.hidden import HIDDEN, KINDS
from surefoot.capture.captured import Capture
from surefoot.core.edit import Edit, Tone
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.diagnosing import diagnose_model
from surefoot.diagnose.features.vocabulary import is_masked
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.folder import FAILING
from surefoot.diagnose.search.arms import is_miss
from surefoot.diagnose.search.masked import hides
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.recorded import FORMS
from surefoot.diagnose.search.suite import OpenedSuite, SuitePool, open_suite, with_forms
from surefoot.forms.driver.actions import Click, Type
from surefoot.forms.driver.executor import ExecutedAction
from surefoot.forms.driver.observation import LiveField
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.models import Options
from surefoot.perturb.image.change import change_picture
from surefoot.run.folders.folder import export, is_kind, read_questions
from surefoot.run.forms.clicks import read_clicks
from surefoot.run.forms.running import RESULTS
from surefoot.run.forms.units import FormResult, Turn
from surefoot.run.forms.words import FieldWords
from tests.diagnose.conftest import draw_screen, question_about

PAGES: Final = 12
MOST: Final = 16
MASKS: Final = ("original", "static", "high-contrast")
TARGETS: Final = ("r1", "l2", "a2", "big")
LABELS: Final = ("Name", "City", "Street", "Phone", "Job", "Shop")
FAULTS: Final = """
import numpy as np
from surefoot_studies.planted import Fault

def low_under_a_colour(told):
    question = told.question
    return question.cell.variant == "high-contrast" and question.truth.center.y > 200

def masked(told):
    return "masked" in told.question.facts and told.question.cell.variant != "original"

def dark(told):
    return float(np.median(told.pixels[::8, ::8])) < 96

def fault(words, holds, without=0.03):
    return Fault(words, frozenset(), holds, None, 0.97, without)

FAULTS = {
    "low": fault("what a coloured mask hides below the middle", low_under_a_colour),
    "two": fault("what is hidden, and dark pages", lambda told: masked(told) or dark(told)),
    "links": fault("links", lambda told: told.question.role == "link"),
    "harder": fault("a tenth, in one benchmark a half", lambda told: False, 0.05),
}
"""


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[ObjectStore, list[Screen]]:
    """Return the drawn pages with their pictures."""
    store = ObjectStore(tmp_path_factory.mktemp("pages"))
    return store, [draw_screen(page, store) for page in range(PAGES)]


@pytest.fixture(scope="session")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of planted faults."""
    path = tmp_path_factory.mktemp("faults") / "faults.py"
    path.write_text(FAULTS)
    return path


def write(
    folder: Path,
    benchmark: str,
    screens: list[Screen],
    questions: list[Question],
    pictures: ObjectStore,
) -> Path:
    """Write a BENCH of a benchmark."""
    with Ledger.open(folder, {"kind": "bench", "benchmark": f"{benchmark}@1"}):
        store = ObjectStore(folder)
        for screen in screens:
            store.put(pictures.get(screen.image))
        export(folder, "bench", {"screens.jsonl": screens, "questions.jsonl": questions})
    return folder


@pytest.fixture(scope="session")
def hidden(
    pages: tuple[ObjectStore, list[Screen]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return what the benchmark `hidden` asks about the drawn pages."""
    store, screens = pages
    options = BuildOptions(variants=MASKS, kinds=KINDS, targets=6)
    made = [HIDDEN.page(screen, _NoRenderer(), store, options) for screen in screens]
    shown = {screen.id: screen for page in made for screen in page.screens}
    questions = [question for page in made for question in page.questions]
    return write(
        tmp_path_factory.mktemp("hidden") / "b", "hidden", [*shown.values()], questions, store
    )


class _NoRenderer:
    """Refuse to render: masks are painted over pictures."""

    def render(self, screen: Screen, variant: str, edits: Sequence[Edit]) -> Capture:
        """Fail."""
        raise AssertionError((screen.id, variant, edits))

    def render_all(
        self, screen: Screen, variants: Mapping[str, Sequence[Edit]]
    ) -> dict[str, Capture]:
        """Fail."""
        raise AssertionError((screen.id, variants))


@pytest.fixture(scope="session")
def shown(
    pages: tuple[ObjectStore, list[Screen]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return direct questions about the drawn pages, as they are and with their light inverted."""
    store, screens = pages
    questions, views = [], []
    for screen in screens:
        whole = Tone(Box(0, 0, screen.width, screen.height), inverted=True)
        view, png = change_picture(screen, store.get(screen.image), (whole,), variant="inverted")
        store.put(png)
        views.append(view)
        for target in TARGETS:
            asked = question_about(screen, target)
            questions += [asked, asked_on(view, asked)]
    return write(
        tmp_path_factory.mktemp("shown") / "b", "perturbed", [*screens, *views], questions, store
    )


def asked_on(view: Screen, question: Question) -> Question:
    """Return a question as it is asked on a view."""
    return msgspec.structs.replace(
        question,
        id=f"{question.id} {view.variant}",
        cell=Cell(view.variant, question.cell.instruction),
        screen=view.id,
        image=view.image,
    )


@pytest.fixture(scope="session")
def write_forms() -> Callable[..., Path]:
    """Write a run over drawn forms, whose agent clicks on labels as often as is said."""

    def write(folder: Path, labels: float, seed: int = 0, sites: int = 8) -> Path:
        with Ledger.open(folder, {"kind": FORMS, "labels": labels, "seed": seed}):
            store = ObjectStore(folder)
            results = [filled(store, number, labels, seed) for number in range(sites)]
            export(folder, FORMS, {RESULTS: results, "failures.jsonl": []})
        return folder

    return write


def filled(store: ObjectStore, number: int, labels: float, seed: int) -> FormResult:
    """Return a form that was filled in: each field clicked and typed into, or its label."""
    image = Image.new("RGB", (600, 420), "#ffffff")
    pen = ImageDraw.Draw(image)
    fields, effects, scores, words = [], [], [], []
    draw = random_source(seed, "form", str(number))
    for row, label in enumerate(LABELS):
        box = Box.from_xywh(20 + 4 * number, 40 + 60 * row, 200 + 10 * number, 24)
        pen.text((box.left, box.top - 18), label, fill="#000000", font_size=14)
        pen.rectangle(box.as_tuple(), outline="#707070")
        missed = draw.random() < labels
        across = box.left + draw.random() * box.width
        at = (across, box.top - 10 if missed else box.top + 12)
        fields.append(LiveField(f"f{row}", box, (), "text", (), ""))
        value = f"{label} {number}"
        effects += [
            ExecutedAction(Click(*at), 0, 0, field=f"f{row}", control=not missed, distance=0.0),
            ExecutedAction(Type(value), 0, 0, field=f"f{row}"),
        ]
        scores.append(FieldScore(f"f{row}", "string", 0, asked=True, in_field=True))
        words.append(FieldWords(f"f{row}", label, value, value))
    file = io.BytesIO()
    image.save(file, "PNG")
    turn = Turn(store.put(file.getvalue()), 600, 420, 0, tuple(fields), {}, "", (), tuple(effects))
    score = EpisodeScore(
        f"form{number}", 0, "clicker", Rendering(), tuple(scores), accepted=True, right=True
    )
    return FormResult(f"{number:02d}", score, (turn,), words=tuple(words))


def diagnosed(
    folders: list[Path],
    fault: str,
    faults: Path,
    out: Path,
    seed: int = 0,
    suite: OpenedSuite | None = None,
    most: int = MOST,
) -> Diagnosis:
    """Diagnose a model with a planted fault."""
    benches = [folder for folder in folders if not is_kind(folder, FORMS)]
    forms = {folder: read_clicks(folder) for folder in folders if folder not in benches}
    _, found = diagnose_model(
        benches,
        f"simulated:{faults}#{fault}@{folders[-1]}",
        out,
        DiagnoseOptions(most=most, shrink=0, rounds=2, seed=seed),
        options=Options(),
        pool=suite,
        forms=forms,
    )
    return found


def causes(found: Diagnosis) -> set[tuple[str, tuple[str, ...]]]:
    """Return the names of the features of each cause that is said, and where it shows."""
    return {(one.comparison.value, one.pillars) for one in found.profile if one.said}


@pytest.fixture(scope="module")
def opened(hidden: Path, shown: Path, tmp_path_factory: pytest.TempPathFactory) -> OpenedSuite:
    """Return both benchmarks as one suite, whose instructions are made once."""
    return open_suite([hidden, shown], tmp_path_factory.mktemp("own"), seed=0, most=MOST)


@pytest.mark.slow
def test_what_hides_is_named(
    hidden: Path, opened: OpenedSuite, faults: Path, tmp_path: Path
) -> None:
    """A model that misses what one mask hides below the middle is said to, and nothing else."""
    suite = msgspec.structs.replace(opened, pool=SuitePool.of(opened.pool.pools[:1]))

    found = diagnosed([hidden], "low", faults, tmp_path / "out", suite=suite)

    (cause,) = (one for one in found.profile if one.said)
    assert "view:high-contrast" in cause.comparison.value
    told = cause.confirmed
    assert told is not None
    assert told.inside >= 10
    assert told.rate is not None
    assert told.rate >= 0.8
    assert told.failed_outside <= 0.2 * told.outside
    assert told.mended > 0  # the same words with nothing hidden
    assert found.failures > 0
    assert all(is_masked(one) for one in read_questions(tmp_path / "out" / FAILING))


PLANTED: Final = {
    ("masked", ("hidden",)),
    ("theme:dark", ("perturbed",)),
    ("label", ("forms",)),
}


@pytest.mark.slow
def test_faults_in_three_pillars_are_named(
    hidden: Path,
    shown: Path,
    opened: OpenedSuite,
    write_forms: Callable[..., Path],
    faults: Path,
    tmp_path: Path,
) -> None:
    """What is hidden, dark pages and labels of forms are each a cause, and nothing else is."""
    forms = write_forms(tmp_path / "forms", labels=0.9)
    suite = with_forms(opened, {forms: read_clicks(forms)})

    found = diagnosed([hidden, forms, shown], "two", faults, tmp_path / "out", suite=suite)

    assert causes(found) == PLANTED
    assert found.pillars == ("hidden", "perturbed", "forms")
    assert found.recorded == 8 * len(LABELS)
    (label,) = (one for one in found.profile if one.comparison.value == "label")
    assert label.unconfirmed
    assert label.confirmed is None
    assert all(one.confirmed for one in found.profile if one.said and one != label)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))  # 20 of 20 once; each takes 40 s
def test_they_are_named_whatever_the_seed(
    hidden: Path,
    shown: Path,
    opened: OpenedSuite,
    write_forms: Callable[..., Path],
    faults: Path,
    tmp_path: Path,
    seed: int,
) -> None:
    """All three faults are named, and nothing else, however questions are drawn."""
    forms = write_forms(tmp_path / "forms", labels=0.9, seed=seed)
    suite = with_forms(opened, {forms: read_clicks(forms)})

    found = diagnosed([hidden, forms, shown], "two", faults, tmp_path / "out", seed, suite)

    assert causes(found) == PLANTED


@pytest.mark.slow
def test_a_harder_pillar_is_no_cause(
    hidden: Path,
    shown: Path,
    opened: OpenedSuite,
    write_forms: Callable[..., Path],
    faults: Path,
    tmp_path: Path,
) -> None:
    """That one benchmark fails far more often than the others is not said of its questions."""
    forms = write_forms(tmp_path / "forms", labels=0.5)
    suite = with_forms(opened, {forms: read_clicks(forms)})

    found = diagnosed([hidden, forms, shown], "harder", faults, tmp_path / "out", suite=suite)

    assert {one.comparison.value for one in found.profile if one.said} == {"label"}


def test_forms_alone_need_no_model(write_forms: Callable[..., Path], tmp_path: Path) -> None:
    """Of a run over forms what was clicked is said, and that nothing can be confirmed."""
    forms = write_forms(tmp_path / "forms", labels=0.9)
    clicks = read_clicks(forms).clicks
    missed = [one for one in clicks if is_miss(one.question, one.answer)]

    done = diagnose(forms, out=tmp_path / "out")

    (cause,) = (one for one in done.findings.profile if one.said)
    assert (cause.comparison.value, cause.failed_with) == ("label", len(missed))
    assert {one.met for one in missed} == {"label"}
    assert done.findings.model == "clicker"
    assert len(done) == len(missed) == len(read_questions(tmp_path / "out" / FAILING))
    assert any("could not be confirmed" in words for words in done.sentences)
    assert {one.judged for one in done.findings.elements[0].failures} == {"not judged"}


def test_a_mask_is_its_own_targets_alone(hidden: Path, opened: OpenedSuite) -> None:
    """An element is asked about where it is hidden, and never where another one is."""
    pool = opened.pool.pools[0]
    checker = Checker(pool.scenes, pool)
    asked = read_questions(hidden)
    owner = {one.screen: one.pair for one in asked if is_masked(one)}
    known, made = {one.id for one in asked}, 0
    for subject in pool.subjects()[:12]:
        arms = [arm.question for arm in pool.arms(subject)]
        anchors = {one.instruction.text for one in arms if not is_masked(one)}
        for question in filter(is_masked, arms):
            made += question.id not in known
            assert owner[question.screen] == subject.pair
            assert checker.valid(question)
            assert question.instruction.text in anchors

    assert made > 0


def test_strangers_are_masked_anew(opened: OpenedSuite) -> None:
    """Of a control that no question is about fresh ones are made, under the same masks."""
    pool = opened.pool.pools[0]
    arms = [arm for one in pool.strangers()[:12] for arm in pool.arms(one)]
    fresh = [arm.question for arm in arms if is_masked(arm.question)]

    assert "high-contrast" in {one.cell.variant for one in fresh}
    for question in fresh:
        screen = pool.scenes.screens[question.screen]
        target = screen.element(question.instruction.target)
        assert hides(screen)
        assert target is not None
        assert target.visible_fraction == 0.0
        assert pool.pictures.get(question.image)
        assert pool.stand_in(question) is not None


def test_words_of_a_set_hold_by_its_word(
    pages: tuple[ObjectStore, list[Screen]], faults: Path, tmp_path: Path
) -> None:
    """Words without a logical form are diagnosed: the set vouches for them, no resolver does."""
    store, screens = pages
    asked = [
        question_about(screen, target)
        for screen in screens
        for target in ("r0", "r1", "a1", "a3", "big")
    ]
    given = [msgspec.structs.replace(one, instruction=as_given(one.instruction)) for one in asked]
    bench = write(tmp_path / "set", "", screens, given, store)

    found = diagnosed([bench], "links", faults, tmp_path / "out", most=0)

    assert "role:link" in {one.comparison.value for one in found.profile if one.named}
    failed = [one for element in found.elements for one in element.failures]
    assert len(failed) >= 20
    assert {one.judged for one in failed} == {"not judged"}
    told = [one for one in found.profile if one.comparison.value == "role:link"]
    assert [one.unconfirmed != "" for one in told] == [one.confirmed is None for one in told]


def as_given(instruction: Instruction) -> Instruction:
    """Return an instruction in words that nothing proves."""
    return msgspec.structs.replace(instruction, kind="given", expression=Expression())
