"""
Views have names of their own and an order in which they are painted.
"""

from __future__ import annotations

import pytest

from surefoot.capture.android.views import AndroidView, painting_order


def tree(*ranks: int | None) -> list[AndroidView]:
    """Return a root with children of these ranks, the first of which has a child."""
    root = AndroidView((0,), -1, None)
    children = [AndroidView((0, at), 0, None, drawing=rank) for at, rank in enumerate(ranks)]
    return [root, *children, AndroidView((0, 0, 0), 1, None)]


@pytest.mark.parametrize(
    ("ranks", "order"),
    [
        ((None, None), [0, 1, 3, 2]),
        ((1, 2), [0, 1, 3, 2]),
        ((2, 1), [0, 2, 1, 3]),
        ((2, None), [0, 1, 3, 2]),
        ((0, 0), [0, 1, 3, 2]),
        ((3, 1, 2), [0, 2, 3, 1, 4]),
    ],
)
def test_siblings_are_painted_as_they_tell(
    ranks: tuple[int | None, ...], order: list[int]
) -> None:
    """A sibling goes up with all it holds; ranks count only where every sibling has one."""
    assert painting_order(tree(*ranks)) == order


def test_ids_tell_class_and_path() -> None:
    """Classes inside classes are told by their own name, a nameless one by its path."""
    assert AndroidView((0, 2), 0, None, class_name="a.Outer$Inner").id == "inner-0.2"
    assert AndroidView((0,), -1, None).id == "view-0"
