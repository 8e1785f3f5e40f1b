"""
Live forms, filled in by agents under a real server in a real browser.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import pytest

from surefoot.core.errors import (
    InvalidInputError,
    MissingComponentError,
    PlanMismatchError,
    SurefootError,
    UnknownNameError,
)
from surefoot.core.store import ObjectStore
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.observation import FormView
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.models import Options
from surefoot.run.forms.models import AskOptions
from surefoot.run.forms.running import fill_in_forms, read_results
from surefoot.run.forms.units import FormChoices, FormResult, renderings_of

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep, Step

KEY: Final = "sk-secret-0123456789"


def chosen(*agents: str) -> FormChoices:
    """Return one form, for some agents."""
    return FormChoices(
        forms=(find_form("A15"),), agents=agents, renderings=renderings_of(["plain"], ["en"])
    )


@pytest.mark.browser
def test_the_oracle_is_right_and_nothing_is_had_for_nothing(tmp_path: Path) -> None:
    """The oracle's values arrive, the null agent's do not; seconds are told, bytes stay equal."""
    first = fill_in_forms(chosen("oracle", "null"), tmp_path / "run", workers=1)
    assert (first.tally.done, first.tally.failed) == (2, 0)
    results = {result.score.agent: result for result in read_results(tmp_path / "run")}
    oracle, null = results["oracle"].score, results["null"].score
    assert oracle.right
    assert all(field.submitted and field.clicked for field in oracle.fields if field.asked)
    assert not any(field.mentioned or field.collateral for field in null.fields)
    assert not null.accepted
    check_pictures(tmp_path / "run", results["oracle"])
    took = [effect.seconds for turn in results["oracle"].turns for effect in turn.effects]
    assert took
    assert all(seconds is not None and seconds > 0 for seconds in took)
    assert b'"seconds"' not in (tmp_path / "run" / "episodes.jsonl").read_bytes()
    (tmp_path / "run" / "seconds.jsonl").unlink()
    untold = {item.score.agent: item for item in read_results(tmp_path / "run")}["oracle"]
    assert {one.seconds for turn in untold.turns for one in turn.effects} == {None}

    kept = (tmp_path / "run" / "episodes.jsonl").read_bytes()
    again = fill_in_forms(chosen("oracle", "null"), tmp_path / "run", workers=1)
    assert (again.tally.done, again.tally.kept) == (0, 2)
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == kept
    with pytest.raises(PlanMismatchError):
        fill_in_forms(chosen("oracle"), tmp_path / "run", workers=1)


def check_pictures(folder: Path, result: FormResult) -> None:
    """Every picture lies in the run's store: what was shown, and each page as it was left."""
    store = ObjectStore(folder)
    assert result.turns
    assert [page.page for page in result.filled] == [0]
    for image in [turn.image for turn in result.turns] + [page.image for page in result.filled]:
        assert store.get(image).startswith(b"\x89PNG")
    held = {field.id: field.value for field in result.filled[0].fields}
    words = {word.field: word for word in result.words}
    assert held["email"] == (words["email"].expected,) == (words["email"].found,)
    assert words["program"].expected == words["program"].found != held["program"][0]


def test_a_renderer_that_is_not_built_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing starts, and the command stands in the error as it is to be typed."""
    absent = msgspec.structs.replace(RENDERERS.get("rjsf"), missing=lambda: "scripts/build.sh")
    monkeypatch.setitem(RENDERERS.entries, "rjsf", absent)
    choices = msgspec.structs.replace(chosen("null"), renderings=(Rendering("rjsf"),))
    with pytest.raises(MissingComponentError, match=r"Build it: scripts/build\.sh\.$"):
        fill_in_forms(choices, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"agents": ("null", "null")}, "one of them twice"),
        ({"forms": (find_form("A15"), find_form("student_course_registration"))}, "twice"),
        ({"views": (FormView(), FormView(ruler=19))}, "found 19"),
    ],
)
def test_what_no_score_would_take_is_refused_before_anything_starts(
    tmp_path: Path, changed: dict[str, object], found: str
) -> None:
    """Two attempts that are one, and a ruler that cannot be read, cost nobody an hour."""
    choices = msgspec.structs.replace(chosen("null"), **changed)
    with pytest.raises(InvalidInputError, match=found):
        fill_in_forms(choices, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_unknown_agent_is_refused_before_anything_starts(tmp_path: Path) -> None:
    """A misspelt agent is named, and no folder is made."""
    with pytest.raises(UnknownNameError):
        fill_in_forms(chosen("oracel"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def modelled(agent: str, monkeypatch: pytest.MonkeyPatch) -> FormChoices:
    """Return the form for a model that is asked once, with a key of the user's."""
    monkeypatch.setenv("FORM_KEY", KEY)
    options = Options(attempts=1, key_variable="FORM_KEY")
    asked = AskOptions(format="json")
    return msgspec.structs.replace(chosen(agent), asked=asked, options=options)


@pytest.mark.browser
def test_a_model_without_a_reply_fails_the_unit(
    server: FakeServer,
    step: MakeStep,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A 500 is recorded with its reason, the letter was handed over, the key is in no file."""

    def answer(body: dict[str, Any]) -> Step:
        asked = "Fill in the form" in json.dumps(body)
        return step(f"no {KEY}".encode(), status=500) if asked else step()

    server.choose = answer
    choices = modelled(f"openai:vl@{server.base}", monkeypatch)
    letters = {(choices.forms[0].id, 0, "derived"): "I am nobody, who are you?"}
    choices = msgspec.structs.replace(choices, levels=("derived",), letters=letters)
    outcome = fill_in_forms(choices, tmp_path / "run", workers=1, check=False)
    assert (outcome.tally.done, outcome.tally.failed) == (0, 1)
    assert [failure.reason for failure in outcome.failures] == ["http-500"]
    assert "I am nobody, who are you?" in json.dumps(server.bodies[-1])
    written = [path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert any(server.base.encode() in item for item in written)
    assert not any(KEY.encode() in item for item in written)


def test_an_unreachable_server_is_named_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody listens, the error says so, and no folder is made."""
    choices = modelled("openai:vl@http://127.0.0.1:9/v1", monkeypatch)
    with pytest.raises(SurefootError, match="connection refused"):
        fill_in_forms(choices, tmp_path / "run")
    assert not (tmp_path / "run").exists()
