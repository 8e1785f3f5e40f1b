"""
``surefoot score``: lines for people, one object a cell and a comparison for programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question, Unparsed
from surefoot_studies.tiny.bench import write_clicks

Surefoot = Callable[..., Any]


@pytest.fixture(scope="module")
def run(
    drawn: Path,
    write_run: Callable[..., Path],
    stumble: Callable[[Question], Parsed],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return a run that stumbles, says nothing readable once, and fails once."""

    def reply(question: Question) -> Parsed | None:
        if question.id == "site/c.html original send relational":
            return None
        if question.id == "site/c.html style send direct":
            return Unparsed("no numbers")
        return stumble(question)

    return write_run(drawn, tmp_path_factory.mktemp("run") / "run", reply)


def test_every_cell_and_comparison_is_an_object(
    surefoot: Surefoot, run: Path, tmp_path: Path
) -> None:
    """The file, in a folder made for it, holds each cell and comparison with its counts."""
    out = tmp_path / "new" / "scores.json"
    ended = surefoot("score", run, "--json", out)
    scores = json.loads(out.read_text())

    assert ended.code == ExitCode.FINE
    assert ended.out.splitlines()[-1] == f"wrote {out}"
    cells = {
        (score["instruction"], score["variant"]): score
        for score in scores["scores"]
        if score["metric"] == "hit"
    }
    assert len(cells) == 6
    assert {
        name: cells["direct", "style"][name]
        for name in ("model", "reasoning", "n", "total", "unparsed", "failed")
    } == {"model": "walker", "reasoning": False, "n": 6, "total": 2, "unparsed": 1, "failed": 0}
    assert cells["relational", "original"]["failed"] == 1
    assert cells["direct", "style"]["interval"] is not None
    (one,) = (
        score
        for score in scores["comparisons"]
        if (score["instruction"], score["variant"], score["contrast"])
        == ("direct", "style", "variant")
    )
    counts = {name: one[name] for name in ("n", "clusters", "unparsed")}
    flips = one["discordance"]
    assert counts == {"n": 6, "clusters": 3, "unparsed": 1}
    assert (flips["b"], flips["c"], flips["test"]) == (4, 0, "mcnemar exact")
    assert flips["p"] == pytest.approx(2 * 0.5**4)
    assert one["p"] <= one["p_holm"] <= 1
    (total,) = (
        score
        for score in scores["totals"]
        if (score["contrast"], score["value"]) == ("variant", "style")
    )
    assert (total["comparisons"], total["b"], total["n"]) == (2, 7, 11)


def test_lines_say_the_same(surefoot: Surefoot, run: Path) -> None:
    """A sentence first, then a row a cell and a row a comparison, the rulers once, warnings."""
    lines = surefoot("score", run).out.splitlines()

    assert lines[0].endswith("too few to say, 6 elements where 10 are needed.")
    rows = [line.split() for line in lines if line.startswith("walker, direct, theme and order ")]
    assert [row[6:8] for row in rows if "against" not in row] == [["33.3", "%"]]
    assert [row[-3:] for row in rows if "against" not in row] == [["1", "0", "0"]]
    assert sum(line.endswith(("may be chance", "the same")) for line in lines) == 2 * 2 + 3
    assert sum("Holm's correction" in line for line in lines) == 1
    assert sum("2 comparisons together" in line for line in lines) == 2
    assert any(line.startswith("warning: Only 3 sites") for line in lines)


def test_tolerance_and_units_are_the_users(surefoot: Surefoot, run: Path) -> None:
    """A wide tolerance makes every click a hit; by element nothing follows for other sites."""
    wide = surefoot("score", run, "--tolerance", 2000).out
    by_element = surefoot("score", run, "--unit", "element").out

    assert re.search(r"walker, relational, theme and order +6 +100\.0 %", wide)
    assert "tolerance 2000 px" in wide
    assert "its test over elements" in by_element
    assert "for other pages and sites nothing follows" in by_element
    assert "over sites" not in by_element


def test_a_further_metric_is_scored(surefoot: Surefoot, run: Path) -> None:
    """A metric that is named is said beside those of the benchmark; an unknown one is refused."""
    told = surefoot("score", run, "--metric", "s_oob").out

    assert re.search(
        r"rate out of bounds.*\n(.*\n)*walker, direct, theme and order +6 +66\.7 %", told
    )
    assert surefoot("score", run, "--metric", "nonsense").code == ExitCode.USER_ERROR


@pytest.mark.parametrize("given", [("--tolerance", "-1"), ("--bench", "nowhere")])
def test_mistakes_exit_with_2(surefoot: Surefoot, run: Path, given: tuple[str, ...]) -> None:
    """A negative tolerance and a wrong benchmark are the user's mistakes."""
    assert surefoot("score", run, *given).code == ExitCode.USER_ERROR


def test_a_run_twice_is_refused(surefoot: Surefoot, run: Path) -> None:
    """The same model twice would be compared with itself."""
    ended = surefoot("score", run, run)

    assert ended.code == ExitCode.USER_ERROR
    assert "two of 'walker'" in ended.err


def test_a_wrong_space_is_said_last(
    surefoot: Surefoot, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """A run whose pixels were read at half their size is told so, in lines and in the file."""
    bench = write_clicks(tmp_path / "bench", seed=1, screens=40)
    right = write_run(bench, tmp_path / "right", lambda one: one.truth.center, name="right")
    run = write_run(
        bench, tmp_path / "run", lambda one: Point(one.truth.center.x / 2, one.truth.center.y / 2)
    )
    out = tmp_path / "scores.json"
    lines = surefoot("score", run, right, "--calibrate", "--json", out).out.splitlines()

    assert lines[-3].startswith(
        "walker was read in the wrong space: a picture of 128 x 96 pixels counts for it as 64 x 48"
    )
    assert lines[-2].startswith("Nothing says that right was read in the wrong space")
    first, second = json.loads(out.read_text())["details"]["calibrations"]
    assert (first["rule"]["kind"], second["rule"]["kind"]) == ("scale", "identity")
    assert first["changes"][0]["after"] == 1
