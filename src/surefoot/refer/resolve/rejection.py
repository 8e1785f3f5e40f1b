"""
Why a candidate was left out, in words that a funnel can count.
"""

from __future__ import annotations

from typing import Final

import msgspec

# The stable reasons, and what each one says about the candidate.
REASONS: Final[dict[str, str]] = {
    "absent": "the screen has no such element",
    "ambiguous-lenient": "read generously, the words fit another element too",
    "ambiguous-strict": "read strictly, the words fit another element too",
    "blank": "nothing can be told from the background where the element lies",
    "colour-around": "what lies around the element has the colour, too",
    "container-ambiguous": "the container's words fit another thing on the screen too",
    "container-not-visible": "the container's words cannot be read in the picture",
    "disabled": "the element is disabled",
    "false": "read strictly, the words do not fit the target",
    "gaps": "something that was not recorded is drawn where the words count or compare",
    "landmark-ambiguous": "the landmark's words fit another thing on the screen too",
    "landmark-not-visible": "the landmark cannot be read in the picture",
    "mark-spoiled": "the variant has faded the element's icon or picture",
    "name-not-visible": "the name cannot be read in the picture",
    "name-too-long": "the name is too long, and its beginning is not unique",
    "no-landmark": "no landmark stands in a clear direction",
    "no-language": "there are no sentences in the screen's language",
    "no-name": "the element has no name that can be said",
    "no-words": "the language has no words for a part of the instruction",
    "not-a-line": "what is counted is not seen as one row, column or table of its own",
    "not-comparable": "no size stands out among things that are drawn alike",
    "not-hit": "a click at the element's centre goes elsewhere",
    "not-interactive": "nothing can be done with an element of this role",
    "not-like-its-word": "the element is not drawn as what the word for its role says",
    "not-to-be-seen": "a picture alone does not show what the words say",
    "not-visible": "too little of the element is visible",
    "offscreen": "the element lies outside the picture",
    "read-otherwise": "the sentence cannot be read back as what it says",
    "something-between": "another control, or other words, stand between the landmark and it",
    "state-spoiled": "the variant shows no longer what is selected, pressed or checked",
    "too-far": "a landmark that the element stands between is too far away",
    "too-small": "the element is too small to be clicked on purpose",
    "words-spoiled": "the variant has faded or cut the element's words",
    "words-elsewhere": "words that are quoted also stand where no element was recorded",
}


class Rejection(msgspec.Struct, frozen=True):
    """
    Say why a candidate was left out: a key of ``REASONS``, and what in particular.

    >>> Rejection("no-name").reason in REASONS
    True
    """

    reason: str
    detail: str = ""
