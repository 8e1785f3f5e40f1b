"""
Items are left out where a blind reader knows them: of all languages, or of the one that leaks.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from surefoot.benchmarks.dimensions.asked import SharedScreens
from surefoot.benchmarks.dimensions.baselines import LEAK
from surefoot.benchmarks.dimensions.draws import DrawnItems, least_leaking
from surefoot.benchmarks.dimensions.goals import Goal, GoalItem
from surefoot.benchmarks.dimensions.walks import SharedStep, Walk
from surefoot.capture.actions import Action
from surefoot.core.seeds import random_source
from surefoot.exploration.records import ActionEffect

LANGUAGES: Final = ("en", "fr", "ru")
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def drawn(telling: str) -> tuple[list[GoalItem], DrawnItems]:
    """Draw options of 120 goals at six sites; in one language right ones end in one word."""
    random = random_source(11, "goals")

    def goal(ending: str) -> Goal:
        words = {language: "".join(random.sample(LETTERS, 9)) for language in LANGUAGES}
        words[telling] += f" {ending or ''.join(random.sample(LETTERS, 5))}"
        return Goal(words["en"], {}, words)

    items = []
    for number in range(120):
        effects = {language: ActionEffect("page") for language in LANGUAGES}
        step = SharedStep(
            f"{number}", "after", f"{number}", "after", (Action("click", "e"),), effects
        )
        # Every fifth right goal says nothing, so that something can stay.
        right = goal("enfin" if number % 5 else "")
        site = f"site {number % 6}"
        items.append(GoalItem("si", site, Walk((step,)), right, tuple(goal("") for _ in range(9))))
    return items, least_leaking(items, SharedScreens({}, {}), 0)


@pytest.mark.parametrize("telling", ["fr", "ru"])
def test_a_language_that_leaks_loses_its_questions_alone(telling: str) -> None:
    """All items stay in the others, and nothing leaks in any language afterwards."""
    items, found = drawn(telling)
    assert (len(found.asked), found.left_out) == (len(items), 0)
    withheld = Counter(language for one in found.asked for language in one.withheld)
    assert withheld == {telling: found.withheld}
    assert 40 <= found.withheld < len(items)
    told = {one.language: one for one in found.told}
    assert {one.n for language, one in told.items() if language != telling} == {len(items)}
    assert told[telling].n == len(items) - found.withheld
    assert all(one.worst <= LEAK for one in found.told)


def test_what_leaks_in_the_first_language_is_left_out_of_all() -> None:
    """An item that a blind reader knows in English is asked in no language."""
    items, found = drawn("en")
    assert found.left_out == len(items) - len(found.asked) >= 40
    assert found.withheld <= 10
    assert all(one.worst <= LEAK for one in found.told)


def test_what_another_draw_hides_is_asked() -> None:
    """No item is left out for wrong options that others than the first ones drawn make up for."""
    random = random_source(2, "goals")

    def goal(ending: str) -> Goal:
        words = {language: "".join(random.sample(LETTERS, 9)) for language in LANGUAGES[:2]}
        words["en"] += f" {ending}"
        return Goal(words["en"], {}, words)

    items = []
    for number in range(40):
        effects = {language: ActionEffect("page") for language in LANGUAGES[:2]}
        step = SharedStep(
            f"{number}", "after", f"{number}", "after", (Action("click", "e"),), effects
        )
        right = goal("opens" if number % 2 else "appears")
        # Three wrong ones in ten appear, and half of the right ones.
        wrong = tuple(
            goal(random.choice(["opens", "appears"]) if random.random() < 0.6 else "opens")
            for _ in range(9)
        )
        items.append(GoalItem("si", f"site {number % 4}", Walk((step,)), right, wrong))
    found = least_leaking(items, SharedScreens({}, {}), 0)
    assert (len(found.asked), found.left_out) == (40, 0)
    assert next(one.worst for one in found.told if one.language == "en") <= LEAK
