"""
Samples: grouped by screen, told what their screens say, as often as asked.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from surefoot.core.ledger import Ledger
from surefoot.datasets.exports.exporter import EXPORTS, Part, parts_of
from surefoot.run.folders.bench_samples import open_samples
from surefoot.run.folders.folder import export, read_questions, read_screens


def test_questions_of_a_screen_follow_on_each_other(bench: Path) -> None:
    """Twice the same samples, each screen once, with its platform and locale."""
    with open_samples(bench) as samples:
        first, second = list(samples), list(samples)
    assert first == second
    screens = [each.question.screen for each in first]
    assert screens == sorted(screens)
    assert sorted(each.question.id for each in first) == [e.id for e in read_questions(bench)]
    assert {(each.platform, each.locale) for each in first} == {("web", "en-US")}
    assert all(each.picture == f"{each.question.image}.png" for each in first)


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
        found = {each.question.id: each for each in samples}
    assert [found[each.id].platform for each in asked] == ["mobile", "", ""]
    assert found[three.id].picture == "..%2Fup.png"


def test_a_format_is_given_what_it_holds(bench: Path) -> None:
    """The samples of a format are those without a part that it drops."""
    exporter = msgspec.structs.replace(EXPORTS.get("coco"), drops=frozenset({Part.VARIANT}))
    with open_samples(bench) as samples:
        kept = list(samples.held(exporter))
        every = list(samples)
    assert 0 < len(kept) < len(every)
    assert kept == [each for each in every if Part.VARIANT not in parts_of(each)]
