"""
Sets that are answered in words, all the way: import, run, score, report.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Choice, Question, Text
from surefoot.models.backend import Options
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices
from surefoot.report.choices import score_folders
from surefoot.run.asking.run import ask_model
from surefoot.run.folders.folder import read_answers, read_questions
from surefoot.run.imports.labelled import import_labelled
from surefoot.score.conditions.scores import Score

OPTIONS = Options(seed=2)
QUESTION = "Where is button {number}? A: left B: right D: above C: below"
REAL = "screenqa/short_answers_validation.json"


def options_set(folder: Path, count: int = 40) -> Path:
    """Write multiple-choice questions in two languages, with one picture each."""
    (folder / "qas").mkdir(parents=True)
    for language in ("en", "zh"):
        rows = []
        for number in range(count):
            name = f"images/6/{language}/camera_{language}_{number}.jpg"
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            colour = (number, 90, 200 if language == "en" else 20)
            Image.new("RGB", (40, 30), colour).save(folder / name, "PNG")
            answer = "ABCD"[number % 4]
            row = {"question": QUESTION.format(number=number), "answer": answer}
            rows.append(json.dumps(row | {"image_path": f"../{name}"}))
        (folder / "qas" / f"abs_el_{language}.jsonl").write_text("\n".join(rows) + "\n")
    return folder


def short_set(folder: Path) -> Path:
    """Write short answers, every fourth of which is none, without a picture."""
    rows = [
        {
            "image_id": number // 2,
            "question": f"What is item {number}?",
            "ground_truth": ["<no answer>"] if number % 4 == 3 else [f"the {number} $", "unknown"],
        }
        for number in range(24)
    ]
    path = folder / "short_answers" / "validation.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(rows))
    return folder


def cells_of(*runs: Path) -> dict[tuple[str, str, str], Score]:
    """Score runs as the verb does, and return each score by model, variant and metric."""
    found = score_folders(runs, Choices()).scores
    assert {"chance", "f1"} & {score.metric for score in found}
    return {(score.model, score.variant, score.metric): score for score in found}


def ask(bench: Path, model: str, out: Path) -> Path:
    """Ask a model everything; no unit fails."""
    assert ask_model(bench, model, out, options=OPTIONS).failures == ()
    return out


def test_options_go_all_the_way(tmp_path: Path, write_run: Callable[..., Path]) -> None:
    """The oracle is right always, a fixed wrong label never, and guessing about at chance."""
    bench = tmp_path / "bench"
    imported = import_labelled("mpr-gui-bench", options_set(tmp_path / "set"), bench)
    assert imported.counts["questions"] == 80
    runs = [ask(bench, model, tmp_path / model) for model in ("oracle", "center", "random")]

    def wrong(question: Question) -> Choice:
        return Choice(
            next(option for option in question.options if option not in question.answers)
        )

    runs.append(write_run(bench, tmp_path / "wrong", wrong, name="wrong"))
    cells = cells_of(*runs)
    assert {variant for _, variant, _ in cells} == {"original", "zh"}
    assert {score.amount for (*_, name), score in cells.items() if name == "chance"} == {0.25}
    assert all(score.interval is not None and score.unparsed == 0 for score in cells.values())
    for variant in ("original", "zh"):
        rates = {
            model: score.amount
            for (model, view, name), score in cells.items()
            if (view, name) == (variant, "hit")
        }
        assert (rates["oracle"], rates["wrong"]) == (1.0, 0.0)
        assert rates["center"] == 0.25  # the third as it is written, which is D
        assert rates["random"] is not None
        assert 0.0 < rates["random"] < 0.6


def test_short_answers_go_all_the_way_without_pictures(
    tmp_path: Path, write_run: Callable[..., Path]
) -> None:
    """Models that never look need no picture: right words score 1, wrong ones 0, none counts."""
    bench = tmp_path / "bench"
    imported = import_labelled("screenqa-short", short_set(tmp_path / "set"), bench)
    assert (imported.counts["unpictured"], imported.counts["refusals"]) == (12, 6)
    runs = [ask(bench, model, tmp_path / model) for model in ("oracle", "center")]
    runs.append(write_run(bench, tmp_path / "wrong", lambda _: Text("blue"), name="wrong"))
    half = write_run(bench, tmp_path / "half", lambda _: Text("$"), name="half")
    cells = cells_of(*runs, half)
    assert {key: score.amount for key, score in cells.items()} == {
        (model, "original", metric): float(model == "oracle" and metric != "wrong_refusals")
        for model in ("oracle", "center", "wrong", "half")  # "$" is a mark beside a number
        for metric in ("hit", "f1", "right_refusals", "wrong_refusals")
    }
    assert cells["center", "original", "hit"].unparsed == 24
    assert cells["oracle", "original", "hit"].refused == 6


def test_a_report_of_words_needs_no_picture(tmp_path: Path) -> None:
    """The report has F1 in its table and says that there is nothing to look at."""
    bench, run = tmp_path / "bench", tmp_path / "run"
    import_labelled("screenqa-short", short_set(tmp_path / "set"), bench)
    ask(bench, "center", run)
    write_report([run], tmp_path / "page.html", Choices())
    page = (tmp_path / "page.html").read_text()
    assert "Token F1 under each condition" in page
    assert "<dt>token F1</dt>" in page
    assert "None with a picture." in page


def test_a_model_that_looks_asks_for_pictures(tmp_path: Path) -> None:
    """Before anything is asked it is said how many pictures are missing, and what to do."""
    bench, out = tmp_path / "bench", tmp_path / "run"
    import_labelled("screenqa-short", short_set(tmp_path / "set"), bench)
    with pytest.raises(InvalidInputError, match=r"none for 24 of them.*--images FOLDER"):
        ask_model(bench, "ocr", out, options=OPTIONS)
    assert not out.exists()


def test_a_replay_reads_words_again(tmp_path: Path) -> None:
    """A run of words replayed gives the same answers, without pictures too."""
    bench = tmp_path / "bench"
    import_labelled("screenqa-short", short_set(tmp_path / "set"), bench)
    first = ask(bench, "oracle", tmp_path / "first")
    again = ask(bench, f"replay:{first}", tmp_path / "again")
    assert read_answers(again) == read_answers(first)


def test_a_planted_weakness_is_not_asked_for_words(tmp_path: Path) -> None:
    """The simulated model fails such a question with its reason, and is no bug."""
    bench = tmp_path / "bench"
    import_labelled("mpr-gui-bench", options_set(tmp_path / "set", 2), bench)
    outcome = ask_model(bench, f"simulated:none@{bench}", tmp_path / "run", options=OPTIONS)
    assert {failure.reason for failure in outcome.failures} == {"no-target"}
    assert len(outcome.failures) == 4


def test_the_real_short_answers_go_all_the_way(tmp_path: Path) -> None:
    """Of the real file, 300 questions: the oracle scores 1 in both measures, and some refuse."""
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    file = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside)) / REAL
    if not file.exists():
        pytest.skip("ScreenQA's answers are absent; set SUREFOOT_SHARED_DATA to their folder")
    bench = tmp_path / "bench"
    import_labelled("screenqa-short", file, bench, limit=300)
    cells = cells_of(ask(bench, "oracle", tmp_path / "run"))
    refusals = sum(not question.answerable for question in read_questions(bench))
    for metric in ("hit", "f1"):
        score = cells["oracle", "original", metric]
        assert (score.amount, score.n, score.unparsed) == (1.0, 300, 0)
        assert score.refused == refusals > 0


def test_earlier_questions_still_ask_for_places(tmp_path: Path) -> None:
    """A question written before words were scored is read as one about a place."""
    bench = tmp_path / "bench"
    import_labelled("screenqa-short", short_set(tmp_path / "set"), bench)
    first = msgspec.json.encode(read_questions(bench)[0])
    plain = {key: value for key, value in json.loads(first).items() if key != "asks"}
    assert msgspec.json.decode(json.dumps(plain), type=Question).asks == "place"
