"""
The report as a page: one file, its words, its gallery, what it leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Parsed, Question, Refusal, Unparsed
from surefoot.report.hits.page import (
    ReportOptions,
    gallery,
    headline,
    render_report,
    write_report,
)
from surefoot.run.asking.runs import FinishedRun, open_run, tabulate_runs
from surefoot.run.folders.folder import export, read_questions
from surefoot.score.summary import Summary, summarise
from surefoot.score.words import sentence

Write = Callable[..., Path]
Replies = Callable[[Question], Parsed | None]
VOID = {"meta", "br", "input", "img", "hr"}


class Balance(HTMLParser):
    """Note every tag, and every end that does not close what was opened last."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a tag that has an end."""
        del attrs
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that was opened last."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.fixture(scope="module")
def run(
    drawn: Path, write_run: Write, stumble: Replies, tmp_path_factory: pytest.TempPathFactory
) -> FinishedRun:
    """Return a run that stumbles on variants of all pages but one."""
    return open_run(write_run(drawn, tmp_path_factory.mktemp("run") / "run", stumble))


@pytest.fixture(scope="module")
def summary(run: FinishedRun) -> Summary:
    """Score the run."""
    return summarise(tabulate_runs([run]))


@pytest.fixture(scope="module")
def page(run: FinishedRun, summary: Summary) -> str:
    """Render the run's report."""
    return render_report([run], summary, title="A <title> & more", references=summary)


def test_it_is_well_formed_and_alone(page: str) -> None:
    """Tags are balanced; there is no script, no link to elsewhere, no frame."""
    found = Balance()
    found.feed(page)

    assert (found.wrong, found.open) == ([], [])
    assert not found.seen & {"script", "link", "iframe", "object", "base", "form"}
    assert not re.search(r"https?://", page)


def test_names_and_words_are_escaped(page: str) -> None:
    """Titles, instructions and identities are words, never markup."""
    assert "<title>A &lt;title&gt; &amp; more</title>" in page
    assert "Click the button below &lt;title&gt;" in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "<b>bold" not in page


def test_the_sentences_are_those_of_the_scores(page: str, summary: Summary) -> None:
    """Every variant's comparison, and those of kinds on the original, are said in words."""
    said = headline(summary)

    assert len(said) == 2 * 2 + 1
    assert {each.variant for each in said if each.contrast == "instruction"} == {"original"}
    for each in said:
        assert sentence(each) in page.replace("&#39;", "'")


def test_the_gallery_shows_what_stumbled(run: FinishedRun, summary: Summary) -> None:
    """Each card was hit on the original, comes first, and was missed on a variant."""
    cards = gallery(run, summary, limit=3)

    assert len(cards) == 3
    assert len({card.page for card in cards[:2]}) == 2
    for card in cards:
        assert card.page != "site/a.html"
        first, *others = card.panes
        assert (first.variant, first.hit) == ("original", True)
        assert [each.variant for each in others] == ["style", "zoom:1.5"]
        assert not any(each.hit for each in others)
        assert card.model == "walker"


def test_the_gallery_judges_with_the_scores_tolerance(run: FinishedRun) -> None:
    """Where the tolerance makes every click a hit there is nothing to show."""
    wide = summarise(tabulate_runs([run]), tolerance=2000.0)
    assert gallery(run, wide, limit=9) == []


def test_facts_count_sites_only_where_sites_are_clusters(
    run: FinishedRun, summary: Summary
) -> None:
    """A summary by sites counts targets and sites; one by pairs speaks of targets alone."""
    pairs = summarise(tabulate_runs([run]), cluster=False)
    by_site = render_report([run], summary, title="x", cards=0)
    by_pair = render_report([run], pairs, title="x", cards=0)

    assert "36 answers about 6 targets on 3 sites;" in by_site
    assert "36 answers about 6 targets;" in by_pair
    assert "<dd>6 targets</dd>" in by_pair
    assert "when one pair is left out" in by_pair
    assert "by sites" not in by_pair


def test_the_funnel_says_what_each_direction_offered(page: str) -> None:
    """A direction that was offered and never kept stands in the table, too."""
    table = page[page.index('id="funnel"') :]
    rows = re.findall(
        r'<th scope="row">([^<]+)</th><td>(\d+)</td><td>(\d+)</td><td>([^<]+)</td>', table
    )
    assert rows == [
        ("above", "6", "4", "66.7 %"),
        ("left of", "2", "2", "33.3 %"),
        ("right of", "1", "0", "0.0 %"),
    ]
    assert "name-not-visible" in table


def test_reference_models_are_a_section_of_their_own(
    page: str, run: FinishedRun, summary: Summary
) -> None:
    """The check on the benchmark is there when references are, and only then."""
    assert 'id="sanity"' in page
    assert 'id="sanity"' not in render_report([run], summary, title="x", cards=0)


def test_identity_is_told(page: str, run: FinishedRun) -> None:
    """The digest of the model's identity stands in the page."""
    assert digest(run.identity) in page


def test_writing_twice_gives_the_same_bytes(
    run: FinishedRun, drawn: Path, write_run: Write, tmp_path: Path
) -> None:
    """A report is a function of its runs; its folder is made; its title names the models."""
    other = write_run(drawn, tmp_path / "other", lambda _: Unparsed("no numbers"), name="mute")
    first, again = tmp_path / "new" / "a.html", tmp_path / "new" / "b.html"
    said = write_report([run.folder, other], first, options=ReportOptions(seed=3))
    write_report([run.folder, other], again, sanity=(), options=ReportOptions(seed=3))

    assert first.read_bytes() == again.read_bytes()
    assert "How walker, mute held up" in first.read_text()
    assert len(said) == 2 * 5


def test_failed_and_declined_are_shown_as_such(
    drawn: Path, write_run: Write, tmp_path: Path
) -> None:
    """A question without a reply, and one that was declined, are told apart on the cards."""

    def reply(question: Question) -> Parsed | None:
        if question.cell.variant == "original":
            return question.truth.center
        return None if question.cell.variant == "style" else Refusal("cannot")

    run = open_run(write_run(drawn, tmp_path / "run", reply))
    summary = summarise(tabulate_runs([run]))
    (card,) = gallery(run, summary, limit=1)

    assert [each.verdict for each in card.panes] == [
        "hit",
        "no reply (failed)",
        "the model declined",
    ]
    assert "12 questions failed" in render_report([run], summary, title="x", cards=0)


def test_an_imported_run_has_no_pictures(
    drawn: Path, write_run: Write, stumble: Replies, tmp_path: Path
) -> None:
    """A benchmark without screens, as imports have it, gives a report without cards."""
    bench = tmp_path / "bench"
    with Ledger.open(bench, {"asked": "walker"}):
        funnel = {"funnel.json": Funnel((), {})}
        tables = {"questions.jsonl": read_questions(drawn), "screens.jsonl": ()}
        export(bench, "bench", tables, funnel)
    run = write_run(bench, tmp_path / "run", stumble)
    write_report([run], tmp_path / "page.html", options=ReportOptions())

    page = (tmp_path / "page.html").read_text()
    assert "<article>" not in page
    assert 'id="funnel"' not in page


def test_another_benchmark_is_refused(
    run: FinishedRun, write_run: Write, drawn: Path, tmp_path: Path
) -> None:
    """A report over a benchmark that the run was not asked is refused and not written."""
    bench = tmp_path / "bench"
    with Ledger.open(bench, {"seed": 1}):
        tables = {"questions.jsonl": read_questions(drawn), "screens.jsonl": ()}
        export(bench, "bench", tables)
    with pytest.raises(InvalidInputError, match="another one"):
        write_report([run.folder], tmp_path / "page.html", bench=bench, options=ReportOptions())
    assert not (tmp_path / "page.html").exists()
    lone = write_run(bench, tmp_path / "lone", lambda _: Point(0.0, 0.0))
    with pytest.raises(InvalidInputError, match=r"funnel\.json"):
        write_report([lone], tmp_path / "page.html", options=ReportOptions())
