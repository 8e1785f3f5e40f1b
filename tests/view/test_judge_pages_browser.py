"""
A person judges samples as fast as keys can be struck, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Route, expect

from surefoot.core.ledger import Ledger
from surefoot.core.seeds import random_source
from surefoot.run.folders.folder import export, read_questions
from surefoot.view.application import serve_view
from surefoot.view.judging import Judgements
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders

COUNT: Final = 1000
VERDICTS: Final = {"y": "right", "n": "wrong", "i": "unclear"}


@pytest.fixture
def many(drawn: Path, tmp_path: Path) -> LookedAt:
    """Open a benchmark of a thousand samples without pictures."""
    asked = read_questions(drawn)
    questions = [
        msgspec.structs.replace(asked[number % len(asked)], id=f"{number:04}", image="")
        for number in range(COUNT)
    ]
    with Ledger.open(tmp_path / "bench", {"kind": "bench", "seed": 0}):
        export(tmp_path / "bench", "bench", {"questions.jsonl": questions})
    return LookedAt(open_folders([tmp_path / "bench"]))


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Judgements]:
    """Let Ada judge."""
    with Judgements(tmp_path / "judgements.sqlite", "Ada") as judgements:
        yield judgements


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("count", [100, pytest.param(COUNT, marks=pytest.mark.long)])
def test_fast_keys_are_as_many_verdicts(
    count: int, many: LookedAt, kept: Judgements, visiting: Callable[..., Any]
) -> None:
    """Every key is kept, once and in order, though the server is not heard of now and then."""
    keys = random_source(1, "keys").choices(list(VERDICTS), k=count)
    lost = iter([True, True, False, True])

    def lose(route: Route) -> None:
        if route.request.method == "POST" and next(lost, False):
            route.abort("connectionreset")
        else:
            route.continue_()

    with (
        serve_view(many, judgements=kept) as address,
        visiting(address) as visit,
        visit("/judge") as page,
    ):
        expect(page.locator("#standing")).to_contain_text(f"Sample 1 of {COUNT:,}; 0 judged")
        page.route("**/judge", lose)
        page.evaluate(
            "keys => keys.forEach(key => document.body.dispatchEvent("
            "new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true})))",
            keys,
        )
        expect(page.locator("#failed")).to_be_visible()
        last = min(count + 1, COUNT)  # of the last sample, none is next
        done = f"Sample {last:,} of {COUNT:,}; {count:,} judged, all saved."
        expect(page.locator("#standing")).to_have_text(done, timeout=240_000)
        expect(page.locator("#failed")).to_be_hidden()

    found = [(one.question, one.verdict) for one in kept.latest()]
    assert found == [(f"{number:04}", VERDICTS[key]) for number, key in enumerate(keys)]


@pytest.mark.browser
def test_a_note_is_written_and_work_goes_on_where_it_ended(
    many: LookedAt, kept: Judgements, visiting: Callable[..., Any]
) -> None:
    """A verdict with a note is kept, a later note changes it, and a new visit begins behind it."""
    with serve_view(many, judgements=kept) as address, visiting(address) as visit:
        with visit("/judge") as page:
            expect(page.locator("#words")).to_contain_text("Click")
            page.keyboard.press("m")
            page.keyboard.type("yes, no and ?")
            page.keyboard.press("Enter")
            page.keyboard.press("n")
            expect(page.locator("#standing")).to_contain_text("1 judged, all saved")
            page.keyboard.press("k")
            expect(page.locator("[aria-pressed=true]")).to_contain_text("wrong")
            page.fill("#note", "two of them")
            page.keyboard.press("Enter")
            expect(page.locator("#standing")).to_contain_text("1 judged, all saved")
        with visit("/judge", 390, "dark") as page:
            expect(page.locator("#standing")).to_contain_text(f"Sample 2 of {COUNT:,}; 1 judged")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390

    assert [(one.verdict, one.note) for one in kept.latest()] == [("wrong", "two of them")]
