"""
The coordinate self-check of every format, by a model that writes as the family does.
"""

from __future__ import annotations

import asyncio
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from surefoot.models.format import Format
from surefoot.models.model import Model, Reply, Request
from surefoot.models.opening import FORMATS
from surefoot.models.self_check import SelfCheck, self_check
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE, UNIT, Space

REPLIES: Final = Path(__file__).parent / "formats" / "replies.toml"
ANY: Final = r"[-+]?\d+(?:\.\d+)?"


class Familiar:
    """Point at every target in a family's own notation, with numbers of one space."""

    name = "familiar"
    speaks = ""

    def __init__(self, form: Format, space: Space) -> None:
        self.space = space
        rows = tomllib.loads(REPLIES.read_text("utf-8"))[form.name]
        row = next(row for row in rows if "place" in row)
        self.reply_text: str = row["reply"]
        self.place: list[float] = row["place"]

    def identity(self) -> dict[str, object]:
        """Return nothing."""
        return {}

    def say(self, numbers: Sequence[float]) -> str:
        """Return the family's documented reply with other numbers where its own stand."""
        for order in (range(len(self.place)), [1, 0], [1, 0, 3, 2]):
            own = [self.place[at] for at in order if at < len(self.place)]
            pattern = r"([^\d.]+?)".join(rf"(?<![\d.]){number:g}0?(?![\d.])" for number in own)
            found = re.search(pattern, self.reply_text)
            if found:
                new = [f"{numbers[at]:.10g}" for at in order]
                between = (*found.groups(), "")
                said = "".join(part for pair in zip(new, between, strict=True) for part in pair)
                return self.reply_text[: found.start()] + said + self.reply_text[found.end() :]
        raise AssertionError(self.reply_text)

    async def reply(self, request: Request) -> Reply:
        """Say where the target is, as a point or a box as the family does."""
        question = request.question
        truth = question.truth
        size = {"width": question.width, "height": question.height}
        digits = 4 if self.space == UNIT else 0
        corner = self.space.from_image(truth.center, **size)
        numbers = [round(number, digits) for number in corner]
        return Reply(self.say(numbers * (len(self.place) // 2)))

    async def close(self) -> None:
        """Do nothing."""


def checked(form: Format, space: Space) -> SelfCheck:
    """Run the whole check on a model of a family that speaks a space."""
    return asyncio.run(self_check(Model(Familiar(form, space), form)))


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
def test_a_family_passes_in_its_own_space(name: str) -> None:
    """Who points rightly, in the family's notation and space, hits all twelve and may go on."""
    form = FORMATS.get(name)
    found = checked(form, form.space)
    assert (found.verdict, found.hits, found.parsed) == ("ok", 12, 12)


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
def test_a_family_in_another_space_is_caught(name: str) -> None:
    """The same notation with numbers of another space is a wrong space, named as that one."""
    form = FORMATS.get(name)
    other = IMAGE_PIXELS if form.space in (PER_MILLE, UNIT) else PER_MILLE
    found = checked(form, other)
    assert found.verdict == "wrong-space"
    assert found.best_hits >= 9
