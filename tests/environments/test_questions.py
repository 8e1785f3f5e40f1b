"""
A question as a Gymnasium environment, on its live page.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from surefoot.core.ledger import Ledger
from surefoot.core.pictures import pixels_of
from surefoot.core.store import ObjectStore
from surefoot.environments.questions import QuestionEnv
from surefoot.run.asking.traces import read_traces
from surefoot.run.episodes.desk import serve_episodes
from surefoot.run.episodes.playing import EpisodeAnswers
from tests.run.episodes.conftest import office  # noqa: F401 - a fixture

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_a_place_in_the_picture_is_a_place_on_the_page(
    office: Path,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    """Under a zoom too an action's pixels are the picture's, and only the target is worth 1."""
    answers = EpisodeAnswers(office, "driver", tmp_path / "run")
    zoomed = next(one for one in answers.questions if one.cell.variant == "zoom:1.5")
    place = zoomed.truth.center
    with (
        answers,
        serve_episodes(answers) as address,
        contextlib.closing(QuestionEnv(desk=address)) as env,
    ):
        seen, _ = env.reset(options={"question": zoomed.id})
        assert env.observation_space.contains(seen)
        _, worth, ended, _, _ = env.step("mouse_click(1270, 790)")
        assert (worth, ended) == (0.0, False)
        _, worth, ended, _, info = env.step(f"mouse_click({place.x}, {place.y})")
        _, given_up = env.reset(), env.step("report_infeasible('no')")
    with Ledger.read(tmp_path / "run") as ledger:
        traced = read_traces(ledger)
    steps = [one.step for one in traced if one.step and one.question == zoomed.id]
    pictures = ObjectStore(tmp_path / "run")

    assert seen["instruction"] == zoomed.instruction.text
    assert (worth, ended) == (1.0, True)
    assert len(info["score"]["activations"]) == 2
    assert given_up[1:3] == (0.0, True)
    assert [one.action for one in steps] == [
        "mouse_click(1270, 790)",
        f"mouse_click({place.x}, {place.y})",
    ]
    assert (pixels_of(pictures.get(steps[0].image)) == seen["screenshot"]).all()
