"""
Variants: perturbations by name, alone or composed, and the paper's presets.

The grammar is ``PERTURBATION[@VERSION][:LEVEL][+PERTURBATION...]``; the empty text, and
"original", stand for no change. A preset is the whole text, never a part of one: "style"
alone is the paper's variant, "style:full" or a part of a sum is the perturbation.
"""

from __future__ import annotations

import re

import msgspec

from surefoot.core.edit import Edit
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.perturbation import Perturbation
from surefoot.core.registry import Registry, suggest
from surefoot.core.screen import Screen
from surefoot.core.seeds import derive_seed

__all__ = ["ORIGINAL", "PERTURBATIONS", "PRESETS", "Variant", "VariantPart", "parse_variant"]

ORIGINAL = "original"

PERTURBATIONS = Registry(Perturbation, "surefoot.perturb", what="perturbation")

# The variants of GUI-Perturbed under their published names.
PRESETS: dict[str, str] = {
    ORIGINAL: "",
    "style": "style+shuffle",
    "precision": "transform-zoom:0.7",
    "text_shrink": "text-size:paper",
}

_PART = re.compile(r"(?P<name>[^@:+\s]+)(?:@(?P<version>\d+))?(?::(?P<level>[^@:+\s]+))?")


class VariantPart(msgspec.Struct, frozen=True):
    """Name one perturbation in one version at one level."""

    perturbation: str
    version: int
    level: str

    @property
    def name(self) -> str:
        """Return the versioned name, which the part's seed is derived from."""
        return f"{self.perturbation}@{self.version}"


class Variant(msgspec.Struct, frozen=True):
    """
    Name a change of a page as the sum of its parts, applied in their order.

    What changes the page itself comes before what changes its picture, though.

    ``name`` is what a report calls it; two variants with the same parts make the same edits.
    """

    name: str
    parts: tuple[VariantPart, ...]

    def edits(self, screen: Screen, seed: int) -> tuple[Edit, ...]:
        """
        Return the edits of all parts for one original screen.

        Each part draws from a seed of its own, derived from the run's seed, the page and
        the part's versioned name: what a part draws does not depend on its company.
        """
        edits: list[Edit] = []
        for part in self.parts:
            own_seed = derive_seed(seed, screen.page, part.name)
            perturbation = PERTURBATIONS.get(part.name)
            edits += perturbation.edits(screen, own_seed, part.level)
        return tuple(edits)

    @property
    def picture(self) -> bool:
        """
        Tell whether the variant changes pictures alone, which needs no live interface.

        >>> parse_variant("jpeg:30+blur:2").picture, parse_variant("zoom:1.5+blur").picture
        (True, False)
        """
        return all(PERTURBATIONS.get(part.name).picture for part in self.parts)

    def identity(self) -> str:
        """
        Spell the parts out, versions and levels included; "" for the original.

        >>> parse_variant("text_shrink").identity()
        'text-size@1:paper'
        """
        return "+".join(f"{part.name}:{part.level}" for part in self.parts)


def parse_variant(text: str) -> Variant:
    """
    Read a preset's name or a sum of perturbations.

    Raises UnknownNameError for a name, version or level that does not exist, and
    InvalidInputError for what does not follow the grammar or names a perturbation twice.

    >>> parse_variant("zoom:1.5+shuffle").identity()
    'zoom@1:1.5+shuffle@1:all'
    >>> parse_variant("").name
    'original'
    """
    name = text.strip()
    spec = PRESETS.get(name, name)
    parts = tuple(_part(piece.strip()) for piece in spec.split("+")) if spec else ()
    names = [part.perturbation for part in parts]
    for twice in names:
        if names.count(twice) > 1:
            raise InvalidInputError(
                f"each perturbation once in '{name}'",
                found=f"'{twice}' {names.count(twice)} times",
                remedy="keep one of them; a text or a page is changed in one way only once",
            )
    return Variant(name or ORIGINAL, parts)


def _part(text: str) -> VariantPart:
    match = _PART.fullmatch(text)
    if match is None:
        raise InvalidInputError(
            "a variant like 'style', 'zoom:1.5' or 'style:colours+shuffle'",
            found=f"'{text}'",
            remedy="write PERTURBATION[@VERSION][:LEVEL][+PERTURBATION...]",
        )
    name, version, level = match["name"], match["version"], match["level"] or ""
    perturbation = _perturbation(name, version)
    if level and level not in perturbation.levels:
        raise UnknownNameError(
            f"a level of '{name}' among {', '.join(perturbation.levels)}",
            found=f"'{level}'",
            remedy=suggest(level, list(perturbation.levels)),
        )
    return VariantPart(name, perturbation.version, level or perturbation.default)


def _perturbation(name: str, version: str | None) -> Perturbation:
    known = PERTURBATIONS.entries
    if name in PRESETS and name not in known:
        raise UnknownNameError(
            "a perturbation",
            found=f"the preset '{name}', which stands alone",
            remedy=f"write '{PRESETS[name]}' instead" if PRESETS[name] else "leave it out",
        )
    if name not in known:
        raise UnknownNameError(
            "a perturbation or a preset",
            found=f"'{name}'",
            remedy=suggest(name, sorted({*known, *PRESETS})),
        )
    return PERTURBATIONS.get(f"{name}@{version}" if version else name)
