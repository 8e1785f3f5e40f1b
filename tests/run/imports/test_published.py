"""
Tests of importing published runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, NothingKeptError, UnknownNameError
from surefoot.core.geometry import Point
from surefoot.core.question import Unparsed
from surefoot.models.spaces import IMAGE_PIXELS
from surefoot.run.folders.folder import read_answers
from surefoot.run.imports.published import (
    folder_name,
    import_any,
    import_published,
    read_published,
)

GOOD = {
    "model": "gta1",
    "reasoning": False,
    "instruction_type": "direct",
    "variant": "original",
    "task_id": "t",
    "step_index": 1,
    "instruction": "Click on 'A'",
    "raw_prediction": "(966,546)",
    "box_xywh": [950, 530, 20, 20],
}
RECORD = {
    "model": "uitars15",
    "reasoning": False,
    "instruction_type": "direct",
    "variant": "original",
    "task_id": "task",
    "step_index": 0,
    "instruction": "Click",
    "box_xywh": [1, 2, 3, 4],
}


def _write(path: Path, *changes: Mapping[str, object]) -> Path:
    path.write_text("".join(json.dumps({**GOOD, **change}) + "\n" for change in changes))
    return path


def test_replies_are_parsed_into_the_screenshots_space(tmp_path: Path) -> None:
    """A reply in the resized picture's pixels becomes a point of the screenshot."""
    path = _write(tmp_path / "raw.jsonl", {}, {"step_index": 2, "raw_prediction": "no idea"})

    import_published("gui-perturbed", path, tmp_path / "out")

    parsed = [answer.parsed for answer in read_answers(tmp_path / "out/runs/gta1")]
    point = next(item for item in parsed if isinstance(item, Point))
    assert point.x == pytest.approx(966 * 1920 / 1932)
    assert point.y == pytest.approx(546 * 1080 / 1092)
    assert any(isinstance(item, Unparsed) for item in parsed)


def test_bad_records_are_named_and_left_out(tmp_path: Path) -> None:
    """A record without an area is reported by its line and not imported."""
    path = _write(tmp_path / "raw.jsonl", {}, {"step_index": 2, "box_xywh": [1, 1, 0, 5]})

    outcome = import_published("gui-perturbed", path, tmp_path / "out")

    assert outcome.lines[0].startswith("left out line 2")
    assert len(read_answers(tmp_path / "out/runs/gta1")) == 1


def test_strict_stops_at_a_bad_record(tmp_path: Path) -> None:
    """With strict reading a bad record ends the import with an error."""
    path = _write(tmp_path / "raw.jsonl", {"box_xywh": [1, 1, 0, 5]})

    with pytest.raises(InvalidInputError, match="line 1"):
        import_published("gui-perturbed", path, tmp_path / "out", strict=True)


def test_different_words_for_one_question_are_counted(tmp_path: Path) -> None:
    """Models that were asked in different words keep their own words, and it is said."""
    other = {"model": "qwen25vl", "instruction": "Click on 'B'"}
    path = _write(tmp_path / "raw.jsonl", {}, other)

    outcome = import_published("gui-perturbed", path, tmp_path / "out")

    assert outcome.lines[-1].startswith("1 questions were put")


def test_a_model_is_read_in_the_format_of_its_name_or_the_one_named(tmp_path: Path) -> None:
    """Names of the catalogue tell the format; for all others it must be named."""
    tars = {"raw_prediction": "Action: click(start_box='(966,546)')"}
    known = _write(tmp_path / "known.jsonl", {"model": "uitars15-tuned", **tars})
    other = _write(tmp_path / "other.jsonl", {"model": "Org/tuned", **tars})

    import_published("gui-perturbed", known, tmp_path / "known")
    import_published("gui-perturbed", other, tmp_path / "named", format_name="ui-tars-1.5")
    with pytest.raises(UnknownNameError, match="--format"):
        import_published("gui-perturbed", other, tmp_path / "unnamed")

    runs = (tmp_path / "known/runs/uitars15-tuned", *(tmp_path / "named/runs").iterdir())
    parsed = [answer.parsed for run in runs for answer in read_answers(run)]
    assert parsed == [Point(960, 540)] * 2
    assert not (tmp_path / "unnamed").exists()


@pytest.mark.parametrize(
    "model", ["a/b", "../../up", "..", ".", "/etc", "x" * 200, "a b", "模/型"]
)
def test_a_folder_bears_any_model(tmp_path: Path, model: str) -> None:
    """Whatever a model is called, its folders lie beside each other inside of the import's."""
    path = _write(tmp_path / "raw.jsonl", {"model": model})

    import_published("gui-perturbed", path, tmp_path / "out", format_name="gta1")

    (run,) = (tmp_path / "out" / "runs").iterdir()
    assert run.name == folder_name(model)
    assert len(run.name) < 100
    assert len(read_answers(run)) == 1
    assert sorted(item.name for item in tmp_path.iterdir()) == ["out", "raw.jsonl"]


def test_models_of_alike_names_keep_folders_apart() -> None:
    """Names that a folder cannot bear are told apart by what is left of them and a hash."""
    names = ["a/b", "a-b", "a b", "a//b", "a/b/"]
    assert len({folder_name(name) for name in names}) == len(names)


@pytest.mark.parametrize("content", ["", "\n", "{}\n", json.dumps({**GOOD, "variant": "x"})])
def test_an_import_of_nothing_writes_nothing(tmp_path: Path, content: str) -> None:
    """A file without a good record ends with an error that exits with 1, and no folder."""
    path = tmp_path / "raw.jsonl"
    path.write_text(content)

    with pytest.raises(NothingKeptError, match="none that is good") as caught:
        import_any("gui-perturbed", path, tmp_path / "deep" / "out")

    assert caught.value.exit_code == 1
    assert list(tmp_path.iterdir()) == [path]


def test_only_replies_have_a_format(tmp_path: Path) -> None:
    """Naming a format for a set of labels is the user's mistake."""
    with pytest.raises(InvalidInputError, match="no --format"):
        import_any("screenspot", tmp_path, tmp_path / "out", format_name="gta1")


def written(folder: Path, *replies: str) -> Path:
    """Write one record for each reply."""
    path = folder / "replies.jsonl"
    records = [RECORD | {"step_index": n, "raw_prediction": raw} for n, raw in enumerate(replies)]
    path.write_text("\n".join(json.dumps(record) for record in records))
    return path


def test_replies_are_read_in_the_space_that_the_model_saw(tmp_path: Path) -> None:
    """Coordinates are converted from 1932 x 1092 to the 1920 x 1080 screenshot."""
    path = written(tmp_path, "Action: click(start_box='(1932,546)')")
    ((model, question, answer),) = read_published("gui-perturbed", path)
    assert answer is not None
    assert (model, answer.question) == ("uitars15", question.id)
    assert answer.parsed == Point(1920.0, 540.0)


def test_replies_are_read_in_another_space_exactly(tmp_path: Path) -> None:
    """As pixels of the screenshot, every whole coordinate stays what was said."""
    said = range(1, 1932)
    path = written(tmp_path, *(f"click({x},{x})" for x in said))
    records = read_published("gui-perturbed", path, space=IMAGE_PIXELS)
    assert [answer.parsed for _, _, answer in records if answer] == [Point(x, x) for x in said]


def test_a_reply_without_a_place_stays_unparsed(tmp_path: Path) -> None:
    """Words without coordinates are kept as unparsed, beside a readable one."""
    path = written(tmp_path, "I cannot see it.", "Action: click(start_box='(1,1)')")
    answers = [answer for _, _, answer in read_published("gui-perturbed", path)]
    assert [isinstance(item.parsed, Unparsed) for item in answers if item] == [True, False]


def test_an_unknown_run_is_refused(tmp_path: Path) -> None:
    """A name that no dataset bears raises with the nearest one."""
    with pytest.raises(UnknownNameError, match="gui-perturbed"):
        list(read_published("gui-perturb", tmp_path))
