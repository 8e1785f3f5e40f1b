"""
Mixtures: exact counts, sites in turns, one order a seed, and errors that say what is missing.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.perturbation import PRESETS as VARIANTS
from surefoot.core.perturbation import TITLES
from surefoot.core.question import Cell, Question
from surefoot.models.format import ChatMessages
from surefoot.train.examples import TrainingExample
from surefoot.train.mixture import PRESETS, Draw, Mixture, drawn, mixture_named

NAMES = sorted(Path(item.name).stem for item in PRESETS.iterdir() if item.name.endswith(".toml"))
WORDS = Instruction("Save", "en", "direct", "high", Expression(), "e1")


def example(number: int, site: str, variant: str = "original", **fields: str) -> TrainingExample:
    """Return an example of its own: a site's so-manieth in a variant."""
    name = f"{site}-{variant}-{number}"
    question = Question(
        id=name,
        pair=name,
        cluster=site,
        cell=Cell(variant, "direct"),
        screen=name,
        image=name,
        width=100,
        height=80,
        instruction=WORDS,
        truth=Box(0, 0, 10, 10),
        platform=fields.get("platform", ""),
    )
    return TrainingExample(
        question, ChatMessages("", "Save"), "(5,5)", fields.get("source", "bench")
    )


@st.composite
def pools(draw: st.DrawFn) -> list[TrainingExample]:
    """Draw up to five sites with up to eight examples in each of two variants."""
    return [
        example(number, f"site{site}", variant)
        for site in range(draw(st.integers(1, 5)))
        for variant in ("original", "style")
        for number in range(draw(st.integers(0, 8)))
    ]


@given(pools(), st.integers(0, 20), st.integers(0, 20), st.integers(0, 99), st.randoms())
def test_counts_are_exact_and_sites_take_turns(
    pool: list[TrainingExample], first: int, second: int, seed: int, order: random.Random
) -> None:
    """Two draws give what they count, nothing twice, or an error; no site has two more turns."""
    mixture = Mixture((Draw(first, variants=("style",)), Draw(second)))
    styled = sum(item.question.cell.variant == "style" for item in pool)
    took = first or styled
    enough = styled >= max(first, 1) and len(pool) - took >= max(second, 1)
    if not enough:
        with pytest.raises(InvalidInputError, match="for draw"):
            list(drawn(pool, mixture, seed))
        return
    found = list(drawn(pool, mixture, seed))
    assert len(found) == took + (second or len(pool) - took)
    assert len({item.id for item in found}) == len(found)
    assert all(item.question.cell.variant == "style" for item in found[:took])
    counts = Counter(item.question.cluster for item in found[:took])
    have = Counter(item.question.cluster for item in pool if item.question.cell.variant == "style")
    most = max(counts.values())
    assert all(counts[site] >= min(most - 1, have[site]) for site in have)
    shuffled = order.sample(pool, len(pool))
    assert list(drawn(shuffled, mixture, seed)) == found


def test_another_seed_draws_others() -> None:
    """The same seed draws the same, and ten seeds draw at least five different sets."""
    pool = [example(number, f"site{number % 4}") for number in range(40)]
    mixture = Mixture((Draw(8),))
    sets = [tuple(item.id for item in drawn(pool, mixture, seed)) for seed in range(10)]
    assert len(set(sets)) >= 5
    assert sets[3] == tuple(item.id for item in drawn(pool, mixture, 3))


def test_again_draws_each_once_more_before_any_thrice() -> None:
    """Seven of three examples are two or three of each, with ids of their own."""
    pool = [example(number, "site") for number in range(3)]
    found = list(drawn(pool, Mixture((Draw(7, again=True),)), 0))
    assert sorted(Counter(item.question.id for item in found).values()) == [2, 2, 3]
    assert len({item.id for item in found}) == 7


def test_what_two_sources_share_is_learned_once() -> None:
    """Originals of five benchmarks are one step; a source's own name still finds them."""
    pool = [example(1, "site", source=f"seed{source}") for source in range(5)]
    assert len(list(drawn(pool, Mixture(), 0))) == 1
    only = Mixture((Draw(sources=("seed3",)),))
    assert [item.source for item in drawn(pool, only, 0)] == ["seed3"]
    twice = Mixture((Draw(sources=("seed3",)), Draw()))
    with pytest.raises(InvalidInputError, match=r"1 examples for draw 2 .* found 0"):
        list(drawn(pool, twice, 0))


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_names_variants_that_there_are(name: str) -> None:
    """Every variant of a preset is one that a benchmark builds, and its summary says guesses."""
    mixture = mixture_named(name)
    variants = {variant for draw in mixture.draw for variant in draw.variants}
    assert variants <= {*VARIANTS, *TITLES}
    assert "does not say" in mixture.summary


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("gui-perturbed-style", {"style": 6500}),
        ("gui-perturbed-text-shrink-precision", {"text_shrink": 3250, "precision": 3250}),
        ("gui-perturbed-all", {"style": 4643, "text_shrink": 929, "precision": 928}),
        (
            "gui-perturbed-25k",
            {"original": 3117, "style": 15584, "text_shrink": 3117, "precision": 3117},
        ),
    ],
)
def test_the_papers_mixtures_draw_what_table_3_counts(name: str, counts: dict[str, int]) -> None:
    """From five times as much style, each preset draws its counts; sums are the paper's."""
    pool = [
        example(number, f"site{number % 50}", variant)
        for variant, share in {"original": 1, "style": 5, "text_shrink": 1, "precision": 1}.items()
        for number in range(3300 * share)
    ]
    found = Counter(item.question.cell.variant for item in drawn(pool, mixture_named(name), 0))
    assert found == counts
    assert found.total() == {"gui-perturbed-25k": 24935}.get(name, 6500)


def test_hidden_forms_learns_from_phones_alone() -> None:
    """All masked phone screens are drawn, and none of the web and of desktops."""
    pool = [
        example(number, f"{platform}{number}", variant, platform=platform)
        for platform in ("mobile", "web", "desktop")
        for variant in ("original", "low-contrast")
        for number in range(3)
    ]
    found = {item.question.id for item in drawn(pool, mixture_named("hforms"), 0)}
    assert found == {f"mobile{number}-low-contrast-{number}" for number in range(3)}


def test_a_wrong_name_and_a_wrong_file_are_errors(tmp_path: Path) -> None:
    """A typing mistake is answered by the right name, a field that is none by those there are."""
    with pytest.raises(UnknownNameError, match="gui-perturbed-25k"):
        mixture_named("gui-perturbed-25")
    file = tmp_path / "mine.toml"
    file.write_text("[[draw]]\ncount = 3\nvariant = ['style']\n")
    with pytest.raises(InvalidInputError, match="variants, instructions"):
        mixture_named(str(file))
    file.write_text("[[draw]]\ncount = 3\nvariants = ['style']\n")
    assert mixture_named(str(file)) == Mixture((Draw(3, variants=("style",)),))
