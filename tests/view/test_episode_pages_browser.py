"""
An agent of Playwright's plays a question and posts its steps; a person plays them again.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from surefoot.capture.routes import Upstream
from surefoot.capture.settings import Settings
from surefoot.capture.web.browser import Browser
from surefoot.view.application import serve_view
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from tests.run.episodes.conftest import Play, office, play  # noqa: F401 - fixtures

pytestmark = pytest.mark.browser


@pytest.fixture
def run(play: Play) -> Path:  # noqa: F811 - the fixture
    """Play one question: a wrong click and the right one, with pictures; others without a word."""
    with play("mine", limit=1) as played:
        asked = [one for one in played.answers.questions if one.id not in played.answers.refused]
        for question in asked:
            name, variant = question.instruction.expression.name, question.cell.variant
            with played.page(name, variant) as (episode, page):
                if variant == "original":
                    wrong = "Reply" if name != "Reply" else "Archive"
                    played.desk.note(
                        episode, {"click": wrong}, page.screenshot(), "It is called otherwise."
                    )
                    page.get_by_text(wrong, exact=True).click()
                    played.desk.note(episode, "click(target)", page.screenshot())
                place, scale = question.truth.center, episode.browser.scale
                page.mouse.click(place.x / scale, place.y / scale)
        assert played.answers.all_answered.is_set()
        return played.answers.out


@contextlib.contextmanager
def visited(browser: Browser, looked_at: LookedAt) -> Iterator[tuple[Page, str]]:
    """Serve what is looked at, and give a page that is signed in, and the address."""
    with serve_view(looked_at) as opened:
        url = httpx.URL(opened)
        address = f"http://{url.netloc.decode()}"
        route = Upstream(address, "127.0.0.1", url.port or 80)
        with browser.lend(route, Settings()) as context:
            page = context.new_page()
            page.goto(opened)
            yield page, address


def middle(locator: Locator) -> tuple[float, float]:
    """Return the middle of what is shown, in pixels of the page."""
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def ink(locator: Locator) -> float:
    """Return the share of pixels of a picture that are not of its commonest colour."""
    shown = np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("L"))
    return float(np.mean(shown != np.bincount(shown.ravel()).argmax()))


def test_an_episode_is_played_step_by_step(run: Path, browser: Browser) -> None:
    """By keys and buttons each step is seen: picture, action, what was hit, and the mark on it."""
    looked_at = LookedAt(open_folders([run]))
    at = next(at for at, one in enumerate(looked_at.episodes[0]) if one.steps_posted == 2)
    target = looked_at.episodes[0][at].question.instruction.expression.name
    with visited(browser, looked_at) as (page, _):
        page.get_by_role("link", name="4 episodes").click()
        page.locator("tbody a").nth(at).click()
        expect(page.locator(".player")).to_contain_text("Step 1 of 2")
        expect(page.locator("blockquote")).to_have_text("It is called otherwise.")
        expect(page.locator("pre")).to_contain_text('{"click":')
        expect(page.locator("article")).to_contain_text("which is not the target")
        expect(page.locator(".click.out")).to_have_count(1)
        assert ink(page.locator("svg.marked")) > 0.01

        page.keyboard.press("ArrowRight")
        expect(page.locator(".player")).to_contain_text("Step 2 of 2")
        expect(page.locator("article")).to_contain_text(f"'{target}'")
        # The mark lies in the middle of the target's box, where the agent clicked.
        mark, box = middle(page.locator(".click.in circle")), middle(page.locator("rect.target"))
        assert mark == pytest.approx(box, abs=1)

        page.keyboard.press("ArrowRight")  # there is none
        page.keyboard.press("k")
        expect(page.locator(".player")).to_contain_text("Step 1 of 2")
        page.get_by_role("link", name="Next step").click()
        expect(page.locator(".player")).to_contain_text("Step 2 of 2")
        page.keyboard.press("u")
        expect(page.locator("h1")).to_contain_text("4 episodes")


def test_an_episode_without_a_posted_step_is_played_all_the_same(
    run: Path, browser: Browser
) -> None:
    """What the page itself heard is the step, on the benchmark's picture, and is said to be."""
    looked_at = LookedAt(open_folders([run]))
    at = next(at for at, one in enumerate(looked_at.episodes[0]) if not one.steps_posted)
    with visited(browser, looked_at) as (page, address):
        page.goto(f"{address}/episodes/0/{at}/0")
        expect(page.locator("figcaption")).to_contain_text("The agent sent no picture")
        expect(page.locator("article")).to_contain_text("Clicked the target")
        mark, box = middle(page.locator(".click.in circle")), middle(page.locator("rect.target"))
        assert mark == pytest.approx(box, abs=1)
        if at + 1 < len(looked_at.episodes[0]):
            page.keyboard.press("n")
            expect(page.locator(".pages")).to_contain_text(f"Episode {at + 2} of 4")
