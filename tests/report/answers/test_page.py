"""
The report as a page: one file, its words, its gallery, what it leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Parsed, Question, Unparsed
from surefoot.phrasing.headlines import headline_sentences, headlines
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices, score_runs
from surefoot.report.html.document import identity_rulers
from surefoot.run.asking.runs import FinishedRun, KeptCheck, find_run, open_run, remember_check
from surefoot.run.folders.folder import export, read_questions
from surefoot.score.metric import Ruler
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import Summary

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
    return score_runs([run], HITS, Choices())


def rendered(out: Path, *runs: Path, **choices: object) -> str:
    """Write the report on runs and return it."""
    write_report(runs, out, msgspec.structs.replace(Choices(), **choices))
    return out.read_text()


@pytest.fixture(scope="module")
def page(run: FinishedRun, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Render the run's report."""
    out = tmp_path_factory.mktemp("page") / "page.html"
    return rendered(out, run.folder, title="A <title> & more", sanity=(run.folder,))


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


def test_what_is_said_first_stands_in_the_page(page: str, summary: Summary) -> None:
    """All sentences are there; of six elements nothing is claimed, and it is said why."""
    sentences = headline_sentences(summary)

    assert all(sentence in page for sentence in sentences)
    assert all("too few to say, 6 elements where 10 are needed" in part for part in sentences)


def test_a_model_that_missed_its_self_check_is_no_result(
    drawn: Path, write_run: Write, stumble: Replies, tmp_path: Path
) -> None:
    """Where none of twelve plain buttons was hit the page says so first, and claims nothing."""
    run = write_run(drawn, tmp_path / "run", stumble)
    remember_check(run, KeptCheck(12, 12, "12 of 12 targets hit"))
    assert "This is no result" not in rendered(tmp_path / "page.html", run)
    remember_check(run, KeptCheck(12, 0, "0 of 12 targets hit"))
    page = rendered(tmp_path / "page.html", run)

    first_screen = page.partition('<details class="chapter"')[0]
    assert "This is no result" in first_screen
    assert "the self-check before the run hit 0 of 12 plain buttons" in first_screen
    assert "<svg" not in first_screen
    assert "0 of 12 targets hit" in page
    scored = score_runs([find_run(run)], HITS, Choices())
    assert scored.without_lost().comparisons == ()


def test_many_models_are_a_table(
    drawn: Path, write_run: Write, stumble: Replies, tmp_path: Path
) -> None:
    """Three models have a sentence each, four a row each and no sentence."""
    runs = [write_run(drawn, tmp_path / name, stumble) for name in "abcd"]
    three = rendered(tmp_path / "three.html", *runs[:3], labels=("a", "b", "c"))
    four = rendered(tmp_path / "four.html", *runs, labels=("a", "b", "c", "d"))

    assert three.count('<p class="said">') == 3
    assert four.count('<p class="said">') == 0
    (table,) = re.findall(r'<table class="models">(.*?)</table>', four, flags=re.DOTALL)
    assert re.findall(r'<th scope="row">(.*?)</th>', table) == ["a", "b", "c", "d"]


def test_plans_are_said_in_words() -> None:
    """What a plan holds stands in the rulers as a person writes it, and never as Python does."""
    plan = {"temperature": 0.0, "extra": {}, "stop": ["a", "b"], "key": None, "of": {"on": True}}
    (_, *lines) = identity_rulers("ocr", plan)

    assert lines == [
        ("ocr: temperature", "0"),
        ("ocr: extra", "none"),
        ("ocr: stop", "a, b"),
        ("ocr: key", "none"),
        ("ocr: of, on", "yes"),
    ]


def test_without_a_comparison_the_scores_are_said(
    drawn: Path, write_run: Write, tmp_path: Path
) -> None:
    """Every condition is said where there is nothing to compare, and nothing where no reply."""
    bench = tmp_path / "bench"
    questions = [
        question
        for question in read_questions(drawn)
        if (question.cell.variant, question.cell.instruction) == ("original", "direct")
    ]
    with Ledger.open(bench, {"asked": "once"}):
        export(bench, "bench", {"questions.jsonl": questions, "screens.jsonl": ()})
    right = open_run(write_run(bench, tmp_path / "right", lambda question: question.truth.center))
    mute = open_run(write_run(bench, tmp_path / "mute", lambda _: None))
    found = score_runs([right], HITS, Choices())

    (line,), (nothing,) = headlines(found), headlines(score_runs([mute], HITS, Choices()))
    assert line.sentence == "walker: too few to say, 6 elements where 10 are needed."
    assert [number.value for number in line.numbers] == ["too few to say", "6", "0"]
    assert nothing.sentence == (
        "walker: no result. 6 of 6 questions got no reply, so no effect is claimed."
    )


def test_a_tolerance_is_the_scores_and_the_pictures(run: FinishedRun, tmp_path: Path) -> None:
    """Where the tolerance makes every click a hit there is nothing to show."""
    page = rendered(tmp_path / "page.html", run.folder, ruler=Ruler(2000.0))

    assert "tolerance 2000 px" in page
    assert '<article id="card-' not in page


def test_facts_name_sites_only_where_sites_are_clusters(run: FinishedRun, tmp_path: Path) -> None:
    """A report by sites counts elements and sites; one by elements speaks of these alone."""
    by_site, by_element = (
        rendered(tmp_path / f"{unit}.html", run.folder, unit=unit, cards=0)
        for unit in ("site", "element")
    )

    assert "36 answers about 6 elements from 3 sites (2 a site);" in by_site
    assert "36 answers about 6 elements on 3 pages of 3 sites;" in by_element
    assert "Student's t over elements" in unescape(by_element)
    assert "by sites" not in by_element


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


def test_the_funnel_says_how_many_targets_a_site_has(page: str) -> None:
    """Sites with as many targets share a row, those with most of them first."""
    table = page[page.index("<figcaption>Targets by site") :]
    rows = re.findall(
        r'<th scope="row">(\d+)</th><td>(\d+)</td><td class="told">([^<]+)</td>', table
    )

    assert rows == [("2", "2", "one, two"), ("1", "1", "three")]


def test_reference_models_are_a_section_of_their_own(
    page: str, run: FinishedRun, tmp_path: Path
) -> None:
    """The check on the benchmark is there when references are, and only then."""
    assert 'id="sanity"' in page
    assert 'id="sanity"' not in rendered(tmp_path / "page.html", run.folder, cards=0)


def test_identity_is_told(page: str, run: FinishedRun) -> None:
    """The digest of the model's identity stands in the page."""
    assert digest(run.identity) in page


def test_writing_twice_gives_the_same_bytes(
    run: FinishedRun, drawn: Path, write_run: Write, tmp_path: Path
) -> None:
    """A report is a function of its runs; its folder is made; its title names the models."""
    other = write_run(drawn, tmp_path / "other", lambda _: Unparsed("no numbers"), name="mute")
    first, again = tmp_path / "new" / "a.html", tmp_path / "new" / "b.html"
    said = write_report([run.folder, other], first, Choices(seed=3))
    write_report([run.folder, other], again, Choices(seed=3))

    assert first.read_bytes() == again.read_bytes()
    assert "How walker, mute held up" in first.read_text()
    assert said == headline_sentences(score_runs([run, open_run(other)], HITS, Choices()))


def test_a_metric_that_is_named_has_its_section(run: FinishedRun, tmp_path: Path) -> None:
    """A metric that the benchmark does not name is scored and compared beside its own."""
    page = rendered(tmp_path / "page.html", run.folder, metrics=("s_oob",), cards=0)

    assert "Rate out of bounds under each condition" in page
    assert "Each variant against the original: rate out of bounds" in page
    with pytest.raises(UnknownNameError, match="nonsense"):
        rendered(tmp_path / "none.html", run.folder, metrics=("nonsense",))


def test_failed_questions_are_counted(drawn: Path, write_run: Write, tmp_path: Path) -> None:
    """The page says how many questions got no reply."""

    def reply(question: Question) -> Parsed | None:
        return None if question.cell.variant == "style" else question.truth.center

    run = write_run(drawn, tmp_path / "run", reply)

    assert "12 questions failed" in rendered(tmp_path / "page.html", run, cards=0)


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
    write_report([run], tmp_path / "page.html", Choices())

    page = (tmp_path / "page.html").read_text()
    assert '<article id="card-' not in page
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
        write_report([run.folder], tmp_path / "page.html", Choices(bench=bench))
    assert not (tmp_path / "page.html").exists()
    lone = write_run(bench, tmp_path / "lone", lambda _: Point(0.0, 0.0))
    with pytest.raises(InvalidInputError, match=r"funnel\.json"):
        write_report([lone], tmp_path / "page.html", Choices())


def test_what_questions_rest_on_is_said(
    guessed: Path, write_run: Write, stumble: Replies, tmp_path: Path, page: str
) -> None:
    """A report warns of guessed elements with their count; of recorded ones it names the proof."""
    warned = rendered(tmp_path / "page.html", write_run(guessed, tmp_path / "run", stumble))

    assert "10 on elements guessed by pixels@1, 2 on a data set" in warned
    assert warned.count("only recorded elements prove in full") == 1
    assert "all 36 questions rest on elements that were recorded with the picture" in page
    assert "guessed" not in page
