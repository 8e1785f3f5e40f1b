"""
An extension of griffe: examples of docstrings are shown as code, not as quotations.
"""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension, Object

EXAMPLE: Final = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)", re.MULTILINE)


class Examples(Extension):
    """Put a fence around every run of lines that begins with a prompt."""

    def on_object(self, *, obj: Object, **_: Any) -> None:  # noqa: ANN401 - griffe's own
        """Rewrite the docstring of one object."""
        if obj.docstring is not None:
            fenced = EXAMPLE.sub(
                lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", obj.docstring.value
            )
            obj.docstring.value = fenced
