"""
A form as a Gymnasium environment, on a real page behind a real desk.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import psutil
import pytest
from gymnasium.utils.env_checker import check_env

import surefoot
from surefoot.core.errors import CaptureError, InvalidInputError, UnknownNameError
from surefoot.environments.desk import DeskClient
from surefoot.environments.gymnasium import FormEnv
from surefoot.forms.desk.protocol import EpisodeRequest
from surefoot.forms.driver.limits import EpisodeLimits
from tests.environments.plays import TALL, recorded_play, spoiled, told_apart

pytestmark = pytest.mark.browser
FORM = "startup_funding"  # four pages, a date, lists and a file


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a desk of its own."""
    with surefoot.serve_forms(out=tmp_path_factory.mktemp("desk")) as pages:
        yield pages.address


@pytest.fixture(scope="module")
def env(address: str) -> Iterator[FormEnv]:
    """Hold an environment with one browser for all tests."""
    env = FormEnv(FORM, desk=address, height=TALL, level="lines", render_mode="rgb_array")
    yield env
    env.close()


def play(env: FormEnv, steps: list[str], *, seed: int) -> list[tuple[Any, ...]]:
    """Reset and take every step; return what each came to."""
    env.reset(seed=seed)
    return [env.step(step) for step in steps]


@pytest.mark.long
def test_one_play_has_one_score(env: FormEnv, address: str) -> None:
    """What our driver did, right and spoiled, comes to the same score in an environment."""
    with DeskClient(address) as desk:
        request = EpisodeRequest(form=FORM, instance=0, seed=7, level="lines", agent="driver")
        steps, score = recorded_play(desk, request)
    *_, (_, reward, ended, cut, info) = play(env, steps, seed=7)

    assert score.right
    assert (reward, ended, cut) == (1.0, True, False)
    assert told_apart(env.score()) == told_apart(score)
    assert info["score"]["right"] is True

    *_, (_, reward, ended, _, info) = play(env, spoiled(steps), seed=7)
    wrong = [field.field for field in env.score().fields if field.asked and not field.submitted]
    assert (wrong, ended, info["score"]["right"]) == (["company_name"], True, False)
    asked = sum(field.asked for field in env.score().fields)
    assert reward == pytest.approx(1 - 1 / asked)


def test_equal_seeds_are_equal_tasks(env: FormEnv) -> None:
    """A seed gives the same page and paper again, another seed another paper."""
    first, told = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    other, _ = env.reset(seed=4)

    assert told == {}
    assert first["paper"] == again["paper"] != other["paper"]
    assert np.array_equal(first["screenshot"], again["screenshot"])
    assert first["screenshot"].shape == (TALL, 1280, 3)
    assert env.observation_space.contains(first)
    assert len(first["files"]) == 1


def test_options_of_a_reset_are_those_of_an_episode(env: FormEnv) -> None:
    """A reset can ask for another form, instance and language; for nothing else."""
    seen, _ = env.reset(seed=3, options={"form": "bug_report", "language": "fr", "instance": 2})
    assert seen["paper"] != env.reset(seed=3)[0]["paper"]

    with pytest.raises(InvalidInputError, match="languages"):
        env.reset(options={"languages": "fr"})
    with pytest.raises(InvalidInputError, match="a form of this desk"):
        env.reset(options={"form": "none"})


def test_words_that_are_no_calls_do_nothing(env: FormEnv) -> None:
    """What cannot be read, or lies outside of the window, is told and ends nothing."""
    before, _ = env.reset(seed=3)
    seen, reward, ended, cut, info = env.step('click("OK")\nmouse_click(9999, 10)')

    assert (reward, ended, cut) == (0.0, False, False)
    assert len(info["unread"]) == 1
    assert info["refused"] == ["outside"]
    assert np.array_equal(seen["screenshot"], before["screenshot"])


def test_an_agent_may_end_an_episode(env: FormEnv) -> None:
    """Who gives up has the score of what is there: nothing was handed in."""
    env.reset(seed=3)
    _, reward, ended, _, info = env.step('report_infeasible("no")\nmouse_click(640, 330)')

    assert (reward, ended, info["score"]["accepted"]) == (0.0, True, False)


def test_limits_truncate(address: str) -> None:
    """After so many replies an episode is cut, with its score; its picture stays to be seen."""
    limits = EpisodeLimits(replies=2)
    env = FormEnv("bug_report", desk=address, limits=limits, render_mode="rgb_array")
    assert env.render() is None
    steps = play(env, ["noop(1)", "noop(1)"], seed=1)
    shown = env.render()
    env.close()

    assert [(ended, cut) for _, _, ended, cut, _ in steps] == [(False, False), (False, True)]
    assert "score" in steps[1][4]
    assert shown is not None
    assert shown.shape == (800, 1280, 3)


@pytest.mark.long
def test_gymnasium_finds_no_fault() -> None:
    """The toolkit's own checker passes an environment with a desk of its own, in a loop."""
    env = gymnasium.make("surefoot/Form-v0", form="bug_report")

    async def checked() -> None:
        check_env(env.unwrapped, skip_render_check=True)

    asyncio.run(checked())
    env.close()
    env.close()


def test_order_is_kept(address: str) -> None:
    """Nothing is stepped, scored or played again before a reset; unknown languages are told."""
    env = FormEnv("bug_report", desk=address)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("noop(1)")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.score()
    env.close()
    with pytest.raises(UnknownNameError):
        FormEnv(actions="shouting")


def test_a_desk_of_its_own_keeps_the_record(tmp_path: Path) -> None:
    """Episodes without a desk lie in a folder that is scored like any other."""
    env = FormEnv("bug_report", out=tmp_path / "played", level="lines")
    env.reset(seed=5)
    env.step("mouse_click(640, 330)")
    env.close()

    assert surefoot.score_forms(tmp_path / "played").summary.answers == 1


def _children(word: str) -> list[psutil.Process]:
    """Return the processes below this one whose command line has a word."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it may have ended just now
            if word in " ".join(child.cmdline()):
                found.append(child)
    return found


@pytest.mark.parametrize(
    ("word", "when"),
    [
        ("run-driver", "before a step"),
        pytest.param("run-driver", "before a reset", marks=pytest.mark.long),
        pytest.param("--type=renderer", "before a step", marks=pytest.mark.long),
        pytest.param("--no-first-run", "before a reset", marks=pytest.mark.long),
    ],
)
def test_an_environment_outlives_its_browser(address: str, word: str, when: str) -> None:
    """Where driver or browser dies, a step ends in an error of ours and a reset begins anew."""
    env = FormEnv(desk=address, level="lines")
    env.reset(seed=5)
    for process in _children(word)[:1]:
        process.kill()
        process.wait(10)
    if when == "before a step":
        with contextlib.suppress(CaptureError):
            env.step("mouse_click(640, 330)")
    with contextlib.suppress(CaptureError):  # a page that had died before
        env.reset(seed=5)
    seen, _ = env.reset(seed=5)
    _, _, ended, cut, _ = env.step("mouse_click(640, 330)")
    env.close()

    assert (seen["paper"] != "", ended, cut) == (True, False, False)
