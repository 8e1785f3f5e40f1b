"""
Tests of sentences: a text is cut without a loss, and never within a value.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.instance import ValueSpan
from surefoot.forms.letters.proof.clauses import clause_of, hidden, sentences

TEXT = "I am Dr. A. Who. Write to\nme. Yes!"


@given(text=st.text("ab. \nA!", max_size=40))
def test_sentences_hold_all_that_is_not_blank(text: str) -> None:
    """Pieces lie in order, agree with the text, and leave out only spaces and line ends."""
    cut = sentences(text)
    assert all(clause.text == text[clause.start : clause.end] for clause in cut)
    kept = "".join(clause.text for clause in cut)
    assert "".join(kept.split()) == "".join(text.split())


def test_a_value_with_full_stops_is_not_cut() -> None:
    """A name with full stops stays in one sentence while it is hidden."""
    spans = (ValueSpan("name", 5, 15, "verbatim"),)
    cut = sentences(hidden(TEXT, spans))
    assert [TEXT[clause.start : clause.end] for clause in cut] == [
        "I am Dr. A. Who.",
        "Write to",
        "me.",
        "Yes!",
    ]
    assert clause_of(spans[0], spans, hidden(TEXT, spans), cut).split() == ["I", "am", "."]


def test_a_value_alone_on_its_line_takes_the_line_before() -> None:
    """Under a heading, the heading says what the value is."""
    text = "The abstract:\n\nAll is well."
    spans = (ValueSpan("abstract", 15, len(text), "verbatim"),)
    masked = hidden(text, spans)
    assert "The abstract:" in clause_of(spans[0], spans, masked, sentences(masked))
