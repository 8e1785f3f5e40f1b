"""
A form answered by real X events, on a screen and in a browser of its own.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from surefoot.capture.desktop.session import check_programs
from surefoot.capture.settings import Settings
from surefoot.capture.web.browser import Browser
from surefoot.core.errors import MissingComponentError
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.actions import (
    Click,
    Drag,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Type,
)
from surefoot.forms.driver.agent import open_agent
from surefoot.forms.driver.episode import place_of, run_episode
from surefoot.forms.driver.executor import Executor
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView, observe
from surefoot.forms.driver.screen import X11Screen, open_screen
from surefoot.forms.driver.touch import ScreenHands, ScreenWindow
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve
from surefoot.forms.values.making import make_instance
from surefoot.run.forms.workers import prepare_task

NATIVE = Rendering(theme="native", language="ja")
SPOKEN = "Grüße 你好 Привет こんにちは สวัสดี l'été €"
SHADE = 40


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.desktop
def test_a_form_is_answered_by_real_events(tmp_path: Path) -> None:
    """Native lists are seen and clicked, all scripts arrive, and the oracle is right."""
    try:
        check_programs()
    except MissingComponentError as error:
        pytest.skip(str(error))
    form = find_form("A15")
    instance = make_instance(form, seed=1, index=0)
    with (
        open_screen() as screen,
        Browser(screen.display) as browser,
        serve(tmp_path / "server") as base,
    ):
        tokens = [open_run(tmp_path / "server", form, NATIVE, instance=0, seed=1) for _ in "ab"]
        handle(browser, screen, f"{base}/r/{tokens[0]}/")
        task = prepare_task(form, instance, tmp_path / "files", language="ja")
        agent = open_agent("oracle", task)
        episode = run_episode(browser, f"{base}/r/{tokens[1]}/", agent, task, screen=screen)
        assert episode.ended == "submitted"
        kept = record(tmp_path / "server", tokens[1])
    assert [submission.values for submission in kept.submissions] == [instance.values]
    assert not kept.refused


def handle(browser: Browser, screen: X11Screen, url: str) -> None:
    """Paste and type into one field, and look at a list that lies outside of the page."""
    place = place_of(url)
    with browser.lend(place.route, Settings()) as context:
        window = ScreenWindow(context, place.route.origin, EpisodeLimits(), screen)
        window.open(url)
        executor = Executor(window, 1.0, None, ScreenHands(window))
        fields = {field.id: field for field in observe(window, FormView(), executor.state).fields}
        assert difference(window.picture(), window.page.screenshot()) == 0
        name, list_ = fields["student_name"].box.center, fields["semester"].box.center
        for action in (Click(name.x, name.y), Type(SPOKEN), Type(' + "x" ~^'), Press("a")):
            effect = executor.execute(action)
            assert (effect.field, effect.refused) == ("student_name", "")
        assert executor.state.values["student_name"] == (SPOKEN + ' + "x" ~^a',)

        held = (KeyDown("Shift"), Press("Home"), KeyUp("Shift"), Type("z"))
        pressed = (MouseDown(name.x, name.y), Move(name.x - 9, name.y), MouseUp(name.x, name.y))
        left = fields["student_name"].box.left + 2
        for act in (*held, *pressed, Drag(name.x, name.y, left, name.y), Type("y")):
            assert executor.execute(act).refused == ""
        assert executor.state.values["student_name"] == ("y",)

        closed = window.picture()
        executor.execute(Click(list_.x, list_.y))
        seen = {field.id: field for field in observe(window, FormView(), executor.state).fields}
        rows = seen["semester"].options
        assert [option.value for option in rows] == ["", *semesters()]
        assert difference(closed, window.picture()) > 0
        row = rows[2].box.center
        effect = executor.execute(Click(row.x, row.y))
        assert (effect.field, effect.option) == ("semester", rows[2].value)
        assert executor.state.values["semester"] == (rows[2].value,)
        assert window.popup() is None


def semesters() -> tuple[str, ...]:
    """Return the options of the list that is opened."""
    field = find_form("A15").field("semester")
    assert field is not None
    return tuple(option.value for option in field.options)


def difference(one: bytes, other: bytes) -> int:
    """Return how many pixels of two pictures of one size differ by more than a shade."""
    pictures = [Image.open(io.BytesIO(item)).convert("L") for item in (one, other)]
    assert pictures[0].size == pictures[1].size
    return sum(ImageChops.difference(*pictures).histogram()[SHADE:])
