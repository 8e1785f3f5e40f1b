"""
The coordinate self-check of every format, by a model that writes as the family does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from surefoot.models.checking.self_check import SelfCheck, self_check
from surefoot.models.format import Format
from surefoot.models.model import Model, Reply, Request
from surefoot.models.opening import FORMATS
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE, UNIT, Space

Write = Callable[[float, float], str]


class Familiar:
    """Point at every target in a family's own notation, with numbers of one space."""

    name = "familiar"
    speaks = ""

    def __init__(self, write: Write, space: Space) -> None:
        self.write = write
        self.space = space

    def identity(self) -> dict[str, object]:
        """Return nothing."""
        return {}

    async def reply(self, request: Request) -> Reply:
        """Say where the target is, as a point or a box as the family does."""
        question = request.question
        truth = question.truth
        size = {"width": question.width, "height": question.height}
        digits = 4 if self.space == UNIT else 0
        x, y = self.space.from_image(truth.center, **size)
        return Reply(self.write(round(x, digits), round(y, digits)))

    async def close(self) -> None:
        """Do nothing."""


def checked(form: Format, space: Space, write: Write) -> SelfCheck:
    """Run the whole check on a model of a family that speaks a space."""
    return asyncio.run(self_check(Model(Familiar(write, space), form)))


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
def test_a_family_passes_in_its_own_space(name: str, notation_of: Callable[[str], Write]) -> None:
    """Who points rightly, in the family's notation and space, hits all twelve and may go on."""
    form = FORMATS.get(name)
    found = checked(form, form.space, notation_of(name))
    assert (found.verdict, found.hits, found.parsed) == ("ok", 12, 12)


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
def test_a_family_in_another_space_is_caught(
    name: str, notation_of: Callable[[str], Write]
) -> None:
    """The same notation with numbers of another space is a wrong space, named as that one."""
    form = FORMATS.get(name)
    other = IMAGE_PIXELS if form.space in (PER_MILLE, UNIT) else PER_MILLE
    found = checked(form, other, notation_of(name))
    assert found.verdict == "wrong-space"
    assert found.best_hits >= 9
