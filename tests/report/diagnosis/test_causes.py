"""
What is said of a cause: pictures on either side, how many more there are, what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.diagnose.findings import ClassExample, ClassFacts, Confirmation, Diagnosis
from surefoot.diagnose.folder import read_diagnosis
from surefoot.diagnose.summary import diagnosis_headline, overview_sentences
from surefoot.report.diagnosis.causes import cause_figures

PICTURE = "data:image/webp;base64,AAAA"


@pytest.fixture
def told(diagnosis_folder: Callable[..., Path], tmp_path: Path) -> Diagnosis:
    """Return a diagnosis whose first weakness has facts, and holds on two sites."""
    found = read_diagnosis(diagnosis_folder(tmp_path / "walker"))
    weakness = next(one for one in found.profile if one.said)
    facts = ClassFacts(
        inside=(ClassExample("a.html", "Click <it>", PICTURE, hit=False),),
        outside=(ClassExample("b.html", "Click that", PICTURE, hit=True),),
        more=7,
        of=90,
        data="train on small targets",
        asking="zoom in",
        page="",
    )
    confirmed = Confirmation(
        20, 16, 20, 0, 0.8, None, held=True, sites=2, elements=8, p_here=0.002, level=0.0125
    )
    better = msgspec.structs.replace(weakness, facts=facts, confirmed=confirmed)
    rest = tuple(one for one in found.profile if one is not weakness)
    return msgspec.structs.replace(found, profile=(better, *rest))


def test_a_cause_has_pictures_and_what_to_do(told: Diagnosis) -> None:
    """Both sides are drawn, words are escaped, and the advice stands below."""
    figure = next(cause_figures(told))

    assert figure.svg.count("<image") == 2 * 2, "for a desk, and for a phone"
    assert "Click &lt;it&gt;" in figure.svg
    assert "7 more such controls on these screens." in figure.svg
    assert "To do: train on small targets; or zoom in." in figure.note
    assert ("to do: train", "train on small targets") in figure.table.rows
    assert ("controls of the class not asked about", "7 of 90") in figure.table.rows


def test_the_first_screen_says_where_it_holds(told: Diagnosis) -> None:
    """A cause that holds on two sites is not said of others."""
    headline = diagnosis_headline(told)

    assert headline.sentence.endswith(", on the 2 sites that have it.")
    assert headline.numbers[-1].value == "16 of 20"
    assert headline.numbers[-1].words.endswith("for other sites nothing follows")


def test_every_further_cause_has_a_sentence(told: Diagnosis) -> None:
    """What is said beside the first cause stands in the list of sentences, each once."""
    first = told.profile[0]
    second = msgspec.structs.replace(first, words="misses links in footers", confirmed=None)
    both = msgspec.structs.replace(told, profile=(first, second, *told.profile[1:]))

    alone, listed = overview_sentences(told), overview_sentences(both)

    assert listed[0] == alone[0] == diagnosis_headline(told).sentence
    assert listed[1:] == (f"{told.model} also misses links in footers.", *alone[1:])


def test_what_is_not_said_is_not_drawn(told: Diagnosis) -> None:
    """Only causes that are said have a figure."""
    silent = tuple(msgspec.structs.replace(one, named=False) for one in told.profile)

    assert list(cause_figures(msgspec.structs.replace(told, profile=silent))) == []
