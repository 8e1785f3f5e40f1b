"""
Boxes of live forms: what lies in the middle of one is what a click there does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest

from surefoot.capture.web.browser import Browser
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.actions import Click, Finish
from surefoot.forms.driver.agent import AgentReply, FormTask, Policy
from surefoot.forms.driver.episode import run_episode
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import LiveOption, Observation
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run
from surefoot.forms.server.serving import serve
from surefoot.forms.specification import Form, Kind

CLICKED = {Kind.RADIO, Kind.MULTI_CHOICE, Kind.CHECKBOX}
LOOKS = (
    *(("plain", ""), ("surveyjs", ""), ("rjsf", "core"), ("rjsf", "bootstrap")),
    *(("rjsf", "mui"), ("rjsf", "antd")),
)


class Clicker:
    """Click the middle of each option of the first page, and see whether it is chosen then."""

    name = "clicker"
    privileged = True
    policy: Policy = "step"

    def __init__(self, form: Form) -> None:
        self.form = form
        self.clicked: dict[tuple[str, str], bool] = {}
        self._last: tuple[str, str] | None = None

    def act(self, observation: Observation) -> AgentReply:
        """Note what came of the last click, and click the next option."""
        shown = dict(self._options(observation))
        if self._last is not None:
            self.clicked[self._last] = shown[self._last].chosen
        for key, option in shown.items():
            if key not in self.clicked and not option.chosen:
                self._last = key
                middle = option.box.center
                return AgentReply((Click(middle.x, middle.y),))
        return AgentReply((Finish(),))

    def _options(self, seen: Observation) -> Iterator[tuple[tuple[str, str], LiveOption]]:
        for live in seen.fields:
            field = self.form.field(live.id)
            if field is not None and field.kind in CLICKED:
                for option in live.options:
                    yield (live.id, option.value), option


@pytest.fixture(scope="module")
def click(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> Iterator[Callable[[str, Rendering], dict[tuple[str, str], bool]]]:
    """Click every option of a form's first page, and tell which were chosen by that."""
    folder = tmp_path_factory.mktemp("runs")
    with serve(folder) as base:

        def run(code: str, look: Rendering) -> dict[tuple[str, str], bool]:
            form = find_form(code)
            token = open_run(folder, form, look, instance=0, seed=1)
            agent = Clicker(form)
            limits = EpisodeLimits(replies=60)
            run_episode(browser, f"{base}/r/{token}/", agent, FormTask(""), limits=limits)
            return agent.clicked

        yield run


@pytest.mark.browser
@pytest.mark.parametrize(("renderer", "theme"), LOOKS)
@pytest.mark.parametrize("direction", ["ltr", pytest.param("rtl", marks=pytest.mark.long)])
def test_the_middle_of_an_option_is_the_option(
    click: Callable[[str, Rendering], dict[tuple[str, str], bool]],
    renderer: str,
    theme: str,
    direction: Literal["ltr", "rtl"],
) -> None:
    """In every look a click in the middle of an option's box chooses it."""
    clicked = click("A15", Rendering(renderer, theme, direction=direction))

    assert len(clicked) >= 4
    assert [key for key, chosen in clicked.items() if not chosen] == []
