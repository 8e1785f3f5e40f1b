"""
Exports: what comes back through each format's reader, and what a format cannot hold.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.errors import InvalidInputError, NothingKeptError, UnknownNameError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.datasets.exports.exporter import EXPORTS, Part, parts_of
from surefoot.datasets.labelled import LABELLED
from surefoot.run.exporting import export_bench, export_names, open_samples
from surefoot.run.folders.folder import export, read_questions, read_screens
from surefoot.run.imports.labelled import import_labelled

FORMATS = sorted(EXPORTS.entries)
RICH = ("coco", "fiftyone", "label-studio")
SIZES = ((120, 80), (333, 57))
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30
).filter(str.strip)


def picture(number: int) -> bytes:
    """Return a PNG of its own colour."""
    stream = io.BytesIO()
    Image.new("RGB", SIZES[number % 2], (number, 40, 90)).save(stream, "PNG")
    return stream.getvalue()


def question(number: int, screen: int = 0, **changes: object) -> Question:
    """Return a question about a screen, with some fields changed."""
    text = changes.pop("text", f"Open '{number}'")
    width, height = SIZES[screen % 2]
    fields: dict[str, Any] = {
        "id": f"q{number:03d}",
        "pair": f"p{number}",
        "cluster": f"page{screen}",
        "cell": Cell("original", "given"),
        "screen": f"s{screen}",
        "image": str(screen),
        "width": width,
        "height": height,
        "instruction": Instruction(str(text), "en", "given", "high", Expression(), ""),
        "truth": Box(10.0, 20.25, 40.0, 50.5),
        "role": "button",
        "split": "test",
        "platform": "web",
    }
    return Question(**fields | changes)


def write_bench(folder: Path, *questions: Question, pictures: bool = True) -> Path:
    """Write a BENCH; a question's image is the number of its picture until then."""
    store = ObjectStore(folder)
    with Ledger.open(folder, {"kind": "bench", "seed": 0}):
        images = {n: store.put(picture(int(n))) for n in {q.image for q in questions}}
        images = images if pictures else dict.fromkeys(images, "")
        asked = [msgspec.structs.replace(item, image=images[item.image]) for item in questions]
        screens = {
            item.screen: Screen(
                item.screen, item.cluster, "x", item.image, item.width, item.height, 1.0,
                "desktop", "en-GB", (), site="a site",
            )
            for item in asked
        }  # fmt: skip
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": list(screens.values()),
            "questions.jsonl": asked,
        }
        export(folder, "bench", tables)
    return folder


def there_and_back(bench: Path, place: Path, name: str) -> tuple[Question, ...]:
    """Export a BENCH, import what was written, and return the questions."""
    export_bench(bench, place / "out", name)
    import_labelled(EXPORTS.get(name).dataset, place / "out", place / "back", strict=True)
    return read_questions(place / "back")


def common(item: Question) -> tuple[object, ...]:
    """Return what every format keeps, boxes to a millionth of a pixel."""
    sides = [round(side, 6) for side in item.truth.as_tuple()]
    return item.image, item.width, item.height, item.instruction.text, *sides, item.split


@st.composite
def boxes(draw: st.DrawFn, screen: int) -> Box:
    """Draw a box of some size in a screen's picture."""
    width, height = SIZES[screen % 2]
    left = draw(st.floats(0, width - 3))
    top = draw(st.floats(0, height - 3))
    right = draw(st.floats(left + 2, width))
    return Box(left, top, right, draw(st.floats(top + 2, height)))


@st.composite
def asked(draw: st.DrawFn) -> list[Question]:
    """Draw questions about two screens, every one of a text of its own."""
    texts = draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
    made = []
    for number, text in enumerate(texts):
        screen = draw(st.integers(0, 1))
        made.append(
            question(
                number,
                screen,
                text=text,
                truth=draw(boxes(screen)),
                platform=draw(st.sampled_from(["web", "mobile", "desktop"])),
            )
        )
    return made


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(questions=asked())
def test_a_set_comes_back_the_same(name: str, questions: list[Question]) -> None:
    """Through every format: the same pictures, words, boxes and splits, each once."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        bench = write_bench(place / "bench", *questions)
        back = there_and_back(bench, place, name)
        assert Counter(map(common, back)) == Counter(map(common, read_questions(bench)))
        store = ObjectStore(place / "back")
        assert {store.get(item.image) for item in back} == {
            picture(int(item.image)) for item in questions
        }


@pytest.mark.parametrize("name", RICH)
def test_what_annotations_have_room_for_comes_back(name: str, tmp_path: Path) -> None:
    """Several boxes, a polygon, split, platform, language, value, answers and facts."""
    words = Instruction("Geh", "de", "given", "high", Expression(), "e7", "type", "Köln")
    triangle = (Point(10.0, 10.0), Point(60.0, 12.0), Point(20.0, 70.5))
    bench = write_bench(
        tmp_path / "bench",
        question(1, boxes=(Box(1.0, 2.0, 9.0, 8.0), Box(50.0, 50.0, 80.0, 60.0)), split="train"),
        question(2, polygon=triangle, truth=Box(10.0, 10.0, 60.0, 70.5), platform="", split=""),
        question(3, instruction=words, system="ios", facts={"a": "b"}, answers=("x", "y")),
    )
    back = {item.instruction.text: item for item in there_and_back(bench, tmp_path, name)}

    for item in read_questions(bench):
        found = back[item.instruction.text]
        assert [round(v, 6) for b in found.boxes for v in b.as_tuple()] == [
            v for b in item.boxes for v in b.as_tuple()
        ]
        assert [(round(p.x, 6), round(p.y, 6)) for p in found.polygon] == [
            (p.x, p.y) for p in item.polygon
        ]
        assert found.instruction == item.instruction
        assert (found.split, found.system, found.facts) == (item.split, item.system, item.facts)
        assert (found.answers, found.role, found.page) == (item.answers, "button", "page0")
        assert found.cluster == "a site"  # that of its screen
        assert found.platform == (item.platform or "desktop")


@pytest.mark.parametrize("name", ["fiftyone", "label-studio"])
def test_refusals_come_back(name: str, tmp_path: Path) -> None:
    """A question that only a refusal answers stays one, and one of words keeps its answers."""
    nowhere = Box(0.0, 0.0, 0.0, 0.0)
    bench = write_bench(
        tmp_path / "bench",
        question(1, truth=nowhere, answerable=False),
        question(2, truth=nowhere, answers=("12:30",), asks="words"),
        question(3, truth=nowhere, answers=("B",), asks="option", options=("B", "A")),
    )
    refusal, words, option = there_and_back(bench, tmp_path, name)
    assert not refusal.answerable
    assert words.answerable
    assert (words.answers, words.asks) == (("12:30",), "words")
    assert (option.answers, option.asks, option.options) == (("B",), "option", ("B", "A"))
    assert refusal.truth == words.truth == nowhere


def test_what_a_format_cannot_hold_is_counted_and_said(tmp_path: Path) -> None:
    """Refusals are left out, further boxes and polygons lost, and a line says how many."""
    nowhere = Box(0.0, 0.0, 0.0, 0.0)
    bench = write_bench(
        tmp_path / "bench",
        question(1),
        question(2, truth=nowhere, answerable=False),
        question(3, truth=nowhere, answerable=False),
        question(4, boxes=(Box(1.0, 2.0, 9.0, 8.0),)),
        question(5, cell=Cell("zoom", "direct")),
    )
    lines = export_bench(bench, tmp_path / "out", "hforms").lines
    assert lines == (
        "2 questions that only a refusal answers left out: hforms cannot hold them",
        "1 questions with several right boxes: only the first is kept",
        "1 questions on a changed screen: the name of the change is not kept",
        "3 questions, 1 pictures",
    )
    counts = json.loads((tmp_path / "out" / "export.json").read_text())["counts"]
    assert counts["left_out"] == {"questions that only a refusal answers": 2}
    assert len((tmp_path / "out" / "hforms-test.jsonl").read_text().splitlines()) == 3


def test_hforms_spells_its_fields(tmp_path: Path) -> None:
    """The seven fields, with separators, in pixels of the image, a file a split."""
    bench = write_bench(tmp_path / "bench", question(1), question(2, 1, split="train"))
    export_bench(bench, tmp_path / "out", "hforms")
    (line,) = (tmp_path / "out" / "hforms-test.jsonl").read_text().splitlines()
    fields = json.loads(line)
    image = fields.pop("image")
    assert fields == {
        "image_width": 120,
        "image_height": 80,
        "statement_l": "Open '1'",
        "statement_s": "Open '1'",
        "bbox": "10<SEP>20.25<SEP>40<SEP>50.5",
        "box_center": "25<SEP>35.375",
    }
    assert (tmp_path / "out" / "images" / image).read_bytes() == picture(0)
    assert (tmp_path / "out" / "hforms-train.jsonl").is_file()


def test_coco_counts_areas_and_categories(tmp_path: Path) -> None:
    """Each picture is one image, each role one category, and x, y, width, height."""
    bench = write_bench(
        tmp_path / "bench", question(1), question(2, 1, role=""), question(3, role="link")
    )
    export_bench(bench, tmp_path / "out", "coco")
    document = json.loads((tmp_path / "out" / "annotations.json").read_text())
    names = {item["id"]: item["name"] for item in document["categories"]}
    images = {item["id"] for item in document["images"]}
    assert sorted(names.values()) == ["button", "element", "link"]
    assert len(images) == 2
    for item in document["annotations"]:
        x, y, width, height = item["bbox"]
        assert (x, y, width, height) == (10.0, 20.25, 30.0, 30.25)
        assert item["area"] == width * height
        assert item["category_id"] in names
        assert item["image_id"] in images


def test_label_studio_has_an_interface_with_every_role(tmp_path: Path) -> None:
    """Percent of the sides, and labels that no role can break out of."""
    bench = write_bench(tmp_path / "bench", question(1, role='"/><x>&'), question(2))
    export_bench(bench, tmp_path / "out", "label-studio")
    task = json.loads((tmp_path / "out" / "tasks.json").read_text())[1]
    value = task["annotations"][0]["result"][0]["value"]
    assert (value["x"], value["width"]) == pytest.approx((100 * 10 / 120, 100 * 30 / 120))
    config = (tmp_path / "out" / "config.xml").read_text()
    assert "<x>" not in config
    assert config.count("<Label ") == 4


@pytest.mark.parametrize("name", FORMATS)
def test_labels_alone_come_back(name: str, tmp_path: Path) -> None:
    """Without pictures there is no folder of them, and the labels are read whole."""
    bench = write_bench(tmp_path / "bench", question(1), question(2, 1), pictures=False)
    outcome = export_bench(bench, tmp_path / "out", name)
    assert "2 screens without a picture" in outcome.lines
    assert not (tmp_path / "out" / EXPORTS.get(name).pictures).exists()
    import_labelled(EXPORTS.get(name).dataset, tmp_path / "out", tmp_path / "back", strict=True)
    assert len(read_questions(tmp_path / "back")) == 2


@pytest.mark.parametrize("name", FORMATS)
def test_equal_benchmarks_are_equal_exports(name: str, tmp_path: Path) -> None:
    """Twice the same bytes under the same names, and nothing left beside them."""
    bench = write_bench(tmp_path / "bench", *(question(n, n % 3) for n in range(7)))
    for out in ("a", "b"):
        export_bench(bench, tmp_path / out, name)
    assert _files(tmp_path / "a") == _files(tmp_path / "b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "bench"]


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_picture_of_two_screens_is_copied_once(tmp_path: Path) -> None:
    """Screens with the same picture name the same file."""
    bench = write_bench(tmp_path / "bench", question(1), question(2, screen=2, image="0"))
    export_bench(bench, tmp_path / "out", "coco")
    assert len(list((tmp_path / "out" / "images").iterdir())) == 1


def test_mistakes_leave_nothing_behind(tmp_path: Path) -> None:
    """A full folder, an unknown format, a lost picture and an empty choice are refused."""
    bench = write_bench(tmp_path / "bench", question(1, answerable=False))
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "thesis.tex").write_text("years of work")
    with pytest.raises(InvalidInputError, match="absent or empty"):
        export_bench(bench, taken, "coco")
    with pytest.raises(UnknownNameError, match="coco"):
        export_bench(bench, tmp_path / "out", "cocoa")
    with pytest.raises(NothingKeptError, match="1 questions that only a refusal"):
        export_bench(bench, tmp_path / "out", "coco")
    for path in (bench / "objects").rglob("*.png"):
        path.unlink()
    with pytest.raises(InvalidInputError, match="no such file"):
        export_bench(bench, tmp_path / "out", "label-studio")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench", "taken"]
    assert [path.name for path in taken.iterdir()] == ["thesis.tex"]


def test_a_changed_table_is_refused(tmp_path: Path) -> None:
    """Questions that are not those of the manifest are not exported."""
    bench = write_bench(tmp_path / "bench", question(1))
    path = bench / "questions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Open", b"Shut"))
    with pytest.raises(InvalidInputError, match=r"manifest\.json"):
        export_bench(bench, tmp_path / "out", "coco")


def test_every_format_has_its_reader() -> None:
    """Each export names a labelled set, and the published form comes first."""
    assert export_names()[0] == "hf"
    assert {entry.dataset for entry in EXPORTS.entries.values()} <= set(LABELLED.entries)


def test_questions_of_a_screen_follow_on_each_other(bench: Path) -> None:
    """Twice the same samples, each screen once, with its platform and locale."""
    with open_samples(bench) as samples:
        first, second = list(samples), list(samples)
    assert first == second
    screens = [sample.question.screen for sample in first]
    assert screens == sorted(screens)
    assert sorted(sample.question.id for sample in first) == [e.id for e in read_questions(bench)]
    assert {(sample.platform, sample.locale) for sample in first} == {("web", "en-US")}
    assert all(sample.picture == f"{sample.question.image}.png" for sample in first)


def test_a_question_outranks_its_screen_and_names_no_folder(tmp_path: Path, bench: Path) -> None:
    """The question's own platform counts, an unknown one is none, a hostile id is a file name."""
    one, two, three = read_questions(bench)[:3]
    replace = msgspec.structs.replace
    asked = [
        replace(one, platform="mobile"),
        replace(two, platform="fridge"),
        replace(three, screen="../up", image=""),
    ]
    with Ledger.open(tmp_path / "b", {"kind": "bench"}):
        export(
            tmp_path / "b",
            "bench",
            {"screens.jsonl": read_screens(bench), "questions.jsonl": asked},
        )
    with open_samples(tmp_path / "b") as samples:
        found = {sample.question.id: sample for sample in samples}
    assert [found[item.id].platform for item in asked] == ["mobile", "", ""]
    assert found[three.id].picture == "..%2Fup.png"


def test_a_format_is_given_what_it_holds(bench: Path) -> None:
    """The samples of a format are those without a part that it drops."""
    exporter = msgspec.structs.replace(EXPORTS.get("coco"), drops=frozenset({Part.VARIANT}))
    with open_samples(bench) as samples:
        kept = list(samples.held(exporter))
        every = list(samples)
    assert 0 < len(kept) < len(every)
    assert kept == [sample for sample in every if Part.VARIANT not in parts_of(sample)]
