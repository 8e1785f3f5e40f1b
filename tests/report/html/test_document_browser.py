"""
Reports of every kind in a real browser: wide and narrow, on paper, by click, and by axe-core.
"""

from __future__ import annotations

import csv
import functools
import io
import tarfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, sync_playwright

from surefoot.capture.web.chromium import launch
from surefoot.capture.web.host import SiteHost
from surefoot.capture.web.room import Room
from surefoot.core.geometry import Point
from surefoot.report.answers.scored import Choices
from surefoot.report.card.board import Leaderboard, write_board
from surefoot.report.card.opening import open_sources
from surefoot.report.card.page import CardChoices, score_card, write_card
from surefoot.report.choices import write_report_on
from surefoot.report.forms.page import write_forms
from surefoot.run.submissions import RefusedRun
from surefoot.score.pillars import LEVELS
from surefoot.score.ranking import rank

Write = Callable[..., Path]
Scheme = Literal["light", "dark"]
Visit: TypeAlias = Callable[..., AbstractContextManager[Page]]

ANSWERS: Final = Path(__file__).parents[2] / "golden" / "inputs.tar.xz"
CLIPPING: Final = (Path(__file__).parent / "clipping.js").read_text("utf-8")
RUNS: Final = {
    "perturbed": ("hits", ("ocr", "careful", "lost")),
    "labelled": ("labelled", ("random", "careful", "hasty", "lost")),
    "sensitivity": ("words", ("random", "careful")),
    "hidden": ("hidden", ("careful", "hasty", "lost")),
}
KINDS: Final = (
    "perturbed",
    pytest.param("labelled", marks=pytest.mark.long),
    "sensitivity",
    "hidden",
    "forms",
    "diagnosis",
    "pictures",
    "card",
    "board",
)
QUICK: Final = {
    ("pictures", 390),
    ("diagnosis", 1280),
    ("card", 390),
    ("card", 1280),
    ("board", 390),
}
LOOKS: Final = [
    pytest.param(kind, width, scheme, marks=() if (kind, width) in QUICK else pytest.mark.long)
    for kind in (*RUNS, "forms", "diagnosis", "pictures", "card", "board")
    for width, scheme in ((390, "dark"), (1280, "light"))
]
NO_PICTURES: Final = Choices(cards=0)


@pytest.fixture(scope="module")
def report_of(
    drawn: Path,
    worded: Path,
    write_run: Write,
    stumble: Callable[..., object],
    diagnosis_folder: Write,
    transfer_folder: Write,
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], Path]:
    """Write the report of a kind, of real answers or with pictures, once for all tests."""
    folder = tmp_path_factory.mktemp("reports")
    pages = drawn, worded
    with tarfile.open(ANSWERS) as archive:
        archive.extractall(folder, filter="data")

    @functools.cache
    def write(kind: str) -> Path:
        out = folder / f"{kind}.html"
        if kind in RUNS:
            bench, models = RUNS[kind]
            write_report_on([folder / f"{bench}-{model}" for model in models], out, NO_PICTURES)
        elif kind == "forms":
            write_forms([folder / "forms", folder / "forms-bare"], out, cards=0)
        elif kind == "diagnosis":
            diagnosed = [diagnosis_folder(folder / "diagnosed"), transfer_folder(folder / "moved")]
            write_report_on(diagnosed, out, Choices(cards=4))
        elif kind == "board":
            write_board(a_board(), out)
        elif kind == "card":
            runs = [
                write_run(bench, folder / f"on-{bench.parent.name}", stumble) for bench in pages
            ]
            middle = write_run(
                pages[1], folder / "middle", lambda _: Point(320.0, 180.0), name="center"
            )
            sources = open_sources(
                [*runs, folder / "forms", diagnosis_folder(folder / "caused")], [middle]
            )
            write_card(score_card(sources, CardChoices()), out, CardChoices())
        else:
            write_report_on([write_run(drawn, folder / "run", stumble)], out, Choices())
        return out

    return write


def a_board() -> Leaderboard:
    """Return a board of three models and the references, and of runs that were refused."""
    sites = {f"page{at}#{at}": f"site{at % 9}" for at in range(90)}
    rates = {
        "a-model-with-a-long-name-7b": 0.8,
        "b": 0.78,
        "c": 0.5,
        "oracle": 1.0,
        "center": 0.02,
    }
    values = {
        model: {
            pillar: {pair: float(at % 50 < 50 * rate) for at, pair in enumerate(sites)}
            for pillar in ("perturbed", "sensitivity", "hidden", "multilingual")
        }
        for model, rate in rates.items()
    }
    ranking = rank(values, sites, beside=LEVELS)
    declined = tuple(one for one in ranking.rates if not one.pillar)
    return Leaderboard(
        name="ours",
        version="v1",
        pillars=tuple(values["b"]),
        sites=9,
        ranking=ranking,
        right=declined,
        wrong=declined,
        submissions=(),
        refused=(RefusedRun("runs/d", "expected 9 replies; found 8 <missing>"),),
    )


@pytest.fixture(scope="module")
def visit(
    report_of: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visit]:
    """Open reports in one Chromium that reaches nothing else."""
    with SiteHost() as nowhere, sync_playwright() as playwright:
        room = Room(tmp_path_factory.mktemp("room"))
        browser, _ = launch(playwright, nowhere.address, room)

        @contextmanager
        def opened(kind: str, width: int = 1280, scheme: Scheme = "light") -> Iterator[Page]:
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme
            )
            page = context.new_page()
            page.route("**/*", lambda route: route.fulfill(path=report_of(kind)))
            page.goto(f"http://reports.example/{kind}.html")
            yield page
            context.close()

        yield opened
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize("kind", KINDS)
def test_every_text_can_be_read(kind: str, visit: Visit) -> None:
    """No text of a figure or table is cut or lies on another, wide or narrow; one page a kind."""
    with visit(kind, 390) as page:
        narrow = page.evaluate(CLIPPING)
        page.set_viewport_size({"width": 1280, "height": 900})
        wide = page.evaluate(CLIPPING)

    assert (narrow, wide) == ([], [])


@pytest.mark.browser
@pytest.mark.parametrize(("width", "media"), [(390, "screen"), (1280, "screen"), (600, "print")])
def test_of_both_drawings_one_is_seen(
    width: int, media: Literal["screen", "print"], visit: Visit
) -> None:
    """A figure is drawn for a desk and for a phone; a screen or a sheet of paper shows one."""
    with visit("hidden", width) as page:
        page.emulate_media(media=media)
        seen = page.evaluate(
            "[...document.querySelectorAll('.drawing')].map(figure => [...figure"
            ".querySelectorAll('svg')].filter(one => one.checkVisibility()).length)"
        )

    assert seen[0] == 1
    # A fold is closed on a screen and open on paper.
    assert set(seen) == ({1} if media == "print" else {0, 1})


@pytest.mark.browser
def test_tables_are_saved_by_a_click(visit: Visit) -> None:
    """A click on a link below a table saves the numbers of that table under its title."""
    with visit("perturbed") as page:
        page.evaluate(
            "document.querySelectorAll('details').forEach(fold => { fold.open = true; })"
        )
        for at in (0, 1):
            figure = page.locator("figure:has(a[download])").nth(at)
            shown = figure.locator("table").evaluate(
                "table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent))"
            )
            with page.expect_download() as download:
                figure.locator("a[download]").click()
            title = figure.locator("figcaption").inner_text()
            head, _, saved = download.value.url.partition(",")

            assert download.value.failure() is None
            assert download.value.suggested_filename.startswith(title.split(":")[0])
            assert head == "data:text/csv;charset=utf-8"
            assert list(csv.reader(io.StringIO(unquote(saved), newline=""))) == shown


@pytest.mark.browser
@pytest.mark.parametrize(("kind", "width", "scheme"), LOOKS)
def test_axe_finds_nothing_to_mend(
    kind: str, visit: Visit, assert_accessible: Callable[[Page], None], width: int, scheme: Scheme
) -> None:
    """Whoever reads with another sense than sight, or in the dark, can read all of a report."""
    with visit(kind, width, scheme) as page:
        page.evaluate(
            "document.querySelectorAll('details').forEach(fold => { fold.open = true; })"
        )

        assert_accessible(page)
