"""
Read what a sentence says about a box to tick.
"""

from __future__ import annotations

import re
from typing import Final

from surefoot.forms.letters.proof.choices import content_words
from surefoot.forms.specification import Field
from surefoot.forms.values.normalise import normalise

__all__ = ["read_box"]

_NEGATIONS: Final = re.compile(r"\b(?:not|never|no|cannot|without)\b|n['\u2019]t\b", re.IGNORECASE)


def read_box(field: Field, text: str) -> bool | None:
    """
    Return whether a text ticks a box: "yes", or all that its label says; None for neither.

    A statement with more negations than the label leaves the box empty. Text that ends as
    a heading does ("I agree:") states nothing.

    >>> box = Field(id="sale", kind="checkbox", label={"en": "The work is for sale"}, fill="flag")
    >>> read_box(box, "No, the work is not for sale"), read_box(box, "The work is for sale:")
    (False, None)
    """
    said = text.strip(" .\n-*\u201c\u201d")
    value = normalise(field, said) if said else None
    if isinstance(value, bool):
        return value
    label = field.label["en"]
    if not said or said[-1] in ":=?" or not content_words(label) <= content_words(said):
        return None
    return len(_NEGATIONS.findall(said)) <= len(_NEGATIONS.findall(label))
