"""
A second opinion: how far our roles and names agree with Chromium's accessibility tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.collect import CollectedPage, collect
from surefoot.capture.web.settle import settle
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError
from surefoot.core.screen import INTERACTIVE_ROLES

# Chromium's own words for what ARIA calls otherwise, or has no word for.
SYNONYMS: Final = {
    "ColorWell": "button",
    "Date": "textbox",
    "DateTime": "textbox",
    "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button",
    "InputTime": "textbox",
    "PopUpButton": "combobox",
    "ToggleButton": "button",
    "image": "img",
}
# What the browser builds inside these is a part of them.
CONTROLS: Final = frozenset({"audio", "input", "select", "video"})
# A field that suggests values while somebody types is Chromium's combobox, and our field.
FIELDS: Final = frozenset({"searchbox", "textbox"})
# Icon fonts draw with private-use characters, which nobody can say.
UNSAYABLE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff\u200b\ufeff]")


class Disagreement(msgspec.Struct, frozen=True):
    """Show what we say of an element and what Chromium says; "" where one has no element."""

    element: str
    what: str
    ours: str
    theirs: str


class Agreement(msgspec.Struct, frozen=True):
    """
    Count interactive elements that either side knows, and how many roles and names agree.

    Names are compared without white space at the ends, private-use characters and case:
    Chromium names texts as ``text-transform`` shows them, we as the page writes them, so
    that a name stays the same under every style.
    """

    page: str
    elements: int
    roles: int
    names: int
    disagreements: tuple[Disagreement, ...]


def agreement(browser: Browser, address: Address, settings: Settings) -> Agreement:
    """Load a page, settle it, and compare every interactive element; raises CaptureError."""
    with browser.visit(address, settings) as visit:
        world = World(visit.page)
        settle(visit, world)
        if visit.scripted:
            world.hear()
        ours = collect(world, settings.scale)
        backends = list(_backend_ids(world))
        theirs = _accessible_nodes(world)
    return _compare(address.page, ours, backends, theirs)


def agreement_of_pages(
    addresses: Iterable[Address], settings: Settings
) -> tuple[list[Agreement], list[CaptureError]]:
    """Compare page after page in one browser; a page that fails costs itself alone."""
    found: list[Agreement] = []
    failed: list[CaptureError] = []
    with Browser() as browser:
        for address in addresses:
            try:
                found.append(agreement(browser, address, settings))
            except CaptureError as error:
                failed.append(error)
    return found, failed


def agreement_table(found: list[Agreement]) -> str:
    """
    Lay agreements out as a Markdown table, one page a row, with the sums below.

    >>> print(agreement_table([Agreement("a.html", 4, 4, 3, ())]))
    | page | elements | role | name |
    | --- | ---: | ---: | ---: |
    | a.html | 4 | 100.0 % | 75.0 % |
    | all | 4 | 100.0 % | 75.0 % |
    """
    lines = ["| page | elements | role | name |", "| --- | ---: | ---: | ---: |"]
    whole = Agreement(
        "all",
        sum(item.elements for item in found),
        sum(item.roles for item in found),
        sum(item.names for item in found),
        (),
    )
    for item in (*found, whole):
        share = [
            f"{100 * count / item.elements:.1f} %" if item.elements else "-"
            for count in (item.roles, item.names)
        ]
        lines.append(f"| {item.page} | {item.elements} | {share[0]} | {share[1]} |")
    return "\n".join(lines)


class _Node(msgspec.Struct, frozen=True):
    role: str
    name: str
    above: frozenset[int] = frozenset()


def _tidy(name: str) -> str:
    return " ".join(UNSAYABLE.sub("", name).split()).casefold()


def _backend_ids(world: World) -> Iterator[int]:
    handle = world.handle("surefoot.recordedNodes()")
    listed = world.session.send(
        "Runtime.getProperties", {"objectId": handle, "ownProperties": True}
    )
    for item in listed["result"]:
        if item["name"].isdigit():
            node = world.session.send("DOM.describeNode", {"objectId": item["value"]["objectId"]})
            yield int(node["node"]["backendNodeId"])


def _frames(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", ()):
        yield from _frames(child)


def _accessible_nodes(world: World) -> dict[int, _Node]:
    """Return Chromium's unignored nodes by backend id, in every frame."""
    found: dict[int, _Node] = {}
    tree = world.session.send("Page.getFrameTree")["frameTree"]
    for frame in _frames(tree):
        answer = world.session.send("Accessibility.getFullAXTree", {"frameId": frame})
        above = _ancestors(answer["nodes"])
        for node in answer["nodes"]:
            if node.get("ignored") or "backendDOMNodeId" not in node:
                continue
            role = node["role"]["value"]
            name = _tidy(str(node.get("name", {}).get("value", "")))
            backend = node["backendDOMNodeId"]
            found[backend] = _Node(SYNONYMS.get(role, role), name, above[node["nodeId"]])
    return found


def _ancestors(nodes: list[dict[str, Any]]) -> dict[str, frozenset[int]]:
    """Return the backend ids above each node; parents come before their children."""
    found: dict[str, frozenset[int]] = {}
    for node in nodes:
        above = found.get(node.get("parentId", ""), frozenset())
        found[node["nodeId"]] = above | {node.get("backendDOMNodeId", 0)}
    return found


def _compare(
    page: str, ours: CollectedPage, backends: list[int], theirs: dict[int, _Node]
) -> Agreement:
    elements = roles = names = 0
    found: list[Disagreement] = []
    known = set(backends)
    for element, backend in zip(ours.elements, backends, strict=True):
        other = theirs.get(backend, _Node("", ""))
        if element.attributes.get("hidden") or not {element.role, other.role} & INTERACTIVE_ROLES:
            continue
        if element.attributes.get("clickable"):
            continue  # it has no role for what is a control by a script alone
        elements += 1
        suggesting = element.role in FIELDS and other.role == "combobox"
        alike = element.role == other.role or suggesting
        roles += alike
        same = _tidy(element.name) == other.name
        names += same
        if not alike:
            found.append(Disagreement(element.id, "role", element.role, other.role))
        if not same:
            found.append(Disagreement(element.id, "name", element.name, other.name))
    inputs = {
        backend
        for element, backend in zip(ours.elements, backends, strict=True)
        if element.attributes.get("tag") in CONTROLS
    }
    for backend, other in theirs.items():
        if backend in known or inputs & other.above:
            continue
        if other.role in INTERACTIVE_ROLES - {"option"}:
            elements += 1
            found.append(Disagreement(str(backend), "role", "", f"{other.role}: {other.name}"))
    return Agreement(page, elements, roles, names, tuple(found))
