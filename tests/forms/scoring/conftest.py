"""
Attempts at forms, drawn at random but with every nesting kept.
"""

from __future__ import annotations

import itertools
import random

import pytest

from surefoot.core.seeds import random_source
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Kind

KINDS = (Kind.STRING, Kind.DATE, Kind.DESCRIPTION, Kind.FILE)
DESCRIPTION = KINDS.index(Kind.DESCRIPTION)


def one_field(source: random.Random, number: int, skill: float) -> FieldScore:
    """Return a field's score whose four measures nest, as they do in earnest."""
    if source.random() < 0.15:
        extra = source.random() < 0.3
        return FieldScore(f"f{number}", Kind.STRING, 0, asked=False, collateral=extra)
    reached = sum(source.random() < skill for _ in range(4))
    return FieldScore(
        f"f{number}",
        KINDS[number % len(KINDS)],
        number // 3,
        asked=True,
        mentioned=reached > 0,
        by_meaning=reached > 1 or number % 3 == 0,
        typed=reached > 1,
        in_field=reached > 2,
        submitted=reached > 3,
        exact=reached > 3 and source.random() < 0.5,
        clicked=source.random() < skill,
        distance=float(source.randrange(0, 40)) if source.random() < 0.8 else None,
        found_in=(f"f{(number + 1) % 3}",) if reached == 2 else (),
        aimed=source.random() < skill,
        said="a plain text"[: 4 * reached] if number % len(KINDS) == DESCRIPTION else None,
    )


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    """Return attempts of two agents at five forms, in two languages, with and without ruler."""
    source = random_source(7, "attempts")
    found = []
    for agent, form, language, ruler in itertools.product(
        ("careful", "hasty"), range(5), ("en", "th"), (0, 100)
    ):
        skill = 0.9 if agent == "careful" else 0.6 if language == "en" else 0.4
        fields = tuple(one_field(source, number, skill) for number in range(4 + form))
        well = all(field.submitted for field in fields if field.asked)
        clean = not any(field.collateral for field in fields)
        score = EpisodeScore(
            f"form{form}",
            0,
            agent,
            Rendering(language=language),
            fields,
            accepted=well or source.random() < 0.5,
            right=well and clean,
            refusals=source.randrange(3),
            corrections=source.randrange(2),
            ended=source.choice(("submitted", "refused")),
            descriptions=(("a plain text", "a plain text of words"),)
            * sum(field.asked and field.kind is Kind.DESCRIPTION for field in fields),
        )
        found.append(Case(score, ruler=ruler))
    return found
