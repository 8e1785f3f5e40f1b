"""
Our world in a page is out of the reach of the page's names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.capture import web
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.collect import collect
from surefoot.capture.web.world import World
from surefoot.core.screen import Element
from surefoot.forms import driver

Shooter = Callable[..., Capture]
PACKAGES = (web, driver)
SCRIPTS = [
    script
    for package in PACKAGES
    for script in sorted((Path(str(package.__file__)).parent / "javascript").glob("*.js"))
]
# What our own records are called, too, and what is no node of the page.
OURS = re.compile(
    r"(entry|rule)\.style|(found|told)\.(type|options|value)|item\.(label|value)|\]\.label"
    r"|(above|around)\.control|(byId|nodes|surefoot|\))\.size|range\.getBoundingClientRect"
)
# These run before a page's own scripts, or in pages that are ours.
EARLY = {"define.js", "dom.js", "hermetic.js", "untranslated.js", "pointed.js"}


def guarded_names() -> str:
    """Return a pattern of all that dom.js reads for the other scripts."""
    text = next(script for script in SCRIPTS if script.name == "dom.js").read_text("utf-8")
    lists = re.findall(r"words\(`([^`]*)`\)", text)
    return "|".join(name for names in lists for name in names.split())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_nodes_of_a_page_are_read_through_dom_alone(script: Path) -> None:
    """No script of ours asks a node itself for what a field of its form could be called."""
    read = re.compile(rf"([\w$]+|[\])])\s*\??\.({guarded_names()})\b")
    text = re.sub(r"^\s*//.*$", "", script.read_text("utf-8"), flags=re.MULTILINE)
    direct = [
        found[0]
        for found in read.finditer(text)
        if script.name not in EARLY and found[1] != "dom" and not OURS.fullmatch(found[0])
    ]

    assert direct == []
    if script.name not in EARLY:
        assert re.findall(r"(?<![\w.])document\.\w+|\bwhile \(true\)", text) == []


def summary(elements: tuple[Element, ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return role, name and states of each element."""
    return [(element.role, element.name, element.states) for element in elements]


@pytest.mark.browser
def test_words_that_every_object_knows_are_only_words(shot: Shooter) -> None:
    """Tags, types, states and attributes named as parts of objects are unknown ones."""
    page = (
        "<{0}>first</{0}><button aria-expanded={0} type={0} aria-checked={0}>second</button>"
        "<input type={0} aria-label=third {0}=x><i role='{0} img' aria-label=fourth></i>"
        "<p id=surefoot>fifth</p>"
    )
    known, unknown = (shot(page.format(word)).screen for word in ("constructor", "nothing"))

    assert summary(known.elements) == summary(unknown.elements)
    assert len(known.elements) == len(page.split("aria-label")) + 2


LISTENED = """
<style>div { cursor: pointer; width: 80px; border: 1px solid }</style>
<div id=own>own</div><section id=open></section><section id=closed></section>
<iframe srcdoc="<div style='cursor:pointer' id=inner>inner</div>"></iframe>
<div id=hovered>hovered</div><div>unheard</div>
<script>
const listen = (node, kind = "click") => node.addEventListener(kind, () => {});
listen(own); listen(hovered, "mouseenter"); listen(window);
for (const mode of ["open", "closed"]) {
  const root = document.getElementById(mode).attachShadow({ mode });
  root.innerHTML = `<div style="cursor:pointer">${mode}</div>`;
  listen(root.firstChild);
}
onload = () => listen(document.querySelector("iframe").contentDocument.getElementById("inner"));
</script>
"""


@pytest.mark.browser
@pytest.mark.parametrize("whole", [False, True])
def test_listeners_are_told_by_places_as_they_are_one_by_one(
    browser: Browser, address: Callable[..., Address], *, whole: bool
) -> None:
    """What a script listens to is a button either way; all is where it listens to the document."""
    page = LISTENED.replace("listen(window)", "listen(document)") if whole else LISTENED
    found: list[set[str]] = []
    with browser.visit(address(page), Settings(width=400, height=300)) as visit:
        for later in (False, True):
            world = World(visit.page)
            world.open_roots()
            world.hear(later=later)
            world.read_tree()
            elements = collect(world, 1.0).elements
            found.append({item.name for item in elements if item.role == "button"})
            world.close()

    expected = {"own", "open", "closed", "inner"} | ({"hovered", "unheard"} if whole else set())
    assert found == [expected, expected]
