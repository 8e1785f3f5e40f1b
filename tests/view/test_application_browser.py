"""
A person looks at answers in a real browser: by keyboard, wide and narrow, light and dark.
"""

from __future__ import annotations

import re
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Page, Route, expect

from surefoot.run.folders.folder import manifest_digest
from surefoot.view.application import serve_view
from surefoot.view.judging import Judgements
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders

PATHS: Final = (
    *("/", "/questions", "/compare", "/screens/0", "/judge", "/agreement", "/diagnosis/0"),
    *("/forms/0", "/forms/0/0"),
)
Scheme = Literal["light", "dark"]
Visit = Callable[..., Any]
Check = Callable[[Page], None]


@pytest.fixture(scope="module")
def visit(looked_at: LookedAt, visiting: Callable[..., Any]) -> Iterator[Visit]:
    """Open pages of the served benchmark."""
    with serve_view(looked_at) as address, visiting(address) as opened:
        yield opened


@pytest.fixture(scope="module")
def everything(
    opened: Path,
    diagnosed: Path,
    filled_in: Path,
    visiting: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[LookedAt, Visit]]:
    """Open pages of all kinds of folders, of which two persons have judged one sample."""
    looked_at = LookedAt(open_folders([opened, diagnosed, filled_in]))
    file = tmp_path_factory.mktemp("judged") / "judgements.jsonl"
    bench, name = looked_at.table.benches[0].folder, looked_at.table.ids[0]
    with Judgements(file, "Bob") as bob, Judgements(file, "Ada") as ada:
        for judgements, verdict in ((bob, "yes"), (ada, "no")):
            digest = manifest_digest(bench, "bench")
            judgements.add(digest, name, "site", "rating", verdict)
            judgements.add(digest, name, "site", "note", "two of them")
        with (
            serve_view(looked_at, judgements=ada) as address,
            visiting(address) as visit,
        ):
            yield looked_at, visit


def within_site(address: str) -> str:
    """Return the path and the query of an address."""
    url = urllib.parse.urlsplit(address)
    return f"{url.path}?{urllib.parse.unquote_plus(url.query)}"


@pytest.mark.browser
def test_all_by_keyboard(visit: Visit) -> None:
    """Keys search, step through grid and questions, hide marks, zoom and lead back."""
    with visit("/questions?flip=lost") as page:
        keys = page.keyboard
        keys.press("?")
        expect(page.locator("dialog")).to_be_visible()
        keys.press("Escape")
        expect(page.locator("dialog")).to_be_hidden()

        keys.press("j")
        keys.press("j")
        second = page.locator(".tile").nth(1)
        expect(second).to_be_focused()
        wanted = second.get_attribute("href")
        keys.press("Enter")
        expect(page.locator(".steps span")).to_have_text("2 of 18")
        assert page.url.endswith(str(wanted))

        click = page.locator(".large .click[data-model='1']")
        keys.press("1")
        expect(click).to_be_hidden()
        keys.press("t")
        expect(page.locator(".large rect.target")).to_be_hidden()
        keys.press("z")
        expect(page.locator("figcaption")).to_contain_text("the part around the target")
        assert "view=whole" in page.url

        keys.press("k")
        expect(page.locator(".steps span")).to_have_text("1 of 18")
        before = page.url
        keys.press("v")
        expect(page).not_to_have_url(before)
        expect(page.locator(".tile[aria-current]")).to_have_count(1)
        keys.press("u")
        expect(page.locator("h1")).to_have_text("18 of 36 questions")
        assert within_site(page.url) == "/questions?flip=lost"

        page.wait_for_load_state()  # whoever types into a page has seen the whole of it
        keys.press("/")
        keys.type("title zebra")
        keys.press("Enter")
        # The page that is left has such a heading too, so that the address is waited for.
        wanted = "/questions?words=title zebra&flip=lost"
        page.wait_for_url(lambda url: within_site(url) == wanted)
        expect(page.locator("h1")).to_contain_text("of 36 questions")
        keys.press("o")
        expect(page.locator("h1")).to_have_text("What there is to look at")


@pytest.mark.browser
def test_a_filter_applies_as_it_is_chosen(visit: Visit) -> None:
    """Choosing leads to an address with what was chosen alone; that address shows it again."""
    with visit("/questions") as page:
        page.select_option("select[name=outcome]", "refused")
        expect(page.locator("h1")).not_to_contain_text("36 of 36")
        page.select_option("select[name=variant]", "style")
        expect(page.locator("select[name=outcome]")).to_have_value("refused")
        expect(page.locator("select[name=variant]")).to_have_value("style")

        expect(page).to_have_url(re.compile(r"/questions\?outcome=refused&variant=style$"))
        assert page.locator(".tile").count() > 0
        with page.expect_download() as download:
            page.keyboard.press("x")
        assert download.value.suggested_filename == "selection.csv"


@pytest.mark.browser
def test_a_script_that_comes_late_loses_no_choice_and_no_key(visit: Visit) -> None:
    """What is chosen or pressed as soon as a page is seen is acted on, also after going back."""

    def late(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    with visit("/questions") as page:
        page.route("**/assets/*.js", late)
        page.reload(wait_until="commit")
        page.select_option("select[name=outcome]", "refused", no_wait_after=True)
        expect(page).to_have_url(re.compile(r"/questions\?outcome=refused$"))
        page.reload(wait_until="commit")
        page.locator("h1").wait_for()
        page.keyboard.press("o")
        expect(page.locator("h1")).to_have_text("What there is to look at")
        page.go_back(wait_until="commit")
        page.select_option("select[name=variant]", "style")
        expect(page).to_have_url(re.compile(r"/questions\?outcome=refused&variant=style$"))


@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        pytest.param(390, "dark", marks=pytest.mark.long),
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(390, "light", marks=pytest.mark.long),
    ],
)
def test_pages_are_whole_and_accessible(
    everything: tuple[LookedAt, Visit], assert_accessible: Check, width: int, scheme: Scheme
) -> None:
    """No page is wider than the window, and axe-core finds nothing to mend."""
    looked_at, visit = everything
    question = urllib.parse.quote(looked_at.table.ids[0], safe="")
    screen = urllib.parse.quote(looked_at.table.question(0).screen, safe="")
    with visit("/", width, scheme) as page:
        origin = page.url.rstrip("/")
        for path in (*PATHS, f"/question/0/{question}", f"/screen/0/{screen}"):
            page.goto(f"{origin}{path}")
            page.wait_for_load_state("networkidle")
            assert_accessible(page)
