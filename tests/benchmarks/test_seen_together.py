"""
A build whose writer and judge look at the pictures that a real server is sent.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
import pytest
from PIL import Image

from surefoot.benchmarks.benchmark import Funnel, Phrase
from surefoot.benchmarks.seeing.prompts import read_seeing_prompts
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.core.geometry import Box
from surefoot.core.ledger import read_plan
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.models import Options, open_seeing
from surefoot.refer.judge import judge
from surefoot.run.building.pages import build_benchmark
from surefoot.run.building.writers import SeeingWriter, seeing_writer
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import (
    read_document,
    read_questions,
    read_screens,
    read_table,
)
from surefoot.run.folders.lines import lines_digest
from surefoot.run.verifying import verify_folders

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep

KEY: Final = "sk-very-secret-0123456789"
QUICK: Final = Options(
    attempts=2, wait=0.01, longest_wait=0.02, timeout=60.0, key_variable="OPENAI_API_KEY"
)
EXPORTS: Final = ("questions.jsonl", "screens.jsonl", "phrases.jsonl", "funnel.json")
OPTIONS: Final = msgspec.structs.replace(
    SENSITIVITY.defaults, targets=3, parameters={"most": 4, "wordings": ""}
)
MAGENTA: Final = (255, 0, 255)
TOLD: Final = re.compile(r"Hit whatever (reads|begins with) (.*)")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a key into the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def pictures_in(body: dict[str, Any]) -> list[Image.Image]:
    """Return the pictures that a request holds."""
    urls = [
        part["image_url"]["url"] for part in body["messages"][-1]["content"] if "image_url" in part
    ]
    data = [base64.b64decode(url.partition("base64,")[2], validate=True) for url in urls]
    return [Image.open(io.BytesIO(item)).convert("RGB") for item in data]


def words_in(body: dict[str, Any]) -> str:
    """Return the words of a request."""
    (text,) = (part["text"] for part in body["messages"][-1]["content"] if "text" in part)
    return str(text)


def framed_element(body: dict[str, Any], screen: Screen) -> Element:
    """Look for the frame in a request's first picture, and return what is in it."""
    pixels = np.asarray(pictures_in(body)[0])
    rows, columns = np.nonzero((pixels == MAGENTA).all(axis=2))
    frame = Box(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    return max(screen.elements, key=lambda item: item.box.iou(frame))


def controls_of(screen: Screen) -> list[Element]:
    """Return what can be acted on, in the order of the page."""
    return [item for item in screen.elements if item.role in ("button", "link", "textbox")]


class Eyes:
    """
    Write and judge by what the pictures of requests show, where the screen's words are known.

    ``lies`` is a judge for whom everything is what somebody means.
    """

    def __init__(self, screen: Screen, *, lies: bool = False) -> None:
        self.screen = screen
        self.lies = lies

    def say(self, body: dict[str, Any]) -> str:
        """Reply to a request."""
        words = words_in(body)
        if "dull:" in words:
            return "dull: no"
        if "fits:" in words:
            return self.judged(body, words)
        name = framed_element(body, self.screen).name
        noun = "button" if self.screen.element(name.lower()) else "link"
        return (
            f"high: Please press the '{name}' {noun}.\n"
            f"medium: Hit whatever reads {name}\n"
            f"low: Hit whatever begins with {name[0]}"
        )

    def judged(self, body: dict[str, Any], words: str) -> str:
        """Tell which numbered boxes hold the words that are asked for."""
        plain, marked = pictures_in(body)
        assert plain.size == marked.size == (self.screen.width, self.screen.height)
        differs = (np.asarray(plain) != np.asarray(marked)).any(axis=2)
        controls = controls_of(self.screen)
        for item in controls:  # the frame of each is there
            assert differs[
                int(item.box.top) + 5 : int(item.box.bottom) - 5, int(item.box.left) - 1
            ].all()
        told = TOLD.search(words)
        assert told
        numbers = [
            str(number)
            for number, item in enumerate(controls, start=1)
            if self.lies
            or (item.name == told[2] if told[1] == "reads" else item.name.startswith(told[2]))
        ]
        means = numbers[0] if numbers else "none"
        return f"fits: {', '.join(numbers)}\nothers: no\nmeans: {means}\nrelative: no"


def replying(step: MakeStep, reply: Callable[[dict[str, Any]], str]) -> Callable[..., Any]:
    """Return what makes a server say this of each request."""

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step of the fake server
        message = {"role": "assistant", "content": reply(body)}
        return step(json.dumps({"choices": [{"message": message}]}).encode())

    return choose


def writer_at(base: str, out: Path, judged: str = "j") -> SeeingWriter:
    """Return a writer and a judge of one server."""
    return seeing_writer(
        open_seeing(f"openai:w@{base}", options=QUICK),
        open_seeing(f"openai:{judged}@{base}", options=QUICK) if judged else None,
        read_seeing_prompts(),
        ObjectStore(out).get,
    )


def built(
    drawn_screens: Path, out: Path, server: FakeServer, judged: str = "j", **more: bool
) -> Outcome:
    """Build three targets."""
    how: dict[str, Any] = {"writer": writer_at(server.base, out, judged), "workers": 1, **more}
    return build_benchmark("sensitivity", drawn_screens, out, OPTIONS, **how)


def phrases_of(out: Path) -> list[Phrase]:
    """Return every phrase with its fate."""
    return list(read_table(out, "phrases.jsonl", Phrase, kind="bench"))


def exported(out: Path) -> Iterator[str]:
    """Yield the hash of every export."""
    for name in EXPORTS:
        yield lines_digest(out / name)


def test_what_is_seen_is_kept_asked_once_and_gives_the_same_bytes(
    server: FakeServer,
    step: MakeStep,
    drawn_screens: Path,
    tmp_path: Path,
    drawn_page: tuple[Screen, bytes],
) -> None:
    """A writer and an honest judge over HTTP: each phrase by its proof, each request once."""
    screen, _ = drawn_page
    server.choose = replying(step, Eyes(screen).say)
    out = tmp_path / "bench"
    outcome = built(drawn_screens, out, server)

    phrases = phrases_of(out)
    fates = {(phrase.asked, phrase.fate, phrase.proof) for phrase in phrases}
    assert ("appearance, high", "kept", "resolver") in fates
    assert ("appearance, medium", "kept", "judge j") in fates
    assert ("text, medium", "said before", "") in fates
    funnel = read_document(out, "funnel.json", Funnel, kind="bench")
    told = {fall.reason: fall.count for fall in funnel.falls if fall.stage == "writer"}
    assert sum(told.values()) == len(phrases) == 3 * 12
    assert outcome.lines[0].startswith(f"writer w, judge j: {told['kept']} of 36 phrases kept")
    shown = {item.id: item for item in read_screens(out)}
    asked = list(read_questions(out))
    for question in asked:
        words = question.instruction
        if words.wording == "writer":
            pixels = pixels_of(ObjectStore(out).get(question.image))
            assert judge(words.expression, words.target, shown[question.screen], pixels).valid
        elif words.wording == "judged":
            target = shown[question.screen].element(words.target)
            assert target
            others = [item.name for item in controls_of(screen) if item.id != target.id]
            read = TOLD.fullmatch(words.text)
            assert read
            if read[1] == "reads":
                assert read[2] == target.name not in others
            else:
                assert target.name.startswith(read[2])
                assert not any(name.startswith(read[2]) for name in others)
            assert question.cell.variant == "original"
    wordings = {question.instruction.wording for question in asked}
    assert wordings == {"", "writer", "judged"}
    wire = {json.dumps(body, sort_keys=True) for body in server.bodies}
    assert len(wire) == len(server.bodies)
    assert {body["model"] for body in server.bodies} == {"w", "j"}

    before, sent = list(exported(out)), len(server.bodies)
    built(drawn_screens, out, server)
    assert len(server.bodies) == sent
    built(drawn_screens, tmp_path / "again", server)
    assert list(exported(out)) == before == list(exported(tmp_path / "again"))
    assert not any(check.damaged for check in verify_folders(out))
    for path in out.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()
    plan: dict[str, Any] = dict(read_plan(out))
    assert (plan["writer"]["name"], plan["judge"]["name"]) == ("w", "j")
    with pytest.raises(PlanMismatchError, match="judge"):
        built(drawn_screens, out, server, "")
    with pytest.raises(InvalidInputError, match="captured screens for a writer"):
        built(out, tmp_path / "of a set", server)


def test_a_lying_judge_and_broken_replies_cost_what_they_say_and_no_more(
    server: FakeServer,
    step: MakeStep,
    drawn_screens: Path,
    tmp_path: Path,
    drawn_page: tuple[Screen, bytes],
) -> None:
    """What the resolver proves is kept; a failed request is told, and asked again if wanted."""
    screen, _ = drawn_page
    good = replying(step, Eyes(screen, lies=True).say)
    down = step(b"down", status=500)

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step of the fake server
        return down if "by what it is for" in words_in(body) else good(body)

    server.choose = choose
    out = tmp_path / "bench"
    outcome = built(drawn_screens, out, server)

    assert {failure.reason for failure in outcome.failures} == {"http-500"}
    assert len(outcome.failures) == 3
    phrases = phrases_of(out)
    lost = [phrase for phrase in phrases if phrase.fate == "no reply"]
    assert {phrase.asked.partition(",")[0] for phrase in lost} == {"function"}
    assert {phrase.proof for phrase in phrases if phrase.fate == "kept"} == {"resolver"}
    for phrase in phrases:
        if phrase.phrase.startswith("Hit"):
            assert phrase.fate in ("not proven", "said before")

    server.choose = good
    assert built(drawn_screens, out, server, retry_failed=True).failures == ()
    assert not [phrase for phrase in phrases_of(out) if phrase.fate == "no reply"]


def test_a_benchmark_that_asks_for_no_descriptions_is_refused(
    server: FakeServer, drawn_screens: Path, tmp_path: Path
) -> None:
    """A benchmark without descriptions of its own begins no folder."""
    out = tmp_path / "out"
    writer = writer_at(server.base, out)
    with pytest.raises(InvalidInputError, match="writer can see"):
        build_benchmark("multilingual", drawn_screens, out, OPTIONS, writer=writer)
    assert not out.exists()
    assert server.bodies == []
