"""
The conformance check passes what is sound and names what is not.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping

import msgspec
import pytest

from surefoot.core.edit import AddStyle, Edit, EnforceContrast, Reorder, ScaleText, Zoom
from surefoot.core.perturbation import PERTURBATIONS, Perturbation
from surefoot.core.screen import Screen
from surefoot.perturb.check import PROBE, check_draw, compare_screens

Draw = Callable[[Screen, int, str], tuple[Edit, ...]]


def made(
    draw: Draw, *, seeded: bool = False, levels: Mapping[str, float] | None = None
) -> Perturbation:
    """Make a perturbation that is sound but for its draw."""
    return Perturbation(
        name="made",
        version=1,
        summary="made for a test",
        titles={level: f"made {level}" for level in levels or ["only"]},
        levels=levels or {"only": 0.5},
        default="only",
        draw=draw,
        seeded=seeded,
    )


@pytest.mark.parametrize("name", sorted(PERTURBATIONS.entries))
def test_our_own_perturbations_are_sound(name: str, screen_of: Callable[..., Screen]) -> None:
    """Every perturbation that ships passes the check that outside ones must pass."""
    screens = [screen_of({"a": 4, "b": 2, "": 3}), screen_of({})]

    assert check_draw(PERTURBATIONS.get(name), screens) == []


def test_a_draw_without_a_seed_is_found() -> None:
    """Edits that differ at the second call with one seed are named."""
    counter = itertools.count(1)

    def draw(_screen: Screen, _seed: int, _level: str) -> tuple[Edit, ...]:
        return (ScaleText(float(next(counter))),)

    assert any("the same seed" in item for item in check_draw(made(draw), []))


def test_global_randomness_is_found() -> None:
    """A draw from the process's own generator is not reproducible, and is named."""

    def draw(_screen: Screen, _seed: int, _level: str) -> tuple[Edit, ...]:
        return (ScaleText(1 + random.random()),)  # noqa: S311 - the fault to be found

    assert any("the same seed" in item for item in check_draw(made(draw, seeded=True), []))


def test_a_seed_that_is_not_used_is_found() -> None:
    """A draw that says it is seeded must differ between seeds somewhere."""
    constant: Draw = lambda _screen, _seed, _level: (Zoom(2.0),)  # noqa: E731

    assert check_draw(made(constant), []) == []
    assert any("all seeds" in item for item in check_draw(made(constant, seeded=True), []))


def test_a_hidden_use_of_the_seed_is_found() -> None:
    """A draw that says it is not seeded must not differ between seeds."""
    seeded: Draw = lambda _screen, seed, _level: (Zoom(1.0 + seed),)  # noqa: E731

    assert any("although" in item for item in check_draw(made(seeded), []))


def test_a_draw_that_changes_its_screen_is_found() -> None:
    """A screen's dictionaries can be written to; a draw that does is named."""

    def draw(screen: Screen, seed: int, _level: str) -> tuple[Edit, ...]:
        screen.elements[0].attributes["touched"] = str(seed)
        return ()

    problems = check_draw(made(draw), [])
    PROBE.elements[0].attributes.clear()

    assert any("changed the screen" in problem for problem in problems)


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (Reorder("nowhere", ("button-0",)), "does not list exactly its members"),
        (Reorder("buttons", ("button-0", "button-1")), "does not list exactly its members"),
        (Reorder("buttons", ("button-0",) * 3), "does not list exactly its members"),
        (Zoom(0.0), "not above 0"),
        (ScaleText(-1.0), "not above 0"),
        (ScaleText(float("nan")), "round trip"),
        (EnforceContrast(30.0), r"not in \[1, 21\]"),
        (AddStyle(b"body {}"), "round trip"),  # type: ignore[arg-type]
    ],
)
def test_an_edit_that_cannot_be_applied_is_found(edit: Edit, problem: str) -> None:
    """Unknown groups, wrong members, senseless numbers and types are named."""
    constant: Draw = lambda _screen, _seed, _level: (edit,)  # noqa: E731
    problems = check_draw(made(constant), [])

    with pytest.raises(AssertionError, match=problem):
        assert problems == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": "two words"}, "the name 'two words'"),
        ({"version": 0}, "the version is 0"),
        ({"summary": ""}, "no summary"),
        ({"default": "absent"}, "'absent' is not among the levels"),
        ({"levels": {"only": 1.5}}, "is 1.5, not in"),
        ({"levels": {"only": 0.9, "more": 0.2}}, "stands before 'more' and is more severe"),
        ({"levels": {"on+ly": 0.9}, "default": "on+ly"}, "the level 'on"),
    ],
)
def test_a_wrong_description_is_found(change: dict[str, object], problem: str) -> None:
    """Names, versions, summaries and severities that break the contract are named."""
    sound = made(lambda _screen, _seed, _level: ())
    wrong = msgspec.structs.replace(sound, **change)

    assert check_draw(sound, []) == []
    assert any(problem in item for item in check_draw(wrong, []))


def test_survival_counts_each_loss_once(screen_of: Callable[..., Screen]) -> None:
    """A target is lost, hidden or missed, in this order, and counted only there."""
    original = screen_of({"g": 5})
    _, hidden, covered, both, fine = original.elements
    variant = msgspec.structs.replace(
        original,
        elements=(
            msgspec.structs.replace(hidden, visible_fraction=0.2),
            msgspec.structs.replace(covered, hits=(False, True, True, True, True)),
            msgspec.structs.replace(both, visible_fraction=0.0, hits=()),
            fine,
        ),
    )
    survival = compare_screens(original, variant)

    assert (survival.targets, survival.kept, survival.visible, survival.hit) == (5, 4, 2, 1)
    assert survival.lost == ("g-0",)
    assert survival.hidden == ("g-1", "g-3")
    assert survival.missed == ("g-2",)


def test_a_floating_panel_that_comes_into_view_is_a_second_change(
    screen_of: Callable[..., Screen],
) -> None:
    """What floats is told where none of it was seen before, once a panel, and nothing else."""
    original = screen_of({"g": 5})
    panels: tuple[dict[str, str], ...] = (
        {},
        {"floating": "bar"},
        {"floating": "chat"},
        {"floating": "chat"},
        {},
    )
    seen = ((0.0, 1.0), (1.0, 1.0), (0.0, 1.0), (0.04, 0.6), (1.0, 1.0))
    before, after = (
        msgspec.structs.replace(
            original,
            elements=tuple(
                msgspec.structs.replace(element, attributes=panel, visible_fraction=shares[at])
                for element, panel, shares in zip(original.elements, panels, seen, strict=True)
            ),
        )
        for at in (0, 1)
    )

    assert compare_screens(before, after).appeared == ("chat",)
    assert compare_screens(after, before).appeared == ()


def test_what_no_one_could_click_is_no_target(screen_of: Callable[..., Screen]) -> None:
    """Controls that were hidden or covered on the original, and texts, are not counted."""
    original = screen_of({"g": 4})
    first, second, third, fourth = original.elements
    screen = msgspec.structs.replace(
        original,
        elements=(
            msgspec.structs.replace(first, visible_fraction=0.4),
            msgspec.structs.replace(second, hits=(False,) * 5),
            msgspec.structs.replace(third, role="text"),
            fourth,
        ),
    )

    assert compare_screens(screen, screen).targets == 1
