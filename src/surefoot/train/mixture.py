"""
Mixtures: how many examples of what are drawn, as a small TOML file.

Counts are exact. Sites take turns, so that no large site decides what is learned.
"""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Final

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.registry import suggest
from surefoot.core.seeds import random_source
from surefoot.train.examples import TrainingExample

PRESETS: Final = resources.files("surefoot.train") / "mixtures"
ALL: Final = 0


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Say how many examples are drawn, of which conditions; an empty list is any.

    ``count`` 0 is all there are. A name may end in ``*``. Each example is drawn once, and again
    only where ``again`` allows it because there are fewer than asked for.
    """

    count: Annotated[int, msgspec.Meta(ge=0)] = ALL
    sources: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    again: bool = False

    def takes(self, example: TrainingExample) -> bool:
        """Tell whether an example is of the conditions."""
        question = example.question
        given = (
            (self.sources, example.source),
            (self.variants, question.cell.variant),
            (self.instructions, question.cell.instruction),
            (self.roles, question.role),
            (self.platforms, question.platform),
            (self.languages, question.instruction.language),
        )
        return all(
            not names or any(fnmatch.fnmatchcase(value, name) for name in names)
            for names, value in given
        )


class Mixture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold draws, which are made in their order; what an earlier one took is gone."""

    draw: tuple[Draw, ...] = (Draw(),)
    summary: str = ""


def mixture_named(name: str) -> Mixture:
    """
    Return the preset of a name, or the mixture in a TOML file; "" is all examples.

    Raises UnknownNameError for another name, InvalidInputError for a file that is no mixture.
    """
    if not name:
        return Mixture()
    presets = {
        Path(item.name).stem: item for item in PRESETS.iterdir() if item.name.endswith(".toml")
    }
    if not name.endswith(".toml") and name not in presets:
        raise UnknownNameError(
            "a mixture's name or a .toml file", found=f"'{name}'", remedy=suggest(name, [*presets])
        )
    try:
        text = (presets[name] if name in presets else Path(name)).read_text("utf-8")
        return msgspec.convert(tomllib.loads(text), Mixture)
    except (OSError, ValueError) as error:
        raise InvalidInputError(
            f"a mixture in {name}",
            found=error,
            remedy="write [[draw]] tables with count, variants, instructions, roles, platforms, "
            "languages or sources",
        ) from error


def drawn(
    examples: Sequence[TrainingExample], mixture: Mixture, seed: int
) -> Iterator[TrainingExample]:
    """
    Yield the examples of a mixture, by a seed; what several sources share is there once.

    Raises InvalidInputError where a draw finds fewer than it counts.
    """
    left = sorted(examples, key=lambda item: item.id, reverse=True)
    for number, draw in enumerate(mixture.draw, start=1):
        fitting = {_learned(example): example for example in left if draw.takes(example)}
        if len(fitting) < max(draw.count, 1) and not (draw.again and fitting):
            raise InvalidInputError(
                f"{max(draw.count, 1):,} examples for draw {number} of the mixture",
                found=f"{len(fitting):,}",
                remedy="name more sources, ask for fewer, or let it draw 'again'",
            )
        turns = list(_by_site(fitting.values(), seed, number))
        count = draw.count or len(turns)
        for at in range(count):
            round_, place = divmod(at, len(turns))
            yield msgspec.structs.replace(turns[place], number=round_ + 1)
        taken = set(map(_learned, turns[:count]))
        left = [example for example in left if _learned(example) not in taken]


def _learned(example: TrainingExample) -> tuple[object, ...]:
    return example.question.images, example.messages, example.completion


def _by_site(
    examples: Iterable[TrainingExample], seed: int, draw: int
) -> Iterator[TrainingExample]:
    """Yield one example of each site in turn, sites and their examples in drawn orders."""
    sites: dict[str, list[TrainingExample]] = {}
    for example in sorted(examples, key=lambda item: item.id):
        sites.setdefault(example.question.cluster, []).append(example)
    order = sorted(sites)
    source = random_source(seed, "mixture", str(draw))
    source.shuffle(order)
    for site in order:
        source.shuffle(sites[site])
    while order:
        for site in order:
            yield sites[site].pop()
        order = [site for site in order if sites[site]]
