"""
Find a recorded element again among the nodes of a page, with evidence and a score.

Every attribute that was recorded is compared with the node's own; so are the words that the
step was labelled with, and the place. The score is the share of what was recorded that
agrees, each by its weight; it is 1 only where all agrees. The best node is the one meant
if its score is high enough, and clearly above the second's. Weights and bounds are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from surefoot.capture.web.recorded import DomNode
from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box

__all__ = ["FoundNode", "RecordedElement", "find_again", "weigh"]

LEAST_SCORE: Final = 0.5
LEAST_MARGIN: Final = 0.1
# How far an agreement goes to tell one node from all others.
WEIGHTS: Final = {
    "data-pw-testid-buckeye": 8.0,
    "id": 4.0,
    "name": 3.0,
    "aria-label": 3.0,
    "placeholder": 3.0,
    "title": 2.0,
    "alt": 2.0,
    "aria-description": 2.0,
    "class": 2.0,
    "value": 1.0,
    "label": 1.0,
    "role": 1.0,
    "type": 1.0,
}
WORDS, PLACE = 3.0, 2.0
# Where the words that a person sees or hears may stand, beside the text.
SPOKEN: Final = ("aria-label", "placeholder", "value", "title", "alt", "name")


class RecordedElement(msgspec.Struct, frozen=True):
    """
    Hold what was recorded of an element: its tag, attributes, words, and box if drawn.

    Attributes may be spelt with underscores for hyphens. ``box`` is in pixels of the page.
    """

    tag: str
    attributes: dict[str, str]
    words: str = ""
    box: Box | None = None


class FoundNode(msgspec.Struct, frozen=True):
    """
    Hold the node that was found, its score, and the evidence, each from 0 to 1.

    ``margin`` is how far the second node is behind; ``evidence`` is what ``weigh`` gives.
    """

    node: DomNode
    score: float
    margin: float
    evidence: dict[str, float]


def find_again(recorded: RecordedElement, nodes: Iterable[DomNode]) -> FoundNode:
    """
    Return the one node of a page that a recorded element is.

    Raises RecordError "no-match" where none is like it, and "several-matches" where two
    are about as much like it.
    """
    weighed = [(node, weigh(recorded, node)) for node in nodes]
    scores = sorted((_score(evidence) for _, evidence in weighed), reverse=True)
    score, second = (*scores, 0.0, 0.0)[:2]
    if score < LEAST_SCORE:
        raise RecordError(
            "no-match",
            f"a {recorded.tag} that scores {LEAST_SCORE}",
            found=f"{score:.2f} at best among {len(weighed)}",
        )
    if score - second < LEAST_MARGIN:
        raise RecordError(
            "several-matches",
            f"one node at least {LEAST_MARGIN} above all others",
            found=f"{score:.2f} and {second:.2f}",
        )
    node, evidence = max(weighed, key=lambda each: _score(each[1]))
    return FoundNode(node, score, score - second, evidence)


def weigh(recorded: RecordedElement, node: DomNode) -> dict[str, float]:
    """
    Return how far a node agrees with each thing recorded, from 0 to 1.

    >>> node = DomNode("a-1", {"id": "go", "class": "big red"}, "Go", None)
    >>> weigh(RecordedElement("a", {"id": "go", "class": "red"}, "Go"), node)
    {'class': 0.5, 'id': 1.0, 'words': 1.0}
    """
    told = {name.replace("_", "-"): value for name, value in recorded.attributes.items()}
    found = {
        name: _agreement(name, told[name], node.attributes)
        for name in sorted(WEIGHTS.keys() & told.keys())
        if told[name]
    }
    if recorded.words:
        spoken = [node.words, *(node.attributes.get(each, "") for each in SPOKEN)]
        found["words"] = float(_plain(recorded.words) in map(_plain, spoken))
    if recorded.box is not None and node.box is not None:
        found["place"] = recorded.box.iou(node.box)
    return found


def _score(evidence: Mapping[str, float]) -> float:
    weights = WEIGHTS | {"words": WORDS, "place": PLACE}
    whole = sum(weights[name] for name in evidence)
    return sum(weights[name] * share for name, share in evidence.items()) / whole if whole else 0.0


def _agreement(name: str, told: str, attributes: Mapping[str, str]) -> float:
    found = attributes.get(name, attributes.get(name.replace("-", "_"), ""))
    if name != "class" or told == found:
        return float(told == found)
    ours, theirs = set(told.split()), set(found.split())
    return len(ours & theirs) / max(1, len(ours | theirs))


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())
