"""
A recorded element is found again by evidence, or not at all.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.web.recorded import DomNode
from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.mind2web_raw import WEIGHTS, RecordedElement, find_again, weigh

PLACE = Box(10.0, 20.0, 110.0, 60.0)


def node(name: str, words: str = "", box: Box | None = None, **attributes: str) -> DomNode:
    """Return a node with attributes whose names have hyphens for underscores."""
    told = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    return DomNode(name, told, words, box)


def recorded(words: str = "", box: Box | None = None, **attributes: str) -> RecordedElement:
    """Return what was recorded of a button."""
    told = {key.rstrip("_"): value for key, value in attributes.items()}
    return RecordedElement("button", told, words, box)


def test_all_that_agrees_is_evidence() -> None:
    """Each attribute, the words and the place count by themselves."""
    wanted = recorded("Save  all", PLACE, id="go", class_="big red", aria_label="Save", bogus="x")
    found = node("a", "save all", PLACE.moved(0, 20), id="go", class_="red", aria_label="Open")
    assert weigh(wanted, found) == {
        "id": 1.0,
        "class": 0.5,
        "aria-label": 0.0,
        "words": 1.0,
        "place": pytest.approx(1 / 3),
    }


def test_the_score_is_the_weighted_share() -> None:
    """Computed by hand: 4 of id, half of 2 of class, of 4 + 2 + 3 with the words."""
    wanted = recorded("Save", id="go", class_="big red")
    match = find_again(wanted, [node("a", "Open", id="go", class_="red")])
    assert match.score == pytest.approx((4 + 1) / 9)
    assert match.margin == match.score


def test_a_label_counts_wherever_it_is_spoken() -> None:
    """The words may stand in the text, the name, the placeholder or the value."""
    for name, value in (("aria-label", "Find"), ("placeholder", "FIND"), ("value", " find ")):
        found = DomNode("a", {name: value}, "", None)
        assert weigh(recorded("Find"), found) == {"words": 1.0}


def test_one_of_several_twins_is_told_by_its_place() -> None:
    """Equal buttons differ by where they are, and the nearest match wins clearly."""
    twins = [node(f"{at}", "Add", PLACE.moved(0, 50 * at), class_="add") for at in range(4)]
    match = find_again(recorded("Add", PLACE.moved(0, 102), class_="add"), twins)
    assert match.node.id == "2"
    assert match.margin > 0.1


@pytest.mark.parametrize(
    ("wanted", "nodes", "reason"),
    [
        (recorded("Save", id="go"), [], "no-match"),
        (recorded("Save", id="go"), [node("a", "Open", id="stop")], "no-match"),
        (recorded(), [node("a", "Save")], "no-match"),
        (recorded(id="go"), [node("a", id="go"), node("b", id="go")], "several-matches"),
        (recorded("Add"), [node("a", "Add"), node("b", "Add", PLACE)], "several-matches"),
    ],
)
def test_doubt_is_an_error(wanted: RecordedElement, nodes: list[DomNode], reason: str) -> None:
    """Nothing alike, nothing recorded, and two alike are told apart."""
    with pytest.raises(RecordError, match="Expected") as caught:
        find_again(wanted, nodes)
    assert caught.value.reason == reason


ATTRIBUTES = st.dictionaries(st.sampled_from(sorted(WEIGHTS)), st.text("abc ", max_size=4))
NODES = st.builds(DomNode, st.text("xyz", max_size=3), ATTRIBUTES, st.text("abc "), st.none())


@given(ATTRIBUTES, st.text("abc "), st.lists(NODES, max_size=5))
def test_the_best_is_never_beaten(
    attributes: dict[str, str], words: str, nodes: list[DomNode]
) -> None:
    """A match scores from 0 to 1 and, found among all, is found alone with that score."""
    wanted = RecordedElement("a", attributes, words)
    try:
        match = find_again(wanted, nodes)
    except RecordError:
        return
    assert 0.5 <= match.score <= 1
    assert 0.1 <= match.margin <= match.score
    assert find_again(wanted, [match.node]).score == match.score


@given(ATTRIBUTES.filter(lambda item: any(item.values())), st.text("abc"))
def test_what_was_recorded_whole_is_found_whole(attributes: dict[str, str], words: str) -> None:
    """The node itself, its attributes spelt with underscores, scores 1."""
    told = {name.replace("-", "_"): value for name, value in attributes.items()}
    found = find_again(RecordedElement("a", told, words), [DomNode("n", attributes, words, None)])
    assert found.score == pytest.approx(1)
