"""
One run has one hit rate, whoever tells it, and beside it that of all questions asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

import surefoot
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question, Refusal, Unparsed
from surefoot.view.application import view_application
from surefoot.view.counting import compare_models, count_models
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from tests.view.asking import TOKEN, Asker

Replies = Callable[[Question], Parsed | None]
OUTCOMES = (None, Point(300.0, 190.0), Unparsed("no numbers"), Refusal("not there"), None)


def silent(question: Question) -> Parsed | None:
    """Hit every third question, and get no reply to many of the others."""
    at = sum(map(ord, question.id))
    return question.truth.center if at % 3 == 0 else OUTCOMES[at % len(OUTCOMES)]


@pytest.fixture(scope="module")
def run(
    drawn: Path, write_run: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return a run of which many questions have no reply."""
    return write_run(drawn, tmp_path_factory.mktemp("silent") / "run", silent)


def test_scores_view_python_report_parquet_and_json_agree(run: Path, tmp_path: Path) -> None:
    """A question without a reply is in no rate, and a miss in the share of all asked alone."""
    exchanges = list(surefoot.open_run(run))
    replies = [one for one in exchanges if one.answer is not None]
    hits = sum(one.hit is True for one in exchanges)
    rate, of_asked = hits / len(replies), hits / len(exchanges)
    assert 0 < of_asked < rate < 1

    summary = surefoot.score(run).summary
    kept = json.loads(msgspec.json.encode(summary))["scores"]
    surefoot.report(run, out=tmp_path / "page.html", tables=tmp_path / "tables", cards=0)
    frame = surefoot.open_run(run).to_pandas()
    table = LookedAt(open_folders([run])).table
    whole = count_models(table)[0][0]
    overview = Asker(view_application(LookedAt(open_folders([run])), TOKEN)).get("/").text
    by_cell = frame.groupby(["kind", "variant"])["hit"].mean()

    assert frame["hit"].mean() == pytest.approx(rate)
    assert frame["hit"].fillna(value=False).mean() == pytest.approx(of_asked)
    assert frame["hit"].isna().sum() == len(exchanges) - len(replies)
    assert (whole.rate, whole.rate_of_asked) == pytest.approx((100 * rate, 100 * of_asked))
    assert f"{100 * rate:.1f} %" in overview
    assert f"{100 * of_asked:.1f} % of all {len(exchanges)} asked" in overview
    for name, wanted in (("hit", rate), ("hit_of_asked", of_asked)):
        own = [one for one in kept if one["metric"] == name]
        assert sum(one["total"] for one in own) / sum(one["n"] for one in own) == pytest.approx(
            wanted
        )
    scored = {
        (one.instruction, one.variant): one.amount
        for one in summary.scores
        if one.metric == "hit" and one.amount is not None
    }
    assert scored == pytest.approx(by_cell.dropna().to_dict())
    (file,) = (tmp_path / "tables").glob("*hit-rate-under-each-condition*.parquet")
    told = pq.read_table(file).to_pydict()
    assert sorted(told["hit rate (%)"]) == pytest.approx(
        sorted(100 * one for one in scored.values())
    )


def test_two_models_are_compared_on_what_both_replied_to(
    run: Path, drawn: Path, write_run: Callable[..., Path], stumble: Replies, tmp_path: Path
) -> None:
    """A comparison in the browser leaves out what one of the two gave no reply to."""
    other = write_run(drawn, tmp_path / "other", stumble, name="other")
    table = LookedAt(open_folders([run, other])).table
    replied = sum(one.answer is not None for one in surefoot.open_run(run))

    assert compare_models(table, 0, 1)[0].shared == replied
