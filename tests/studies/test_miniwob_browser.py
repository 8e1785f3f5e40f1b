"""
MiniWoB++ itself says that our executor's actions do what they should.
"""

from __future__ import annotations

import pytest

from surefoot.capture.web.browser import Browser
from surefoot.core.errors import MissingComponentError, UnknownNameError
from surefoot_studies.miniwob import pages_folder, play, play_with, tasks

LEAST = 12
SEED = 3


@pytest.fixture(autouse=True)
def installed() -> None:
    """Skip where the pages are not installed."""
    try:
        pages_folder()
    except MissingComponentError as error:
        pytest.skip(str(error))


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.slow
def test_every_scripted_task_is_rewarded(browser: Browser) -> None:
    """Each form task that has a script ends with the full raw reward, by actions alone."""
    outcomes = [play(browser, name, SEED) for name in tasks()]

    assert len(outcomes) >= LEAST
    assert [(outcome.task, outcome.words) for outcome in outcomes if outcome.reward < 1] == []
    assert all(effect.settled for outcome in outcomes for effect in outcome.effects)


@pytest.mark.browser
def test_a_task_done_wrongly_is_not_rewarded(browser: Browser) -> None:
    """The reward is the page's own: an empty answer costs, and no answer gives nothing."""
    hasty = play_with(browser, "enter-text", SEED, lambda desk: desk.click("#subbtn"))
    idle = play_with(browser, "enter-text", SEED, lambda desk: desk.do())

    assert (hasty.reward, hasty.done) == (-1.0, True)
    assert (idle.reward, idle.done) == (0.0, False)


@pytest.mark.browser
def test_a_seed_gives_the_same_task(browser: Browser) -> None:
    """Two plays under one seed ask for the same thing, another seed for another."""
    words = [
        play_with(browser, "login-user", seed, lambda desk: desk.do()).words for seed in (1, 1, 2)
    ]

    assert words[0] == words[1] != words[2]


@pytest.mark.browser
def test_an_unknown_task_is_named(browser: Browser) -> None:
    """A task without a script is refused with the nearest names."""
    with pytest.raises(UnknownNameError, match="enter-text"):
        play(browser, "enter-txt", 0)
