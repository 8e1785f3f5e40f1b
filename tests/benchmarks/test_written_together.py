"""
A build with a writer, end to end, against a server that says good, wrong and hostile things.
"""

from __future__ import annotations

import json
import shutil
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
import pytest
from PIL import Image

from surefoot.benchmarks.benchmark import Funnel, Phrase
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.benchmarks.writing import PROMPT
from surefoot.core.errors import PlanMismatchError, SurefootError
from surefoot.core.ledger import Done, Ledger, read_plan
from surefoot.core.store import ObjectStore
from surefoot.models import Options, open_chat
from surefoot.refer.judge import judge
from surefoot.run.asking.writer import Writer
from surefoot.run.building.pages import build_benchmark
from surefoot.run.building.writers import WordsWriter
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import (
    read_document,
    read_questions,
    read_screens,
    read_table,
)
from surefoot.run.folders.lines import lines_digest

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep

KEY: Final = "sk-very-secret-0123456789"
QUICK: Final = Options(attempts=2, wait=0.01, longest_wait=0.02, timeout=5.0)
EXPORTS: Final = ("questions.jsonl", "screens.jsonl", "phrases.jsonl", "funnel.json")
OTHER: Final = "Press the 'Nothing of the kind' button"
HOSTILE: Final = (
    "\ud800 \udfff",
    "Press the \0 'Save' button",
    "'" * 3000,
    "Press the button " * 20_000,
    "Click the 'Copy' button\nClick the 'Paste' button",
    "<0> <1> Press the <0> button",
    "'; DROP TABLE units; --",
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a key into the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def asked_in(body: dict[str, Any]) -> str:
    """Return the instruction that a request asks to say otherwise."""
    prompt: str = body["messages"][-1]["content"]
    start, _, end = PROMPT.partition("{text}")
    return prompt.removeprefix(start).removesuffix(end)


def replying(step: MakeStep, reply: Callable[[str], str]) -> Callable[[dict[str, Any]], Any]:
    """Return what makes a server say this of each instruction."""

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step of the fake server
        message = {"role": "assistant", "content": reply(asked_in(body))}
        return step(json.dumps({"choices": [{"message": message}]}).encode())

    return choose


def press(text: str) -> str:
    """Say an instruction otherwise, meaning the same."""
    return text.replace("Click", "Please press", 1) + "."


def moody(text: str) -> str:
    """Say something good, wrong, empty or hostile, always the same of one instruction."""
    draw = zlib.crc32(text.encode())
    said = (press(text), press(text), OTHER, "", "I cannot help with that.", text, *HOSTILE)
    return said[draw % len(said)]


def writer_at(base: str, seed: int = 0) -> WordsWriter:
    """Return a writer of one server."""
    options = msgspec.structs.replace(QUICK, seed=seed, key_variable="OPENAI_API_KEY")
    return WordsWriter(Writer(open_chat(f"openai:m@{base}", options=options), concurrency=4))


def built(drawn_screens: Path, out: Path, writer: WordsWriter | None, **more: bool) -> Outcome:
    """Build four targets."""
    options = msgspec.structs.replace(SENSITIVITY.defaults, targets=4, parameters={"phrases": 12})
    how: dict[str, Any] = {"writer": writer, "workers": 1, **more}
    return build_benchmark("sensitivity", drawn_screens, out, options, **how)


@pytest.fixture(scope="module")
def plain(drawn_screens: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the BENCH that is built without a writer."""
    out = tmp_path_factory.mktemp("plain") / "bench"
    built(drawn_screens, out, None)
    return out


@pytest.fixture
def written(drawn_screens: Path, plain: Path, server: FakeServer) -> Callable[..., Outcome]:
    """Return what builds with a writer, going on from pages that are built."""

    def write(out: Path, **more: bool) -> Outcome:
        writer = writer_at(server.base)
        if not out.exists():
            shutil.copytree(plain / "objects", out / "objects")
            plan = {**read_plan(plain), **writer.plan(SENSITIVITY)}
            with Ledger.read(plain) as pages, Ledger.open(out, plan) as ledger:
                ledger.record_many(Done(*payload) for payload in pages.payloads())
        return built(drawn_screens, out, writer, **more)

    return write


def phrases_of(out: Path) -> list[Phrase]:
    """Return every phrase with its fate."""
    return list(read_table(out, "phrases.jsonl", Phrase, kind="bench"))


def exported(out: Path) -> Iterator[str]:
    """Yield the hash of every export."""
    for name in EXPORTS:
        yield lines_digest(out / name)


@pytest.fixture
def moody_build(
    server: FakeServer, step: MakeStep, written: Callable[..., Outcome], tmp_path: Path
) -> Path:
    """Return a BENCH whose writer said all kinds of things."""
    server.choose = replying(step, moody)
    written(tmp_path / "bench")
    return tmp_path / "bench"


def test_a_writer_adds_what_is_proven_and_takes_nothing_away(
    moody_build: Path, plain: Path
) -> None:
    """Without the writer's questions the build is the one without a writer, byte for byte."""
    own = (plain / "questions.jsonl").read_bytes().splitlines()
    with_writer = (moody_build / "questions.jsonl").read_bytes().splitlines()
    added = [line for line in with_writer if line not in own]
    assert [line for line in with_writer if line in own] == own
    assert added
    assert all(b'"wording":"writer"' in line for line in added)
    assert lines_digest(plain / "screens.jsonl") == lines_digest(moody_build / "screens.jsonl")
    assert not (plain / "phrases.jsonl").exists()
    assert "writer" not in read_plan(plain)


def test_each_question_in_a_models_words_means_the_target_alone(moody_build: Path) -> None:
    """The other resolver agrees on the view's own pixels; the cell names kind and writer."""
    screens = {item.id: item for item in read_screens(moody_build)}
    store = ObjectStore(moody_build)
    asked = [question for question in read_questions(moody_build) if question.instruction.wording]
    said = [item for item in asked if item.instruction.wording == "writer"]
    assert {item.cell.variant for item in said} == {"original", "crop", "background"}
    for item in said:
        words, screen = item.instruction, screens[item.screen]
        with Image.open(store.path(screen.image)) as image:
            pixels = np.asarray(image.convert("RGB"))
        verdict = judge(words.expression, words.target, screen, pixels)
        assert verdict.valid, (words.text, item.cell, verdict.why)
        assert item.cell.instruction == f"{words.kind}+writer"
        assert words.text.startswith("Please press")


def test_every_phrase_meets_a_fate_that_is_counted(moody_build: Path) -> None:
    """The funnel's counts are those of the phrases, and nothing wrong or hostile is kept."""
    phrases = phrases_of(moody_build)
    fates = Counter(phrase.fate for phrase in phrases)
    funnel = read_document(moody_build, "funnel.json", Funnel, kind="bench")
    counted = {fall.reason: fall.count for fall in funnel.falls if fall.stage == "writer"}
    assert counted == fates
    assert {"kept", "not understood", "not proven", "no reply", "unchanged"} <= fates.keys()
    assert len(phrases) > 20
    for phrase in phrases:
        if phrase.fate == "kept":
            assert phrase.phrase == press(phrase.asked)
        if phrase.phrase == OTHER:
            assert phrase.fate == "not proven"


def test_the_same_replies_give_the_same_bytes_and_none_is_asked_twice(
    server: FakeServer, moody_build: Path, written: Callable[..., Outcome], tmp_path: Path
) -> None:
    """Another folder gets the same bytes; the same folder again asks nothing."""
    prompts = [asked_in(body) for body in server.bodies]
    assert len(prompts) == len(set(prompts)) > 0
    server.bodies.clear()
    before = list(exported(moody_build))
    written(moody_build)
    assert server.bodies == []
    assert list(exported(moody_build)) == before
    written(tmp_path / "again")
    assert sorted(map(asked_in, server.bodies)) == sorted(prompts)
    assert list(exported(tmp_path / "again")) == before


def test_a_failed_phrase_costs_one_phrase(
    server: FakeServer, step: MakeStep, written: Callable[..., Outcome], tmp_path: Path
) -> None:
    """Broken replies are recorded failures; tried again, the build is as if none had been."""
    good = replying(step, press)
    broken = [
        step(b"down", status=500), step(b"no", status=400), step(b"<html>"), step(drop=True),
        step(b" " * 2_000_000),
    ]  # fmt: skip
    bad: dict[str, Any] = {}

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step of the fake server
        asked = asked_in(body)
        if len(server.bodies) > 4 and zlib.crc32(asked.encode()) % 2:
            bad.setdefault(asked, broken[len(bad) % len(broken)])
        return bad.get(asked) or good(body)

    server.choose = choose
    outcome = written(tmp_path / "out")
    assert len(bad) == len(outcome.failures) >= len(broken)
    assert {failure.reason for failure in outcome.failures} == {
        "http-500", "http-400", "bad-reply", "connection", "too-large",
    }  # fmt: skip
    lost = [phrase for phrase in phrases_of(tmp_path / "out") if phrase.fate == "no reply"]
    assert {phrase.asked for phrase in lost} == set(bad)

    server.choose = good
    server.bodies.clear()
    assert written(tmp_path / "out").failures == outcome.failures
    assert server.bodies == []
    assert written(tmp_path / "out", retry_failed=True).failures == ()
    assert sorted(map(asked_in, server.bodies)) == sorted(bad)
    written(tmp_path / "whole")
    assert list(exported(tmp_path / "whole")) == list(exported(tmp_path / "out"))


@pytest.mark.parametrize("status", [401, 404])
def test_a_server_that_refuses_all_ends_the_build(
    server: FakeServer,
    step: MakeStep,
    written: Callable[..., Outcome],
    tmp_path: Path,
    status: int,
) -> None:
    """No failure is recorded, so that the build goes on once the address or key is right."""
    server.choose = lambda _: step(b"no", status=status)
    with pytest.raises(SurefootError, match=str(status)):
        written(tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()
    server.choose = replying(step, press)
    outcome = written(tmp_path / "out")
    assert outcome.failures == ()
    assert outcome.lines[0].startswith("writer m: ")
    assert "95 % interval" in outcome.lines[0]


def test_the_plan_names_the_writer_and_holds_no_secret(
    server: FakeServer, moody_build: Path, drawn_screens: Path
) -> None:
    """Model, address, sampling and prompt are told, the key nowhere; another seed is refused."""
    plan = read_plan(moody_build)["writer"]
    assert isinstance(plan, dict)
    assert (plan["name"], plan["base_url"], plan["temperature"]) == ("m", server.base, 0.0)
    assert len(plan["prompt"]) == 64
    for path in moody_build.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()
    with pytest.raises(PlanMismatchError, match="writer"):
        built(drawn_screens, moody_build, writer_at(server.base, seed=1))
