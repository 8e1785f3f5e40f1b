"""
What was captured of a site as a graph: states, and executed actions that lead between them.

The address of a captured state spells the actions that led to it, so nothing but the screens of
one language is needed. Two screens that no one could tell apart as states are one node, so that
a path may go on from a state that another path had reached.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from surefoot.capture.actions import Action, parse_actions
from surefoot.core.screen import Screen
from surefoot.exploration.effects import effect_of, state_digest
from surefoot.exploration.records import ActionEffect


class Edge(msgspec.Struct, frozen=True):
    """
    Hold actions that were executed one after another, and what they did.

    ``before`` and ``after`` are nodes. ``acted`` is the page of the screen that was acted in,
    which shows the state ``before``, and ``seen`` that of what was captured then, which shows
    ``after``.
    """

    before: str
    after: str
    acted: str
    seen: str
    actions: tuple[Action, ...]
    effect: ActionEffect


class StateGraph(msgspec.Struct, frozen=True):
    """Hold the states of a site in one language by their pages, and the edges between them."""

    nodes: dict[str, Screen]
    edges: tuple[Edge, ...]


def graph_of(screens: Iterable[Screen]) -> StateGraph:
    """
    Return the graph of captured states of one site in one language.

    Of screens with one ``state_digest`` that with the fewest actions is the node. An edge
    comes from the captured screen whose address is the longest beginning of its own, and may
    end where it began.
    """
    ordered = sorted(screens, key=lambda screen: (len(_path(screen)[1]), screen.source))
    by_path = {_path(screen): screen for screen in ordered}
    firsts: dict[str, str] = {}
    node = {
        screen.page: firsts.setdefault(state_digest(screen), screen.page) for screen in ordered
    }
    edges = []
    for (entry, actions), seen in by_path.items():
        for length in reversed(range(len(actions))):
            acted = by_path.get((entry, actions[:length]))
            if acted is not None:
                effect = effect_of(acted, seen, actions[-1].element)
                edges.append(
                    Edge(
                        before=node[acted.page],
                        after=node[seen.page],
                        acted=acted.page,
                        seen=seen.page,
                        actions=actions[length:],
                        effect=effect,
                    )
                )
                break
    kept = {*node.values()}
    nodes = {screen.page: screen for screen in ordered if screen.page in kept}
    return StateGraph(nodes, tuple(edges))


def _path(screen: Screen) -> tuple[str, tuple[Action, ...]]:
    return parse_actions(screen.source)
