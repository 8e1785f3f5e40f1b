"""
The page of the five systems: each command in it runs, on small input, from top to bottom.
"""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.errors import ExitCode
from surefoot_studies.tiny.bench import write_benches
from tests.conftest import FakeServer, Step

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "seeds.md").read_text("utf-8")
WEIGHTS: Final = ROOT / "studies/src/surefoot_studies/tiny/weights/qwen3-vl-tiny"
SECTIONS: Final = tuple(re.findall(r"^## (.+)$", PAGE, re.MULTILINE))
# All others render pages, play forms or ask a model that runs here.
CHEAP: Final = ("Hidden Forms",)
TITLES: Final = [
    pytest.param(title, marks=[] if title in CHEAP else [pytest.mark.long]) for title in SECTIONS
]
MIXED: Final = (("original", 1), ("style", 5), ("text_shrink", 1), ("precision", 1))
SERVED: Final = "http://127.0.0.1:8000/v1"
NOTHING: Final = {"choices": [{"message": {"content": "high: none\nmedium: none\nlow: none"}}]}
HEAD: Final = "<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title>"
FORM: Final = (
    "<h1>Profile</h1><label>Given name <input name=g></label><br>"
    "<label>City <input name=c></label><br><label><input type=checkbox> Send news</label><br>"
    "<button>Save</button> <button>Discard</button>"
)
LIST: Final = (
    "<h1>Orders</h1><ul><li><a href=#a>Garden chair</a></li><li><a href=#b>Desk lamp</a></li>"
    "</ul><p>Total of the month</p><button>Print list</button><button>Export table</button>"
)


def commands(text: str) -> list[list[str]]:
    """
    Return the commands of a part of the page, as words.

    They are the lines of its blocks, and what stands in a cell of a table that begins with one.
    """
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    cells = re.findall(r"^\| .* \| (`surefoot .*) \|$", text, re.MULTILINE)
    given = [
        *blocks.splitlines(),
        *(one for cell in cells for one in re.findall(r"`(.+?)`", cell)),
    ]
    return [shlex.split(line)[1:] for line in given if re.match(r"surefoot \w+ .", line)]


def parts() -> dict[str, str]:
    """Return the text before the first section under "", and each section under its title."""
    first, *rest = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    return {"": first, **{text.partition("\n")[0]: text for text in rest}}


def picture(*words: str) -> bytes:
    """Draw words on buttons, one below the other, as PNG."""
    image = Image.new("RGB", (200, 160), "white")
    pen = ImageDraw.Draw(image)
    for at, word in enumerate(words):
        pen.rectangle((20, 20 + 40 * at, 120, 48 + 40 * at), fill="#223344")
        pen.text((30, 28 + 40 * at), word, fill="white")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def screenshot(*words: str) -> bytes:
    """Draw buttons so large and so far apart that a detector finds each, as PNG."""
    image = Image.new("RGB", (800, 600), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(18)
    for at, word in enumerate(words):
        pen.rounded_rectangle((60, 40 + 90 * at, 220, 80 + 90 * at), 6, fill="#223344")
        pen.text((110, 48 + 90 * at), word, fill="white", font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def write(path: Path, content: object) -> None:
    """Write bytes, text or JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")


def write_sets(folder: Path) -> None:
    """Write a few records of each set that the page imports, in its own layout."""
    shown = picture("Save", "Send", "Close")
    spots = [
        {
            "img_filename": "a.png", "bbox": [20, 20 + 40 * at, 100, 28], "instruction": word,
            "data_type": kind, "data_source": "windows",
        }
        for at, (word, kind) in enumerate([("keep it", "text"), ("post it", "icon")])
    ]  # fmt: skip
    write(folder / "screenspot-v2/screenspot_desktop_v2.json", spots)
    write(folder / "screenspot-v2/screenspotv2_image/a.png", shown)
    piece = {"text": "Save", "bounds": [20, 20, 120, 48], "vh_index": 1}
    asked = {
        "image_id": 1, "image_width": 200, "image_height": 160, "question": "What keeps it?",
        "ground_truth": [{"full_answer": "Save", "ui_elements": [piece]}],
    }  # fmt: skip
    other = {"text": "Send", "bounds": [20, 60, 120, 88], "vh_index": 2}
    more = {
        **asked,
        "question": "What posts it?",
        "ground_truth": [{"full_answer": "Send", "ui_elements": [other]}],
    }
    write(folder / "screen_qa/answers_and_bboxes/test.json", [asked, more])
    short = {"image_id": 1, "question": asked["question"], "ground_truth": ["Save it"]}
    write(folder / "screen_qa/short_answers/test.json", [short])
    image = Image.open(io.BytesIO(shown))
    (folder / "rico").mkdir()
    image.save(folder / "rico/1.jpg")
    step = {"task_id": "t", "step_index": 0, "gt_bbox": "[20, 20, 100, 28]"}
    rows = [
        {
            **step, "visual_variant": variant, "instruction_type": "direct_query",
            "instruction": "Click on 'Save'", "screenshot": {"bytes": shown, "path": None},
        }
        for variant in ("original", "precision")
    ]  # fmt: skip
    (folder / "gui-perturbed-hf").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), folder / "gui-perturbed-hf/eval-0.parquet")
    row = {
        "question": "Where is 'Save'? A: Top left B: Top right C: Bottom left D: Bottom right",
        "answer": "A",
    }
    for language in ("en", "fr"):
        path = f"../images/6/{language}/shop_{language}_1.png"
        lines = json.dumps({**row, "image_path": path}) + "\n"
        write(folder / f"mpr/qas/abs_el_{language}.jsonl", lines)
        write(folder / f"mpr/images/6/{language}/shop_{language}_1.png", shown)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, surefoot_here: Callable[..., Any]) -> Path:
    """Return a reader's folder with all small input, where the page's first block was run."""
    place = tmp_path_factory.mktemp("reader")
    for name, body in (("form", FORM), ("list", LIST)):
        write(place / f"site/{name}.html", HEAD + body)
    write_sets(place / "sets")
    write(place / "shots/shop.png", screenshot("Save", "Send", "Close", "Print", "Share"))
    reply = {
        "model": "gta1", "reasoning": False, "instruction_type": "direct", "task_id": "t",
        "step_index": 1, "instruction": "Click on 'A'", "raw_prediction": "(966,546)",
        "box_xywh": [950, 530, 20, 20],
    }  # fmt: skip
    lines = (json.dumps({**reply, "variant": name}) for name in ("original", "style"))
    write(place / "published/predictions.jsonl", "".join(f"{line}\n" for line in lines))
    bug = {"Bug Title": "Slow", "Severity Level": "High"}
    write(place / "formfactory/data1/Bug_report.json", [bug])
    draws = (
        f"[[draw]]\ncount = {count}\nvariants = ['{name}']\nagain = true" for name, count in MIXED
    )
    write(place / "sets/table-3.toml", "\n".join(draws))
    write(place / "sheets/ann.csv", "item,site,rating,box_right\na,s,yes,yes\nb,s,no,\n")
    (place / "models").mkdir()
    (place / "models/tiny").symlink_to(WEIGHTS)
    screens = {"memory": 12, "validation": 4, "test": 4}
    write_benches(place / "out/drawn", screens=screens, clicked=2, languages=("en", "fr"))
    surefoot_here(place, parts()[""])
    return place


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """Return the base URL of a model that has nothing to say."""
    fake = FakeServer()
    fake.steps = [Step(json.dumps(NOTHING).encode())]
    yield fake.base
    fake.stop()


@pytest.fixture(scope="module")
def surefoot_here(surefoot: Callable[..., Any], served: str) -> Callable[[Path, str], int]:
    """Run the commands of a part of the page in a folder, and return how many there were."""

    def run(place: Path, text: str) -> int:
        found = commands(text.replace(SERVED, served))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(place)
            for words in found:
                ended = surefoot(*words)
                assert ended.code == ExitCode.FINE, f"{shlex.join(words)}: {ended.err}"
        return len(found)

    return run


@pytest.mark.timeout(1200)  # a section is a dozen commands
@pytest.mark.parametrize("title", TITLES)
def test_the_commands_of_a_section_run(
    title: str, folder: Path, surefoot_here: Callable[[Path, str], int]
) -> None:
    """Each command that a section gives ends well, in the order of the page."""
    assert surefoot_here(folder, parts()[title]) > 2


def test_every_part_has_a_command_or_a_reason() -> None:
    """A row of the page has two cells, and its second one is a command, "the same", or words."""
    rows = re.findall(r"^\| (?!part |---)(.+) \|$", PAGE, re.MULTILINE)

    assert len(rows) > 40
    for row in rows:
        part, told = row.split(" | ")
        assert part
        assert re.match(r"`surefoot |the same|the formats|none|\[|any model", told), row
