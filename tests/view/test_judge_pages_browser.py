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
from surefoot.view.judging import Judgements, SampleChoice
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders

COUNT: Final = 1000
VERDICTS: Final = {"y": "yes", "n": "no", "i": "unclear"}
WHOLE: Final = SampleChoice(("rating",))


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
    with Judgements(tmp_path / "judgements.jsonl", "Ada") as judgements:
        yield judgements


@pytest.mark.long
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
        serve_view(many, judgements=kept, choice=WHOLE) as address,
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

    found = [(one.item, one.said["rating"]) for one in kept.latest()]
    assert found == [(f"{number:04}", VERDICTS[key]) for number, key in enumerate(keys)]


@pytest.mark.browser
def test_a_note_is_written_and_work_goes_on_where_it_ended(
    many: LookedAt, kept: Judgements, visiting: Callable[..., Any]
) -> None:
    """A verdict with a note is kept, a later note changes it, and a new visit begins behind it."""
    with serve_view(many, judgements=kept, choice=WHOLE) as address, visiting(address) as visit:
        with visit("/judge") as page:
            expect(page.locator("#words")).to_contain_text("Click")
            page.keyboard.press("m")
            page.keyboard.type("yes, no and ?")
            page.keyboard.press("Enter")
            page.keyboard.press("n")
            expect(page.locator("#standing")).to_contain_text("1 judged, all saved")
            page.keyboard.press("k")
            expect(page.locator("input[value=no]")).to_be_checked()
            page.fill("#note", "two of them")
            page.keyboard.press("Enter")
            expect(page.locator("#standing")).to_contain_text("1 judged, all saved")
        with visit("/judge", 390, "dark") as page:
            expect(page.locator("#standing")).to_contain_text(f"Sample 2 of {COUNT:,}; 1 judged")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390

    assert [one.said for one in kept.latest()] == [{"rating": "no", "note": "two of them"}]


@pytest.mark.browser
def test_a_whole_session_by_keyboard(
    looked_at: LookedAt, kept: Judgements, visiting: Callable[..., Any]
) -> None:
    """Keys alone judge every criterion of all samples, in two windows, and look before they do."""
    choice = SampleChoice(limit=6, seed=1)
    with (
        serve_view(looked_at, judgements=kept, choice=choice) as address,
        visiting(address) as visit,
        visit("/judge") as page,
        visit("/judge") as other,
    ):
        press, standing = page.keyboard.press, page.locator("#standing")
        expect(standing).to_have_text("Sample 1 of 6; 0 judged, all saved.")
        expect(page.locator("#words")).to_be_focused()
        press("t")
        expect(page.locator("rect.target")).to_be_hidden()
        press("t")
        expect(page.locator("rect.target")).to_be_visible()

        other.keyboard.press("3")
        other.keyboard.press("n")
        expect(other.locator("#standing")).to_contain_text("all saved")
        press("i")
        expect(page.locator("[data-column=box_centred] [value=no]")).to_be_checked()
        press("k")  # before the first there is none
        press("y")
        press("4")  # what the other window has answered is left alone
        for at in range(6):
            expect(standing).to_contain_text(f"Sample {at + 1} of 6; {at} judged")
            asked = page.locator("fieldset:visible").count() - (3 if at == 0 else 0)
            for _ in range(asked):
                press("y")
        expect(standing).to_have_text("Sample 6 of 6; 6 judged, all saved.")
        press("z")
        expect(page.locator("#picture.true rect.target")).to_be_in_viewport()
        press("Delete")
        expect(standing).to_have_text("Sample 6 of 6; 5 judged, all saved.")

    first, *rest = kept.latest()
    assert first.said["box_centred"] == "no"
    assert len(rest) == 5
