"""
Lines with their labels are read as they were asked for, or refused.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.dimensions.lines import read_lines


@given(st.text(st.sampled_from("QA:\uff1a *\n-x"), max_size=30))
def test_any_reply_is_read_or_refused(reply: str) -> None:
    """Whatever is said, all lines come out in their order, or a reason does."""
    found = read_lines(reply, "QA")

    assert isinstance(found, str) or list(found) == ["Q", "A"]


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=5, max_size=5
    )
)
def test_lines_come_out_as_they_were(words: list[str]) -> None:
    """Each line of a reply in the form that was asked for is read as it is."""
    labels = "QABCD"
    reply = "\n".join(f"{label}: x{said}x" for label, said in zip(labels, words, strict=True))

    assert read_lines(reply, labels) == {
        label: f"x{said}x" for label, said in zip(labels, words, strict=True)
    }
