"""
One judgement: for every kind of truth a report's row, its pictures and a search agree.
"""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from PIL import Image, ImageChops

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Choice, Parsed, Question, Refusal, Text, Unparsed
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.search.arms import is_miss
from surefoot.report.answers.clicks import draw_clicks, worst_elements
from surefoot.report.answers.failures import failure_cards
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices
from surefoot.report.answers.sections import sections
from surefoot.report.audit import draw_audit
from surefoot.report.html.gallery import Pane
from surefoot.run.asking.runs import FinishedRun, open_run, tabulate_folders
from surefoot.run.folders.folder import export
from surefoot.score.hits import hits
from surefoot.score.metric import Ruler
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import Summary, summarise

Write = Callable[..., Path]
Panes = dict[str, list[tuple[Pane, Pane]]]
SIZE = (640, 400)
HOOK = tuple(
    Point(float(x), float(y))
    for x, y in [(100, 100), (300, 100), (300, 130), (130, 130), (130, 260), (100, 260)]
)
NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
TOLERANCE = 8.0


class Kind(msgspec.Struct, frozen=True):
    """
    Hold one kind of truth, replies that are right and wrong by hand, and what is drawn.

    ``shapes`` are the tags of what is drawn as the target; ``said`` is part of the verdict
    of the first wrong reply. The tolerance is 8 pixels, 4 on every side.
    """

    truth: dict[str, object]
    right: list[Parsed | None]
    wrong: list[Parsed | None]
    shapes: list[str]
    said: str


SILENT: list[Parsed | None] = [Unparsed("no numbers"), None]
WORDS = {"truth": NOWHERE, "asks": "words"}
KINDS = {
    "box": Kind(
        {"truth": Box(100, 100, 200, 140)},
        [Point(150, 120), Point(97, 143), Box(100, 100, 200, 140)],
        [Point(205, 150), Box(0, 0, 640, 400), Refusal("no"), Text("x"), *SILENT],
        ["rect"],
        "missed by 11 px",
    ),
    "boxes": Kind(
        {"truth": Box(100, 100, 200, 140), "boxes": (Box(400, 300, 500, 340),)},
        [Point(450, 320), Point(150, 120), Point(396, 300)],
        [Point(300, 220), Point(503, 345), Refusal("no"), *SILENT],
        ["rect", "rect"],
        "missed by 128 px",
    ),
    "polygon": Kind(
        {"truth": Box(100, 100, 300, 260), "polygon": HOOK},
        [Point(110, 250), Point(290, 110), Point(132, 240)],
        [Point(200, 180), Box(100, 100, 300, 260), Choice("A"), *SILENT],
        ["polygon"],
        "missed by 50 px",
    ),
    "refusal": Kind(
        {"truth": NOWHERE, "answerable": False},
        [Refusal("not there"), Refusal("no")],
        [Point(0, 0), Box(0, 0, 0, 0), *SILENT],
        [],
        "clicked at 0, 0; expected a refusal",
    ),
    "words": Kind(
        {**WORDS, "answers": ("4:30 PM", "half past four")},
        [Text("4:30 pm."), Text("Half past four")],
        [Text("5 PM"), Refusal("no"), Point(0, 0), Choice("4:30 PM"), *SILENT],
        [],
        "the model said '5 PM'; expected '4:30 PM' or 'half past four'",
    ),
    "untold": Kind(
        {**WORDS, "answerable": False},
        [Refusal("no"), Refusal("<no answer>")],
        [Text("<5 PM>"), Point(0, 0), *SILENT],
        [],
        "the model said '<5 PM>'; expected a refusal",
    ),
    "option": Kind(
        {"truth": NOWHERE, "asks": "option", "answers": ("B",), "options": tuple("ABCD")},
        [Choice("B"), Choice("B")],
        [Choice("C"), Text("B"), Point(0, 0), *SILENT],
        [],
        "the model chose 'C'; expected option 'B'",
    ),
}


def questions_of(image: str) -> tuple[list[Question], dict[str, Parsed | None], dict[str, bool]]:
    """Ask each wrong reply's question on a variant, beside an original with a right reply."""
    asked: list[Question] = []
    replies: dict[str, Parsed | None] = {}
    expected: dict[str, bool] = {}
    for name, kind in KINDS.items():
        for number, wrong in enumerate(kind.wrong):
            right = kind.right[number % len(kind.right)]
            for variant, reply in (("original", right), ("zoom", wrong)):
                plain = Question(
                    id=f"{name}-{number}-{variant}", pair=f"{name}-{number}", cluster=name,
                    cell=Cell(variant, name), screen=f"screen-{variant}", image=image,
                    width=SIZE[0], height=SIZE[1],
                    instruction=Instruction("Do <it>", "en", "given", "high", Expression(), ""),
                    truth=NOWHERE,
                )  # fmt: skip
                question = msgspec.structs.replace(plain, **kind.truth)
                asked.append(question)
                replies[question.id] = reply
                expected[question.id] = variant == "original"
    return asked, replies, expected


def scored(run: FinishedRun) -> Summary:
    """Score a run as the reports do."""
    return summarise(tabulate_folders([run], HITS), HITS, Ruler(TOLERANCE))


def in_order(asked: Sequence[Question]) -> list[Question]:
    """Return questions in the order of their ids."""
    return sorted(asked, key=lambda item: item.id)


def write_bench(folder: Path) -> tuple[Path, dict[str, Parsed | None], dict[str, bool]]:
    """Write the benchmark of all kinds, and return its replies and which of them are right."""
    file = io.BytesIO()
    Image.new("RGB", SIZE, "#dfe4ea").save(file, "PNG")
    with Ledger.open(folder, {"kind": "bench"}):
        image = ObjectStore(folder).put(file.getvalue())
        screens = [
            Screen(f"screen-{variant}", "page", "x", image, *SIZE, 1.0, "web", "en", ())
            for variant in ("original", "zoom")
        ]
        asked, replies, expected = questions_of(image)
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": screens,
            "questions.jsonl": in_order(asked),
        }
        export(folder, "bench", tables, {"funnel.json": {"falls": [], "directions": {}}})
    return folder, replies, expected


@pytest.fixture(scope="module")
def judged(
    write_run: Write, tmp_path_factory: pytest.TempPathFactory
) -> tuple[FinishedRun, dict[str, bool]]:
    """Return a run over all kinds, and which of its answers are right."""
    folder = tmp_path_factory.mktemp("kinds")
    bench, replies, expected = write_bench(folder / "bench")
    run = write_run(bench, folder / "run", lambda question: replies[question.id])
    return open_run(run), expected


@pytest.fixture(scope="module")
def panes(judged: tuple[FinishedRun, dict[str, bool]]) -> Panes:
    """Return the original's and the variant's pane of each card, by kind."""
    run, _ = judged
    found: Panes = {}
    for card in failure_cards(run, tolerance=TOLERANCE, limit=999, seed=0):
        first, second = card.panes
        found.setdefault(card.page, []).append((first, second))
    return found


def test_scores_judge_every_kind_as_by_hand(judged: tuple[FinishedRun, dict[str, bool]]) -> None:
    """The table that all numbers come from says hit where the list above does."""
    run, expected = judged
    found = hits(tabulate_folders([run], HITS), tolerance=TOLERANCE)
    assert (
        dict(zip((question.id for question in run.questions), found.tolist(), strict=True))
        == expected
    )


def test_a_row_and_its_gallery_agree(
    judged: tuple[FinishedRun, dict[str, bool]], panes: Panes
) -> None:
    """Whatever was answered and missed has panes, and those that hit are hits of the row."""
    run, _ = judged
    cells = [score for score in scored(run).scores if score.metric == "hit"]
    assert {cell.instruction for cell in cells} == set(KINDS) == set(panes)
    for cell in cells:
        shown = [pair[cell.variant != "original"] for pair in panes[cell.instruction]]
        wrong = KINDS[cell.instruction].wrong
        answered = [reply for reply in wrong if reply is not None]
        assert len(shown) == len(answered)
        assert cell.n + cell.failed == len(wrong)
        assert sum(pane.hit is True for pane in shown) == (len(answered) if cell.total else 0)
        assert all(pane.hit == pane.verdict.startswith("hit") for pane in shown)


@pytest.mark.parametrize("name", KINDS)
def test_pictures_draw_all_that_is_right(panes: Panes, name: str) -> None:
    """A polygon, all boxes, or nothing; what no picture can show is said in words."""
    kind, pairs = KINDS[name], panes[name]
    for pane in (item for pair in pairs for item in pair):
        root = ET.fromstring(pane.svg)
        drawn = [element.tag for element in root if element.attrib.get("class") == "target"]
        assert drawn == kind.shapes
        assert root.attrib["aria-label"] == f"{pane.variant}: {pane.verdict}"
        if not kind.shapes:
            assert "expected" in pane.verdict or pane.hit
    assert any(kind.said in missed.verdict for _, missed in pairs)
    if not KINDS[name].truth.get("answerable", True):
        assert all("declined" in hit.verdict for hit, _ in pairs)


def test_a_polygon_is_drawn_by_its_corners(panes: Panes) -> None:
    """The corners are in the picture's pixels, in their order."""
    root = ET.fromstring(panes["polygon"][0][1].svg)
    shape = next(element for element in root if element.tag == "polygon")
    corners = [tuple(map(float, part.split(","))) for part in shape.attrib["points"].split()]
    assert corners == [(point.x, point.y) for point in HOOK]


def test_searches_and_clicks_judge_alike(judged: tuple[FinishedRun, dict[str, bool]]) -> None:
    """The gallery of clicks, and what a diagnosis takes for a miss, agree with the scores."""
    run, _ = judged
    answers = {answer.question: answer for answer in run.answers}
    shown = worst_elements(run, tolerance=TOLERANCE, limit=999)
    by_id = {
        question.id: hit
        for views in shown
        for view in views
        for question, hit in zip(view.questions, view.hits, strict=True)
    }
    judged_so = hits(tabulate_folders([run], HITS), tolerance=TOLERANCE)
    exact = hits(tabulate_folders([run], HITS))
    for question, at_tolerance, at_none in zip(run.questions, judged_so, exact, strict=True):
        assert by_id[question.id] == at_tolerance
        if question.id in answers:
            assert is_miss(question, answers[question.id]) != at_none


def test_clicks_are_drawn_over_all_that_is_right(
    judged: tuple[FinishedRun, dict[str, bool]],
) -> None:
    """The part shown holds every right place; a refusal is said; words are quoted."""
    run, _ = judged
    store = ObjectStore(run.bench)
    for views in worst_elements(run, tolerance=TOLERANCE, limit=999):
        clicks = views[-1]
        pane = draw_clicks(clicks, store.get(clicks.questions[0].image))
        root, kind = ET.fromstring(pane.svg), KINDS[clicks.questions[0].cluster]
        assert [
            element.tag for element in root if element.attrib.get("class") == "box"
        ] == kind.shapes
        assert ("expected" in pane.verdict) == (not kind.shapes)
        if kind.shapes == ["rect", "rect"]:
            left, top, width, height = map(float, root.attrib["viewBox"].split())
            assert left <= 100 and top <= 100  # noqa: PT018 - one corner
            assert left + width >= 500 and top + height >= 340  # noqa: PT018 - one corner


def test_the_page_says_what_a_hit_is(
    judged: tuple[FinishedRun, dict[str, bool]], tmp_path: Path
) -> None:
    """Hits, F1 and chance are explained in the page, and words in pictures are escaped."""
    run, _ = judged
    write_report([run.folder], tmp_path / "page.html", Choices(ruler=Ruler(TOLERANCE), cards=99))
    page = (tmp_path / "page.html").read_text()
    for part in ("<dt>hit rate</dt>", "<dt>token F1</dt>", "<dt>chance</dt>", "<td>25.0"):
        assert part in page
    assert "<5 PM>" not in page
    assert "said &#39;&lt;5 PM&gt;&#39;" in page


def test_without_variants_the_misses_are_shown(write_run: Write, tmp_path: Path) -> None:
    """An imported set, asked on the original alone, shows every target that was missed."""
    bench, replies, _ = write_bench(tmp_path / "bench")
    plain = tmp_path / "plain"
    asked, _, _ = questions_of(ObjectStore(bench).put(b"x"))
    run = open_run(write_run(bench, tmp_path / "run", lambda question: replies[question.id]))
    image = run.questions[0].image
    originals = [
        msgspec.structs.replace(item, image=image if "polygon" in item.id else "")
        for item in asked
        if item.cell.variant == "original"
    ]
    with Ledger.open(plain, {"kind": "bench", "plain": True}):
        screen = Screen("screen-original", "page", "x", image, *SIZE, 1.0, "web", "en", ())
        ObjectStore(plain).put(ObjectStore(bench).get(image))
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": [screen],
            "questions.jsonl": in_order(originals),
        }
        export(plain, "bench", tables)
    wrong = open_run(write_run(plain, tmp_path / "wrong", lambda _: Point(200.0, 180.0)))
    cards = failure_cards(wrong, tolerance=0.0, limit=99, seed=0)
    assert {card.page for card in cards} == {"polygon"}
    assert len(cards) == len(KINDS["polygon"].wrong)


def test_contact_sheets_draw_all_that_is_right(
    judged: tuple[FinishedRun, dict[str, bool]], tmp_path: Path
) -> None:
    """What is right is drawn in green; a set without any picture is refused."""
    run, _ = judged
    sheet, _ = draw_audit(run.bench, tmp_path / "audit", count=16, seed=0, per_sheet=16)
    with Image.open(sheet) as opened:
        drawn = opened.convert("RGB")
    green = Image.new("RGB", drawn.size, "#12a150")
    near = ImageChops.difference(drawn, green).convert("L").point(lambda item: 255 * (item < 24))
    assert near.getbbox() is not None
    bare = tmp_path / "bare"
    with Ledger.open(bare, {"kind": "bench"}):
        asked = [msgspec.structs.replace(question, image="") for question in run.questions]
        tables: dict[str, Sequence[object]] = {"screens.jsonl": (), "questions.jsonl": asked}
        export(bare, "bench", tables)
    with pytest.raises(InvalidInputError, match="a question with a picture"):
        draw_audit(bare, tmp_path / "none", count=2, seed=0, per_sheet=2)


def test_the_table_of_what_became_adds_up(judged: tuple[FinishedRun, dict[str, bool]]) -> None:
    """For every cell the ways to answer, and not to, make up what was asked."""
    section = next(item for item in sections(scored(judged[0])) if item.id == "unread")
    rows = section.figures[0].table.rows
    assert len(rows) == 2 * len(KINDS)
    for _, asked, *ways in rows:
        assert int(asked) == sum(map(int, ways))
    said = {row[0]: tuple(map(int, row[1:])) for row in rows}
    assert said["walker, words, original"] == (6, 6, 0, 0, 0)
    assert said["walker, refusal, browser zoom 70 %"] == (4, 2, 1, 0, 1)
    assert said["walker, box, browser zoom 70 %"] == (6, 2, 2, 1, 1)
