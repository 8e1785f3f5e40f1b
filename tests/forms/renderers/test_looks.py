"""
What a seed moves of a page's look.
"""

from __future__ import annotations

import re
from pathlib import Path

from surefoot.forms.renderers.looks import ACCENTS, DARK_ACCENTS, FOLDER, choose_look
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import Form


def accents_of(sheet: Path) -> tuple[str, ...]:
    """Return the accents of a style sheet, in the order of their numbers."""
    found = re.findall(r'\[data-accent="(\d)"\] \{ --accent: (#\w+);', sheet.read_text("utf-8"))
    return tuple(colour for _, colour in sorted(found))


def test_every_renderer_has_the_same_accents() -> None:
    """The style sheets of plain pages name the colours that the scripts are handed."""
    assert accents_of(FOLDER / "plain_assets" / "base.css") == ACCENTS
    assert accents_of(FOLDER / "plain_assets" / "night.css") == DARK_ACCENTS


def test_a_seed_moves_every_part(every_kind: Form) -> None:
    """Over seeds every accent, corner and spacing comes up, and a theme stays as asked for."""
    looks = [
        choose_look(every_kind, Rendering(theme="b", seed=seed), ("a", "b"), ("l",))
        for seed in range(200)
    ]

    assert {look.accent for look in looks} == set(range(len(ACCENTS)))
    assert {look.corner for look in looks} == set(range(4))
    assert {look.spacing for look in looks} == set(range(3))
    assert {(look.theme, look.layout) for look in looks} == {("b", "l")}
