"""
Sentences that come back into English, from a server that says good, wrong and hostile things.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import pytest

from surefoot.benchmarks.dimensions.sentences import sentences_of
from surefoot.cli.main import main
from surefoot.core.errors import ExitCode, InvalidInputError, PlanMismatchError, SurefootError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question
from surefoot.models import Options, open_chat
from surefoot.run.back_translation import BackTranslatedQuestion, back_translate
from surefoot.run.folders.folder import export, read_questions, read_table

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep

NAMES: Final = {"en": ("Save", "Print"), "fr": ("Enregistrer", "Imprimer"), "th": ("บันทึก", "พิมพ์")}
PLACES: Final = ("top left", "top right", "bottom left", "bottom right")
QUICK: Final = Options(attempts=2, wait=0.01, longest_wait=0.02, timeout=5.0)
LABELS: Final = "ABCD"


def question(site: int, item: int, language: str) -> Question:
    """Return a real sentence about a place, with its options."""
    table = sentences_of(language)
    options = dict(zip(LABELS, (table.option("ael", key) for key in PLACES), strict=True))
    asked = table.asked("ael", element=table.called(f"{NAMES[language][item]} {site}", "button"))
    text = "\n".join([asked, *(f"{label}: {words}" for label, words in options.items())])
    return Question(
        id=f"{site}/{item}/{language}",
        pair=f"{site}/{item}",
        cluster=f"site {site}",
        cell=Cell("original" if language == "en" else language, "ael"),
        screen="s",
        image="",
        width=9,
        height=9,
        instruction=Instruction(text, language, "given", "high", Expression(), ""),
        truth=Box(0, 0, 0, 0),
        answers=("B",),
        asks="option",
        options=tuple(LABELS),
        facts=options,
    )


def bench_of(folder: Path, questions: Iterable[Question]) -> Path:
    """Write a finished benchmark."""
    with Ledger.open(folder, {"kind": "bench", "benchmark": "multilingual@4"}):
        export(folder, "bench", {"questions.jsonl": list(questions)})
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Return three sites with two items each, in three languages."""
    return bench_of(
        tmp_path / "bench",
        [question(site, item, own) for site in range(3) for item in range(2) for own in NAMES],
    )


def english_of(prompt: str) -> str:
    """Return the English question that a prompt's lines stand for, in such lines."""
    name = next(
        (item, own) for own in NAMES for item, word in enumerate(NAMES[own]) if word in prompt
    )
    site = int(re.search(rf"{NAMES[name[1]][name[0]]} (\d)", prompt)[1])  # type: ignore[index]
    text = question(site, name[0], "en").instruction.text
    return f"Q: {text}"


def serve(server: FakeServer, step: MakeStep, said: Callable[[str], str]) -> None:
    """Let the server say something of each prompt."""

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step of the fake server
        message = {"role": "assistant", "content": said(body["messages"][-1]["content"])}
        return step(json.dumps({"choices": [{"message": message}]}).encode())

    server.choose = choose


def translated(bench: Path, out: Path, server: FakeServer, **more: Any) -> Any:  # noqa: ANN401
    """Translate back with the server."""
    return back_translate(bench, open_chat(f"openai:m@{server.base}", options=QUICK), out, **more)


def test_what_comes_back_whole_is_the_same(
    bench: Path, server: FakeServer, step: MakeStep, tmp_path: Path
) -> None:
    """A translator that gives the English sentences back has 100, and no option is nearer."""
    serve(server, step, english_of)
    outcome, summary, questions = translated(bench, tmp_path / "out", server)

    assert {one.language: one.chrf for one in summary.scores} == {"fr": 100.0, "th": 100.0}
    assert [(one.dimension, one.questions) for one in summary.scores] == [("", 6), ("ael", 6)] * 2
    assert all(one.nearer == one.unread == 0 for one in summary.scores)
    assert all(item.english == item.back for one in questions for item in one.sentences)
    assert (outcome.failures, outcome.tally.done) == ((), 12)
    assert len(server.bodies) == 12
    asked = read_questions(tmp_path / "out/bench")
    english = {one.pair: one for one in asked if one.cell.variant == "original"}
    assert Counter(one.cell.variant for one in asked) == {
        "original": 6, "fr-to-en": 6, "th-to-en": 6,
    }  # fmt: skip
    assert all(one.instruction.text == english[one.pair].instruction.text for one in asked)


def test_a_pass_goes_on_and_asks_nothing_twice(
    bench: Path, server: FakeServer, step: MakeStep, tmp_path: Path
) -> None:
    """The same command again takes all from the folder; other items are another plan."""
    serve(server, step, english_of)
    first = translated(bench, tmp_path / "out", server)
    asked = len(server.bodies)
    again = translated(bench, tmp_path / "out", server)

    assert again[1:] == first[1:]
    assert len(server.bodies) == asked
    assert again[0].tally.kept == 12
    with pytest.raises(PlanMismatchError):
        translated(bench, tmp_path / "out", server, count=2)
    few = translated(bench, tmp_path / "few", server, count=2, seed=3)
    assert len({one.pair for one in few[2]}) == 2
    stored = read_table(
        tmp_path / "out", "translations.jsonl", BackTranslatedQuestion, kind="back-translation"
    )
    assert stored == first[2]


def test_two_options_that_came_back_as_one_another_are_told_first(
    bench: Path, server: FakeServer, step: MakeStep, tmp_path: Path
) -> None:
    """Where two options are exchanged, both are nearer to the other, and told first."""

    def exchanged(prompt: str) -> str:
        text = english_of(prompt)
        if "'th'" not in prompt:
            return text
        lines = dict(line.split(": ", 1) for line in text.splitlines())
        lines["A"], lines["C"] = lines["C"], lines["A"]
        return "\n".join(f"{label}: {words}" for label, words in lines.items())

    serve(server, step, exchanged)
    outcome, summary, questions = translated(bench, tmp_path / "out", server, worst=3)
    nearer = {(one.language, s.label, s.nearer) for one in questions for s in one.sentences}

    assert {found for found in nearer if found[2]} == {("th", "A", "C"), ("th", "C", "A")}
    assert [one.nearer for one in summary.scores] == [0, 0, 6, 6]
    asked = {one.cell.variant: one for one in read_questions(tmp_path / "out/bench")}
    plain, turned = asked["original"], asked["th-to-en"]
    assert (turned.facts["A"], turned.facts["C"]) == (plain.facts["C"], plain.facts["A"])
    assert turned.answers == plain.answers
    worst = [line for line in outcome.lines if ", chrF " in line]
    assert len(worst) == 3
    assert all(line.startswith("th ael") and "nearer to" in line for line in worst)


HOSTILE: Final = (
    "", " \n", "I cannot help with that.", "Q: only the question", "\ud800\nQ: x", "Q: " * 50_000,
    "A: a\nB: b\nC: c\nD: d\nQ: q", "Q: q\nA: a\nA: a\nB: b\nC: c\nD: d", "\0" * 100,
)  # fmt: skip


def test_bad_replies_are_counted_and_never_compared(
    bench: Path, server: FakeServer, step: MakeStep, tmp_path: Path
) -> None:
    """Silence, other lines and rubbish leave a question without a number, with the reason."""
    said = iter(HOSTILE)

    def choose(prompt: str) -> str:
        return next(said, "") if "'th'" in prompt else english_of(prompt)

    serve(server, step, choose)
    outcome, summary, questions = translated(bench, tmp_path / "out", server, workers=1)
    by_language = {one.language: one for one in summary.scores if not one.dimension}
    lost = [one for one in questions if one.language == "th"]

    assert (by_language["fr"].chrf, by_language["th"].chrf) == (100.0, None)
    assert by_language["th"].unread == len(lost) == 6
    assert all(one.why and not one.sentences for one in lost)
    reasons = Counter(failure.reason for failure in outcome.failures)
    assert reasons == {"unread-translation": 6}


def test_an_interval_is_over_sites(
    bench: Path, server: FakeServer, step: MakeStep, tmp_path: Path
) -> None:
    """The mean is that of the questions' means, each that of its sentences; sites are clusters."""

    def less(prompt: str) -> str:
        text = english_of(prompt)
        return text.replace("part", "piece") if "1" in text else text.replace("Where", "At which")

    serve(server, step, less)
    _, summary, questions = translated(bench, tmp_path / "out", server)
    french = [one for one in questions if one.language == "fr"]
    means = [math.fsum(s.chrf for s in one.sentences) / 5 for one in french]

    assert [one.chrf for one in french] == pytest.approx(means)
    assert summary.scores[0].chrf == pytest.approx(math.fsum(means) / 6)
    assert summary.scores[0].interval is not None
    assert summary.scores[0].interval.clusters == 3


def test_the_command_exits_with_1_where_a_reply_is_lost(
    command_line: Callable[..., Any],
    bench: Path,
    server: FakeServer,
    step: MakeStep,
    tmp_path: Path,
) -> None:
    """All is printed and exported; a lost reply is a failed unit, and nothing but it is lost."""
    lost = question(0, 0, "fr").instruction.text.splitlines()[0]
    broken = step(b"{}", status=500)
    serve(server, step, english_of)
    usual = server.choose
    assert usual is not None
    server.choose = lambda body: broken if lost in str(body) else usual(body)
    given = (bench, "--model", f"openai:m@{server.base}", "--retries", 0)
    ended = command_line(main, "backtranslate", *given, "--out", tmp_path / "out", "--worst", 1)

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert any(
        line.startswith("fr: chrF 100.0") and "1 not read" in line
        for line in ended.out.splitlines()
    )
    assert "th: chrF 100.0" in ended.out
    assert command_line(main, "verify", tmp_path / "out").code == ExitCode.FINE


def test_other_benchmarks_are_refused(
    bench: Path, drawn: Path, server: FakeServer, tmp_path: Path
) -> None:
    """A benchmark in one language, or without options, has nothing to translate back."""
    english = bench_of(tmp_path / "english", [question(0, 0, "en")])
    alone = bench_of(tmp_path / "alone", [question(0, 0, "th")])

    for folder in (english, alone, drawn):
        with pytest.raises(InvalidInputError, match="in English and in another language"):
            translated(folder, tmp_path / "out", server)
    with pytest.raises(SurefootError):
        translated(tmp_path / "absent", tmp_path / "out", server)
    assert bench.is_dir()


def test_a_question_with_fewer_facts_is_left_out(tmp_path: Path, server: FakeServer) -> None:
    """A question whose options are not told apart from its words is not translated."""
    bare = [msgspec.structs.replace(question(0, 0, own), facts={}) for own in NAMES]

    with pytest.raises(InvalidInputError):
        translated(bench_of(tmp_path / "bare", bare), tmp_path / "out", server)
