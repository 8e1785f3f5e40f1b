"""
The modes of failure: their names, what each says, and what it takes to tell.

Eight are named as in GUI-Perturbed's analysis of failures (table 8), of which the eighth,
instruction misinterpretation, is told by no rule here, and only by who judges replies; "scale
brittleness" is the matter of its section 7.2. A reply without a place is a mode of its own, and
so is a click for which the evidence decides nothing.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

FailureMode: TypeAlias = Literal[
    "unparsed",
    "refused",
    "click-region error",
    "text-matching bias",
    "spatial-reasoning error",
    "visual confusion",
    "location hallucination",
    "scale brittleness",
    "goal hallucination",
    "reasoning drift",
    "instruction misinterpretation",
    "undecided",
]
# What each mode says about a click, in the words of a report.
MODES: Final[dict[FailureMode, str]] = {
    "unparsed": "the reply cannot be read as a place",
    "refused": "the model says that it cannot be done",
    "click-region error": "the click lands just beside the target, or on its group",
    "text-matching bias": "the click lands on words that the instruction quotes, or alike ones, "
    "such as a field's label",
    "spatial-reasoning error": "the click lands where another direction or position points",
    "visual confusion": "the click lands on another thing of like role and size",
    "location hallucination": "the click lands on nothing, outside the picture, or far from the "
    "target that the thought names",
    "scale brittleness": "the click lands where the target stands on the original, before it "
    "was moved or scaled",
    "goal hallucination": "the thought sets out for another thing, which nobody asked for, and "
    "the click lands there",
    "reasoning drift": "the thought starts from what was asked, says something of it that is not "
    "so, and the click follows",
    "instruction misinterpretation": "the click lands on a related thing, as what was asked for "
    "was misunderstood",
    "undecided": "the evidence fits no mode",
}
# Modes that only what a model thinks aloud can show.
FROM_THOUGHT: Final[frozenset[FailureMode]] = frozenset({"goal hallucination", "reasoning drift"})
# Modes that only a person or a model can tell who judges replies.
FROM_JUDGE: Final[frozenset[FailureMode]] = frozenset({"instruction misinterpretation"})
# Modes that only the elements around the target can show.
NEIGHBOURS: Final[tuple[FailureMode, ...]] = (
    "text-matching bias",
    "spatial-reasoning error",
    "visual confusion",
    "goal hallucination",
)
# Modes that show only where the target stands elsewhere than on the original.
FROM_CHANGE: Final[frozenset[FailureMode]] = frozenset({"scale brittleness"})
