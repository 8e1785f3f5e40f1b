"""
Choices whose options stand in one order.
"""

from __future__ import annotations

from surefoot.core.seeds import random_source
from surefoot_studies.tiny.asking import choices
from surefoot_studies.tiny.drawing import PLACES, SHAPES, draw
from surefoot_studies.tiny.recipe import LONE


def test_options_in_order_tell_the_answer_by_its_place() -> None:
    """Shapes and quarters always have the same letters, and the right one is the figure's."""
    asked = set()
    for seed in range(60):
        drawing = draw(seed, LONE.layout)
        assert len(drawing.figures) == 1
        for item in choices(drawing, random_source(seed, "asked"), in_order=True):
            asked.add((item.dimension, item.label))
            assert item.options == (SHAPES if item.dimension == "shape" else PLACES)
            told = (item.figure.shape, drawing.place(item.figure))
            assert item.options[item.right] in told

    assert len(asked) == 8
