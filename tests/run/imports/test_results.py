"""
Result files of lmms-eval, VLMEvalKit and ScreenSpot-Pro's script become runs.

The files here are spelt as the tools' own writers spell them: each maker names the code.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet

from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.geometry import Point
from surefoot.core.question import Unparsed
from surefoot.datasets.results.vlmevalkit import read_tables
from surefoot.run.folders.folder import read_answers, read_manifest
from surefoot.run.imports.labelled import ImportResult, import_labelled
from surefoot.run.imports.results import import_results

SIZE: Final = (400, 200)
# Left, top, right, bottom in pixels; two rows are alike in words, and one pair in all.
BOXES: Final = [(20, 10, 60, 30), (100, 40, 180, 80), (200, 100, 260, 140), (300, 20, 390, 60)]
WORDS: Final = ["press play", "close it", "press play", "open mail"]


def _picture(number: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", SIZE, (40 * number, 90, 90)).save(file, "PNG")
    return file.getvalue()


def _shares(box: Sequence[float]) -> list[float]:
    return [box[0] / SIZE[0], box[1] / SIZE[1], box[2] / SIZE[0], box[3] / SIZE[1]]


def _mirror(folder: Path, words: Sequence[str] = WORDS) -> Path:
    """Write the four rows as the mirror of ScreenSpot has them that lmms-eval reads."""
    shown = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    pictures = [{"bytes": _picture(number), "path": f"{number}.png"} for number in range(4)]
    table = {
        "image": pa.array(pictures, shown),
        "file_name": pa.array([f"pc_{number}.png" for number in range(4)]),
        "instruction": pa.array(words),
        "bbox": pa.array([_shares(box) for box in BOXES]),
        "data_type": pa.array(["icon", "text", "icon", "text"]),
        "data_source": pa.array(["windows", "macos", "windows", "macos"]),
    }
    file = folder / "data" / "test-00000-of-00001.parquet"
    file.parent.mkdir(parents=True)
    parquet.write_table(pa.table(table), file)
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Import the mirror."""
    import_labelled("screenspot", _mirror(tmp_path / "mirror"), tmp_path / "bench")
    return tmp_path / "bench"


def _sample(row: int, reply: str, **changes: object) -> dict[str, Any]:
    """Spell a sample of screenspot_rec_test, as save_results_samples of lmms-eval does."""
    box = _shares(BOXES[row])
    pred = json.loads(reply) if reply.startswith("[") and reply.count(",") == 3 else [0, 0, 0, 0]
    metric = {
        "instruction": WORDS[row],
        "pred": pred,
        "ann_id": f"pc_{row}.png",
        "bbox": box,
        "data_type": "icon",
        "data_source": "windows",
    }
    return {
        "doc_id": row,
        "target": str(box),
        "filtered_resps": [reply],
        "doc_hash": "0" * 64,
        "token_counts": [{"output_tokens": 9}],
        "screenspot_IoU": metric,
        "screenspot_Center_ACC": metric,
        "input": f"Bounding box coordinates ... the command: {WORDS[row]}",
    } | changes


def _lines(path: Path, samples: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    return path


def _inside(box: Sequence[int]) -> str:
    """Spell a box around the middle of a true one, in shares."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return json.dumps([round(value, 4) for value in _shares((x - 4, y - 4, x + 4, y + 4))])


def test_samples_of_lmms_eval_become_a_run(
    surefoot: Callable[..., Any], bench: Path, tmp_path: Path
) -> None:
    """Each reply is read and judged again; what no row answers has failed and is not wrong."""
    samples = [
        _sample(0, _inside(BOXES[0])),
        _sample(1, "[0.9, 0.9, 0.95, 0.95]"),
        _sample(3, "I cannot see it"),
    ]
    path = _lines(tmp_path / "showlab__ShowUI-2B" / "20261128_samples_screenspot.jsonl", samples)
    run = tmp_path / "run"

    ended = surefoot("import", "lmms-eval-samples", path, "--bench", bench, "--out", run)

    assert "3 replies to 4 questions, read as showui" in ended.out
    assert "1 questions have no row in the file: failed, not wrong" in ended.out
    assert "3 of 3 verdicts are as the file has them" in ended.out
    first, second, third = read_answers(run)
    assert first.parsed != second.parsed
    assert isinstance(third.parsed, Unparsed)
    scored = surefoot("score", run)
    assert scored.code == 0
    # One hit of the three that were answered: a third, not a quarter.
    assert "33.3 %" in scored.out
    assert "25.0 %" not in scored.out


def test_verdicts_that_differ_are_counted_and_kept(bench: Path, tmp_path: Path) -> None:
    """A reply that only the other tool reads as a hit is named, with what we read in it."""
    samples = [
        _sample(0, _inside(BOXES[0])),
        _sample(1, "at (0.35; 0.3)", screenspot_v2_action_acc={"correct": True}),
    ]
    path = _lines(tmp_path / "m" / "a_samples_screenspot_v2.jsonl", samples)

    found = import_results(
        "lmms-eval-samples", path, bench, tmp_path / "run", model="showui", format_name="showui"
    )

    assert (found.counts["verdicts"], found.counts["differing"]) == (2, 1)
    (line,) = (tmp_path / "run" / "verdicts.jsonl").read_text().splitlines()
    assert json.loads(line)["theirs"] is True
    assert json.loads(line)["reply"] == "at (0.35; 0.3)"
    assert "verdicts.jsonl" in read_manifest(tmp_path / "run", "run").files


def test_a_format_that_agrees_better_is_named(bench: Path, tmp_path: Path) -> None:
    """Pixels read as shares are all misses here and hits there; the format of pixels is named."""
    points = [((box[0] + box[2]) // 2, (box[1] + box[3]) // 2) for box in BOXES]
    samples = [
        _sample(row, json.dumps({"x": x, "y": y}), screenspot_v2_action_acc={"correct": True})
        for row, (x, y) in enumerate(points)
    ]
    path = _lines(tmp_path / "m" / "a_samples_screenspot_v2.jsonl", samples)

    found = import_results(
        "lmms-eval-samples", path, bench, tmp_path / "run", format_name="showui"
    )

    assert found.counts["differing"] == 4
    advice = found.outcome.lines[-1].split()
    assert advice[:1] + advice[2:] == ["--format", "would", "agree", "with", "4", "of", "4"]
    again = import_results(
        "lmms-eval-samples", path, bench, tmp_path / "again", format_name=advice[1]
    )
    assert again.counts["differing"] == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"doc_id": 9}, "none among 4"),
        ({"screenspot_IoU": {"instruction": "another"}}, "another"),
        ({"screenspot_IoU": {"bbox": [0.5, 0.5, 0.6, 0.6]}}, "0.6"),
        ({"screenspot_IoU": {"ann_id": "web_7.png"}}, "web_7.png"),
        ({"input": "Where is the settings icon?"}, "settings icon"),
        ({"doc_id": 0}, "doc_id 0 and doc_id 0"),
    ],
)
def test_another_sets_file_is_rejected(
    bench: Path, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    """A row that differs in anything that both have, or comes twice, ends the import."""
    metric: dict[str, Any] = {"screenspot_Center_ACC": {}} if "screenspot_IoU" in changes else {}
    second = _sample(1, "[0.5, 0.5]", **(changes | metric))
    if changes == {"doc_id": 0}:
        second = _sample(0, "[0.5, 0.5]")
    path = _lines(tmp_path / "m" / "s.jsonl", [_sample(0, "[0.1, 0.1]"), second])

    with pytest.raises(InvalidInputError, match=words):
        import_results("lmms-eval-samples", path, bench, tmp_path / "run", format_name="showui")
    assert not (tmp_path / "run").exists()


def test_rows_that_the_benchmark_left_out_are_counted(tmp_path: Path) -> None:
    """A row of a bad record is no other set's; a row behind the last one is, unless limited."""
    mirror = _mirror(tmp_path / "mirror", ["press play", "", "press play", "open mail"])
    import_labelled("screenspot", mirror, tmp_path / "bench")
    import_labelled("screenspot", mirror, tmp_path / "two", limit=2)
    path = _lines(tmp_path / "m" / "s.jsonl", [_sample(0, "[0.1, 0.1]"), _sample(1, "[0.1, 0.1]")])
    far = [_sample(0, "[0.1, 0.1]"), _sample(3, "x", doc_id=9)]
    beyond = _lines(tmp_path / "n" / "s.jsonl", far)

    def read(file: Path, bench: str) -> ImportResult:
        out = tmp_path / f"run-{bench}-{file.parent.name}"
        return import_results(
            "lmms-eval-samples", file, tmp_path / bench, out, format_name="showui"
        )

    assert [item.counts["beyond"] for item in (read(path, "bench"), read(beyond, "two"))] == [1, 1]
    with pytest.raises(InvalidInputError, match="none among 3"):
        read(beyond, "bench")


def test_rows_of_another_order_are_rejected(tmp_path: Path, bench: Path) -> None:
    """The same records in another order are another file: rows would answer other questions."""
    turned = [_sample(1, "[0.5, 0.5]", doc_id=0), _sample(0, "[0.5, 0.5]", doc_id=1)]
    path = _lines(tmp_path / "m" / "s.jsonl", turned)
    with pytest.raises(InvalidInputError, match="in the order of its rows"):
        import_results("lmms-eval-samples", path, bench, tmp_path / "run", format_name="showui")


def _table(rows: Sequence[tuple[int, str]]) -> list[list[str]]:
    """Spell a table of VLMEvalKit, as infer_data_job dumps it: all columns but the picture."""
    names = ["index", "bbox", "question", "data_type", "data_source", "image_path", "prediction"]
    lines = [names]
    for number, (row, reply) in enumerate(rows, start=1):
        left, top, right, bottom = BOXES[row]
        box = f"[{left}, {top}, {right - left}, {bottom - top}]"
        picture = f"/data/images/ScreenSpot_Desktop/pc_{row}.png"
        lines.append([str(number), box, WORDS[row], "icon", "windows", picture, reply])
    return lines


def _tsv(path: Path, lines: Sequence[Sequence[str]]) -> Path:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as stream:
        csv.writer(stream, delimiter="\t").writerows(lines)
    return path


def _xlsx(path: Path, lines: Sequence[Sequence[str]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra 'tables' is not installed")
    path.parent.mkdir(exist_ok=True)
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append(list(line))
    book.save(path)
    return path


@pytest.mark.parametrize(("suffix", "write"), [("tsv", _tsv), ("xlsx", _xlsx)])
def test_tables_of_vlmevalkit_become_a_run(
    bench: Path, tmp_path: Path, suffix: str, write: Callable[..., Path]
) -> None:
    """Rows find their questions by words, picture and box, in whatever order they stand."""
    rows = [
        (2, "pyautogui.click(x=0.575, y=0.6)"),
        (0, "pyautogui.click(x=0.1, y=0.1)"),
        (1, "Failed to obtain answer via API. "),
    ]
    path = write(tmp_path / "aguvis-7b" / f"aguvis-7b_ScreenSpot_Desktop.{suffix}", _table(rows))

    found = import_results("vlmevalkit-results", path, bench, tmp_path / "run")

    read = {answer.question: answer.parsed for answer in read_answers(tmp_path / "run")}
    assert read == {"000000001": Point(40, 20), "000000003": Point(230, 120)}
    assert (found.counts["missing"], found.counts["failed"]) == (1, 1)
    assert json.loads((tmp_path / "run" / "plan.json").read_text())["model"]["name"] == "aguvis-7b"


@pytest.mark.parametrize("reply", ["no", "y" * 200_000])
def test_long_replies_are_read_and_other_readers_keep_their_limit(
    tmp_path: Path, reply: str
) -> None:
    """A reply longer than Python's limit is read, and the limit is what it was, even half-way."""
    limit = csv.field_size_limit()
    path = _tsv(tmp_path / "a" / "a_ScreenSpot.tsv", _table([(0, reply), (1, reply)]))

    limits = {(row.reply, csv.field_size_limit()) for row in read_tables(path, strict=True)}

    assert limits == {(reply, limit)}


def test_a_folder_of_tables_is_one_run(bench: Path, tmp_path: Path) -> None:
    """ScreenSpot is a table for each platform there: a folder of them answers all."""
    folder = tmp_path / "aguvis-7b"
    reply = "pyautogui.click(x=0.5, y=0.5)"
    _tsv(folder / "aguvis-7b_ScreenSpot_Desktop.tsv", _table([(0, reply), (1, reply)]))
    _tsv(folder / "aguvis-7b_ScreenSpot_Web.tsv", _table([(2, reply), (3, reply)]))

    found = import_results("vlmevalkit-results", folder, bench, tmp_path / "run")

    assert (found.counts["replies"], found.counts["missing"]) == (4, 0)


def test_tables_of_another_set_are_rejected(bench: Path, tmp_path: Path) -> None:
    """Words that no question has, and a row that comes twice, end the import."""
    lines = _table([(0, "x=0.1")])
    lines[1][2] = "turn the lamp on"
    other = _tsv(tmp_path / "other_ScreenSpot_Web.tsv", lines)
    twice = _tsv(tmp_path / "twice_ScreenSpot_Web.tsv", _table([(0, "a"), (0, "a")]))
    for path, words in ((other, "turn the lamp on"), (twice, "index 1 .* and index 2")):
        with pytest.raises(InvalidInputError, match=words):
            import_results("vlmevalkit-results", path, bench, tmp_path / "run", format_name="json")


def _detail(row: int, reply: object, correctness: str, **changes: object) -> dict[str, Any]:
    """Spell a detail as eval_screenspot_pro.py does."""
    return {
        "img_path": f"/data/ScreenSpot-Pro/images/pc_{row}.png",
        "group": "Office",
        "platform": "windows",
        "application": "word",
        "lang": "en",
        "instruction_style": "instruction",
        "prompt_to_evaluate": WORDS[row],
        "gt_type": "positive",
        "ui_type": "icon",
        "task_filename": "word_windows",
        "pred": None,
        "raw_response": reply,
        "bbox": list(BOXES[row]),
        "correctness": correctness,
    } | changes


def test_results_of_screenspot_pros_script_become_a_run(bench: Path, tmp_path: Path) -> None:
    """Details in English are joined by words, picture and box; the Chinese ones are left out."""
    details = [
        _detail(0, "[0.1, 0.1]", "correct"),
        _detail(2, "[0.1, 0.1]", "correct"),
        _detail(1, None, "wrong_format"),
        _detail(0, "[0.1, 0.1]", "wrong", lang="cn", prompt_to_evaluate="\u6253\u5f00"),
    ]
    path = tmp_path / "showui.json"
    path.write_text(json.dumps({"details": details, "metrics": {"overall": {"num_total": 4}}}))

    found = import_results("screenspot-pro-results", path, bench, tmp_path / "run")

    assert found.counts["left_out"] == {"asked-otherwise": 1}
    assert (found.counts["replies"], found.counts["failed"], found.counts["missing"]) == (2, 1, 1)
    # The third question's place is elsewhere: their "correct" is a miss here.
    assert (found.counts["verdicts"], found.counts["differing"]) == (2, 1)


def test_a_file_without_a_good_row_writes_nothing(bench: Path, tmp_path: Path) -> None:
    """Only Chinese details are no run of an English benchmark."""
    path = tmp_path / "showui.json"
    path.write_text(json.dumps({"details": [_detail(0, "x", "wrong", lang="cn")], "metrics": {}}))
    with pytest.raises(NothingKeptError, match="good"):
        import_results("screenspot-pro-results", path, bench, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_what_is_not_meant_for_results_is_rejected(
    surefoot: Callable[..., Any], bench: Path, tmp_path: Path
) -> None:
    """Results need a benchmark, and nothing else takes one."""
    path = _lines(tmp_path / "m" / "s.jsonl", [_sample(0, "[0.1, 0.1]")])
    alone = surefoot("import", "lmms-eval-samples", path, "--out", tmp_path / "a")
    set_with = surefoot(
        "import", "screenspot", tmp_path / "mirror", "--bench", bench, "--out", tmp_path / "b"
    )
    assert (alone.code, set_with.code) == (2, 2)
    assert "--bench" in alone.err
    assert "results alone" in set_with.err
