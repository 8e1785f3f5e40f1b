"""
Perturbations, and variants: perturbations by name, alone or composed, and the paper's presets.

A perturbation is name, version, and a pure function from a screen and a seed to edits.

The grammar is ``PERTURBATION[@VERSION][:LEVEL][+PERTURBATION...]``; the empty text, and
"original", stand for no change. A preset may be a part, but "style" alone is the paper's
variant, and the perturbation in a sum.

A question's whole condition of the screen is spelt in the same way: ``BASE+OWN`` is what a
benchmark does itself (a variant, a view, a mask) over a base, a variant that it crosses with.

A variant's name stands in plans, records and JSON; people read its title, which is made of the
titles that its perturbations bring with them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from surefoot.core.edit import Edit
from surefoot.core.errors import InvalidInputError, UnknownNameError, UserError
from surefoot.core.registry import Registry, suggest
from surefoot.core.screen import Screen
from surefoot.core.seeds import derive_seed

ORIGINAL: Final = "original"
REWORDED: Final = "+reworded"  # ends the name of a variant whose words were changed as well


class Perturbation(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one way to change a screen.

    ``levels`` maps each level's label to its severity in [0, 1], mildest first, and
    ``titles`` to what it does in a few plain words, which people read in place of the name;
    ``default`` is the label that is taken where none is given. ``draw`` receives the
    original screen, a seed and a level's label; it must be pure. ``seeded`` is false where
    the draw is the same for every seed. ``picture`` is true where it draws edits of the
    picture alone, which need no live interface.
    """

    name: str
    version: int
    summary: str
    levels: Mapping[str, float]
    titles: Mapping[str, str] = {}
    default: str
    draw: Callable[[Screen, int, str], tuple[Edit, ...]]
    seeded: bool = True
    picture: bool = False

    def edits(self, screen: Screen, seed: int, level: str = "") -> tuple[Edit, ...]:
        """Return the edits for one screen; raises UnknownNameError for a wrong level."""
        label = level or self.default
        if label not in self.levels:
            raise UnknownNameError(
                f"a level of '{self.name}' among {', '.join(self.levels)}", found=f"'{label}'"
            )
        drawn: object = self.draw(screen, seed, label)
        if not isinstance(drawn, tuple) or not all(isinstance(edit, Edit) for edit in drawn):
            raise InvalidInputError(
                f"a tuple of edits from the perturbation '{self.name}' ({self.draw.__module__})",
                found=f"{type(drawn).__name__}: {drawn!a:.80}",
                remedy="mend the perturbation",
            )
        return drawn


PERTURBATIONS = Registry(Perturbation, "surefoot.perturb", what="perturbation")

# The variants of GUI-Perturbed under their published names, and each half of its "style" alone.
PRESETS: dict[str, str] = {
    ORIGINAL: "",
    "style": "style+shuffle",
    "theme": "style:full",
    "order": "shuffle:all",
    "precision": "transform-zoom:0.7",
    "text_shrink": "text-size:paper",
}

# What is no sum of perturbations: the views of `sensitivity`, the masks of `hidden`.
TITLES: Final[dict[str, str]] = {
    "crop": "part around the target",
    "background": "window on a desktop",
    "static": "white mask",
    "high-contrast": "conspicuous mask",
    "low-contrast": "inconspicuous mask",
    "membrane": "smooth mask",
    "sides": "mask of a colour a side",
    "median": "mask of the median colour",
    "mode": "mask of the commonest colour",
    "inpaint": "mask like its surroundings",
    "hide": "taken off the page",
    "version": "other version",
}
VERSION: Final = "version"  # a page as it was, or will be, captured elsewhere
LANGUAGE: Final = "language:"  # before the tag of a language that a page was captured in, too

OVER: Final = "over"  # a fact of a question: the base that its screen was changed over
DEALT: Final = "dealt"  # a fact of a question: its page has a fraction of the conditions
ASKED_IN: Final = "+asked-"  # before the language of words that is not the screen's
# What the original is called, and the variants of `multilingual`, by their tags.
LANGUAGE_NAMES: Final = {
    "en": "English",
    "fr": "French",
    "ja": "Japanese",
    "ru": "Russian",
    "th": "Thai",
    "zh": "Chinese",
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

    @property
    def title(self) -> str:
        """Return what the perturbation does at its level, in plain words."""
        titles = PERTURBATIONS.get(self.name).titles
        return titles.get(self.level, f"{self.perturbation}:{self.level}")


class Variant(msgspec.Struct, frozen=True):
    """
    Name a change of a page as the sum of its parts, applied in their order.

    What changes the page itself comes before what changes its picture, though.

    ``name`` is what it was asked for by; two variants with the same parts make the same edits.
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

    @property
    def title(self) -> str:
        """
        Return what the variant does, in plain words.

        A perturbation that brings no title for its level is called by its name.

        >>> parse_variant("style").title, parse_variant("zoom:1.5+shuffle+blur:2").title
        ('theme and order', 'browser zoom 150 %, order and blur 2 px')
        """
        if not self.parts:
            return ORIGINAL
        *first, last = (part.title for part in self.parts)
        return f"{', '.join(first)} and {last}" if first else last

    @property
    def summaries(self) -> tuple[str, ...]:
        """Return what each part does, in a phrase of its own."""
        return tuple(PERTURBATIONS.get(part.name).summary for part in self.parts)

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
    >>> parse_variant("theme+zoom:1.5").identity()
    'style@2:full+zoom@1:1.5'
    >>> parse_variant("").name
    'original'
    """
    name = text.strip()
    pieces = (piece.strip() for piece in PRESETS.get(name, name).split("+"))
    known = PERTURBATIONS.entries
    spec = "+".join(piece if piece in known else (PRESETS.get(piece) or piece) for piece in pieces)
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


def is_captured(name: str) -> bool:
    """
    Tell whether a variant is a page that was captured elsewhere, so that no edit makes it.

    >>> is_captured("version"), is_captured("language:fr"), is_captured("theme")
    (True, True, False)
    """
    return name == VERSION or name.startswith(LANGUAGE)


def variant_over(source: str, variant: str) -> str:
    """
    Name the condition of a picture that had one already when a variant changed it.

    >>> variant_over("style", "dark"), variant_over("original", "dark")
    ('style+dark', 'dark')
    >>> variant_over("style", "original"), variant_over("style", "original+reworded")
    ('style', 'style+reworded')
    """
    own = variant.removeprefix(ORIGINAL).removeprefix("+")
    changed = [name for name in (source, own) if name not in (ORIGINAL, "")]
    return variant if source == ORIGINAL else "+".join(changed)


def without_base(variant: str, base: str) -> str:
    """
    Return what was done over a base, "original" where that is nothing.

    >>> without_base("theme+static", "theme"), without_base("theme+reworded", "theme")
    ('static', 'original+reworded')
    >>> without_base("static", "original"), without_base("theme", "theme")
    ('static', 'original')
    """
    if base in ("", ORIGINAL):
        return variant
    rest = variant.removeprefix(base)
    return ORIGINAL + rest if rest in ("", REWORDED) else rest.removeprefix("+")


@functools.lru_cache(maxsize=1024)
def variant_title(name: str) -> str:
    """
    Return what a variant is called where people read it.

    A name that nobody titled, as of an imported set or of a perturbation that is not
    installed, stands for itself; of a sum that is no variant each part has its own title.

    >>> variant_title("precision"), variant_title("text_shrink"), variant_title("style")
    ('zoom 70 %', 'smaller text', 'theme and order')
    >>> variant_title("crop+reworded"), variant_title("fr"), variant_title("")
    ('part around the target, reworded', 'French', '')
    >>> variant_title("order+static"), variant_title("fr+asked-en"), variant_title("language:fr")
    ('order, white mask', 'French, asked in English', 'French')
    """
    plain = name.removesuffix(REWORDED)
    if plain != name:
        return f"{variant_title(plain)}, reworded"
    if not name or name in TITLES:
        return TITLES.get(name, "")
    tag = name.removeprefix(LANGUAGE)
    if tag != name or tag in LANGUAGE_NAMES:
        return LANGUAGE_NAMES.get(tag, tag)
    if f"+{name}".startswith(ASKED_IN):
        return f"asked in {variant_title(name.partition('-')[2])}"
    try:
        return parse_variant(name).title
    except UserError:
        first, plus, rest = name.partition("+")
        return f"{variant_title(first)}, {variant_title(rest)}" if plus and rest else name


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
            found=f"the preset '{name}', which takes no level",
            remedy=f"write '{PRESETS[name]}' instead" if PRESETS[name] else "leave it out",
        )
    if name not in known:
        raise UnknownNameError(
            "a perturbation or a preset",
            found=f"'{name}'",
            remedy=suggest(name, sorted({*known, *PRESETS})),
        )
    return PERTURBATIONS.get(f"{name}@{version}" if version else name)
