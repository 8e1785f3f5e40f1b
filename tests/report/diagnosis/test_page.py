"""
The report on diagnoses: sentences, figures, failing instructions in pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.diagnose.folder import read_diagnosis
from surefoot.report.answers.page import Choices
from surefoot.report.choices import score_folders, write_report_on
from surefoot.report.diagnosis.page import (
    Diagnosed,
    failure_cards,
    render_diagnoses,
    write_diagnoses,
)
from surefoot.report.diagnosis.sections import diagnosis_sentences
from surefoot.run.folders.folder import is_kind
from surefoot.score.metric import Ruler

DiagnosisWriter = Callable[..., Path]


@pytest.fixture(scope="module")
def diagnosed(
    diagnosis_folder: DiagnosisWriter, tmp_path_factory: pytest.TempPathFactory
) -> Diagnosed:
    """Return a diagnosis with its folder."""
    folder = diagnosis_folder(tmp_path_factory.mktemp("diagnosis") / "walker")
    return Diagnosed(folder, read_diagnosis(folder))


def test_a_page_of_two_models_and_their_transfer(
    diagnosed: Diagnosed,
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

    assert len(said) == 2 * 3
    assert all(line in unescape(page) for line in said)
    for part in ("What fails walker, o&lt;b&gt;ther", "o<b>ther".replace("<", "&lt;")[:5],
                 "named: confuses left and right", "few &lt;pages&gt;", 'id="transfer"',
                 "not asked", "75.0 % ["):  # fmt: skip
        assert part in page
    assert page.count("<article>") == 2
    assert "o<b>ther" not in page
    assert "<script" not in page
    assert not re.search(r"https?://", page)


def test_sentences_say_cost_and_gain(diagnosed: Diagnosed) -> None:
    """Share, questions, failures per 100, and the ratio to random stand with intervals."""
    first, second, third = diagnosis_sentences(diagnosed.found)

    assert "100.0 % [61.0 to 100.0] of 6 elements" in first
    assert "in 48 questions (12.5 [no interval] failures per 100)" in first
    assert "6.2 per 100; the planner finds 2.00 times as many [1.50 to 2.50]" in second
    assert third == "walker: confuses left and right."


def test_without_a_baseline_nothing_is_compared(diagnosed: Diagnosed) -> None:
    """What was not asked is not said, and no weakness is told as such."""
    bare = msgspec.structs.replace(diagnosed.found, ratio=None, ratio_interval=None, names=())

    assert len(diagnosis_sentences(bare)) == 2
    assert diagnosis_sentences(bare)[1] == "walker: the evidence names no weakness."


def test_cards_show_what_was_found_and_what_is_left(diagnosed: Diagnosed) -> None:
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


def test_no_failure_is_no_card(diagnosed: Diagnosed) -> None:
    """Elements without a failure are counted in tables and shown nowhere."""
    sound = [
        msgspec.structs.replace(each, failures=(), best="", shrunk=())
        for each in diagnosed.found.elements
    ]
    found = msgspec.structs.replace(diagnosed.found, elements=tuple(sound))
    page = render_diagnoses([Diagnosed(diagnosed.folder, found)], [], title="t")

    assert "None: nothing failed." in page
    assert "<article>" not in page


def test_folders_choose_the_report(diagnosed: Diagnosed, drawn: Path, tmp_path: Path) -> None:
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


def test_one_model_twice_is_refused(diagnosed: Diagnosed, tmp_path: Path) -> None:
    """Two diagnoses of one model could not be told apart."""
    with pytest.raises(InvalidInputError, match="different models"):
        write_diagnoses([diagnosed.folder] * 2, tmp_path / "x.html")
