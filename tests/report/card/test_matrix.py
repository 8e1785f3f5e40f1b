"""
What became of each element, those of forms among them.
"""

from __future__ import annotations

from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.report.card.matrix import patterns_of, read_matrix


def _attempt(change: str, handed_in: dict[str, bool], agent: str = "ocr") -> Case:
    fields = tuple(
        FieldScore(name, "text", 0, asked=True, submitted=right)
        for name, right in handed_in.items()
    )
    unasked = FieldScore("notes", "text", 0, asked=False)
    score = EpisodeScore(
        "claim", 0, agent, Rendering(), (*fields, unasked), accepted=True, right=False
    )
    return Case(score, change=change)


def test_a_field_of_a_form_is_an_element_under_each_change() -> None:
    """A value that is lost under a theme alone is named so; what was not asked is no element."""
    attempts = [
        _attempt("", {"name": True, "sum": False}),
        _attempt("theme", {"name": False, "sum": False}),
        _attempt("", {"name": True, "sum": True}, agent="oracle"),
    ]
    found = read_matrix((), attempts, frozenset(), tolerance=0)

    assert [element.pair for element in found.elements] == ["claim#name", "claim#sum"]
    assert [(one.pillar, one.title, one.before) for one in found.columns] == [
        ("forms", "original", ""),
        ("forms", "theme", "original"),
    ]
    assert {cell.model for element in found.elements for cell in element.cells} == {"ocr"}
    patterns = {one.name: one.elements for one in patterns_of(found, {"ocr": frozenset()})}
    assert patterns == {
        "field of a form: hit when shown, missed under theme": ("claim#name",),
        "field of a form: missed throughout": ("claim#sum",),
    }
