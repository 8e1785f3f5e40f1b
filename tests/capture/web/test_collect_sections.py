"""
Sections: which heading the page's author drew a box for, around each element.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.capture.captured import Capture

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser

CARDS = """
<style>section,div.card{border:1px solid}.head{display:flex}p{height:90px}</style>
<header><h1>Site</h1><a href=x>Home</a></header><a href=x>Skip</a>
<main><h1>Page</h1><button>Top</button>
<div class=card><div class=head><h3>Mail</h3><button>More</button></div>
<div><div><button>Send</button><p>words</p></div></div></div>
<div class=card><h3><a href=x>Disk</a></h3><p>words</p><button>Clean</button></div>
<button>Bottom</button>
<ul><li><h4>Mon</h4><button>x</button></li><li><h4>Tue</h4><button>y</button></li>
<li><button>z</button></li></ul>
<fieldset><legend>Ship to</legend><input aria-label=Street></fieldset>
<div role=dialog aria-label=Ask><button>Yes</button></div>
<nav><a href=x>Next</a></nav></main>
"""
FLAT = """
<button>zero</button><h1>One</h1><button>a</button><h2>Two</h2><button>b</button>
<h3>Three</h3><button>c</button><h2>Four</h2><button>d</button>
<h2 style="position:absolute;clip-path:inset(50%);height:1px;width:1px;overflow:hidden">Unseen</h2>
<button>e</button>
"""
FRAMED = """
<style>article{border:1px solid}</style><h1>Page</h1>
<article><h1>Big</h1><button>a</button></article><input type=checkbox hidden>
<article><h2>Small</h2><button>b</button></article>
<article><h3>Least</h3><button>c</button></article>
<div class=row><h2>Plain</h2></div><div class=row><h3>Under it</h3><button>d</button></div>
"""


def sections(found: Capture) -> dict[str, str]:
    """Map the name of each element to the name of its section's heading, "" without one."""
    names = {element.id: element.name for element in found.screen.elements}
    return {
        element.name: names[element.attributes["section"]]
        if "section" in element.attributes
        else ""
        for element in found.screen.elements
        if element.role in ("button", "heading", "link", "textbox")
    }


def test_a_box_is_named_by_its_heading(shot: Shooter) -> None:
    """Cards, title bars, fieldsets, dialogs and page regions each keep to themselves."""
    assert sections(shot(CARDS)) == {
        "Site": "",
        "Home": "Site",
        "Skip": "",
        "Page": "",
        "Top": "Page",
        "Mail": "Page",
        "More": "Mail",
        "Send": "Mail",
        "Disk": "Page",
        "Clean": "Disk",
        "Bottom": "Page",
        "Mon": "Page",
        "x": "Mon",
        "Tue": "Page",
        "y": "Tue",
        "z": "Page",
        "Street": "Ship to",
        "Yes": "",
        "Next": "",
    }


def test_a_flat_page_is_read_as_an_outline(shot: Shooter) -> None:
    """Without boxes the last visible heading counts, and headings belong to higher ones."""
    assert sections(shot(FLAT)) == {
        "zero": "",
        "One": "",
        "a": "One",
        "Two": "One",
        "b": "Two",
        "Three": "Two",
        "c": "Three",
        "Four": "One",
        "d": "Four",
        "Unseen": "Four",
        "e": "Four",
    }


def test_framed_boxes_side_by_side_keep_to_themselves(shot: Shooter) -> None:
    """A box in a frame of its own names nothing in the next, however small the next heading."""
    found = sections(shot(FRAMED))

    assert [found[item] for item in "abcd"] == ["Big", "Small", "Least", "Under it"]
    assert "Big" not in (found["Small"], found["Least"])
    assert found["Least"] != "Small"
    assert found["Under it"] == "Plain"
