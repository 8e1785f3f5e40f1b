"""
Models as agents on live forms: a real server speaks for a model that was told the right clicks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Usage
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.specification import Kind, said
from surefoot.forms.values.making import make_instance
from surefoot.models import FORMATS, Options
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.folders.folder import export
from surefoot.run.forms.models import AskOptions
from surefoot.run.forms.prompts import placed
from surefoot.run.forms.running import untimed, usage_lines
from surefoot.run.forms.units import FormChoices, FormResult, Turn, renderings_of, units_of
from surefoot.run.forms.workers import filler

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep

FORM: Final = "D12"
KEY: Final = "sk-secret-0123456789"
FAST: Final = Options(attempts=1, key_variable="FORM_KEY")
WAYS: Final = (AskOptions("step", "qwen", "json-1000"),)
OTHER_WAYS: Final = (
    AskOptions("page", "browsergym", "json"),
    AskOptions("step", "paper", "json-1000"),
    AskOptions("page", "ui-tars", "json"),
    AskOptions("page", "computer-use", "json"),
)


def choices(agent: str, asked: AskOptions) -> FormChoices:
    """Choose one form, drawn in one way, for one agent."""
    looks = renderings_of(["plain"], ["en"])
    return FormChoices((find_form(FORM),), (agent,), looks, asked=asked, options=FAST)


def completion(text: str) -> bytes:
    """Return what a server replies."""
    usage = {"prompt_tokens": 900, "completion_tokens": 40}
    return json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()


@pytest.fixture(scope="module")
def key() -> Iterator[None]:
    """Put a key into the environment, as a user would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORM_KEY", KEY)
        yield


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory, key: None) -> Iterator[UnitFunction]:  # noqa: ARG001
    """Return what a worker process does with a unit, with one browser for all tests."""
    folder = tmp_path_factory.mktemp("asked")
    with filler(folder=str(folder), options=msgspec.to_builtins(FAST)) as function:
        yield function


@pytest.fixture(scope="module")
def oracle(work: UnitFunction) -> FormResult:
    """Return what the oracle did to the form."""
    return result(work, "oracle", AskOptions())


def result(work: UnitFunction, agent: str, asked: AskOptions) -> FormResult:
    """Let an agent fill the form in."""
    (unit,) = units_of(choices(agent, asked))
    return msgspec.json.decode(work(dict(unit.body)), type=FormResult)


def spoken(turn: Turn, asked: AskOptions) -> list[str]:
    """Spell what was done in one turn as a model of that kind would."""
    space = FORMATS.get(asked.format).space

    def own(x: float, y: float) -> tuple[float, float]:
        return space.from_image(Point(x, y), width=turn.width, height=turn.height)

    write = ACTION_LANGUAGES.get(asked.actions).write
    return [write(placed(effect.action, own)) for effect in turn.effects]


def script(oracle: FormResult, asked: AskOptions) -> list[str]:
    """Return the replies that do what the oracle did: one a page, or one a turn."""
    said: dict[int, list[str]] = {}
    for number, turn in enumerate(oracle.turns):
        calls = spoken(turn, asked)
        said.setdefault(turn.page if asked.policy == "page" else number, []).extend(calls)
    return ["I see it.\n```\n" + "\n".join(calls) + "\n```" for calls in said.values()]


@pytest.mark.browser
@pytest.mark.parametrize(
    "asked",
    [*WAYS, *(pytest.param(asked, marks=pytest.mark.long) for asked in OTHER_WAYS)],
    ids=lambda item: f"{item.policy}-{item.actions}",
)
def test_a_model_that_knows_where_to_click_fills_in_everything(
    asked: AskOptions,
    work: UnitFunction,
    oracle: FormResult,
    server: FakeServer,
    step: MakeStep,
    tmp_path: Path,
) -> None:
    """In either policy, language and space the right calls fill in all, and so does a replay."""
    replies = script(oracle, asked)
    server.steps = [step(completion(text)) for text in replies]
    found = result(work, f"openai:vl@{server.base}", asked)
    assert oracle.score.right
    assert found.score.right
    assert found.score.agent == f"vl ({asked.policy}, {asked.actions})"
    assert [turn.reply for turn in found.turns] == replies
    assert not any(turn.unread for turn in found.turns)
    assert {turn.usage for turn in found.turns} == {Usage(900, 40)}
    tokens = f"{900 * len(replies):,} tokens read and {40 * len(replies)} written a form"
    assert list(usage_lines([oracle, found])) == [f"{found.score.agent}: {tokens}"]
    assert [field.submitted for field in found.score.fields] == [
        field.submitted for field in oracle.score.fields
    ]
    pages = len(find_form(FORM).pages)
    assert len(server.bodies) == (pages if asked.policy == "page" else len(oracle.turns))
    check_requests(server, asked)
    recorded = record(tmp_path / "run", choices(f"openai:vl@{server.base}", asked), found)
    again = result(work, f"replay:{recorded}", AskOptions())
    assert len(server.bodies) == (pages if asked.policy == "page" else len(oracle.turns))
    assert again.id != found.id
    free = tuple(msgspec.structs.replace(turn, usage=Usage()) for turn in found.turns)
    assert untimed(again) == untimed(msgspec.structs.replace(found, id=again.id, turns=free))


def record(folder: Path, chosen: FormChoices, found: FormResult) -> Path:
    """Write a finished run."""
    with Ledger.open(folder, {"kind": "forms", "choices": chosen.identity()}):
        export(folder, "forms", {"episodes.jsonl": [found]})
    return folder


def check_requests(server: FakeServer, asked: AskOptions) -> None:
    """Each request holds one picture and the key, which stands nowhere else; steps are told."""
    told = ["1 field changed" in json.dumps(body) for body in server.bodies]
    assert told == [False] + [asked.policy == "step"] * (len(told) - 1)
    for body, headers in zip(server.bodies, server.headers, strict=True):
        content = body["messages"][-1]["content"]
        assert [part["type"] for part in content] == ["image_url", "text"]
        assert headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in json.dumps(body)


@pytest.mark.browser
def test_babble_fills_in_nothing_and_is_counted(
    work: UnitFunction, server: FakeServer, step: MakeStep
) -> None:
    """Words without calls change no field; three such replies in a row end the episode."""
    babble = 'I would start with the name. exec("import os")\nFly(3)'
    server.steps = [step(completion(babble))]
    found = result(work, f"openai:vl@{server.base}", AskOptions("step", "paper", "json"))
    assert not any(field.mentioned or field.typed or field.clicked for field in found.score.fields)
    assert found.score.ended == "unreadable"
    assert [len(turn.unread) for turn in found.turns] == [1, 1, 1]
    assert "no call that could be carried out" in json.dumps(server.bodies[1])
    page = result(work, f"openai:vl@{server.base}", AskOptions("page", "browsergym", "json"))
    assert (page.score.ended, len(page.turns)) == ("refused", 1)
    assert not any(field.mentioned for field in page.score.fields)


@pytest.mark.browser
def test_a_choice_clicked_beside_its_box_is_named_by_its_content(
    work: UnitFunction, server: FakeServer, step: MakeStep
) -> None:
    """The paper's lines say what a click is at, by first words too; a bare point names nothing."""
    form = find_form(FORM)
    instance = make_instance(form, seed=0, index=0)
    chosen = [field for field in form.fields if field.kind is Kind.DROP_DOWN]
    labels = [said(field.option(str(instance.values[field.id])).label, "en") for field in chosen]  # type: ignore[union-attr]
    asked = AskOptions("page", "paper", "json")
    heard = {}
    for way in ("[fig][3,{}][click][{}]", "Click(3, {})"):
        lines = [way.format(at, label) for at, label in enumerate(labels, 3)]
        server.steps = [step(completion("\n".join(lines)))]
        found = result(work, f"openai:vl@{server.base}", asked)
        fields = {field.field: field for field in found.score.fields}
        heard[way] = {fields[field.id].by_meaning for field in chosen}
        assert not any(fields[field.id].clicked for field in chosen)
    assert list(heard.values()) == [{True}, {False}]
