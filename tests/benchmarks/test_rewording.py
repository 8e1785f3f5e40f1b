"""
Misspelt names must not come near to other words on the screen.
"""

from __future__ import annotations

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.rewording import distance_of, misnames, rewordings
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import Element, Screen
from surefoot.perturb.wording import WORDINGS
from surefoot.refer.scene.scene import Scene

letters = st.text("abc", max_size=7)


def scene(*names: str) -> Scene:
    """Return a scene with a button of each name."""
    elements = tuple(Element(each, "button", Box(0, 0, 9, 9), name=each) for each in names)
    return Scene(Screen("s", "a", "x", "", 90, 90, 1.0, "web", "en", elements))


def click(name: str, wording: str = "") -> Instruction:
    """Return an instruction to click a button by its name."""
    expression = Expression(role="button", name="Files")
    return Instruction(
        f"Click the '{name}' button", "en", "direct", "high", expression, "a", wording=wording
    )


@given(one=letters, other=letters)
def test_distance_is_the_textbook_one(one: str, other: str) -> None:
    """The table's distance is that of the recursive definition."""

    @functools.cache
    def slow(a: str, b: str) -> int:
        if not a or not b:
            return len(a) + len(b)
        return min(slow(a[1:], b) + 1, slow(a, b[1:]) + 1, slow(a[1:], b[1:]) + (a[0] != b[0]))

    assert distance_of(one, other) == slow(one, other)


@pytest.mark.parametrize(
    ("wrong", "others", "lost"),
    [
        ("Filws", ("Files", "Users"), False),
        ("Fiels", ("Files", "Fields"), True),
        ("Miles", ("Files", "miles"), True),
        ("Filed", ("Files", "Fired"), True),
        ("Filed", ("Files",), False),
    ],
)
def test_a_name_nearer_to_others_is_lost(wrong: str, others: tuple[str, ...], lost: bool) -> None:
    """A misspelling is refused where another name is as near to it as the right one."""
    changed = click(wrong, "spelling-swap-in-names")
    assert misnames(click("Files"), changed, scene(*others)) is lost


def test_words_outside_names_need_no_check() -> None:
    """What is not about names is left alone."""
    changed = Instruction(
        "Clikc the 'Files' button", "en", "direct", "high",
        Expression(role="button", name="Files"), "a", wording="spelling-swap",
    )  # fmt: skip
    assert not misnames(click("Files"), changed, scene("Files", "Filed"))


def test_every_wording_is_accounted_for() -> None:
    """Each name asked for comes back once, with the instruction or with nothing."""
    found = dict(rewordings(click("Files"), scene("Files"), tuple(WORDINGS), errors=1, seed=3))
    assert list(found) == list(WORDINGS)
    assert all(each is None or each.wording == name for name, each in found.items())
    assert sum(each is not None for each in found.values()) >= 7
