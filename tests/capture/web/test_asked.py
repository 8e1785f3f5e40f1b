"""
A page is the one that was asked for, or a failure: never a sign-in page under another name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
import pytest

from surefoot.capture.access.access import Access
from surefoot.capture.access.secrets import Secrets
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.asked import AskedPage, PageFacts, nowhere, repeated, verify_words
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.twice import capture_twice
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from tests.product import MEANT, WAYS, Product

CLOCK: Final = "2026-11-27T20:00:00+00:00"
LIMITS: Final = Limits(navigation_s=4.0, settle_s=2.0)
# One of each kind of sign; the long test has them all.
FEW: Final = ("302", "script", "401", "form", "soft-404", "oops", "start-page", "hash", "api-401")
FEW_MEANT: Final = ("change-password", "mail-server", "lost-pages", "blog/authentic-ropes")


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    """Lend a product, and another origin that it sends to; its poll is answered."""
    with Product() as other, Product() as running:
        running.elsewhere, running.polls = other.origin, False
        yield running


def signed_in(product: Product, *, known: bool = True) -> Browser:
    """Return a browser that holds a session, which the product knows or has forgotten."""
    return Browser(secrets=Secrets(state=product.state(known=known)))


def page_of(product: Product, path: str) -> Address:
    """Return the address of one page."""
    return list_addresses(product.origin + path)[0]


def opened_as(marker: str = "") -> Settings:
    """Return settings of one who is signed in by a state."""
    access = Access(state="state.json", signed_in=marker, clock=CLOCK)
    return Settings(width=400, height=300, limits=LIMITS, access=access)


def turned_away(product: Product, browser: Browser, way: str, marker: str) -> str:
    """Return why a page of somebody whose session is over is not captured."""
    product.way = way
    try:
        capture_twice(
            browser,
            page_of(product, "/#/orders" if way == "hash" else "/h/orders"),
            opened_as(marker),
        )
    except CaptureError as error:
        told = "/orders, signed in" in error.expected and error.remedy
        return error.reason if told else f"{error.reason}, badly told: {error}"
    return "captured"


@pytest.mark.browser
@pytest.mark.slow
def test_no_sign_in_page_is_taken_for_another(product: Product) -> None:
    """However somebody is turned away, it is a failure that says what came and what to do."""
    with signed_in(product, known=False) as browser:
        found = {way: turned_away(product, browser, way, "") for way in FEW}

    assert set(found.values()) <= {"signed-out", "not-asked"}, found


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.long
def test_no_sign_in_page_is_taken_for_another_in_fifty_attempts(product: Product) -> None:
    """Every way to turn somebody away is found, with a marker and without one."""
    with signed_in(product, known=False) as browser:
        found = {
            (way, marker): turned_away(product, browser, way, marker)
            for way in WAYS
            for marker in ("", "#leave")
        }

    assert len(found) >= 50
    assert set(found.values()) <= {"signed-out", "not-asked"}, found


def kept(product: Product, names: Iterator[str]) -> list[str]:
    """Return which pages are captured by one who is signed in."""
    product.way = "302"
    with signed_in(product) as browser:
        screens = [
            capture_twice(browser, page_of(product, f"/meant/{name}"), opened_as()).screen
            for name in names
        ]
    assert repeated(screens) == {}
    return [screen.page.partition("/meant/")[2] for screen in screens]


@pytest.mark.browser
def test_pages_that_only_look_like_one_are_kept(product: Product) -> None:
    """Fields for passwords, words of errors and of signing in are part of a product."""
    assert kept(product, iter(FEW_MEANT)) == [*FEW_MEANT]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.long
def test_all_pages_that_only_look_like_one_are_kept(product: Product) -> None:
    """None of a product's own pages is taken for a sign-in page or an error."""
    assert kept(product, iter(MEANT)) == [*MEANT]


def asked(url: str, **told: object) -> AskedPage:
    """Return what was asked for by one who has a state."""
    access = Access(state="state.json", **told)  # type: ignore[arg-type]
    return AskedPage(url, url, access)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://a.example/orders", "https://a.example/users/sign_in?next=/orders"),
        ("https://a.example/orders", "https://a.example/auth/login"),
        ("https://a.example/#/orders", "https://a.example/#/login"),
        ("https://a.example/#/orders", "https://a.example/#!/sign-in?to=orders"),
        ("https://a.example/orders", "https://a.example/oauth2/authorize?client_id=1"),
        ("https://a.example/orders", "https://sso.example/start"),
        ("https://a.example/", "https://a.example/Account/LogOn"),
        ("https://a.example/orders", "https://a.example/session/new"),
    ],
)
def test_an_address_to_sign_in_at_is_told(url: str, found: str) -> None:
    """The usual words for it count where the address that was asked for has none."""
    with pytest.raises(CaptureError) as caught:
        asked(url).check_place(found)

    assert caught.value.reason == "signed-out"
    assert "?" not in caught.value.found  # what follows may be a token


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://a.example/orders", "https://a.example/orders?page=1"),
        ("https://a.example/login", "https://a.example/login?lang=en"),
        ("https://a.example/authors", "https://a.example/authors/1"),
        ("https://a.example/cassettes", "https://a.example/cassettes/all"),
        ("https://a.example/authentic", "https://a.example/authentic/"),
        ("https://a.example/blogging", "https://a.example/blogging/in"),
        ("https://a.example/", "https://a.example/lassos"),
    ],
)
def test_other_addresses_are_not(url: str, found: str) -> None:
    """Words that only contain one of them, and a sign-in page that was asked for, are kept."""
    asked(url).check_place(found)


def test_what_was_asked_for_may_be_a_sign_in_page() -> None:
    """A page to sign in at is captured where it was asked for, or said to be meant."""
    facts = PageFacts(sign_in=True, heads=("Sign in",), lacking=())
    asked("https://a.example/login").check(facts, "https://a.example/login", ())
    asked("https://a.example/", public=True).check(facts, "https://a.example/", ())
    page = AskedPage("folder:a.html", "folder:a.html", Access())
    page.check(facts, "http://folder.localhost/a.html", ())

    with pytest.raises(CaptureError, match="sign-in form"):
        asked("https://a.example/").check(facts, "https://a.example/", ())


def test_what_a_page_has_to_show_is_looked_for() -> None:
    """Without the mark of who is signed in, or of a page that is ready, there is a failure."""
    for name, reason in (("signed_in", "signed-out"), ("ready", "not-asked")):
        facts = PageFacts(sign_in=False, heads=(), lacking=("#mark",))
        with pytest.raises(CaptureError) as caught:
            asked("https://a.example/", **{name: "#mark"}).check(facts, "https://a.example/", ())

        assert caught.value.reason == reason


def test_an_address_that_there_is_not_lies_beside_the_other() -> None:
    """It is a path beside a path and a route beside a route, of the same origin."""
    assert nowhere("https://a.example:8/b/c?d#e") == "https://a.example:8/b/surefoot-no-such-page"
    assert nowhere("https://a.example/#/b") == "https://a.example/#/surefoot-no-such-page"
    assert nowhere("https://a.example/x#!/b") == "https://a.example/x#!/surefoot-no-such-page"


def screen(url: str, *words: str) -> Screen:
    """Return a screen with these words."""
    elements = tuple(
        Element(f"p-{at}", "text", Box(0, 0, 9, 9), text=text) for at, text in enumerate(words)
    )
    return Screen(url, url, url, "", 9, 9, 1.0, "web", "en", elements, site="a.example")


def test_pages_that_show_the_same_are_named() -> None:
    """Two addresses with the same words are not two pages; files, and other words, are."""
    same = [screen(f"http://a.example/{name}", "Something went wrong") for name in ("x", "y")]
    others = [screen(f"http://a.example/orders/{n}", f"Order {n}") for n in (1, 2)]
    files = [screen(f"folder:a#{name}", "the same") for name in ("x", "y")]

    assert repeated([*same, *others, *files]) == {
        "http://a.example/x": "http://a.example/y",
        "http://a.example/y": "http://a.example/x",
    }


def test_facts_are_data() -> None:
    """What a page shows is decoded from what our side of it says."""
    said = b'{"sign_in": true, "heads": ["Sign in"], "lacking": []}'

    assert msgspec.json.decode(said, type=PageFacts).sign_in


@pytest.mark.parametrize(
    ("words", "busy", "refused"),
    [
        (["Loading..."], False, True),
        (["Please wait while it starts"], False, True),
        ([], True, True),
        ([], False, False),
        (["Oops", "Something went wrong, sorry"], False, True),
        (["Something went wrong: 3 reports", "Crane 4"], False, False),
        (["Loading bay", "Crane 4"], True, False),
        (["Loading", "Crane 4"], True, False),
    ],
)
def test_a_page_that_says_nothing_but_that_it_loads_or_failed_is_none(
    words: list[str], busy: bool, refused: bool
) -> None:
    """Its only words are such, whatever its buttons say; words of its own make it a page."""
    box = Box(0, 0, 9, 9)
    shown = [Element(f"p-{text}", "paragraph", box, text=text) for text in words]
    button = Element("b", "button", box, name="Try again", text="Try again")
    screen = Screen("s", "p", "x", "u", 9, 9, 1.0, "web", "en", (*shown, button))

    reason = ""
    try:
        verify_words(screen, busy=busy)
    except CaptureError as error:
        reason = error.reason

    assert reason == ("not-asked" if refused else "")
