"""
Variants by name: the grammar, the presets, seeds that do not depend on company.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.edit import AddStyle, EnforceContrast, Reorder, ScaleText, Zoom
from surefoot.core.errors import InvalidInputError, UnknownNameError, UserError
from surefoot.core.perturbation import (
    PERTURBATIONS,
    PRESETS,
    TITLES,
    parse_variant,
    variant_title,
)
from surefoot.core.screen import Screen
from surefoot.core.seeds import derive_seed
from surefoot.perturb.shuffle import SHUFFLE

GROUPS = {"a": 4, "b": 3}

piece = st.sampled_from(sorted(PERTURBATIONS.entries)).flatmap(
    lambda name: st.tuples(st.just(name), st.sampled_from(["", *PERTURBATIONS.get(name).levels]))
)
sums = st.lists(piece, min_size=1, max_size=4, unique_by=lambda item: item[0]).map(
    lambda pieces: "+".join(f"{name}:{level}" if level else name for name, level in pieces)
)


def test_all_names_of_the_plan_are_offered() -> None:
    """The registry finds every perturbation that the design names."""
    assert {
        "shuffle",
        "style",
        "style-cyberpunk",
        "style-dark-mode",
        "style-glassmorphism",
        "style-modern-minimal",
        "style-neobrutalism",
        "style-neumorphism",
        "style-pastel-dream",
        "style-retro-vibrant",
        "text-size",
        "transform-zoom",
        "zoom",
    } <= set(PERTURBATIONS.entries)


@pytest.mark.parametrize(
    ("preset", "parts"),
    [
        ("original", []),
        ("", []),
        ("style", ["style@2:full", "shuffle@1:all"]),
        ("theme", ["style@2:full"]),
        ("order", ["shuffle@1:all"]),
        ("precision", ["transform-zoom@1:0.7"]),
        ("text_shrink", ["text-size@1:paper"]),
    ],
)
def test_presets_stand_for_the_papers_variants(preset: str, parts: list[str]) -> None:
    """Each published variant is the sum of perturbations that the design gives it."""
    assert "+".join(parts) == parse_variant(preset).identity()


def test_the_original_has_no_edit_and_a_name(screen_of: Callable[..., Screen]) -> None:
    """The empty text is the variant called original, which changes nothing."""
    variant = parse_variant("  ")

    assert variant.name == "original"
    assert variant.edits(screen_of(GROUPS), 1) == ()


def test_a_name_with_a_level_is_the_perturbation_and_not_the_preset() -> None:
    """`style:full` is the theme alone, `style` the paper's theme and order."""
    assert parse_variant("style:full").identity() == "style@2:full"
    assert parse_variant("style+zoom").identity() == "style@2:full+zoom@1:0.7"


@given(sums)
def test_an_identity_reads_back_as_the_same_parts(text: str) -> None:
    """Spelling a variant out and reading it again changes nothing."""
    variant = parse_variant(text)

    # A preset's name as the whole text means the preset, so only sums come back here.
    assert parse_variant(variant.identity()).parts == variant.parts


def test_parts_are_applied_in_their_order(screen_of: Callable[..., Screen]) -> None:
    """Edits come part by part, in the order of the sum."""
    edits = parse_variant("text-size:1.5+style:colours+zoom:2+shuffle:one").edits(
        screen_of(GROUPS), 4
    )

    assert [ScaleText, AddStyle, EnforceContrast, Zoom, Reorder] == [type(edit) for edit in edits]


def test_company_does_not_change_what_a_part_draws(screen_of: Callable[..., Screen]) -> None:
    """Shuffle draws the same orders alone, after a theme and before a zoom."""
    screen = screen_of(GROUPS)
    alone = parse_variant("shuffle").edits(screen, 9)

    assert alone
    assert parse_variant("style-cyberpunk+shuffle").edits(screen, 9)[2:] == alone
    assert parse_variant("shuffle+zoom:2").edits(screen, 9)[:2] == alone


def test_a_parts_seed_comes_from_run_page_and_versioned_name(
    screen_of: Callable[..., Screen],
) -> None:
    """The draw is that of the seed derived from exactly these three."""
    screen = screen_of(GROUPS, page="shop")
    own_seed = derive_seed(9, "shop", "shuffle@1")

    assert parse_variant("shuffle").edits(screen, 9) == SHUFFLE.edits(screen, own_seed)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("zom", "did you mean 'zoom'"),
        ("text_shrnk", "did you mean 'text_shrink'"),
        ("zoom:1.4", "did you mean '1.5'"),
        ("style:colors", "did you mean 'colours'"),
        ("zoom@7", "ask for 'zoom@1'"),
        ("precision:0.5", "write 'transform-zoom:0.7' instead"),
        ("shuffle+original", "leave it out"),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_one(text: str, advice: str) -> None:
    """Unknown names, levels and versions, and presets with a level, are refused with advice."""
    with pytest.raises(UnknownNameError, match="(?i)" + advice.replace("+", r"\+")):
        parse_variant(text)


@pytest.mark.parametrize("text", ["+", "zoom+", "zoom:", "zoom@x", "a b", ":1.5", "zoom:1:2"])
def test_what_is_no_variant_is_refused(text: str) -> None:
    """Text outside the grammar is an input error that shows the grammar."""
    with pytest.raises(InvalidInputError, match="PERTURBATION"):
        parse_variant(text)


def test_one_perturbation_twice_is_refused() -> None:
    """A text must never be scaled twice, so a sum names each perturbation once."""
    with pytest.raises(InvalidInputError, match="'text-size' 2 times"):
        parse_variant("text-size:1.5+text-size:0.8")


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_politely(text: str) -> None:
    """Whatever is typed gives a variant or a user's error, never another exception."""
    with contextlib.suppress(UserError):
        assert parse_variant(text).name


def test_every_preset_parses() -> None:
    """No preset names a perturbation or level that does not exist."""
    assert {name: parse_variant(name).name for name in PRESETS} == {name: name for name in PRESETS}


def test_every_perturbation_and_preset_is_in_the_docs() -> None:
    """The page of the docs names each of ours, and the gallery has a small picture of each."""
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "perturbations.md").read_text(encoding="utf-8")
    named = {*PERTURBATIONS.entries, *PRESETS}
    gallery = (docs / "gallery.md").read_text(encoding="utf-8")
    pictures = re.findall(r"\((perturbations/[^)]+)\)", gallery)

    assert {name for name in named if f"`{name}`" not in page} == set()
    assert len(pictures) > len(PERTURBATIONS.entries)
    assert [picture for picture in pictures if not (docs / picture).is_file()] == []
    assert all((docs / picture).stat().st_size < 60_000 for picture in pictures)


def test_every_level_has_a_title_of_its_own() -> None:
    """No two levels of all perturbations, masks and views are called the same, or by a name."""
    levels = [
        f"{name}:{level}" for name, one in PERTURBATIONS.entries.items() for level in one.levels
    ]
    titles = [variant_title(name) for name in (*levels, *TITLES)]

    assert len(set(titles)) == len(titles)
    assert not {*titles} & {*levels, *PERTURBATIONS.entries, *PRESETS} - {"order", "theme"}


def test_the_paper_s_style_is_called_by_both_its_halves(screen_of: Callable[..., Screen]) -> None:
    """The preset draws exactly the theme and the order that its halves draw alone."""
    screen = screen_of(GROUPS)
    both, theme, order = (parse_variant(name) for name in ("style", "theme", "order"))

    assert both.title == f"{theme.title} and {order.title}" == "theme and order"
    assert both.edits(screen, 3) == theme.edits(screen, 3) + order.edits(screen, 3)


@given(st.text(max_size=30))
def test_any_name_has_a_title(name: str) -> None:
    """What a set calls its variants stands for itself, whatever it is."""
    assert bool(variant_title(name)) == bool(name)
