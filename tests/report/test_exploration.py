"""
The report on an exploration: every kept state in its graph, and what became of every action.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.actions import Action
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.exploration.records import ActionEffect, ExploredState, Transition
from surefoot.report.answers.scored import Choices
from surefoot.report.choices import write_report_on
from surefoot.run.folders.folder import export, read_screens


def _explored(drawn: Path, folder: Path) -> Path:
    """Write what an exploration of the drawn pages would have found: two steps from the first."""
    store, pictures = ObjectStore(folder), ObjectStore(drawn)
    originals = [item for item in read_screens(drawn) if item.variant == "original"][:3]
    for screen in originals:
        store.put(pictures.get(screen.image))
    click = Action("click", "save")
    states = [
        ExploredState("a", "x:a", "site", originals[0].id, "1", "Stock <of ropes>"),
        ExploredState("a~1", "x:a >> click save", "site", originals[1].id, "2", "", (click,)),
        ExploredState("a~2", "x:a >> click b", "site", originals[2].id, "3", "", (click, click)),
    ]
    dialog = ActionEffect("dialog", "New order")
    transitions = [
        Transition("site", "a", (click,), "button", "Save & go", "a~1", dialog),
        Transition("site", "a~1", (click,), "link", "", "a~2", ActionEffect("page")),
        Transition("site", "a", (click,), "button", "Away", reason="popup"),
    ]
    plan = {"kind": "screens", "explored": {"budget": 5, "depth": 2, "seed": 0}}
    with Ledger.open(folder, plan):
        tables: dict[str, list[Screen] | list[ExploredState] | list[Transition]]
        tables = {"screens.jsonl": originals, "states.jsonl": states}
        export(folder, "screens", {**tables, "transitions.jsonl": transitions})
    return folder


def test_the_graph_has_every_state_and_the_tables_every_action(
    drawn: Path, tmp_path: Path
) -> None:
    """States stand as pictures under what was done to reach them, refused actions in a table."""
    out = tmp_path / "report.html"
    (sentence,) = write_report_on([_explored(drawn, tmp_path / "e")], out, Choices())
    text = out.read_text("utf-8")
    graph = text[text.index("<svg") : text.index("</svg>")]

    assert sentence.startswith("2 states lie behind clicks, beside 1 pages: 3 actions")
    assert graph.count("<image ") == 3
    assert graph.count("<path ") == 2
    assert "Stock &lt;of ropes&gt;" in graph
    assert "click &#x27;Save &amp; go&#x27;" in graph
    assert "click a link" in graph
    assert "1 popup" in text
    assert "<script" not in text


def test_screens_that_nobody_explored_have_no_report(drawn: Path, tmp_path: Path) -> None:
    """A folder of a capture is refused by name."""
    folder = tmp_path / "s"
    with Ledger.open(folder, {"kind": "screens"}):
        export(folder, "screens", {"screens.jsonl": read_screens(drawn)[:1]})
    with pytest.raises(InvalidInputError, match="surefoot explore"):
        write_report_on([folder], tmp_path / "report.html", Choices())
