"""
Graphs of captured states: edges by addresses, states that are alike in one node.
"""

from __future__ import annotations

from surefoot.capture.actions import Action
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.exploration.graph import graph_of


def _screen(source: str, *names: str) -> Screen:
    elements = tuple(
        Element(f"link-{name}", "link", Box(0, 20.0 * at, 80, 20.0 * at + 18), name,
                visible_fraction=1.0)
        for at, name in enumerate(names)
    )  # fmt: skip
    return Screen(source, source, source, source, 400, 300, 1.0, "web", "en", elements)


def test_an_edge_comes_from_the_longest_beginning_that_was_captured() -> None:
    """A state in between that nobody captured makes one edge of two actions."""
    home, far = _screen("a:x", "One"), _screen("a:x >> click link-One >> click link-Two", "Three")
    near = _screen("a:x >> click link-One", "Two")
    one, two = Action("click", "link-One"), Action("click", "link-Two")

    (skipping,) = graph_of([far, home]).edges
    first, second = graph_of([far, near, home]).edges

    assert (skipping.before, skipping.after, skipping.actions) == (home.page, far.page, (one, two))
    assert (first.before, first.after, first.actions) == (home.page, near.page, (one,))
    assert (second.before, second.after, second.actions) == (near.page, far.page, (two,))
    assert second.effect.appeared == ("Three",)


def test_states_that_are_alike_are_one_node() -> None:
    """What leads to a known state ends in its node, and what follows begins there."""
    home, other = _screen("a:x", "One"), _screen("a:y", "Two")
    again = _screen("a:x >> click link-One", "Two")
    on = _screen("a:x >> click link-One >> click link-Two", "Three")

    graph = graph_of([on, again, other, home])
    there, onward = graph.edges

    assert set(graph.nodes) == {home.page, other.page, on.page}
    assert (there.before, there.after, there.seen) == (home.page, other.page, again.page)
    assert (onward.before, onward.acted, onward.after) == (other.page, again.page, on.page)


def test_an_address_alone_makes_no_edge() -> None:
    """Another page is no beginning, and an action that led back ends where it began."""
    home, other = _screen("a:x", "One"), _screen("a:xy >> click link-One", "Two")
    back = _screen("a:x >> click link-One", "One")

    (loop,) = graph_of([home, other, back]).edges

    assert (loop.before, loop.after) == (home.page, home.page)
    assert loop.effect.kind == "nothing"
