"""
The proof of a label counts out what the expression leaves, part by part.
"""

from __future__ import annotations

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction, Ordinal, Region
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.refer.scene.scene import Scene
from surefoot.view.proof import part_words, prove_label


def scene() -> Scene:
    """Return a screen of three buttons, of which two have one name."""
    elements = tuple(
        Element(
            name,
            "button",
            Box(20, top, 120, top + 24),
            name=said,
            visible_fraction=1.0,
            hits=(True,) * 5,
            name_boxes=(Box(30, top + 4, 80, top + 20),),
        )
        for name, said, top in (("a", "Save", 20), ("b", "Save", 90), ("c", "Send", 160))
    )
    return Scene(Screen("s", "p", "x", "", 400, 300, 1.0, "web", "en", elements), None)


def asked(expression: Expression, target: str) -> Question:
    """Return a question for a target by an expression."""
    words = Instruction("x", "en", "direct", "high", expression, target)
    return Question(
        "q", "p#a", "p", Cell("original", "direct"), "s", "", 400, 300, words, Box(0, 0, 1, 1)
    )


def test_each_part_leaves_fewer() -> None:
    """Three can be seen, three are buttons, one is named Send, and both resolvers agree."""
    proof = prove_label(asked(Expression(role="button", name="Send"), "c"), scene())

    assert proof is not None
    assert (proof.visible, [step.left for step in proof.steps]) == (3, [3, 1])
    assert [step.words for step in proof.steps] == ["its role is button", "its name is “Send”"]
    assert (proof.means, proof.second) == (True, "agrees")


def test_a_label_that_means_two_is_called_so() -> None:
    """Where two elements are left, the proof says that it is none."""
    proof = prove_label(asked(Expression(role="button", name="Save"), "a"), scene())

    assert proof is not None
    assert (proof.steps[-1].left, proof.means) == (2, False)
    assert proof.second.startswith("does not agree")


def test_words_of_a_data_set_have_no_proof() -> None:
    """Without an expression, or without the target on the screen, there is nothing to prove."""
    assert prove_label(asked(Expression(), "a"), scene()) is None
    assert prove_label(asked(Expression(role="button"), "gone"), scene()) is None


def test_parts_are_said_in_words() -> None:
    """Every kind of part has words that a reader understands without the code."""
    landmark = Expression(role="heading", name="Total")
    cases = {
        "name": (Expression(name="Sa", name_cut=True), "its name begins with “Sa”"),
        "region": (Expression(region=Region("top left")), "it is in the top left of the screen"),
        "size": (Expression(size="largest"), "it is the largest of these"),
        "ordinal": (
            Expression(ordinal=Ordinal(-1, "row")),
            "it is number 1 from the end of these in the row",
        ),
        "landmark": (
            Expression(direction="left of", landmark=landmark),
            "it is directly to the left of the 'Total' heading",
        ),
        "container": (
            Expression(container=Expression(role="form", name="Sign in")),
            "it is in the 'Sign in' form",
        ),
        "colour": (Expression(colour="red"), "its colour is “red”"),
    }
    for name, (expression, words) in cases.items():
        assert part_words(name, expression) == words
