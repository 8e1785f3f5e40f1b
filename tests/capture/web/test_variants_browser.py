"""
Variants of a page from one load are the bytes of a load for each, whatever the page does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.capture.web.variants import capture_variants
from surefoot.core.edit import Edit, Relabel, ScaleText
from surefoot.core.errors import CaptureError
from surefoot.core.perturbation import parse_variant
from surefoot.core.screen import Screen

pytestmark = pytest.mark.browser
SMALL = Settings(width=400, height=300)
HOSTILE = Path(__file__).parents[2] / "hostile"
# Why each of these is loaded anew; "" where nothing of it is seen in any variant but the last.
ANEW = {
    "adopted-sheets": "other style sheets",
    "clock": "other nodes",
    "closed-shadow": "",
    "container-queries": "",
    "editable": "",
    "ends-of-motion": "",
    "frames-of-motion": "timers",
    "has-selectors": "",
    "hidden-clock": "other nodes",
    "important-styles": "",
    "lazy-pictures": "",
    "message-hops": "",
    "moved-elements": "custom elements that were moved",
    "next-tick": "timers",
    "observer-silent": "observers that write",
    "open-dialog": "",
    "scroll-linked": "",
    "seen-later": "other attributes",
    "virtual-list": "other nodes",
    "watched-width": "",
}
NAMES = ("style", "order", "precision", "text_shrink")


def edits_of(screen: Screen, names: tuple[str, ...] = NAMES) -> dict[str, tuple[Edit, ...]]:
    """Return the edits of variants that change a page at all."""
    found = {name: tuple(parse_variant(name).edits(screen, seed=0)) for name in names}
    return {name: edits for name, edits in found.items() if edits}


@pytest.mark.parametrize("name", ANEW)
def test_variants_from_one_load_are_those_of_a_load_each(name: str, browser: Browser) -> None:
    """Elements and pictures are equal; pages that keep a state of their own are loaded anew."""
    address = list_addresses(str(HOSTILE / f"{name}.html"))[0]
    original = capture(browser, address, SMALL).screen
    variants = edits_of(original)

    made = capture_variants(browser, address, SMALL, variants, original)
    fresh = {
        name: capture(browser, address, SMALL, variant=name, edits=edits, original=original)
        for name, edits in variants.items()
    }

    assert made.captures == fresh
    assert list(made.captures) == list(variants)
    assert made.anew == ANEW[name]
    assert (made.loads == 1) == (not made.anew)
    assert made.loads <= len(variants)


@pytest.mark.parametrize(
    ("scale", "loads", "anew"), [(1, 3, "a zoom"), (1.5, 4, "a finer picture")]
)
def test_zooms_have_loads_of_their_own(
    scale: float, loads: int, anew: str, browser: Browser, address: Callable[..., Address]
) -> None:
    """No zoom is of a page that was drawn before, and finer pictures are of a load each."""
    page = address("<style>@media (width < 500px) { p { color: red } }</style><p>Words<p>More")
    settings = Settings(width=400, height=300, scale=scale)
    original = capture(browser, page, settings).screen
    variants = edits_of(original, ("zoom:0.5", "style", "precision", "zoom:0.7"))

    made = capture_variants(browser, page, settings, variants, original)

    assert (made.loads, made.anew) == (loads, anew)
    for name, edits in variants.items():
        assert made.captures[name] == capture(
            browser, page, settings, variant=name, edits=edits, original=original
        )


def test_new_names_are_forgotten(browser: Browser, address: Callable[..., Address]) -> None:
    """A control that was called otherwise has its own name, attributes and words again."""
    page = address(
        "<button title=Save>S</button> <button aria-label=Open>O</button> <a href=#x>A</a>"
    )
    original = capture(browser, page, SMALL).screen
    save, opener, link = (element.id for element in original.elements)
    variants: dict[str, tuple[Edit, ...]] = {
        "words": (Relabel(link, "Other", replaces=True),),
        "smaller": (ScaleText(0.5),),
        "again": (Relabel(save, "Keep"), Relabel(opener, "Load")),
        "larger": (ScaleText(1.5),),
    }

    made = capture_variants(browser, page, SMALL, variants, original)

    for name, edits in variants.items():
        assert made.captures[name] == capture(
            browser, page, SMALL, variant=name, edits=edits, original=original
        )


def test_what_a_page_draws_anew_is_not_put_back(
    browser: Browser, address: Callable[..., Address]
) -> None:
    """A page that replaces what stands in an edited element is loaded anew, and fails nothing."""
    page = address(
        "<div id=rows></div><script>let height = -1; const draw = () => {"
        "if (rows.offsetHeight !== height) rows.innerHTML = 'Rows: <button>One</button>';"
        "height = rows.offsetHeight; }; draw(); new ResizeObserver(draw).observe(rows)</script>"
    )
    original = capture(browser, page, SMALL).screen
    variants: dict[str, tuple[Edit, ...]] = {
        "larger": (ScaleText(2.0),),
        "largest": (ScaleText(3.0),),
        "huge": (ScaleText(4.0),),
    }

    made = capture_variants(browser, page, SMALL, variants, original)

    assert made.anew == "other nodes"
    for name, edits in variants.items():
        assert made.captures[name] == capture(
            browser, page, SMALL, variant=name, edits=edits, original=original
        )


def test_frames_are_loaded_for_each_variant(
    browser: Browser, address: Callable[..., Address]
) -> None:
    """What a frame keeps to itself no undo reaches."""
    page = address("<button>Here</button><iframe srcdoc='<button>There</button>'></iframe>")
    original = capture(browser, page, SMALL).screen
    variants = edits_of(original, ("style", "precision"))

    made = capture_variants(browser, page, SMALL, variants, original)

    assert (made.loads, made.anew) == (2, "a frame")


def test_a_page_that_removes_the_sheet_of_a_variant_is_no_variant(browser: Browser) -> None:
    """What the page undoes is an error, from one load as from a load each, never a variant."""
    address = list_addresses(str(HOSTILE / "dropped-sheets.html"))[0]
    original = capture(browser, address, SMALL).screen
    variants = edits_of(original, ("precision", "style", "order"))

    for ask in (
        lambda: capture_variants(browser, address, SMALL, variants, original),
        lambda: capture(
            browser, address, SMALL, variant="style", edits=variants["style"], original=original
        ),
    ):
        with pytest.raises(CaptureError, match="keeps the style sheets") as raised:
            ask()
        assert raised.value.reason == "edit-failed"


def test_the_first_variant_that_fails_is_raised(
    browser: Browser, address: Callable[..., Address]
) -> None:
    """The error is that of the first in the order that was asked for, as with a load for each."""
    page = address("<button>Save</button><button>Open</button>")
    original = capture(browser, page, SMALL).screen
    variants: dict[str, tuple[Edit, ...]] = {
        "larger": (ScaleText(1.5),),
        "none": (ScaleText(-1.0),),
        "unknown": (Relabel("nobody", "Words"),),
    }

    with pytest.raises(CaptureError, match="a factor above 0") as raised:
        capture_variants(browser, page, SMALL, variants, original)

    assert raised.value.reason == "edit-failed"
