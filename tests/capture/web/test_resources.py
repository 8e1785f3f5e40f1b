"""
What never came is recorded where it never comes, and else a failure with its address.
"""

from __future__ import annotations

import pytest

from surefoot.capture.web.resources import Resources
from surefoot.core.errors import CaptureError

SITE = "http://a.localhost"
STYLES = f"{SITE}/styles.css"
PAGE = "http:a"


def visited(status: int = 200, kind: str = "text/css") -> Resources:
    """Return the resources of a visit whose style sheet was answered so."""
    found = Resources(SITE)
    found.answered(STYLES, "stylesheet", status, kind)
    return found


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_what_is_not_there_is_recorded(status: int) -> None:
    """A server that says no will say it again: no failure, at the first visit and later."""
    found = visited(status)
    found.verify(PAGE)
    found.verify(PAGE, found.missing)
    assert found.missing == {STYLES: f"status {status}"}


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_a_server_at_a_loss_fails_the_visit(status: int) -> None:
    """What may come the next time is a failure now, and named."""
    with pytest.raises(CaptureError, match=STYLES) as raised:
        visited(status).verify(PAGE)
    assert raised.value.reason == "resource-failed"


@pytest.mark.parametrize(
    "failure",
    ["net::ERR_CONNECTION_RESET", "net::ERR_CONTENT_LENGTH_MISMATCH", "net::ERR_TIMED_OUT", ""],
)
def test_a_reply_that_breaks_off_fails_the_visit(failure: str) -> None:
    """A reply that began well and was cut is no reply."""
    found = visited()
    found.broken_off(STYLES, "stylesheet", failure)
    with pytest.raises(CaptureError, match=STYLES):
        found.verify(PAGE)


def test_a_later_visit_lacks_what_the_first_one_lacked() -> None:
    """What the first visit had must come, and what it was without must not."""
    with pytest.raises(CaptureError, match=STYLES) as lost:
        visited(404).verify(PAGE, {})
    with pytest.raises(CaptureError, match=STYLES) as come:
        visited().verify(PAGE, {STYLES: "status 404"})
    assert lost.value.reason == "resource-failed"
    assert come.value.reason == "resource-appeared"


def test_a_page_in_place_of_a_part_is_none() -> None:
    """A server that answers every path with its front page has not sent a style sheet."""
    assert visited(200, "text/html; charset=utf-8").missing == {
        STYLES: "a page instead of a style sheet"
    }


def test_what_lies_elsewhere_is_refused_alike() -> None:
    """However the refusal shows itself, it is one and never a failure."""
    urls = [f"{scheme}://b.example/x.png" for scheme in ("http", "https")]
    found = Resources(SITE)
    found.answered(urls[0], "image", 403, "text/plain")
    found.broken_off(urls[1], "image", "net::ERR_TUNNEL_CONNECTION_FAILED")
    found.verify(PAGE)
    found.verify(PAGE, {})
    assert set(found.missing) == set(urls)
    assert len(set(found.missing.values())) == 1


def test_what_the_page_gave_up_is_nothing() -> None:
    """A request that the page's own script ended, and one that nobody waits for, say nothing."""
    found = Resources(SITE)
    found.broken_off(f"{SITE}/a.json", "fetch", "net::ERR_ABORTED")
    found.answered(f"{SITE}/log", "ping", 503, "text/plain")
    found.verify(PAGE)
    assert found.missing == {}


def test_a_picture_that_came_and_cannot_be_drawn_is_missing() -> None:
    """Bytes that are no picture are recorded, unless the reply says more."""
    found = Resources(SITE)
    found.answered(f"{SITE}/a.png", "image", 200, "image/png")
    found.answered(f"{SITE}/b.png", "image", 404, "text/plain")
    found.unreadable([(f"{SITE}/{name}.png", "no picture") for name in "ab"])
    assert found.missing == {f"{SITE}/a.png": "no picture", f"{SITE}/b.png": "status 404"}


def test_the_first_failure_of_an_address_stays() -> None:
    """A page that asks again, and gets it, has still been without it for a while."""
    found = visited(503)
    found.answered(STYLES, "stylesheet", 200, "text/css")
    with pytest.raises(CaptureError, match="status 503"):
        found.verify(PAGE)


def test_addresses_of_this_machine_and_of_this_visit_are_not_recorded() -> None:
    """A path, a random name and a picture within the page are the same on every machine."""
    found = Resources("", elsewhere="not in the archive")
    found.unreadable(
        [
            ("file:///home/ann/x.png", "no picture"),
            ("blob:http://a.localhost/0f-1", "no picture"),
            ("data:image/png;base64," + "A" * 9999, "no picture"),
        ]
    )
    blob, inline, file = found.missing
    assert (blob, file) == ("blob:http://a.localhost/", "file:x.png")
    assert len(inline) < 400
