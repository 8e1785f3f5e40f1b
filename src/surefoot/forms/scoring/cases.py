"""
Attempts with the conditions that they were made under, and what two of them have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL, variant_title
from surefoot.forms.rendering import RENDERERS
from surefoot.forms.scoring.episodes import EpisodeScore

Aspect: TypeAlias = Literal[
    "agent",
    "renderer",
    "theme",
    "layout",
    "language",
    "direction",
    "ruler",
    "level",
    "hands",
    "change",
]
CONDITIONS: Final[tuple[Aspect, ...]] = (
    "agent",
    "renderer",
    "theme",
    "layout",
    "language",
    "direction",
    "ruler",
    "level",
    "hands",
    "change",
)
_FIRST: Final[dict[Aspect, tuple[str, ...]]] = {
    "agent": ("ocr", "shuffle"),
    "renderer": ("plain",),
    "language": ("en",),
    "direction": ("",),
    "ruler": ("0",),
    "level": ("lines", "published", "labelled", "paraphrased"),
    "hands": ("browser",),
    "change": ("",),
}


class Case(msgspec.Struct, frozen=True):
    """
    Hold one scored attempt with the conditions that its score does not name.

    ``ruler`` is the distance of the ruler's ticks in pixels, 0 without one; ``level`` what
    was handed over ("lines", or a level of documents); ``seed`` that of the values; ``hands``
    who moved the pointer ("browser", or "x11"); ``source`` who published the values, "" where
    they were made; ``change`` is the variant that all pages were shown in, "" for none.
    """

    score: EpisodeScore
    ruler: int = 0
    level: str = "lines"
    seed: int = 0
    hands: str = "browser"
    source: str = ""
    change: str = ""

    def condition(self, aspect: Aspect) -> str:
        """
        Return the value of one condition; "" for a renderer's first theme or layout.

        >>> from surefoot.forms.rendering import Rendering
        >>> score = EpisodeScore("a", 0, "null", Rendering(), (), accepted=False, right=False)
        >>> Case(score, ruler=100).condition("ruler")
        '100'
        """
        drawn = self.score.rendering
        if aspect in {"theme", "layout"}:
            return _unless_first(getattr(drawn, aspect), _offered(drawn.renderer, f"{aspect}s"))
        if aspect in {"ruler", "level", "hands", "change"}:
            return str(getattr(self, aspect))
        return str(getattr(self.score if aspect == "agent" else drawn, aspect))

    def named(self, aspect: Aspect) -> str:
        """Return the value of one condition for people: a theme with its renderer, px."""
        found, drawn = self.condition(aspect), self.score.rendering
        match aspect:
            case "theme" | "layout":
                offered = _offered(drawn.renderer, f"{aspect}s")
                return f"{drawn.renderer}: {found or (offered[0] if offered else 'its first')}"
            case "direction":
                return found or "as the language"
            case "hands":
                return "X events" if found == "x11" else "the browser's own"
            case "change":
                return variant_title(found or ORIGINAL)
            case "ruler":
                return "no ruler" if found == "0" else f"ruler every {found} px"
            case _:
                return found


def handed(case: Case) -> tuple[object, ...]:
    """Return what tells the form and the values that were to be filled in."""
    return case.source, case.score.form, case.seed, case.score.instance


def fellow(case: Case, aspect: Aspect) -> tuple[object, ...]:
    """Return what another case must share to be compared with this one under an aspect."""
    others = tuple(case.condition(other) for other in CONDITIONS if other != aspect)
    return (*handed(case), case.score.rendering.seed, others)


def baseline(aspect: Aspect, values: Sequence[str]) -> str:
    """
    Return the value of a condition that the others are compared with.

    >>> baseline("language", ["fr", "en"]), baseline("renderer", ["surveyjs", "rjsf"])
    ('en', 'rjsf')
    """
    usual = _FIRST.get(aspect, ("",))
    return next((item for item in usual if item in values), min(values))


def check_distinct(cases: Iterable[Case]) -> None:
    """Raise InvalidInputError for two attempts at one form under one set of conditions."""
    seen: set[tuple[object, ...]] = set()
    for case in cases:
        key = (case.score.agent, *fellow(case, "agent"))
        if key in seen:
            raise InvalidInputError(
                "one attempt of an agent at an instance under the same conditions",
                found=f"two of '{case.score.agent}' at {case.score.form}",
                remedy="leave out one of the runs that have it",
            )
        seen.add(key)


def _offered(renderer: str, what: str) -> tuple[str, ...]:
    known = RENDERERS.entries.get(renderer)
    found: tuple[str, ...] = getattr(known, what) if known else ()
    return found


def _unless_first(name: str, offered: Sequence[str]) -> str:
    return "" if offered and name == offered[0] else name
