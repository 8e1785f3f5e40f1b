"""
Asking a benchmark: what is asked, what is checked first, how it goes on.
"""

from __future__ import annotations

import asyncio
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from surefoot.cli.main import main
from surefoot.core.errors import ExitCode, InvalidInputError, PlanMismatchError, SurefootError
from surefoot.core.ledger import read_plan
from surefoot.core.question import Unparsed
from surefoot.models import Options, SelfCheck, named_function, open_model
from surefoot.models.checking.screens import draw_screens
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE, Space
from surefoot.run.asking.run import ask_model, verify_space
from surefoot.run.asking.runs import find_run, open_run, tabulate_folders
from surefoot.run.folders.folder import read_answers, read_questions
from surefoot.score.hits import hits
from surefoot.score.scorings.hits import HITS

OPTIONS = Options(concurrency=4)


class Speaker:
    """Serve chat completions that point at the true place, in one space; count requests."""

    def __init__(self, truths: dict[str, Any], space: Space) -> None:
        self.truths = truths
        self.space = space
        self.asked: list[str] = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    @property
    def spec(self) -> str:
        """Return what to write after --model."""
        return f"openai:pointer@http://127.0.0.1:{self.server.server_address[1]}/v1"

    def stop(self) -> None:
        """Stop serving."""
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def say(self, body: str) -> bytes:
        """Find the instruction in a request's body and point at its target."""
        text = next(truth for truth in self.truths if json.dumps(truth)[1:-1] in body)
        self.asked.append(text)
        question = self.truths[text]
        x, y = self.space.from_image(
            question.truth.center, width=question.width, height=question.height
        )
        content = json.dumps({"x": round(x), "y": round(y)})
        return json.dumps({"choices": [{"message": {"content": content}}]}).encode()

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        speaker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                said = speaker.say(body)
                self.send_response(200)
                self.send_header("content-length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler


def sizes(drawn: Path) -> list[tuple[int, int]]:
    """Return the sizes of the benchmark's pictures."""
    return [(item.width, item.height) for item in read_questions(drawn)]


@pytest.fixture
def speaker(drawn: Path) -> Iterator[Callable[[Space], Speaker]]:
    """Start servers that know the self-check's screens and the benchmark's originals."""
    asked = [
        *(question for question, _ in draw_screens(sizes(drawn))),
        *(item for item in read_questions(drawn) if item.cell.variant == "original"),
    ]
    truths = {item.instruction.text: item for item in asked}
    running: list[Speaker] = []

    def start(space: Space) -> Speaker:
        running.append(Speaker(truths, space))
        return running[-1]

    yield start
    for item in running:
        item.stop()


def test_a_wrong_space_stops_the_run_with_what_was_seen(
    speaker: Callable[[Space], Speaker],
    drawn: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Thousandths through a pixel format end in exit code 2 before a question is asked."""
    server, out = speaker(PER_MILLE), tmp_path / "run"
    with pytest.raises(SystemExit) as left:
        main(["run", str(drawn), "--model", server.spec, "--format", "json", "--out", str(out)])

    said = capsys.readouterr().err
    assert left.value.code == ExitCode.USER_ERROR
    checked = len(draw_screens(sizes(drawn)))
    assert f"{checked} hit when the same numbers are read as 0-1000" in said
    assert "--no-self-check" in said
    assert len(server.asked) == checked
    assert not out.exists()


def test_the_check_can_be_skipped(
    speaker: Callable[[Space], Speaker], drawn: Path, tmp_path: Path
) -> None:
    """Without the check the same server is asked the benchmark alone, and misses."""
    server, out = speaker(PER_MILLE), tmp_path / "run"
    arguments = ["run", str(drawn), "--model", server.spec, "--format", "json", "--limit", "1"]
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--no-self-check", "--out", str(out)])

    assert left.value.code == ExitCode.FINE
    assert len(server.asked) == len(read_answers(out)) == 6
    assert not hits(tabulate_folders([open_run(out)], HITS), tolerance=0.0).any()


def test_a_right_space_is_checked_once(
    speaker: Callable[[Space], Speaker], drawn: Path, tmp_path: Path
) -> None:
    """A model in its own space is let through, told of, and not checked on going on."""
    server, out = speaker(IMAGE_PIXELS), tmp_path / "run"

    def ask() -> tuple[str, ...]:
        return ask_model(
            drawn, server.spec, out, format_name="json", options=OPTIONS, limit=1
        ).lines

    first, checked = ask(), len(draw_screens(sizes(drawn)))
    assert first[0].startswith(f"self-check: {checked} of {checked} targets hit")
    kept = find_run(out).check
    assert kept is not None
    assert (kept.asked, kept.hits) == (checked, checked)
    assert len(server.asked) == checked + 6
    assert ask() == first[1:]
    assert len(server.asked) == checked + 6


def test_a_refusal_leaves_the_folder_to_another_format(
    speaker: Callable[[Space], Speaker], drawn: Path, tmp_path: Path
) -> None:
    """After the check's refusal, another format may write the same folder."""
    server, out = speaker(PER_MILLE), tmp_path / "run"
    with pytest.raises(InvalidInputError, match="in the space of the format 'json'"):
        ask_model(drawn, server.spec, out, format_name="json", options=OPTIONS, limit=1)
    outcome = ask_model(
        drawn, server.spec, out, format_name="gta1", options=OPTIONS, limit=1, check=False
    )

    assert outcome.tally.done == 6


@pytest.mark.parametrize(("model", "share"), [("oracle", 1.0), ("center", 0.0)])
def test_reference_models_need_no_check(
    drawn: Path, tmp_path: Path, model: str, share: float
) -> None:
    """The oracle hits every question and the middle none, and neither is checked."""
    outcome = ask_model(drawn, model, tmp_path / "run", options=OPTIONS)

    found = hits(tabulate_folders([open_run(tmp_path / "run")], HITS), tolerance=0.0)
    assert outcome.lines == (f"36 answers of {model}, 0 of them unparsed",)
    assert found.mean() == share


def test_going_on_asks_nothing_twice(drawn: Path, tmp_path: Path) -> None:
    """The same command again keeps every answer and writes the same bytes."""
    out = tmp_path / "run"
    first = ask_model(drawn, "random", out, options=OPTIONS)
    before = (out / "answers.jsonl").read_bytes()
    again = ask_model(drawn, "random", out, options=OPTIONS)

    assert (first.tally.done, first.tally.kept) == (36, 0)
    assert (again.tally.done, again.tally.kept) == (0, 36)
    assert (out / "answers.jsonl").read_bytes() == before


def test_a_ledger_that_was_cut_off_as_it_was_made_is_begun_anew(
    drawn: Path, tmp_path: Path
) -> None:
    """A file with nothing in it yet, as a full disk leaves it, is in nobody's way."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "ledger.sqlite").touch()
    done = ask_model(drawn, "center", tmp_path / "run", options=OPTIONS)

    assert (done.tally.failed, done.tally.total) == (0, len(read_questions(drawn)))


def test_another_choice_is_another_run(drawn: Path, tmp_path: Path) -> None:
    """A folder begun with one limit refuses another and names it."""
    ask_model(drawn, "center", tmp_path / "run", options=OPTIONS, limit=1)
    with pytest.raises(PlanMismatchError, match="limit: 1 then, 2 now"):
        ask_model(drawn, "center", tmp_path / "run", options=OPTIONS, limit=2)


def test_samples_go_on_where_they_were(drawn: Path, tmp_path: Path) -> None:
    """A run of three samples that broke off asks what is left, and ends with the same bytes."""

    def place(_picture: object, instruction: str) -> tuple[float, float]:
        if len(asked) == 50 and breaks:
            raise KeyboardInterrupt
        asked.append(instruction)
        return 10.0, 20.0

    asked: list[str] = []
    breaks = True
    spec = named_function(place, "mine", "1")
    options = Options(concurrency=1)
    with pytest.raises(KeyboardInterrupt):
        ask_model(drawn, spec, tmp_path / "run", options=options, samples=3, check=False)
    breaks = False
    outcome = ask_model(drawn, spec, tmp_path / "run", options=options, samples=3, check=False)
    whole = ask_model(drawn, spec, tmp_path / "whole", options=options, samples=3, check=False)

    assert (outcome.tally.kept, outcome.tally.done) == (50, 58)
    assert len(asked) == 2 * 3 * 36
    assert len(read_answers(whole.folder)) == 108
    names = ("answers.jsonl", "manifest.json")
    told = [
        [(run / name).read_bytes() for name in names] for run in (outcome.folder, whole.folder)
    ]
    assert told[0] == told[1]


def test_samples_that_are_all_alike_are_told(drawn: Path, tmp_path: Path) -> None:
    """Whoever asks a model without chance several times reads that once would have done."""
    alike = ask_model(drawn, "center", tmp_path / "alike", options=OPTIONS, limit=1, samples=2)
    other = ask_model(drawn, "random", tmp_path / "other", options=OPTIONS, limit=1, samples=2)

    assert alike.lines[-1].startswith("All samples of each question are one and the same reply")
    assert not any("same reply" in line for line in other.lines)
    with pytest.raises(InvalidInputError, match="1 sample of each question, or more"):
        ask_model(drawn, "center", tmp_path / "none", options=OPTIONS, samples=0)


def test_one_sample_is_the_run_that_it_always_was(drawn: Path, tmp_path: Path) -> None:
    """The plan of a run that asks once does not know of samples; another number is refused."""
    once = ask_model(drawn, "center", tmp_path / "run", options=OPTIONS, samples=1)

    assert "samples" not in read_plan(once.folder)
    with pytest.raises(PlanMismatchError, match="samples"):
        ask_model(drawn, "center", once.folder, options=OPTIONS, samples=2)


def test_both_modes_are_asked(drawn: Path, tmp_path: Path) -> None:
    """Asking in both modes gives two answers a question, in cells of their own."""
    outcome = ask_model(drawn, "oracle", tmp_path / "run", options=OPTIONS, reasoning="both")

    modes = [question.cell.reasoning for question in open_run(tmp_path / "run").questions]
    assert outcome.tally.done == 72
    assert sum(modes) == 36


def test_a_question_without_a_reply_is_a_failure(drawn: Path, tmp_path: Path) -> None:
    """Replaying a run that holds half the answers fails the other half by name."""
    ask_model(drawn, "oracle", tmp_path / "half", options=OPTIONS, limit=3)
    spec = f"replay:{tmp_path / 'half'}"
    outcome = ask_model(drawn, spec, tmp_path / "run", format_name="json", options=OPTIONS)

    assert {failure.reason for failure in outcome.failures} == {"no-reply"}
    assert len(outcome.failures) == outcome.tally.failed == 18
    assert len(open_run(tmp_path / "run").failures) == 18


def test_only_a_wrong_space_is_refused() -> None:
    """A check that hit something, or that could not judge, lets the run begin."""
    model = open_model("oracle")
    seen = SelfCheck("ok", 12, 12, 0, 12, "pixels", 12, 1.0, 1.0, "12 of 12")
    verify_space(seen, model)
    few = SelfCheck("inconclusive", 12, 2, 0, 1, "pixels", 1, 1.0, 1.0, "too few to judge")
    verify_space(few, model)
    none = SelfCheck("inconclusive", 12, 0, 0, 0, "pixels", 0, 1.0, 1.0, "too few to judge")
    verify_space(none, model, anyway="")
    with pytest.raises(SurefootError, match="--no-self-check skips this check"):
        verify_space(none, model)
    wrong = SelfCheck("wrong-space", 12, 12, 0, 0, "0-1000", 12, 1.0, 1.0, "0 of 12", "x")
    with pytest.raises(InvalidInputError, match="Give --format x"):
        verify_space(wrong, model)
    asyncio.run(model.close())


def test_unparsed_replies_are_counted(
    drawn: Path, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """A reply that says no place is told of in the last line, and fails nothing."""
    run = write_run(drawn, tmp_path / "mute", lambda _: Unparsed("no numbers"))
    outcome = ask_model(
        drawn,
        f"replay:{run}",
        tmp_path / "run",
        format_name="json",
        options=OPTIONS,
    )

    assert outcome.lines[-1].endswith("36 of them unparsed")
    assert outcome.failures == ()
