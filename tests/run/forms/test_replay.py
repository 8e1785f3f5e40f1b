"""
Recorded replies, said again.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.ledger import Ledger
from surefoot.forms.driver.observation import Observation
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.models.format import ChatMessages
from surefoot.models.spaces import PER_MILLE
from surefoot.run.folders.folder import export
from surefoot.run.forms.models import EpisodeCase, Manner
from surefoot.run.forms.replay import read_replies
from surefoot.run.forms.units import FormResult, Turn

MANNER = Manner("vl", "step", "paper@1", PER_MILLE)
NOTHING = ChatMessages("", "")
SEEN = Observation(b"", 9, 9, 0)


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
    assert [each(NOTHING, SEEN).text for each in (say, other, say)] == [
        "one",
        "with a ruler",
        "two",
    ]
    for empty in (say, replayed.talk(case(1))):
        with pytest.raises(ModelError) as caught:
            empty(NOTHING, SEEN)
        assert caught.value.reason == "no-reply"


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
