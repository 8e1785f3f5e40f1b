"""
Figures and words agree: a mark is filled only where the corrected test says so.
"""

from __future__ import annotations

import tarfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.diagnose.findings import Diagnosis, Weakness
from surefoot.phrasing.tables import comparison_table
from surefoot.report.answers.sections import changes
from surefoot.report.diagnosis.sections import diagnosis_sections
from surefoot.report.forms.page import open_forms, score_forms
from surefoot.report.forms.sections import forms_sections
from surefoot.report.html.section import Figure
from surefoot.run.folders.folder import read_questions
from surefoot.score.conditions.rows import Condition, measured_rows
from surefoot.score.contrasts.comparisons import Comparison, corrected
from surefoot.score.metric import METRICS
from surefoot.score.scoring import Scoring
from surefoot.score.scorings.hits import HITS
from surefoot.score.scorings.overlap import OVERLAP
from surefoot.score.scorings.scatter import SCATTER
from surefoot.score.summary import Summary, summarise_rows
from tests.report.conftest import make_diagnosis

ANSWERS: Final = Path(__file__).parents[1] / "golden" / "inputs.tar.xz"
SURE: Final = 0.05
TONES: Final = {"loss", "gain", "open"}
STEPS: Final = ("original", "style", "zoom:1.5")
SIZES: Final = st.integers(0, 20).map(lambda twentieths: twentieths / 20)


def tones(figure: Figure) -> list[list[str]]:
    """Return the tones of a figure's marks, for a desk and for a phone."""
    drawings = ET.fromstring(figure.svg).findall("div/svg")
    return [
        [group.get("class", "") for group in drawing.iter("g") if group.get("class") in TONES]
        for drawing in drawings
    ]


def beyond_chance(family: Sequence[Comparison]) -> Iterator[Comparison]:
    """Step down from the smallest p-value to the first that its share of 5 % does not exceed."""
    for at, one in enumerate(sorted(family, key=lambda one: one.p)):
        if one.p >= SURE / (len(family) - at):
            break
        yield one


def verdicts(
    comparisons: Sequence[Comparison], *, more_is_better: bool
) -> Iterator[tuple[Comparison, str]]:
    """Judge comparisons of one metric, each family corrected by Holm's step-down rule."""
    families: dict[tuple[str, str, str], list[Comparison]] = {}
    for one in comparisons:
        pair = one.baseline if one.varies == "model" else ""
        families.setdefault((one.contrast, one.model, pair), []).append(one)
    sure = {id(one) for family in families.values() for one in beyond_chance(family)}
    for one in comparisons:
        if one.change is None or one.interval is None:
            continue
        apart = not one.interval.low <= 0 <= one.interval.high
        if not (id(one) in sure and apart and one.interval.clusters != 1):
            yield one, "open"
        else:
            yield one, "gain" if (one.change > 0) == more_is_better else "loss"


def assert_marks_are_verdicts(summary: Summary, figures: Sequence[Figure]) -> set[str]:
    """Hold each mark of the figures on changes to the verdict; return the tones that occur."""
    drawn = [figure for figure in figures if 'class="mark"' in figure.svg]
    seen: set[str] = set()
    for contrast in dict.fromkeys(one.contrast for one in summary.comparisons):
        for metric in summary.metrics:
            own = [
                one
                for one in summary.comparisons
                if (one.contrast, one.metric) == (contrast, metric.name)
            ]
            told = [tone for _, tone in verdicts(own, more_is_better=metric.higher_is_better)]
            if metric.unit == "diagonals" and contrast == "variant":
                told = ["open"] * len(told)  # pictures of other sizes are not compared
            if told:
                assert tones(drawn.pop(0)) == [told, told]
                seen |= set(told)
    assert not drawn
    return seen


def simulated(scoring: Scoring, seed: int, sites: int, effects: Sequence[float]) -> Summary:
    """Score two models under three variants that change what is measured by so much."""
    source = np.random.default_rng(seed)
    conditions, elements, clusters = [], [], []
    for model in ("careful", "hasty"):
        for kind in ("direct", "relational"):
            for variant in STEPS:
                for at in range(2 * sites):
                    conditions.append(Condition(model, False, kind, variant))  # noqa: FBT003
                    elements.append(at)
                    clusters.append(f"site {at % sites}")
    strength = np.array([effects[STEPS.index(one.variant)] for one in conditions])
    values = {}
    for name in scoring.metrics:
        drawn = source.random(len(conditions))
        share = METRICS.get(name).unit == "share"
        values[name] = (drawn < strength).astype(float) if share else drawn * strength
    words = source.choice(["a", "b"], (len(scoring.slices), len(conditions)))
    traits = {name: list(map(str, own)) for name, own in zip(scoring.slices, words, strict=True)}
    rows = measured_rows(conditions, elements, clusters, values, traits)
    compared = msgspec.structs.replace(scoring, descriptive=(), slices=())
    return summarise_rows(rows, compared)


@pytest.mark.parametrize("scoring", [HITS, SCATTER, OVERLAP], ids=lambda one: one.name)
@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.tuples(SIZES, SIZES, SIZES))
def test_a_mark_is_filled_where_the_corrected_test_is_sure(
    scoring: Scoring, seed: int, sites: int, effects: tuple[float, float, float]
) -> None:
    """Marks of simulated scores are gains, losses or open as Holm's thresholds judge them."""
    summary = simulated(scoring, seed, sites, effects)

    seen = assert_marks_are_verdicts(summary, changes(summary).figures)

    assert sites > 1 or seen <= {"open"}


def test_words_say_what_marks_show() -> None:
    """The verdict in a word beside a comparison is the tone of its mark; all three occur."""
    summary = simulated(HITS, 1, 9, (0.5, 0.05, 0.95))
    told = [
        (row[-1], tone)
        for metric in summary.metrics
        for row, (_, tone) in zip(
            comparison_table(summary, metric)[1],
            verdicts(
                [one for one in summary.comparisons if one.metric == metric.name],
                more_is_better=metric.higher_is_better,
            ),
            strict=True,
        )
    ]

    assert {tone for _, tone in told} == TONES
    for word, tone in told:
        assert word == tone or (tone == "open" and word in {"may be chance", "the same"})


def test_marks_of_forms_are_verdicts(tmp_path: Path) -> None:
    """So do the marks in the report on forms that were really filled in."""
    with tarfile.open(ANSWERS) as archive:
        archive.extractall(tmp_path, filter="data")
    summary = score_forms(open_forms([tmp_path / "forms", tmp_path / "forms-bare"]))
    (section,) = (one for one in forms_sections(summary) if one.id == "changes")

    tested = summary.only(("submitted", "right"))
    assert assert_marks_are_verdicts(tested, section.figures)


@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1), st.integers(2, 7))
def test_marks_of_weaknesses_are_verdicts(drawn: Path, seed: int, sites: int) -> None:
    """A weakness is filled where Holm's thresholds are sure, of features as of confusions."""
    found = simulated(HITS, seed, sites, (0.5, 0.1, 0.9)).comparisons
    given_profile: list[Weakness] = []
    template, *_ = make_diagnosis(list(read_questions(drawn)), "walker").profile
    for contrast in ("feature", "confusion"):
        own = [
            msgspec.structs.replace(one, contrast=contrast)
            for one in found
            if (one.model, one.metric, one.varies) == ("careful", "hit", "variant")
        ]
        given_profile += [
            msgspec.structs.replace(template, comparison=one) for one in corrected(own)
        ]
    diagnosis: Diagnosis = msgspec.structs.replace(
        make_diagnosis(list(read_questions(drawn)), "walker"), profile=tuple(given_profile)
    )
    (section,) = (one for one in diagnosis_sections([diagnosis], []) if one.id == "profile")

    drawings = [figure for figure in section.figures if figure.svg]
    for figure, contrast in zip(drawings, ("feature", "confusion"), strict=True):
        own = [one.comparison for one in given_profile if one.comparison.contrast == contrast]
        told = [tone for _, tone in verdicts(own, more_is_better=False)]
        assert tones(figure) == [told, told]
