"""
Runs in blocks: every question with all of its answers, and the scores of the table at once.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Question, Refusal, Text, Unparsed
from surefoot.run.asking.blocks import DealtIds, RunBlocks, answers_of, without_words
from surefoot.run.asking.runs import find_run, tabulate_folders
from surefoot.run.asking.side_by_side import draw_elements
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import export, read_answers, read_questions, read_screens
from surefoot.score.columns import PlacedAnswer
from surefoot.score.in_parts import summarise_parts
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import summarise

Stumble = Callable[[Question], Parsed]
WriteRun = Callable[..., Path]


@pytest.fixture
def runs(drawn: Path, write_run: WriteRun, stumble: Stumble, tmp_path: Path) -> list[Path]:
    """Return two runs over one benchmark; the second has an unread reply and a failed question."""

    def lose(question: Question) -> Parsed | None:
        lost = {"site/c.html original send relational": None}
        lost["site/c.html style send direct"] = Unparsed('no "raw":')  # type: ignore[assignment]
        return lost.get(question.id, stumble(question))

    first = write_run(drawn, tmp_path / "first", stumble, raw='He said: ,"raw":"x"')
    return [first, write_run(drawn, tmp_path / "second", lose, name="loser")]


@pytest.mark.parametrize("count", [1, 2, 50])
def test_blocks_hold_all_answers_and_come_to_the_scores_of_the_table(
    runs: list[Path], count: int
) -> None:
    """Any number of blocks has each question once, and gives the scores to the last bit."""
    found = [find_run(run) for run in runs]
    table = tabulate_folders(found, HITS)
    with Progress("score") as progress, RunBlocks(found, HITS, progress, count) as blocks:
        parts = list(blocks.tables())
        assert sum(map(len, parts)) == len(table)
        summary, missing = summarise_parts(blocks.tables, HITS) or (None, [])
        folder = blocks.folder

    whole = summarise(table, HITS)
    assert summary is not None
    assert canonical_json(msgspec.structs.asdict(summary)) == canonical_json(
        msgspec.structs.asdict(whole)
    )
    assert missing == ["modes of failure"]
    assert not folder.exists()
    assert answers_of(found) == sum(int(part.answered.sum()) for part in parts)


def test_blocks_hold_every_kind_of_reply_and_of_question(
    guessed: Path, write_run: WriteRun, stumble: Stumble, tmp_path: Path
) -> None:
    """Boxes, refusals and words, and questions with more than a box, score as in the table."""
    bench = tmp_path / "bench"
    shutil.copytree(guessed, bench)
    questions = [
        msgspec.structs.replace(one, boxes=(Box(0, 0, 9, 9),)) if at % 5 == 0 else one
        for at, one in enumerate(read_questions(bench))
    ]
    tables = {"questions.jsonl": questions, "screens.jsonl": read_screens(bench)}
    export(bench, "bench", tables, {"funnel.json": {"falls": [], "directions": {}}})
    kinds = (Box(0, 0, 8, 8), Refusal("not there"), Text("words"), Point(4, 4))
    replies = {one.id: kinds[at % 7] if at % 7 < 4 else None for at, one in enumerate(questions)}

    def reply(question: Question) -> Parsed:
        return replies[question.id] or stumble(question)

    run = find_run(write_run(bench, tmp_path / "run", reply))
    table = tabulate_folders([run], HITS)
    with Progress("score") as progress, RunBlocks([run], HITS, progress, 3) as blocks:
        parts = list(blocks.tables())
        summary, _ = summarise_parts(blocks.tables, HITS) or (None, [])

    assert sorted(status for part in parts for status in part.status.tolist()) == sorted(
        table.status.tolist()
    )
    assert len({*table.status.tolist()}) == 4
    assert summary is not None
    assert canonical_json(msgspec.structs.asdict(summary)) == canonical_json(
        msgspec.structs.asdict(summarise(table, HITS))
    )


def test_an_answer_to_no_question_is_an_error(runs: list[Path]) -> None:
    """An answer to a question that the benchmark has not is named, as in the table at once."""
    answers = read_answers(runs[0])
    strange = msgspec.structs.replace(answers[0], question="strange")
    export(runs[0], "run", {"answers.jsonl": [*answers, strange], "failures.jsonl": []})
    found = [find_run(run) for run in runs]

    with (
        pytest.raises(InvalidInputError, match="strange"),
        Progress("score") as progress,
        RunBlocks(found, HITS, progress, 3) as blocks,
    ):
        list(blocks.tables())


def test_only_what_counts_is_dealt_out(runs: list[Path]) -> None:
    """Of runs of which some questions count, no other is in a block."""
    (run,) = (find_run(runs[0]),)
    some = frozenset(answer.question for answer in read_answers(runs[0])[:5])
    chosen = msgspec.structs.replace(run, only=some)
    with Progress("score") as progress, RunBlocks([chosen], HITS, progress, 4) as blocks:
        assert sum(map(len, blocks.tables())) == len(some)


def test_a_drawn_sample_in_blocks_comes_to_the_scores_of_its_table(runs: list[Path]) -> None:
    """Elements that are drawn are dealt out whole, and no other, to the scores of their table."""
    every = [find_run(run) for run in runs]
    found, told = draw_elements(every, answers_of(every) // 2, seed=3)
    table = tabulate_folders(found, HITS)
    with Progress("score") as progress, RunBlocks(found, HITS, progress, 3) as blocks:
        parts = list(blocks.tables())
        summary, _ = summarise_parts(blocks.tables, HITS) or (None, [])

    assert told
    assert 0 < sum(map(len, parts)) == len(table) < len(tabulate_folders(every, HITS))
    assert {name for part in parts for name in part.asked.pair.names} == {*table.asked.pair.names}
    assert summary is not None
    assert canonical_json(msgspec.structs.asdict(summary)) == canonical_json(
        msgspec.structs.asdict(summarise(table, HITS))
    )


@pytest.mark.parametrize("near", [0, 2, 9])
def test_places_of_questions_are_found_from_anywhere(near: int) -> None:
    """Each answer has the place of its question, and one to no question has none."""
    asked = ["b", "a", "e", "d", "c"]
    keys = np.array([hash(one) for one in asked])
    ids = DealtIds(keys, *(np.zeros(5, kind) for kind in ("u1", "i4", "?")))
    line = b'{"parsed":["point",1,1],"question":"%s"}\n'
    lines = b"".join(line % name for name in (b"a", b"c", b"d", b"strange", b"e"))
    at, known = ids.find(msgspec.json.Decoder(PlacedAnswer).decode_lines(lines), near)
    assert known.tolist() == [True, True, True, False, True]
    assert [asked[place] for place in at[known]] == ["a", "c", "d", "e"]


def test_words_are_left_out_and_nothing_else() -> None:
    """A reply that quotes the key before its words loses its words alone."""
    line = rb'{"parsed":["unparsed",",\"raw\":1"],"question":"q","raw":",\"raw\":2","usage":{}}'

    assert without_words(line + b"\n") == (
        rb'{"parsed":["unparsed",",\"raw\":1"],"question":"q","raw":""}' + b"\n"
    )
