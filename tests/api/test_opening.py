"""
Opened folders: their records, their tables, and the error for what is none.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

import surefoot
from surefoot.api import tables
from surefoot.api.pictures import CLICK
from surefoot.core.errors import InvalidInputError, MissingComponentError, UnknownNameError
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.report.audit import LANDMARK, TARGET
from surefoot.run.folders.folder import read_answers, read_questions, read_screens
from surefoot.run.parquet.layout import question_from


@pytest.fixture(scope="module")
def left(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> surefoot.ModelRun:
    """Return the run of a function that clicks left of most targets, and refuses one kind."""

    def point(image: Image.Image, words: str) -> tuple[int, int] | None:
        return None if "below" in words else (30, round(0.5 * image.height))

    folder = tmp_path_factory.mktemp("left") / "run"
    return surefoot.run(drawn, model=point, out=folder, self_check=False)


def test_records_are_those_of_the_files(drawn: Path, left: surefoot.ModelRun) -> None:
    """Iteration gives the very records that the folder holds, by their own readers."""
    bench = surefoot.open_bench(drawn)
    screens = [bench.screen(screen.id) for screen in read_screens(drawn)]

    assert list(map(plain, bench)) == list(read_questions(drawn))
    assert [plain(screen) for screen in screens if screen] == list(read_screens(drawn))
    assert [exchange.answer for exchange in left] == list(read_answers(left.folder))
    assert [plain(exchange.question) for exchange in left] == list(read_questions(drawn))


def plain(record: Screen | Question) -> Screen | Question:
    """Return a pictured record as what it is without its picture."""
    kind = Screen if isinstance(record, Screen) else Question
    return kind(**{name: getattr(record, name) for name in record.__struct_fields__})


def test_a_folder_is_opened_as_what_it_is(drawn: Path, left: surefoot.ModelRun) -> None:
    """One door opens every kind, and each kind's own door opens that alone."""
    assert isinstance(surefoot.open(drawn), surefoot.Bench)
    assert isinstance(surefoot.open(str(left.folder)), surefoot.ModelRun)
    with pytest.raises(InvalidInputError, match="to be what `surefoot run` writes"):
        surefoot.open_run(drawn)


@pytest.mark.parametrize("made", ["absent", "empty", "unfinished", "damaged"])
def test_what_is_no_folder_of_ours_is_named(tmp_path: Path, made: str) -> None:
    """A folder that is absent, foreign, unfinished or damaged is one error with its path."""
    folder = tmp_path / "it"
    if made != "absent":
        folder.mkdir()
    if made == "unfinished":
        (folder / "plan.json").write_text("{}")
    if made == "damaged":
        (folder / "plan.json").write_text("{}")
        (folder / "manifest.json").write_text('{"kind": ["a"]}')

    with pytest.raises(InvalidInputError, match=re.escape(str(folder))):
        surefoot.open(folder)


def test_a_record_is_found_by_place_and_id(drawn: Path, left: surefoot.ModelRun) -> None:
    """A place, a slice and an id lead to records; an unknown id is answered with known ones."""
    bench = surefoot.open_bench(drawn)

    assert bench[bench[5].id] is bench[5]
    assert [record.id for record in bench[1:3]] == [bench[1].id, bench[2].id]
    assert left[bench[7].id].question.id == bench[7].id
    with pytest.raises(UnknownNameError, match="Choose one of"):
        bench["nowhere"]


def test_a_table_holds_all_that_the_records_do(drawn: Path, left: surefoot.ModelRun) -> None:
    """Questions come back whole from their rows, and hits and clicks stand beside them."""
    rows = left.to_arrow().to_pylist()
    known = set(surefoot.open_bench(drawn).to_arrow().schema.names)
    asked = [question_from({k: v for k, v in row.items() if k in known}) for row in rows]

    assert asked == list(read_questions(drawn))
    assert [row["hit"] for row in rows] == [exchange.hit for exchange in left]
    assert {(row["parsed"], row["x"]) for row in rows} == {("point", 30.0), ("refusal", None)}
    assert {row["model"] for row in rows} == {"point"}
    scored = [one.total for one in surefoot.score(left).scores if one.metric == "hit"]
    assert sum(row["hit"] for row in rows) == sum(scored) > 0


def test_three_libraries_get_one_table(drawn: Path) -> None:
    """Columns and rows are the same in Arrow, pandas, polars and datasets, pictures too."""
    bench = surefoot.open_bench(drawn)
    arrow = bench.to_arrow(pictures=True)
    pandas, polars = bench.to_pandas(pictures=True), bench.to_polars(pictures=True)
    dataset = bench.to_datasets(pictures=True)

    assert list(pandas.columns) == polars.columns == dataset.column_names == arrow.schema.names
    assert len(pandas) == len(polars) == len(dataset) == len(bench) == 36
    assert pandas["text"].tolist() == polars["text"].to_list() == list(dataset["text"])
    assert dataset[3]["image"].size == (320, 200)
    assert polars["image"][3]["bytes"] == pandas["image"][3]["bytes"]


def test_a_table_of_nothing_keeps_its_columns() -> None:
    """The columns follow from the kind of record and not from the records at hand."""
    from surefoot.score.contrasts.comparisons import Comparison

    empty = tables.FlatTable((), Comparison).to_arrow()

    assert empty.num_rows == 0
    assert empty.schema.field("change").type == pa.float64()
    assert empty.schema.field("interval_low").type == pa.float64()
    assert empty.schema.field("discordance_both").type == pa.int64()
    assert empty.schema.field("reasoning").type == pa.bool_()


def test_an_absent_library_is_named_with_its_command(
    drawn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without polars, the error says how to get it; a fault inside a library is its own."""

    def absent(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    bench = surefoot.open_bench(drawn)
    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(MissingComponentError, match="pip install polars"):
        bench.to_polars()

    monkeypatch.setattr(importlib, "import_module", lambda _name: absent("inner"))
    with pytest.raises(ModuleNotFoundError):
        tables.optional_package("polars")


def colours(image: Image.Image) -> Iterator[str]:
    """Yield the colours of an image as CSS spells them."""
    for _, colour in image.getcolors(image.width * image.height) or []:
        assert isinstance(colour, tuple)
        yield "#{:02x}{:02x}{:02x}".format(*colour[:3])


def test_pictures_show_target_landmark_and_click(left: surefoot.ModelRun) -> None:
    """The frames and the click lie where the records say, and only where they are asked for."""
    direct = next(one for one in left if one.question.cell.instruction == "direct")
    relational = next(one for one in left if one.question.instruction.landmark)
    assert direct.click is not None

    assert {TARGET, CLICK} <= set(colours(direct.picture()))
    assert not {TARGET, CLICK} & set(colours(direct.question.picture(boxes=False)))
    assert {TARGET, LANDMARK} <= set(colours(relational.picture()))
    x, y = round(direct.click.x), round(direct.click.y)
    assert "#{:02x}{:02x}{:02x}".format(*direct.picture().getpixel((x + 10, y))) == CLICK  # type: ignore[misc]


def test_what_a_notebook_shows_is_escaped(drawn: Path, left: surefoot.ModelRun) -> None:
    """Words from pages and models come into a notebook as text, never as markup."""
    bench = surefoot.open_bench(drawn)
    scores = surefoot.score(left)
    shown = [bench, left, scores, bench[0], bench[1], left[0], scores.comparisons]
    html = [str(getattr(one, "_repr_html_")()) for one in shown]  # noqa: B009 - of many classes

    assert "below &lt;title&gt;" in "".join(html)
    assert not [text for text in html if "<title>" in text]
    assert all("Click &#x27;save&#x27; &amp; wait" in text for text in html[:2])
    assert "data:image/webp;base64," in html[3]


def test_hostile_names_are_escaped(drawn: Path, tmp_path: Path) -> None:
    """A model's name and reply may be markup: they stay text in tables and captions."""
    name = "<img src=x onerror=alert(1)>"
    run = surefoot.run(
        drawn,
        model=lambda _i, _w: name,
        name=name,
        out=tmp_path / "r",
        self_check=False,
        keep_going=True,
    )

    assert "<img src=x" not in run._repr_html_() + run[0]._repr_html_()
    assert "<img src=x" not in surefoot.score(run)._repr_html_()
