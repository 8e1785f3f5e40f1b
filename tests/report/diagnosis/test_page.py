"""
The report on diagnoses: sentences, figures, failing instructions in pictures.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.diagnose.folder import read_diagnosis
from surefoot.diagnose.summary import diagnosis_sentences
from surefoot.report.answers.scored import Choices
from surefoot.report.choices import score_folders, write_report_on
from surefoot.report.diagnosis.page import (
    ReportedDiagnosis,
    diagnoses_document,
    failure_cards,
    write_diagnoses,
)
from surefoot.report.html.document import render
from surefoot.run.folders.folder import export, is_kind, read_questions, read_screens
from surefoot.score.metric import Ruler

DiagnosisWriter = Callable[..., Path]


@pytest.fixture(scope="module")
def diagnosed(
    diagnosis_folder: DiagnosisWriter, tmp_path_factory: pytest.TempPathFactory
) -> ReportedDiagnosis:
    """Return a diagnosis with its folder."""
    folder = diagnosis_folder(tmp_path_factory.mktemp("diagnosis") / "walker")
    return ReportedDiagnosis(folder, read_diagnosis(folder))


def test_a_page_of_two_models_and_their_transfer(
    diagnosed: ReportedDiagnosis,
    diagnosis_folder: DiagnosisWriter,
    transfer_folder: Callable[[Path], Path],
    tmp_path: Path,
) -> None:
    """Every sentence, section and named weakness is there, escaped and alone."""
    folders = [
        diagnosed.folder,
        diagnosis_folder(tmp_path / "other", "o<b>ther"),
        transfer_folder(tmp_path / "transfer"),
    ]
    out = tmp_path / "new" / "page.html"
    said = write_diagnoses(folders, out, cards=1)
    page = out.read_text()

    assert len(said) == 2
    assert all(line in unescape(page) for line in said)
    for part in ("What fails walker, o&lt;b&gt;ther", "o<b>ther".replace("<", "&lt;")[:5],
                 "named: confuses left and right", "few &lt;pages&gt;", 'id="transfer"',
                 "not asked", "75.0 % ["):  # fmt: skip
        assert part in page
    assert page.count("<article") == 2
    assert "o<b>ther" not in page
    assert "<script" not in page
    assert not re.search(r"https?://", page)


def test_sentences_say_cost_and_gain(diagnosed: ReportedDiagnosis) -> None:
    """Share, questions, failures per 100, and the ratio to random stand with intervals."""
    often, cost, gain, why, weakness, left, power = diagnosis_sentences(diagnosed.found)

    assert (
        often
        == "6 of 6 elements have a valid instruction that walker fails (24 to 100 %, 3 sites)"
    )
    assert cost.startswith("6 failing instructions in 48 questions of the search; besides, 18 to")
    assert gain == (
        "12.5 failures per 100 questions, against 6.2 by random ones: 2.00 times (1.50 to 2.50)"
    )
    assert why == "why: refused 2"
    assert weakness.startswith("weakness: confuses left and right (first 9 of 10")
    assert left == "25 % of the failures are left without a named cause"
    assert power == "not to be named with 3 sites, whatever the effect: targets of role tab"


def test_without_a_baseline_nothing_is_compared(diagnosed: ReportedDiagnosis) -> None:
    """What was not asked is not said, and no weakness is told as such."""
    found = diagnosed.found
    unasked = msgspec.structs.replace(found.baseline_per_hundred, n=0, total=0.0, amount=None)
    bare = msgspec.structs.replace(
        found, baseline_per_hundred=unasked, ratio=None, ratio_interval=None, names=(), profile=()
    )

    said = diagnosis_sentences(bare)
    assert "12.5 failures per 100 questions" in said
    assert said[-2] == "no weakness stands out clearly enough to be named"


def test_cards_show_what_was_found_and_what_is_left(diagnosed: ReportedDiagnosis) -> None:
    """The fewest loose matches come first, each page once; found and shrunk stand together."""
    cards = list(failure_cards(diagnosed, limit=4))

    assert [card.page for card in cards] == ["site/a.html", "site/b.html", "site/c.html",
                                             "site/a.html"]  # fmt: skip
    found, shrunk = cards[0].panes
    assert cards[0].instruction == "Click the button below <title>"
    assert found.variant == "as found, original"
    assert "on heading 'title'; spatial-reasoning error: above <the> landmark" in found.verdict
    assert {"target", "landmark", "prediction"} <= set(re.findall(r'class="(\w+)"', found.svg))
    assert shrunk.variant.startswith("the smallest that fails: Click 'save' & wait (without")
    assert shrunk.verdict == "the model declined; refused"


def test_no_failure_is_no_card(diagnosed: ReportedDiagnosis) -> None:
    """Elements without a failure are counted in tables and shown nowhere."""
    sound = [
        msgspec.structs.replace(element, failures=(), best="", shrunk=())
        for element in diagnosed.found.elements
    ]
    found = msgspec.structs.replace(diagnosed.found, elements=tuple(sound))
    document = diagnoses_document([ReportedDiagnosis(diagnosed.folder, found)], [], title="t")
    page = render(document)

    assert "None: nothing failed." in page
    assert "<article" not in page


def test_folders_choose_the_report(
    diagnosed: ReportedDiagnosis, drawn: Path, tmp_path: Path
) -> None:
    """A diagnosis has a report of its own and no scores; mixing it with runs is refused."""
    assert is_kind(diagnosed.folder, "diagnosis")
    assert not is_kind(drawn, "diagnosis")
    assert not is_kind(tmp_path, "diagnosis")
    with pytest.raises(InvalidInputError, match="found both"):
        score_folders([diagnosed.folder, drawn], Choices())
    with pytest.raises(InvalidInputError, match="surefoot report"):
        score_folders([diagnosed.folder], Choices())
    wide = Choices(ruler=Ruler(tolerance=3.0))
    with pytest.raises(InvalidInputError, match="no option but"):
        write_report_on([diagnosed.folder], tmp_path / "x.html", wide)
    write_report_on([diagnosed.folder], tmp_path / "x.html", Choices(title="T", cards=0))
    assert "<h1>T</h1>" in (tmp_path / "x.html").read_text()


def test_one_model_twice_is_refused(diagnosed: ReportedDiagnosis, tmp_path: Path) -> None:
    """Two diagnoses of one model could not be told apart."""
    with pytest.raises(InvalidInputError, match="different models"):
        write_diagnoses([diagnosed.folder] * 2, tmp_path / "x.html")


def test_failures_on_guessed_elements_are_told(
    diagnosed: ReportedDiagnosis, tmp_path: Path
) -> None:
    """The page warns of failing instructions whose elements nothing recorded."""
    folder = tmp_path / "walker"
    shutil.copytree(diagnosed.folder, folder)
    failing = folder / "failing"
    facts = {"elements told by": "pixels@1", "share of the scene seen": "83%"}
    first, *rest = read_questions(failing)
    questions = [msgspec.structs.replace(first, facts=facts), *rest]
    export(
        failing, "bench", {"screens.jsonl": read_screens(failing), "questions.jsonl": questions}
    )
    plain = diagnoses_document([diagnosed], [], title="")
    told = diagnoses_document([ReportedDiagnosis(folder, diagnosed.found)], [], title="")

    (added,) = set(told.warnings) - set(plain.warnings)
    assert added.startswith("walker: ")
    assert "failing instructions rest on" in added
    assert "1 on elements guessed by pixels@1" in added
