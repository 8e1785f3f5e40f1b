"""
The modes of failure: their names, and what each says.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

__all__ = ["MODES", "FailureMode"]

FailureMode: TypeAlias = Literal[
    "unparsed",
    "refused",
    "click-region error",
    "text-matching bias",
    "spatial-reasoning error",
    "visual confusion",
    "location hallucination",
    "undecided",
]
# What each mode says about a click, in the words of a report.
MODES: Final[dict[FailureMode, str]] = {
    "unparsed": "the reply cannot be read as a place",
    "refused": "the model says that it cannot be done",
    "click-region error": "the click lands just beside the target, on its label or its group",
    "text-matching bias": "the click lands on words that the instruction quotes, or alike ones",
    "spatial-reasoning error": "the click lands where another direction or position points",
    "visual confusion": "the click lands on another thing of like role and size",
    "location hallucination": "the click lands on nothing, or outside the picture",
    "undecided": "the evidence fits no mode",
}
