"""
Who may speak for an agent, and what of it stands in a plan.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, ModelError, UnknownNameError
from surefoot.core.ledger import Ledger
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.observation import Observation
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.models import BACKENDS, Options
from surefoot.models.format import ChatMessages
from surefoot.models.spaces import PER_MILLE
from surefoot.run.folders.folder import export
from surefoot.run.forms.models import AskOptions, EpisodeCase, Manner
from surefoot.run.forms.speakers import (
    Speakers,
    is_asked,
    is_model,
    read_replies,
    speaker_identities,
)
from surefoot.run.forms.units import FormChoices, FormResult, Turn, renderings_of, units_of

KEY = "sk-secret-0123456789"
SPEC = "openai:gta1@http://127.0.0.1:9/v1"
MANNER = Manner("vl", "step", "paper@2", PER_MILLE)
NOTHING = ChatMessages("", "")
SEEN = Observation(b"", 9, 9, 0)


def test_only_backends_that_talk_about_pictures_may_fill_in_forms() -> None:
    """Servers and a folder's model do; the others are refused, and the fitting ones named."""
    asked = {"anthropic", "google", "hf", "inspect", "openai", "openai-responses"}
    fitting = (
        "anthropic:NAME or google:NAME or hf:PATH or inspect:PROVIDER/NAME[@BASE_URL] or "
        "openai:NAME@BASE_URL or openai-responses:NAME, or replay:RUN"
    )
    for name in sorted(set(BACKENDS.entries) - asked - {"replay"}):
        with pytest.raises(UnknownNameError, match=re.escape(fitting)):
            Speakers(Options()).get(f"{name}:", AskOptions())
    with pytest.raises(UnknownNameError):
        Speakers(Options()).get("opnai:x", AskOptions())
    assert Speakers(Options()).get(SPEC, AskOptions()).manner.name == "gta1 (page, browsergym)"


def test_names_of_models_have_a_colon() -> None:
    """A built-in agent is no model, and a replay is not asked."""
    assert [is_model(item) for item in ("ocr", SPEC, "replay:x")] == [False, True, True]
    assert [is_asked(item) for item in ("ocr", SPEC, "replay:x")] == [False, True, False]


def test_language_format_and_folder_are_checked(tmp_path: Path) -> None:
    """A language, a format, a model without one, and a folder that is no run are refused."""
    speakers = Speakers(Options())
    with pytest.raises(UnknownNameError, match="browsergm"):
        speakers.get(SPEC, AskOptions(actions="browsergm"))
    with pytest.raises(UnknownNameError, match="jsn"):
        speakers.get(SPEC, AskOptions(format="jsn"))
    with pytest.raises(UnknownNameError, match="--format"):
        speakers.get("openai:mystery@http://127.0.0.1:9/v1", AskOptions())
    with pytest.raises(InvalidInputError):
        speakers.get(f"replay:{tmp_path}", AskOptions())


def test_two_models_of_one_name_are_refused() -> None:
    """Their episodes could not be told apart in a report."""
    with pytest.raises(InvalidInputError, match=r"gta1 \(page, browsergym\)"):
        speaker_identities([SPEC, "openai:gta1@http://127.0.0.1:10/v1"], AskOptions(), Options())


def test_the_identity_holds_all_but_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Address, sampling, space, policy, language and prompts are told; no key, no variable."""
    monkeypatch.setenv("FORM_KEY", KEY)
    options = Options(key_variable="FORM_KEY", seed=4)
    found = speaker_identities(["oracle", SPEC], AskOptions("step", "paper"), options)
    identity = found[SPEC]
    assert set(found) == {SPEC}
    assert (identity["model"], identity["policy"], identity["actions"]) == (
        "gta1",
        "step",
        "paper@2",
    )
    assert (identity["base_url"], identity["seed"]) == ("http://127.0.0.1:9/v1", 4)
    assert "prompts" in identity
    said = msgspec.json.encode(identity).decode()
    assert "resized pixels" in said
    assert KEY not in said
    assert "FORM_KEY" not in said


def test_whatever_changes_replies_makes_another_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Policy, language, space, address and sampling each do; where the key lies does not."""
    monkeypatch.setenv("FORM_KEY", KEY)
    looks = renderings_of(["plain"], ["en"])
    own = FormChoices((find_form("A15"),), (SPEC,), looks)
    elsewhere = ("openai:gta1@http://127.0.0.1:10/v1",)
    others = [
        own,
        msgspec.structs.replace(own, asked=AskOptions("step")),
        msgspec.structs.replace(own, asked=AskOptions(actions="paper")),
        msgspec.structs.replace(own, asked=AskOptions(format="json")),
        msgspec.structs.replace(own, options=Options(seed=1)),
        msgspec.structs.replace(own, agents=elsewhere),
    ]
    keys = [unit.key for other in others for unit in units_of(other)]
    assert len(set(keys)) == len(others)
    keyed = msgspec.structs.replace(own, options=Options(key_variable="FORM_KEY"))
    (unit,) = units_of(keyed)
    assert unit.key == keys[0]
    assert KEY not in str(unit.body)
    named = msgspec.structs.replace(own, asked=AskOptions(format="gta1"))
    assert [item.key for item in units_of(named)] == keys[:1]


def result(name: str, agent: str, instance: int, *replies: str, ruler: int = 0) -> FormResult:
    """Return what came of an episode in which an agent said something."""
    score = EpisodeScore("a", instance, agent, Rendering(), (), accepted=False, right=False)
    turns = tuple(Turn("", 9, 9, 0, (), {}, reply, (), ()) for reply in replies)
    return FormResult(name, score, turns, ruler=ruler, seed=7)


def write(folder: Path, *agents: object) -> Path:
    """Write a run of those agents."""
    results = [
        result("1", MANNER.name, 0, "one", "two"),
        result("2", MANNER.name, 0, "with a ruler", ruler=100),
        result("3", "oracle", 1, ""),
    ]
    with Ledger.open(folder, {"kind": "forms", "choices": {"agents": list(agents)}}):
        export(folder, "forms", {"episodes.jsonl": results})
    return folder


def case(instance: int = 0, *, ruler: int = 0) -> EpisodeCase:
    """Return what an episode was about."""
    return EpisodeCase("a", instance, 7, Rendering(), ruler, "lines")


def test_each_episode_gets_its_own_replies_in_order(tmp_path: Path) -> None:
    """Replies go by what was asked; where there are none left, there is none."""
    plain = {**msgspec.to_builtins(MANNER), "backend": "openai", "seed": 0}
    replayed = read_replies(write(tmp_path / "run", "oracle@1", plain))
    assert replayed.manner == MANNER
    say, other = replayed.talk(case()), replayed.talk(case(ruler=100))
    assert [reply(NOTHING, SEEN).text for reply in (say, other, say)] == [
        "one",
        "with a ruler",
        "two",
    ]
    for empty in (say, replayed.talk(case(1))):
        with pytest.raises(ModelError) as caught:
            empty(NOTHING, SEEN)
        assert caught.value.reason == "no-reply"


def test_a_replay_remembers_how_the_model_was_asked(tmp_path: Path) -> None:
    """What the recorded plan says of the model stands in the replay's, and in its replay's."""
    asked = {**msgspec.to_builtins(MANNER), "backend": "openai", "temperature": 0.7, "seed": 3}

    identity = read_replies(write(tmp_path / "run", asked)).identity()

    assert identity["recorded"] == asked
    again = read_replies(write(tmp_path / "again", identity)).identity()
    assert again["recorded"] == asked


def test_a_replay_is_known_by_its_replies(tmp_path: Path) -> None:
    """A moved folder is the same model; a replay of a replay can be read too."""
    first = write(tmp_path / "run", msgspec.to_builtins(MANNER))
    identity = read_replies(first).identity()
    shutil.move(first, tmp_path / "moved")
    assert read_replies(tmp_path / "moved").identity() == identity
    again = write(tmp_path / "again", identity)
    assert read_replies(again).identity() == identity


@pytest.mark.parametrize("agents", [["oracle@1"], [msgspec.to_builtins(MANNER)] * 2, [7]])
def test_a_run_without_one_model_is_refused(tmp_path: Path, agents: list[object]) -> None:
    """Built-in agents say nothing that could be replayed, and of two models neither is meant."""
    with pytest.raises(InvalidInputError):
        read_replies(write(tmp_path / "run", *agents))
