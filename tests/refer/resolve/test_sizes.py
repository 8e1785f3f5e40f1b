"""
Sizes: every part counts, and dropping one makes an expression smaller.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.instruction import Expression, Ordinal, Region
from surefoot.refer.resolve.sizes import parts_of, size_of, without

NAMES = st.sampled_from(["", "Save", "Sign in"])
PLAIN = st.builds(Expression, text=st.sampled_from(["Total", "Net worth"]), role=NAMES)
EXPRESSIONS = st.builds(
    Expression,
    role=st.sampled_from(["", "button"]),
    name=NAMES,
    label=NAMES,
    colour=st.sampled_from(["", "red"]),
    landmark=PLAIN,
    direction=st.sampled_from(["above", "left of"]),
    container=st.none() | PLAIN,
    region=st.none() | st.just(Region("top")),
    ordinal=st.none() | st.just(Ordinal(2, "row")),
)


@given(EXPRESSIONS)
def test_without_a_part_is_smaller_and_lacks_it(expression: Expression) -> None:
    """Dropping any part leaves all others and makes the size smaller."""
    for part in parts_of(expression):
        rest = without(expression, part)
        assert set(parts_of(rest)) == set(parts_of(expression)) - {part}
        assert size_of(rest) < size_of(expression)


def test_a_landmark_goes_with_its_direction() -> None:
    """A direction without its landmark, or the other way round, is never made."""
    expression = Expression(
        role="button", relation="between", landmark=Expression(text="A"),
        second=Expression(text="B"),
    )  # fmt: skip

    assert without(expression, "landmark") == Expression(role="button")
