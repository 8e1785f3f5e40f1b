"""
The report on an exploration: the graph of states as pictures, and what the actions did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import read_plan
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.exploration.records import ExploredState, Transition
from surefoot.phrasing.headlines import Headline
from surefoot.phrasing.values import Shown, count
from surefoot.report.html.document import Document, Gallery, write_document
from surefoot.report.html.gallery import Card, Pane, embed_image
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.folders.folder import read_manifest, read_screens, read_table
from surefoot.run.turns import in_turns

STATES: Final = "states.jsonl"
TRANSITIONS: Final = "transitions.jsonl"
THUMB_PX: Final = 168
ROW_PX: Final = 146
COLUMN_PX: Final = 236
PICTURE_PX: Final = 105
LETTERS: Final = 30
FIRST_ROWS: Final = 4  # of the drawing that is seen first
MOST_ROWS: Final = 40
LINE: Final = 'fill="none" stroke="currentColor" stroke-opacity="0.5"'
DONE: Final[Mapping[str, str]] = {
    "click": "click",
    "type": "type into",
    "choose": "choose in",
    "press": "press a key in",
}


def is_exploration(folder: Path) -> bool:
    """Tell whether a folder is one that ``surefoot explore`` wrote to its end."""
    return (folder / STATES).is_file() and STATES in read_manifest(folder).files


def write_exploration(folder: Path, out: Path, *, title: str = "", cards: int = 12) -> list[str]:
    """
    Write the report on one exploration, and return its sentence.

    Raises InvalidInputError for a folder that is none.
    """
    if not is_exploration(folder):
        raise InvalidInputError("a folder that `surefoot explore` wrote", found=str(folder))
    states = read_table(folder, STATES, ExploredState, kind="screens")
    transitions = read_table(folder, TRANSITIONS, Transition, kind="screens")
    screens = {screen.id: screen for screen in read_screens(folder)}
    pictures = _pictures(states, screens, ObjectStore(folder))
    sites = tuple(dict.fromkeys(state.site for state in states))
    behind = sum(bool(state.actions) for state in states)
    sentence = (
        f"{behind} states lie behind clicks, beside {len(states) - behind} pages: "
        f"{len(transitions)} actions were tried at {len(sites)} sites."
    )
    graphs = [
        Figure(site, _reached_table(site, states, transitions), drawn, _note(site, states))
        for site in sites
        if (drawn := _graph(site, states, transitions, pictures, rows=MOST_ROWS))
    ]
    most = Counter(state.site for state in states if state.actions)
    busiest = max(sites, key=lambda site: most[site], default="")
    document = Document(
        title=title or "States behind clicks",
        kicker="Surefoot exploration report",
        facts=f"{len(states)} states of {len(sites)} sites; each came back at a second try",
        headlines=(Headline("", sentence),),
        warnings=(),
        figure=msgspec.structs.replace(
            next(figure for figure in graphs if figure.title == busiest),
            svg=_graph(busiest, states, transitions, pictures, rows=FIRST_ROWS),
        )
        if graphs
        else None,
        questions={"fell": "What was found?", "where": "What leads where?"},
        sections=(
            Section(
                "sites",
                "Sites",
                "What was tried at each site, and what became of it.",
                (Figure("What became of the actions", _sites_table(sites, states, transitions)),),
                chapter="fell",
            ),
            Section(
                "effects",
                "Effects",
                "What actions did, by the role of what was acted on.",
                (Figure("Effects by role", _effects_table(transitions)),),
                chapter="fell",
            ),
            Section(
                "graphs",
                "Graphs",
                "Each state under the one that its last action was done in.",
                tuple(graphs),
            ),
        ),
        gallery=Gallery(
            "Before and after",
            "The screen in which something was done, and the one that it led to.",
            (),
            tuple(_cards(states, transitions, pictures, cards)),
            "None: no action led to a state.",
        ),
        rulers=tuple(_rulers(folder)),
    )
    write_document(document, out)
    return [sentence]


def _pictures(
    states: Sequence[ExploredState], screens: Mapping[str, Screen], store: ObjectStore
) -> dict[str, bytes]:
    return {state.page: store.get(screens[state.screen].image) for state in states}


def _graph(
    site: str,
    states: Sequence[ExploredState],
    transitions: Sequence[Transition],
    pictures: Mapping[str, bytes],
    *,
    rows: int,
) -> str:
    """
    Draw the states of a site as a tree: a column for each step, a row for each leaf.

    Pages are drawn until there are so many ``rows``; "" where no page leads to a state.
    """
    own = {state.page: state for state in states if state.site == site}
    ways: dict[str, Transition] = {
        item.result: item
        for item in reversed(transitions)
        if item.site == site and item.result in own and own[item.result].actions
    }
    children: dict[str, list[str]] = {}
    for page, last in ways.items():
        children.setdefault(last.state, []).append(page)
    placed: list[tuple[int, int, str]] = []

    def place(page: str, column: int, row: int) -> int:
        placed.append((column, row, page))
        below = row
        for child in sorted(children.get(page, ()), key=list(own).index):
            below = place(child, column + 1, below)
        return max(below, row + 1)

    row = 0
    for page, state in own.items():
        if not state.actions and page in children and row < rows:
            row = place(page, 0, row)
    if not placed:
        return ""
    spot = {page: (column * COLUMN_PX + 4, at * ROW_PX + 24) for column, at, page in placed}
    parts = []
    for page, (left, top) in spot.items():
        way = ways.get(page)
        if way is not None:
            from_left, from_top = spot[way.state]
            start, end = from_left + THUMB_PX, left
            middle = top + PICTURE_PX // 2
            parts.append(
                f'<path {LINE} d="M{start} {from_top + PICTURE_PX // 2} '
                f'H{end - 34} V{middle} H{end}"/>'
            )
        parts.append(
            f'<image href="{embed_image(pictures[page], width=2 * THUMB_PX)}" x="{left}" '
            f'y="{top}" width="{THUMB_PX}" height="{PICTURE_PX}" '
            'preserveAspectRatio="xMidYMin slice"/>'
            f'<rect {LINE} x="{left}" y="{top}" width="{THUMB_PX}" '
            f'height="{PICTURE_PX}"/>'
            f'<text x="{left}" y="{top - 6}">{escape(_cut(_label(own[page], way)))}</text>'
        )
    width = max(left for left, _ in spot.values()) + THUMB_PX + 4
    height = max(top for _, top in spot.values()) + PICTURE_PX + 8
    label = escape(f"The states of {site} and the actions between them")
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">{"".join(parts)}</svg>'
    )


def _label(state: ExploredState, way: Transition | None) -> str:
    if way is None:
        return state.title or state.page
    return _words(way)


def _words(way: Transition) -> str:
    """Say in words what was done."""
    name = f"'{way.name}'" if way.name else f"a {way.role}"
    return f"{DONE[way.actions[0].kind]} {name}"


def _cut(words: str) -> str:
    return words if len(words) <= LETTERS else f"{words[: LETTERS - 3]}..."


def _note(site: str, states: Sequence[ExploredState]) -> str:
    pages = sum(state.site == site and not state.actions for state in states)
    return f"Of the {pages} pages those are drawn from which an action led to a state."


def _sites_table(
    sites: Sequence[str], states: Sequence[ExploredState], transitions: Sequence[Transition]
) -> Table:
    rows = []
    for site in sites:
        own = [item for item in transitions if item.site == site]
        reasons = Counter(item.reason for item in own if item.reason)
        reason_words = ", ".join(f"{number} {reason}" for reason, number in reasons.most_common())
        rows.append(
            (
                site,
                count(sum(state.site == site and not state.actions for state in states)),
                count(len(own)),
                count(sum(state.site == site and bool(state.actions) for state in states)),
                reason_words or "none",
            )
        )
    return Table(
        ("site", "pages", "actions", "states behind clicks", "led to no state"), tuple(rows)
    )


def _effects_table(transitions: Sequence[Transition]) -> Table:
    seen = [(item.role, item.effect.kind) for item in transitions if item.effect]
    kinds = [kind for kind, _ in Counter(kind for _, kind in seen).most_common()]
    roles = [role for role, _ in Counter(role for role, _ in seen).most_common()]
    cells = Counter(seen)
    rows: list[tuple[Shown, ...]] = [
        (role, *(count(cells[role, kind]) for kind in kinds)) for role in roles
    ]
    return Table(("role", *kinds), tuple(rows))


def _reached_table(
    site: str, states: Sequence[ExploredState], transitions: Sequence[Transition]
) -> Table:
    titles = {state.page: state.title for state in states}
    rows = tuple(
        (
            item.state,
            _words(item),
            item.effect.kind if item.effect else "",
            item.result or item.reason,
            titles.get(item.result, ""),
        )
        for item in transitions
        if item.site == site
    )
    return Table(("in the state", "done", "effect", "led to", "title"), rows)


def _cards(
    states: Sequence[ExploredState],
    transitions: Sequence[Transition],
    pictures: Mapping[str, bytes],
    limit: int,
) -> Iterator[Card]:
    kept = {state.page for state in states if state.actions}
    shown = [item for item in transitions if item.result in kept and item.effect]
    random_source(0, "exploration cards").shuffle(shown)
    for item in in_turns(shown, lambda item: item.effect.kind if item.effect else "")[:limit]:
        yield Card(
            instruction=_words(item),
            page=item.state,
            model="",
            role=item.role,
            panes=(
                _pane("before", pictures[item.state]),
                _pane("after", pictures[item.result], item.effect.kind if item.effect else ""),
            ),
            caption=f"{item.role} on {item.state}",
        )


def _pane(name: str, png: bytes, verdict: str = "") -> Pane:
    picture = embed_image(png)
    svg = (
        f'<svg role="img" aria-label="{name}" viewBox="0 0 1280 800">'
        f'<image href="{picture}" width="1280" height="800"/></svg>'
    )
    return Pane(name, svg, verdict, hit=None)


def _rulers(folder: Path) -> Iterator[tuple[str, str]]:
    plan = msgspec.to_builtins(read_plan(folder))
    explored = plan.get("explored", {})
    yield "Actions tried at each site", f"at most {explored.get('budget')}"
    yield "Actions on a path", f"at most {explored.get('depth')}"
    yield "Seed", str(explored.get("seed"))
    yield (
        "A state",
        "differs from all others of its site in structure or names, and came back at a second try",
    )
