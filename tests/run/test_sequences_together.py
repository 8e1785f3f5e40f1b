"""
Questions about several pictures, from a published set through every verb that meets them.
"""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from PIL import Image

import surefoot
from surefoot.api.benches import Bench
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Question
from surefoot.core.store import ObjectStore
from surefoot.models import FunctionModel, Options
from surefoot.report.answers.failures import failure_cards
from surefoot.report.answers.scored import Choices, score_runs, scoring_of
from surefoot.report.audit import draw_audit
from surefoot.run.asking.run import ask_model
from surefoot.run.asking.runs import find_run, open_run
from surefoot.run.exporting import export_bench
from surefoot.run.folders.folder import read_answers, read_questions, read_screens
from surefoot.run.imports.labelled import import_labelled
from surefoot.run.imports.parquet import import_parquet
from surefoot.run.verifying import verify_folders
from surefoot.view.application import view_application
from surefoot.view.click_pages import click_application
from surefoot.view.clicking import HumanAnswers
from surefoot.view.looking import LookedAt
from surefoot.view.opening import GivenFolders
from tests.view.asking import TOKEN, Asker

if TYPE_CHECKING:
    from tests.conftest import FakeServer

COLOURS: Final = ("red", "blue", "red", "lime")  # the second red is the first again
SIZES: Final = ((40, 20), (30, 60), (40, 20), (20, 20))
OPTIONS: Final = "A: Buy B: Sell C: Rent D: Lend"
QUICK: Final = Options(concurrency=2, attempts=1)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an imported set of one question about one picture and one about four."""
    folder = tmp_path_factory.mktemp("sequences")
    frames = folder / "images/rich/en/shop_episode_0"
    frames.mkdir(parents=True)
    # By their letters the tenth would come before the second.
    for number, colour, size in zip((1, 2, 10, 11), COLOURS, SIZES, strict=True):
        Image.new("RGB", size, colour).save(frames / f"step_{number}.png")
    single = folder / "images/6/en/shop_en_1.png"
    single.parent.mkdir(parents=True)
    Image.new("RGB", (16, 16), "gold").save(single)
    rows: dict[str, dict[str, str]] = {
        "wf_en": {"image_path": "../images/6/en/shop_en_1.png"},
        "knowledge_rich_en": {"image_folder_path": "../images/rich/en/shop_episode_0"},
    }
    (folder / "qas").mkdir()
    for name, row in rows.items():
        row |= {"question": f"What for? {OPTIONS}", "answer": "B"}
        (folder / "qas" / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    import_labelled("mpr-gui-bench", folder, folder / "bench")
    return folder / "bench"


def sequence_of(bench: Path) -> Question:
    """Return the question about several pictures."""
    (found,) = (question for question in read_questions(bench) if question.further)
    return found


def colour_of(data: bytes) -> tuple[int, ...]:
    """Return the colour of a picture's first pixel."""
    with Image.open(io.BytesIO(data)) as image:
        pixel = image.convert("RGB").getpixel((0, 0))
    assert isinstance(pixel, tuple)
    return pixel


def test_a_folder_of_screens_is_one_question(bench: Path) -> None:
    """Its pictures stand in the order of their numbers, and one that comes again is kept once."""
    question = sequence_of(bench)
    store = ObjectStore(bench)
    assert [colour_of(store.get(sha)) for sha in question.images] == [
        (255, 0, 0), (0, 0, 255), (255, 0, 0), (0, 255, 0),
    ]  # fmt: skip
    assert [(shown.width, shown.height) for shown in question.screen_images] == [*SIZES]
    assert {shown.screen for shown in question.screen_images} < {
        screen.id for screen in read_screens(bench)
    }
    assert len(read_screens(bench)) == 4
    assert (question.cluster, question.cell.instruction) == ("rich/shop", "ri")


def test_questions_of_one_picture_keep_their_bytes(bench: Path) -> None:
    """Where there is no further picture nothing of it is written, so plans keep their hash."""
    (single,) = (question for question in read_questions(bench) if not question.further)
    assert b"further" not in canonical_json(single)


def test_a_server_is_sent_all_pictures_in_order(
    bench: Path, server: FakeServer, tmp_path: Path
) -> None:
    """The request holds each picture's own bytes, one after another, and words that say so."""
    model = f"openai:m@{server.base}"
    ask_model(bench, model, tmp_path / "run", format_name="json", options=QUICK, keep_going=True)
    (body,) = (body for body in server.bodies if len(body["messages"][-1]["content"]) > 2)
    *images, text = body["messages"][-1]["content"]
    sent = [part["image_url"]["url"].removeprefix("data:image/png;base64,") for part in images]
    store = ObjectStore(bench)
    assert [base64.b64decode(data) for data in sent] == [
        store.get(sha) for sha in sequence_of(bench).images
    ]
    assert "screenshots, which follow on each other" in text["text"]


def test_the_set_is_scored_by_language(bench: Path, tmp_path: Path) -> None:
    """Answers to it are scored as the set says, without a word on the command line."""
    ask_model(bench, "oracle", tmp_path / "run", options=QUICK)
    scoring = scoring_of([tmp_path / "run"])
    summary = score_runs([find_run(tmp_path / "run")], scoring, Choices())
    (profile,) = summary.details["languages"]
    assert profile.accuracy == {"wf": 1.0, "ri": 1.0}


def test_a_function_of_several_is_given_the_list(bench: Path, tmp_path: Path) -> None:
    """It sees as many pictures as a question has, of their sizes, also where there is one."""
    seen: list[list[tuple[int, int]]] = []

    def look(pictures: list[Image.Image], _words: str) -> str:
        seen.append([picture.size for picture in pictures])
        return "B"

    model = FunctionModel(look, "looker", several=True)
    ask_model(bench, model, tmp_path / "run", options=QUICK)
    assert sorted(map(len, seen)) == [1, 4]
    assert [*SIZES] in seen
    assert {answer.raw for answer in read_answers(tmp_path / "run")} == {'{"answer": "B"}'}


@pytest.mark.parametrize("spec", ["ocr", FunctionModel(lambda *_: "A", "one")])
def test_what_looks_at_one_picture_says_so(
    bench: Path, tmp_path: Path, spec: str | FunctionModel
) -> None:
    """A model that cannot see all pictures is refused before anything is asked or written."""
    with pytest.raises(InvalidInputError, match="about several"):
        ask_model(bench, spec, tmp_path / "run", options=QUICK)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["label-studio", "fiftyone"])
def test_formats_of_one_picture_leave_sequences_out(
    bench: Path, tmp_path: Path, name: str
) -> None:
    """No export writes the first picture as if it were the question's only one."""
    outcome = export_bench(bench, tmp_path / "out", name)
    assert outcome.lines[0].startswith("1 questions about several pictures left out")
    assert outcome.lines[-1] == "1 questions, 1 pictures"


def test_the_published_form_gives_sequences_back(bench: Path, tmp_path: Path) -> None:
    """All pictures and their order survive parquet, and its card says where they stand."""
    export_bench(bench, tmp_path / "hf")
    import_parquet(tmp_path / "hf", tmp_path / "again")
    assert read_questions(tmp_path / "again") == read_questions(bench)
    assert "`further` (JSON) names" in (tmp_path / "hf" / "README.md").read_text("utf-8")
    store = ObjectStore(tmp_path / "again")
    assert all(store.holds(sha) for sha in sequence_of(bench).images)


def test_a_lost_further_picture_is_damage(bench: Path, tmp_path: Path) -> None:
    """What verifies a folder knows that a question names it."""
    export_bench(bench, tmp_path / "hf")
    import_parquet(tmp_path / "hf", tmp_path / "again")
    ObjectStore(tmp_path / "again").path(sequence_of(bench).images[-1]).unlink()
    (found,) = verify_folders(tmp_path / "again")
    assert [part.path for part in found.damaged if part.path.startswith("objects")]


def test_people_and_reports_are_shown_all_pictures(bench: Path, tmp_path: Path) -> None:
    """The page that asks a person, the view, the cards and the sheets show each picture."""
    question = sequence_of(bench)
    ask_model(bench, "center", tmp_path / "run", options=QUICK)
    with HumanAnswers(bench, "Ada", tmp_path / "human") as asked:
        asker = Asker(click_application(asked, TOKEN))
        shown = []
        while (told := asker.get("/question").json())["number"] < told["total"]:
            shown.append([told["picture"], *told["further"]])
            said = {"number": told["number"], "seconds": 1, "said": ["choice", "A"]}
            asker.ask("POST", "/answer", json=said)
        pages = [asker.get(address).status_code for page in shown for address in page]
    assert [f"/picture/{sha}" for sha in question.images] in shown
    assert set(pages) == {200}
    given = GivenFolders((bench,), (), (), (), ())
    page = Asker(view_application(LookedAt(given), TOKEN)).get(f"/question/0/{question.id}").text
    assert re.findall(r'<img src="/picture/bench/0/(\w+)"', page) == [*question.images[1:]]
    run = open_run(tmp_path / "run")
    cards = failure_cards(run, tolerance=0.0, limit=5, seed=0)
    drawn = [pane.svg.count("<image ") for card in cards for pane in card.panes]
    assert sorted(drawn) == [1, 4]
    sheet, _ = draw_audit(bench, tmp_path / "sheets", count=2, seed=0, per_sheet=2)
    assert sheet.is_file()
    opened = surefoot.open(bench)
    assert isinstance(opened, Bench)
    (pictured,) = (item for item in opened if item.id == question.id)
    assert [picture.size for picture in pictured.pictures()] == [*SIZES]
