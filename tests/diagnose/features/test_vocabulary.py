"""
The vocabulary: each entry is whole, and seen by the search, by slices and by causes alike.
"""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from surefoot.core.question import Answer, Unparsed
from surefoot.diagnose.causes.confusions import CONFUSIONS
from surefoot.diagnose.causes.table import Atom, slice_of, table_of
from surefoot.diagnose.features.asked import Query
from surefoot.diagnose.features.feature import CAUSES, Feature, Measure, Tag, advice
from surefoot.diagnose.features.target import Target
from surefoot.diagnose.features.vocabulary import (
    MEASURES,
    TAGS,
    VOCABULARY,
    described,
    tag_of,
    words_of,
)
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.search.planner import SearchPlanner
from surefoot.diagnose.search.pool import BenchPool, open_pool


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the pool of the drawn benchmark."""
    return open_pool(bench, bench, seed=0, most=24)


@pytest.fixture(scope="module")
def arms(pool: BenchPool) -> list[Arm]:
    """Return all that can be asked on the drawn benchmark."""
    return [arm for subject in pool.subjects() for arm in pool.arms(subject)]


def problems(entry: Feature[Any]) -> list[str]:
    """Return what an entry leaves out, or says of what the vocabulary does not have."""
    name = getattr(entry, "name", "")
    found = [] if name.strip() and name == name.lower() and ":" not in name else ["its name"]
    found += ["how plain it is"] * (entry.plain not in range(3))
    if isinstance(entry, Tag):
        words = [entry.has, entry.lacks or f"all but {entry.has}"]
        sides = [Atom(f"{name}:x"), Atom(f"{name}:x", lacks=True)]
        helps = [entry.do]
    else:
        assert isinstance(entry, Measure)
        words = [entry.least, entry.below]
        sides = [Atom(name, least=7.0), Atom(name, below=7.0)]
        helps = [entry.do] if entry.do else [entry.least_do, entry.below_do]
        found += ["{} for its bound"] * (not all("{}" in side for side in words))
        found += ["its step"] * (entry.step <= 0)
    found += ["its words"] * (not all(side.strip("{} ") for side in words))
    found += ["words that differ"] * (words[0] == words[1])
    fields = {field for side in words for _, field, _, _ in string.Formatter().parse(side)}
    found += ["{} alone"] * (not fields <= {None, ""})
    for do in helps:
        try:
            found += ["an advice that helps"] * (not any(msgspec.structs.astuple(advice(do))))
        except KeyError:
            found.append("an advice that there is")
    if not found:
        found += ["its words"] * any("{" in side.words for side in sides)
    return found


@pytest.mark.parametrize(
    "entry", VOCABULARY, ids=lambda entry: f"{type(entry).__name__}-{entry.name}"
)
def test_an_entry_is_whole(entry: Feature[Any]) -> None:
    """Every entry has a name, words for either side, and advices that say what to do."""
    assert problems(entry) == []


@pytest.mark.parametrize(
    ("entry", "missing"),
    [
        (Tag("", Target, Target.is_prose, "targets in {}"), ["its name"]),
        (Tag("Bad", Target, Target.is_prose, "targets in {}"), ["its name"]),
        (Tag("a:b", Target, Target.is_prose, "targets in {}"), ["its name"]),
        (Tag("new", Target, Target.is_prose, ""), ["its words"]),
        (Tag("new", Target, Target.is_prose, "{}", "{}"), ["its words", "words that differ"]),
        (Tag("new", Target, Target.is_prose, "in {}", "in {}"), ["words that differ"]),
        (Tag("new", Target, Target.is_prose, "in {place}"), ["{} alone"]),
        (Tag("new", Target, Target.is_prose, "in it", do="no such"), ["an advice that there is"]),
        (Tag("new", Target, Target.is_prose, "in it", plain=3), ["how plain it is"]),
        (Measure("new", Target, Target.contrast, "high", "low {}"), ["{} for its bound"]),
        (Measure("new", Target, Target.contrast, "{} up", "low {}", step=0.0), ["its step"]),
        (
            Measure("new", Target, Target.contrast, "{} up", "low {}", below_do=""),
            ["an advice that there is"],
        ),
    ],
)
def test_an_entry_that_leaves_something_out_is_found(
    entry: Feature[Any], missing: list[str]
) -> None:
    """Each thing that an entry needs is missed where it is left out."""
    assert problems(entry) == missing


def test_a_name_is_one_entry() -> None:
    """No two tags and no two measures have one name; a tag and a measure share two old ones."""
    shared = TAGS.keys() & MEASURES.keys()

    assert len(VOCABULARY) == len(TAGS) + len(MEASURES)
    assert shared == {"words", "ground"}


def test_nothing_is_known_beside_the_vocabulary(arms: list[Arm]) -> None:
    """What questions have is what the entries read, and each is said in words."""
    assert {name.partition(":")[0] for arm in arms for name in arm.features} <= TAGS.keys()
    assert {name for arm in arms for name in arm.measures} <= MEASURES.keys()
    for name in {name for arm in arms for name in arm.features}:
        assert words_of(name)
        assert ":" not in words_of(name)


def test_nearly_all_is_found_on_a_drawn_page(arms: list[Arm]) -> None:
    """Three quarters of the entries are read of a page with links, icons and a landmark."""
    found = {name.partition(":")[0] for arm in arms for name in arm.features}
    measured = {name for arm in arms for name in arm.measures}

    assert len(found) + len(measured) >= 0.75 * len(VOCABULARY)


def test_an_element_is_known_before_anything_is_said(pool: BenchPool) -> None:
    """What is of an element is the same in its sketch and in all instructions about it."""
    for subject in pool.subjects()[:3]:
        sketch = pool.sketch(subject)
        names = {name for name in sketch.features if tag_of(name).of_element}
        numbers = {key: one for key, one in sketch.measures.items() if MEASURES[key].of_element}
        for arm in pool.arms(subject):
            if arm.question.screen == subject.screen:
                assert names <= set(arm.features)
                assert numbers.items() <= arm.measures.items()


def failed(arm: Arm, *, fails: bool) -> ArmResult:
    """Return an answer that misses or hits."""
    parsed = Unparsed("none") if fails else arm.question.truth.center
    return ArmResult(arm, Answer(arm.question.id, "x", parsed), 1)


@pytest.mark.parametrize("kind", ["tag", "tag with values", "measure"])
@pytest.mark.parametrize("of", [Query, Target])
def test_a_new_entry_is_seen_by_all(
    pool: BenchPool, monkeypatch: pytest.MonkeyPatch, kind: str, of: type[Any]
) -> None:
    """One entry more, and planners learn of it, slices are made of it, causes are named by it."""

    def right(context: Query | Target) -> bool:
        return context.scene.elements[context.place or 0].id == "a2"

    entry: Tag[Any] | Measure[Any]
    if kind == "measure":
        entry = Measure(
            "new", of, lambda one: 1.0 + right(one), "{} new or more", "under {} new", do="small"
        )
        monkeypatch.setitem(MEASURES, "new", entry)
        atom = Atom("new", least=2.0)
    else:
        entry = Tag(
            "new",
            of,
            right if kind == "tag" else lambda one: ["ab"[right(one)]],
            "the new {}",
            do="small",
            counted=True,
        )
        monkeypatch.setitem(TAGS, "new", entry)
        atom = Atom("new" if kind == "tag" else "new:b")
    arms = []
    for arm in (arm for subject in pool.subjects() for arm in pool.arms(subject)[:3]):
        scene = pool.scenes.scene(arm.question.screen)
        scene.described.clear()
        features, measures = described(arm.question, scene)
        scene.described.clear()
        arms.append(msgspec.structs.replace(arm, features=features, measures=measures))
    answers = [failed(arm, fails=at % 2 == 0) for at, arm in enumerate(arms)]
    planner = SearchPlanner(0)
    planner.explored(answers)

    table = table_of(answers)
    held = np.array([atom.holds(arm.features, arm.measures) for arm in arms])
    assert slice_of(atom.key).atoms == (atom,)
    learned = {name.partition(">=")[0].partition(":")[0] for name in planner.bandit.weights()}
    assert "new" in learned
    assert (atom.feature, atom.of_element) == (entry, of is Target)
    assert atom.advice == "small"
    assert 0 < held.sum() < len(held)
    assert any((table.inside[:, at] == held).all() for at in range(len(table.atoms)))


def test_every_mistake_has_an_advice() -> None:
    """Confusions, and what replies show, name an advice of the table."""
    assert {one.name for one in CONFUSIONS} <= CAUSES.keys()
    assert all(any((found.data, found.asking)) for found in map(advice, CAUSES.values()))
