"""
The report on runs over forms, from results made by hand.
"""

from __future__ import annotations

import io
import itertools
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.store import ObjectStore
from surefoot.forms.driver.actions import Click
from surefoot.forms.driver.episode import LeftPage
from surefoot.forms.driver.executor import ExecutedAction
from surefoot.forms.driver.observation import LiveField
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Kind
from surefoot.report.answers.scored import Choices
from surefoot.report.choices import write_report_on
from surefoot.report.forms.page import form_cards, open_forms, score_forms, write_forms
from surefoot.report.forms.pictures import draw_form
from surefoot.report.forms.sections import forms_lines, forms_sections
from surefoot.run.folders.folder import export
from surefoot.run.forms.running import FormEffort
from surefoot.run.forms.units import FormResult, Turn
from surefoot.run.forms.words import FieldWords

NASTY = "<script>alert(1)</script> & 'more'"
STATES = ("right", "kept", "wrong", "missing", "extra", "")


def scored(state: str, number: int) -> FieldScore:
    """Return the score of a field in a state that pictures show."""
    return FieldScore(
        f"f{number}",
        Kind.STRING,
        0,
        asked=state not in {"extra", ""},
        mentioned=state in {"right", "kept", "wrong"},
        by_meaning=state in {"right", "kept", "wrong"},
        typed=state in {"right", "kept", "wrong"},
        in_field=state in {"right", "kept"},
        submitted=state == "right",
        exact=state == "right",
        clicked=state in {"right", "kept"},
        found_in=("f0",) if state == "wrong" else (),
        collateral=state == "extra",
    )


def result(
    image: str, agent: str = "weak", language: str = "en", *, ruler: int = 0, form: str = "visit"
) -> FormResult:
    """Return an attempt with one field in every state."""
    fields = tuple(scored(state, number) for number, state in enumerate(STATES))
    if agent == "oracle":
        fields = tuple(scored("right", number) for number in range(len(STATES)))
    score = EpisodeScore(
        form,
        0,
        agent,
        Rendering(language=language),
        fields,
        accepted=agent == "oracle",
        right=agent == "oracle",
        ended="refused",
    )
    live = tuple(
        LiveField(f"f{n}", Box(100, 40 + 60 * n, 300, 70 + 60 * n), ("",), "text", (), "")
        for n in range(len(STATES))
    )
    words = tuple(
        FieldWords(
            f"f{n}",
            f"Label {n} {NASTY}",
            "" if state in {"extra", ""} else f"wanted {n} {NASTY}",
            "" if state in {"missing", ""} else f"有 {n} {NASTY}" * 9,
        )
        for n, state in enumerate(STATES)
    )
    left = LeftPage(0, image, 640, 480, live)
    key = f"{agent}{language}{ruler}{form}"
    return FormResult(key, score, (), (left,), ruler, title=f"Visit {NASTY}", words=words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished run of two agents in two languages, with and without a ruler."""
    where = tmp_path_factory.mktemp("forms") / "run"
    choices = {"agents": ["weak@1", "oracle@1"], "forms": {"visit": "0" * 64}}
    with Ledger.open(where, {"kind": "forms", "choices": choices, "renderer": {}}):
        picture = io.BytesIO()
        Image.new("RGB", (640, 480), "white").save(picture, "PNG")
        image = ObjectStore(where).put(picture.getvalue())
        results = [
            result(image, agent, language, ruler=ruler, form=form)
            for agent in ("weak", "oracle")
            for language in ("en", "th")
            for ruler in (0, 100)
            for form in ("visit", "order")
        ]
        export(where, "forms", {"episodes.jsonl": results})
    return where


def test_the_page_stands_alone_and_is_escaped(folder: Path, tmp_path: Path) -> None:
    """No script, no address, and no markup of a form's own words gets into the page."""
    sentences = write_forms([folder], tmp_path / "deep" / "page.html")
    page = (tmp_path / "deep" / "page.html").read_text("utf-8")
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!#|data:image/webp;base64,|data:text/csv;)', page)
    assert "&lt;script&gt;" in page
    assert all(
        f'id="{literal}"' in page
        for literal in ("levels", "episodes", "strayed", "kinds", "changes")
    )
    assert "By ruler, against no ruler: values submitted" in page
    assert "By ruler, against no ruler: forms wholly right" in page
    identity = page[page.index("Rulers and identity</h3>") :]
    assert "weak@1; oracle@1" in identity
    assert "{" not in identity
    assert "oracle hands in 100 % of the values where they belong." in sentences
    assert (
        "weak hands in 25 % of the values where they belong, though it mentions 75 %." in sentences
    )


@pytest.mark.parametrize(("idle", "lost"), [(1, False), (2, True)])
def test_replies_without_an_action_are_no_result(
    folder: Path, tmp_path: Path, idle: int, lost: bool
) -> None:
    """Over a fifth of the replies without an action: said first, as they came, and no verdict."""
    where = tmp_path / "run"
    (run,) = open_forms([folder])
    turn = Turn("", 640, 480, 0, (), {}, f"I would click <b>Save</b> {NASTY}", ("no action",), ())
    acted = msgspec.structs.replace(
        turn, unread=(), reply="click", effects=(ExecutedAction(Click(1, 1), 0, 0),)
    )
    turns = (*[turn] * idle, *[acted] * (5 - idle))
    results = [
        msgspec.structs.replace(one, turns=turns) if one.score.agent == "weak" else one
        for one in run.results
    ]
    with Ledger.open(where, {"kind": "forms", "choices": {"agents": []}, "renderer": {}}):
        shutil.copytree(ObjectStore(folder).folder, ObjectStore(where).folder)
        export(where, "forms", {"episodes.jsonl": results})
    sentences = write_forms([where], tmp_path / "page.html", cards=0)
    first_screen = (tmp_path / "page.html").read_text("utf-8").partition('<details class="chap')[0]

    said = f"weak: no result. {8 * idle} of 40 replies could not be read, so no effect is claimed."
    assert (said in sentences) is lost
    assert ("This is no result" in first_screen) is lost
    assert ("I would click &lt;b&gt;Save" in first_screen) is lost
    assert ("<svg" in first_screen) is not lost
    assert any(line.startswith("oracle hands in 100 %") for line in sentences)
    changed = {one.model for one in score_forms(open_forms([where])).without_lost().comparisons}
    assert ("weak" in changed) is not lost


def test_every_state_is_drawn_and_explained(folder: Path) -> None:
    """Each field's mark carries its state, and faults say what is there and what should be."""
    (run,) = open_forms([folder])
    weak = next(item for item in run.results if item.score.agent == "weak")
    (pane,) = draw_form(weak, ObjectStore(folder))
    drawing = ET.fromstring(pane.svg)
    marks = [element.get("class") for element in drawing.iter("rect")]
    assert marks == [f"field {state}" for state in STATES if state]
    notes = " ".join(element.text or "" for element in drawing.iter("text"))
    assert "should be: wanted 2 <script>" in notes
    assert "is empty" in notes
    assert "should have been left alone" in notes
    assert "its value stands in: Label 0 <script>" in notes
    assert pane.verdict == (
        "1 right, 1 right but not handed in, 1 wrong, 1 missing, 1 filled in needlessly"
    )
    assert not pane.hit
    assert len(pane.words) == len(STATES) - 1


def test_notes_stay_inside_the_drawing(folder: Path) -> None:
    """No note is cut off below, and none overlaps the one above it."""
    (run,) = open_forms([folder])
    weak = next(item for item in run.results if item.score.agent == "weak")
    crowded = msgspec.structs.replace(
        weak.filled[0],
        fields=tuple(
            msgspec.structs.replace(field, box=Box(100, 440 + n, 300, 460 + n))
            for n, field in enumerate(weak.filled[0].fields)
        ),
    )
    (pane,) = draw_form(msgspec.structs.replace(weak, filled=(crowded,)), ObjectStore(folder))
    drawing = ET.fromstring(pane.svg)
    _, top, _, tall = map(float, (drawing.get("viewBox") or "").split())
    lines = [float(element.get("y", 0)) for element in drawing.findall("text")]
    assert lines == sorted(set(lines))
    assert all(after - before >= 14 for before, after in itertools.pairwise(lines))
    assert max(lines) <= top + tall


def test_the_gallery_has_each_language_and_the_worst(folder: Path) -> None:
    """One form for the renderer and for each language comes first, then the worst, no twice."""
    cards = form_cards(open_forms([folder]), 2)
    words = [re.findall(r"\(([^()]*)\)$", card.instruction)[0] for card in cards]
    assert words[-2:] == ["among the worst"] * 2
    assert set(words[:-2]) == {"plain", "th"} or set(words[:-2]) == {"plain", "en"}
    assert all("filled in by weak" in card.facts for card in cards)


def test_a_shared_episode_is_counted_once(folder: Path) -> None:
    """The same run given twice scores as given once."""
    once, twice = (score_forms(open_forms([folder] * times)) for times in (1, 2))
    assert once == twice


def test_terminal_lines_are_a_table_then_words(folder: Path) -> None:
    """The table's columns line up, and where every pair agrees the verdict is "the same"."""
    summary = score_forms(open_forms([folder]))
    lines = forms_lines(summary)
    head = next(line for line in lines if line.startswith("agent"))
    row = next(line for line in lines if line.startswith("weak  "))
    assert row[head.index("mentioned by meaning") :].startswith("75.0 %")
    assert lines[0].endswith("of the values where they belong.") or "though" in lines[0]
    told = [line for line in lines if line.startswith("weak: th against en")]
    assert told
    assert told[0].endswith("the same")


def test_numbers_keep_to_one_line_of_a_cell(folder: Path) -> None:
    """Each cell of a wide table has a number and its interval, which no line breaks."""
    summary = score_forms(open_forms([folder]))
    (parts,) = [section for section in forms_sections(summary) if section.id == "kinds"]
    assert [figure.title for figure in parts.figures] == [
        f"Values submitted by {trait}" for trait in ("form", "language", "ruler")
    ]
    cells = [cell for figure in parts.figures for row in figure.table.rows for cell in row]
    shown = [cell for cell in cells if "[" in cell]
    assert shown
    assert all(" " not in item[item.index("[") :] for item in shown)


def test_failed_attempts_are_told(folder: Path, tmp_path: Path) -> None:
    """What the machinery failed is counted beside the scores, by reason."""
    broken = tmp_path / "broken"
    with Ledger.open(broken, {"kind": "forms", "choices": {}}):
        failures = [Failure("1", "http-status", ""), Failure("2", "hang", "")]
        results = [open_forms([folder])[0].results[0]]
        export(broken, "forms", {"episodes.jsonl": results, "failures.jsonl": failures})
    warnings = score_forms(open_forms([broken])).warnings
    assert warnings[-1] == "2 attempts failed and are in no number: hang 1, http-status 1."
    assert not any("failed" in warning for warning in score_forms(open_forms([folder])).warnings)
    (run,) = open_forms([broken])
    with pytest.raises(InvalidInputError, match=r"2 attempts that failed: hang 1, http-status 1"):
        score_forms([msgspec.structs.replace(run, results=())])


def test_other_verbs_say_where_to_go(folder: Path) -> None:
    """``surefoot score`` and ``surefoot report`` name the verbs for forms."""
    with pytest.raises(InvalidInputError, match="surefoot forms report"):
        write_report_on([folder], folder / "page.html", Choices())


def test_what_a_form_took_is_told(folder: Path) -> None:
    """The median of replies, actions and their seconds; none where one action has no time."""
    (run,) = open_forms([folder])
    turn = Turn("", 640, 480, 0, (), {}, "click", (), ())

    def acted(*seconds: float | None) -> Turn:
        done = tuple(ExecutedAction(Click(1, 1), 0, 0, seconds=took) for took in seconds)
        return msgspec.structs.replace(turn, effects=done)

    turns: dict[str, list[tuple[Turn, ...]]] = {
        "weak": [(acted(0.5, 0.25),), (acted(1.0), acted(2.0, 3.0))],
        "oracle": [(acted(None),)],
    }
    own = {agent: [one for one in run.results if one.score.agent == agent] for agent in turns}
    results = [
        msgspec.structs.replace(result, turns=took)
        for agent, all_ in turns.items()
        for result, took in zip(own[agent], all_, strict=False)
    ]
    summary = score_forms([msgspec.structs.replace(run, results=tuple(results))])

    assert summary.details["effort"] == {
        "oracle": FormEffort(1, 1, 1, None),
        "weak": FormEffort(2, 1.5, 2.5, 3.375),
    }
    lines = forms_lines(summary)
    assert lines[lines.index("What the median form took") + 3].split()[1:] == [
        *("2", "1.5", "2.5", "3.4", "s"),
    ]
