"""
What runs over live forms tell of each field: the click that went for it, or that none did.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import surefoot
from surefoot.core.geometry import Point
from surefoot.core.question import Unparsed
from surefoot.core.store import ObjectStore
from surefoot.diagnose.causes.replies import reply_causes
from surefoot.diagnose.search.recorded import form_trails
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.forms.clicks import read_clicks
from surefoot.score.truths import place_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder where the oracle and an agent that does nothing filled two live forms in."""
    root = tmp_path_factory.mktemp("filled")
    for agent in ("oracle", "null"):
        surefoot.run_forms(agent=agent, forms=2, out=root / agent, workers=1)
    return root


def test_the_oracles_clicks_lie_in_their_fields(folder: Path) -> None:
    """Each click that is known hits its field's control or one of its options; most are known."""
    found = read_clicks(folder / "oracle")

    assert found.agent == "oracle"
    assert len(found.clicks) > 4
    for click in found.clicks:
        question, place = click.question, place_of(click.answer.parsed)
        assert isinstance(place, Point)
        boxes = (question.truth, *question.boxes)
        assert any(box.contains(place) for box in boxes), question.instruction.text
        assert question.image in {screen.image for screen in found.screens}
    assert len(found.clicks) >= found.unknown


def test_who_does_nothing_leaves_fields_alone(folder: Path) -> None:
    """No field has a click, and the cause is that, not a reply that could not be read."""
    found = read_clicks(folder / "null")
    assert {click.met for click in found.clicks} == {"nothing"}
    assert all(isinstance(click.answer.parsed, Unparsed) for click in found.clicks)

    scenes = Scenes(found.screens, ObjectStore(folder / "null").get)
    trails = form_trails(found, scenes, "forms", "site")
    answers = [result for trail in trails for result in trail.tried]
    (cause,) = reply_causes(answers, least=1)
    assert (cause.name, cause.words) == ("untouched", "leaves the field alone")
    assert cause.share == 1
