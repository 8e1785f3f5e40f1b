"""
Episodes as a run: what is kept, what is asked again, and what is never asked.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import surefoot
from surefoot.capture.live.protocol import EpisodeEnd
from surefoot.capture.live.serving import HeardActivation, MetElement, ReadyPage
from surefoot.core.errors import InvalidInputError, PlanMismatchError, UnknownNameError
from surefoot.run.episodes.playing import LACKING, EpisodeAnswers, LiveEpisode

pytestmark = pytest.mark.browser  # the benchmark is captured, once


def heard(episode: LiveEpisode, element: str) -> None:
    """Let an episode hear of an element, as its page would tell."""
    place = (1.0, 1.0)
    episode.hear(
        HeardActivation(
            1, "pointer", home=True, chain=(element,), place=place, what="a", width=1280.0
        )
    )


def test_what_was_answered_is_kept_and_the_rest_is_asked_again(
    office: Path, tmp_path: Path
) -> None:
    """Of episodes that were stopped those that ended count, the others are open again."""
    out = tmp_path / "run"
    with EpisodeAnswers(office, "mine", out) as answers:
        count = answers.left
        ended, open_still = answers.begin(), answers.begin()
        twice = answers.begin(ended.question.id)
        heard(ended, ended.question.instruction.target)
        heard(twice, "nothing")
        twice.give_up(EpisodeEnd("not there"))
        assert answers.left == count - 1
        assert answers.find(open_still.id) is open_still
        with pytest.raises(UnknownNameError):
            answers.find("nobody")
    with EpisodeAnswers(office, "mine", out) as answers:
        assert answers.left == count - 1
        with pytest.raises(InvalidInputError):
            answers.begin(ended.question.id)
        while answers.left:
            episode = answers.begin()
            heard(episode, episode.question.instruction.target)
    run = surefoot.open_run(out)

    asked = [exchange for exchange in run if exchange.question.id not in answers.refused]
    assert len(asked) == count
    assert all(exchange.hit for exchange in asked)
    assert set(answers.refused.values()) == {
        "its picture is changed (filter), and an agent looks at the page itself"
    }


def test_another_agent_or_other_rules_are_another_run(office: Path, tmp_path: Path) -> None:
    """A folder of one agent takes no other's answers, nor those under other rules."""
    out = tmp_path / "run"
    with EpisodeAnswers(office, "mine", out):
        pass
    for name, wrong in (("yours", 3), ("mine", 0)):
        with pytest.raises(PlanMismatchError), EpisodeAnswers(office, name, out, wrong=wrong):
            pass
    with pytest.raises(InvalidInputError, match="a name of the agent"):
        EpisodeAnswers(office, "a\nb", out)


def test_how_far_the_target_moved_is_known_from_the_first_rest(
    office: Path, tmp_path: Path
) -> None:
    """A page that is opened again tells nothing new of how the episode began."""
    with EpisodeAnswers(office, "mine", tmp_path / "run") as answers:
        episode = answers.begin(
            next(one.id for one in answers.questions if one.cell.variant == "original")
        )
        target = episode.question.instruction.target
        box = episode.screen.element(target).box  # type: ignore[union-attr]
        episode.rest(ReadyPage("", 1280.0, 800.0, (MetElement(target, box.moved(0, 3)),)))
        episode.rest(ReadyPage("", 1280.0, 800.0, (MetElement(target, box),)))

        assert (episode.score.moved, episode.score.trouble) == (3.0, "")
        other = answers.begin(episode.question.id)
        other.rest(ReadyPage("", 1280.0, 800.0, ()))
        assert (other.score.moved, other.score.trouble) == (None, LACKING)
        third = answers.begin(episode.question.id)
        third.rest(ReadyPage("no group 'g'", 1280.0, 800.0, (MetElement(target, box),)))
        assert third.score.trouble == "no group 'g'"
