"""
Vectors from a memory, against a slow textbook version.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.intervene.retrieval import (
    CONTROLS,
    DirectionKind,
    LayerMemory,
    nearest,
    vectors,
    voted,
)
from surefoot.intervene.steering import SingleFloats


def drawn(seed: int, *shape: int) -> SingleFloats:
    """Return random numbers of a shape."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def nearest_slowly(memory: LayerMemory, state: SingleFloats, count: int) -> list[int]:
    """Return the places of the keys of the highest cosine, number by number."""
    cosines = []
    for at, key in enumerate(memory.keys.tolist()):
        product = sum(one * other for one, other in zip(key, state.tolist(), strict=True))
        lengths = math.hypot(*key) * math.hypot(*state.tolist())
        cosines.append((-product / lengths, at))
    return [at for _, at in sorted(cosines)[:count]]


def slowly(memory: LayerMemory, state: SingleFloats, count: int) -> list[float]:
    """Return the mean difference of the nearest items, number by number."""
    rows = [memory.differences[at].tolist() for at in nearest_slowly(memory, state, count)]
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("count", [1, 3, 50])
def test_the_mean_difference_is_the_textbooks(count: int) -> None:
    """The vector is the mean difference of the items of the highest cosine, or of all."""
    memory = LayerMemory(drawn(1, 20, 8), drawn(2, 20, 8))
    states = drawn(3, 5, 8)

    found = vectors(memory, states, count=count, kind="xli", seed=0)

    expected = [slowly(memory, state, count) for state in states]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", CONTROLS)
def test_controls_have_the_length_and_another_direction(kind: DirectionKind) -> None:
    """A control is as long as what it stands for, and points elsewhere."""
    memory = LayerMemory(drawn(1, 30, 64), 3 * drawn(2, 30, 64))
    states = drawn(3, 7, 64)
    true = vectors(memory, states, count=3, kind="xli", seed=5)

    found = vectors(memory, states, count=3, kind=kind, seed=5)

    lengths = np.linalg.norm(true, axis=1)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), lengths, rtol=1e-5)
    cosines = (found * true).sum(axis=1) / lengths**2
    assert (cosines < 0.9).all()
    again = vectors(memory, states, count=3, kind=kind, seed=6)
    assert not np.allclose(found, again)


@pytest.mark.parametrize("kind", ["xli", *CONTROLS])
def test_a_row_hangs_on_its_own_state_alone(kind: DirectionKind) -> None:
    """A state has the same vector alone and in a batch."""
    memory = LayerMemory(drawn(1, 30, 16), drawn(2, 30, 16))
    states = drawn(3, 6, 16)

    whole = vectors(memory, states, count=4, kind=kind, seed=5)

    single = [vectors(memory, state[None], count=4, kind=kind, seed=5)[0] for state in states]
    np.testing.assert_allclose(whole, single, rtol=1e-6, atol=1e-7)


def test_nothing_is_retrieved_from_nothing() -> None:
    """A memory without items is refused, and so is a count of none."""
    with pytest.raises(InvalidInputError, match="1 or more"):
        nearest(drawn(1, 0, 4), drawn(2, 1, 4), 3)
    with pytest.raises(InvalidInputError, match="1 or more"):
        nearest(drawn(1, 3, 4), drawn(2, 1, 4), 0)


def test_shuffled_pairs_are_all_apart() -> None:
    """With its pairs shuffled no item of a memory keeps its own English state."""
    keys = np.zeros((9, 9), np.float32)
    memory = LayerMemory(np.eye(9, dtype=np.float32), np.eye(9, dtype=np.float32) * 2)

    found = vectors(memory, np.eye(9, dtype=np.float32), count=1, kind="shuffled", seed=1)

    assert keys.shape == found.shape
    own = np.diag(found)
    assert (own < 0).all()


def test_most_of_the_nearest_labels_are_voted_for() -> None:
    """The label is the most frequent of the nearest items', of equal counts the nearest's."""
    answers = tuple("ABCD"[number % 4] for number in range(30))
    memory = LayerMemory(drawn(1, 30, 16), drawn(2, 30, 16), answers)
    for state, found in zip(drawn(3, 20, 16), voted(memory, drawn(3, 20, 16), 5), strict=True):
        labels = [answers[at] for at in nearest_slowly(memory, state, 5)]
        most = max(labels.count(label) for label in labels)

        assert found == next(label for label in labels if labels.count(label) == most)
