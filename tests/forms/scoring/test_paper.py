"""
The paper's table and figures, against counts made one by one.
"""

from __future__ import annotations

from collections import Counter
from statistics import mean

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.descriptions import sentence_bleu
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.scoring.paper import (
    COLUMNS,
    EPISODIC,
    PaperScores,
    difficulty_groups,
    paper_scores,
    smoothed,
    types_of,
)
from surefoot.forms.specification import KINDS, Kind

RULERS = {0: "no ruler", 100: "ruler every 100 px"}


def of(cases: list[Case], agent: str, ruler: int) -> list[EpisodeScore]:
    """Return an agent's attempts under a ruler."""
    return [one.score for one in cases if (one.score.agent, one.ruler) == (agent, ruler)]


def scores(cases: list[Case], agent: str) -> PaperScores:
    """Score an agent's attempts."""
    own = [one for one in cases if one.score.agent == agent]
    found = paper_scores(own, difficulty_groups(cases))
    assert found is not None
    return found


def test_every_kind_but_files_has_one_column() -> None:
    """Table 2 has seven columns of fields, which share no kind; the paper uploads nothing."""
    columns = {name: kind.column for name, kind in KINDS.entries.items() if kind.column}

    assert len(COLUMNS) == 7
    assert set(columns.values()) == set(COLUMNS)
    assert sorted(columns) == sorted(set(Kind) - {Kind.FILE})
    assert [name for name in columns if columns[name] == "Checkbox"] == [Kind.MULTI_CHOICE]
    assert [name for name in columns if columns[name] == "Check"] == [Kind.CHECKBOX]


@pytest.mark.parametrize("agent", ["careful", "hasty"])
@pytest.mark.parametrize("ruler", [0, 100])
def test_the_columns_are_what_a_count_says(cases: list[Case], agent: str, ruler: int) -> None:
    """Click and Value of each column count its fields; of descriptions Value is a mean BLEU."""
    found, mine = scores(cases, agent), of(cases, agent, ruler)
    fields = [field for score in mine for field in score.fields if field.asked]
    told = {
        (one.metric, one.value): (one.n, one.amount)
        for metric in ("click", "value", "by_meaning")
        for one in found.of(metric, "column", RULERS[ruler])
        if one.value != EPISODIC
    }

    expected: dict[tuple[str, str], tuple[int, object]] = {}
    for name in COLUMNS:
        own = [field for field in fields if field.traits.column == name]
        if not own:
            continue
        expected["click", name] = len(own), pytest.approx(mean(bool(f.aimed) for f in own))
        if name == "Description":
            pairs = [pair for score in mine for pair in score.spoken.values()]
            bleu = mean(sentence_bleu(*pair) for pair in pairs)
            expected["value", name] = len(own), pytest.approx(bleu)
        else:
            expected["value", name] = len(own), pytest.approx(mean(bool(f.mentioned) for f in own))
            meant = mean(bool(f.by_meaning) for f in own)
            expected["by_meaning", name] = len(own), pytest.approx(meant)
    assert told == expected
    assert {name for _, name in told} == {"String", "Date", "Description"}


@pytest.mark.parametrize("agent", ["careful", "hasty"])
def test_an_episode_is_right_where_all_its_fields_are(cases: list[Case], agent: str) -> None:
    """Files take no part, and descriptions none in Value, whose BLEU is no yes or no."""
    found = scores(cases, agent)
    for metric, level, left_out in (
        ("click", "aimed", {Kind.FILE}),
        ("value", "mentioned", {Kind.FILE, Kind.DESCRIPTION}),
    ):
        (one,) = (s for s in found.of(metric, "column", RULERS[0]) if s.value == EPISODIC)
        asked = [
            [getattr(f, level) for f in score.fields if f.asked and f.kind not in left_out]
            for score in of(cases, agent, 0)
        ]
        assert (one.n, one.total) == (len(asked), sum(map(all, asked)))


@pytest.mark.parametrize("trait", ["", "group", "fields", "types", "fields and types"])
def test_figures_divide_the_same_fields(cases: list[Case], trait: str) -> None:
    """Whatever a figure is drawn over, its parts have the fields that are typed into, once."""
    found = scores(cases, "hasty")
    mine = of(cases, "hasty", 100)
    kinds = {Kind.STRING, Kind.DESCRIPTION}
    typed = [f for score in mine for f in score.fields if f.asked and f.kind in kinds]
    parts = found.of("typed_click", trait, RULERS[100])  # type: ignore[arg-type]
    assert sum(one.n for one in parts) == len(typed)
    assert sum(one.total for one in parts) == sum(bool(field.aimed) for field in typed)
    if trait == "fields":
        by_size: Counter[str] = Counter()
        for score in mine:
            by_size[str(len(score.fields))] += sum(field in typed for field in score.fields)
        assert {one.value: one.n for one in parts} == by_size


def sized(form: str, *kinds: Kind) -> Case:
    """Return an attempt at a form of such fields."""
    fields = tuple(
        FieldScore(f"f{at}", kind, 0, asked=True, mentioned=None) for at, kind in enumerate(kinds)
    )
    return Case(EpisodeScore(form, 0, "a", Rendering(), fields, accepted=True, right=True))


def test_groups_are_of_one_size_and_go_by_fields_and_types() -> None:
    """Ten forms make five pairs, more fields in later ones, and of as many fields more types."""
    cases = [sized(f"plain{n}", *[Kind.STRING] * n) for n in range(1, 6)]
    cases += [sized(f"mixed{n}", *[Kind.STRING] * (n - 1), Kind.DATE) for n in range(2, 7)]

    found = difficulty_groups(cases)

    groups: dict[str, list[str]] = {}
    for form, group in found.items():
        groups.setdefault(group, []).append(form)
    assert groups == {
        "1: 1 to 2 fields, 1 type": ["plain1", "plain2"],
        "2: 2 to 3 fields, 1 to 2 types": ["mixed2", "plain3"],
        "3: 3 to 4 fields, 1 to 2 types": ["mixed3", "plain4"],
        "4: 4 to 5 fields, 1 to 2 types": ["mixed4", "plain5"],
        "5: 5 to 6 fields, 2 types": ["mixed5", "mixed6"],
    }
    assert len(set(difficulty_groups(cases[:3]).values())) == 3


def test_types_are_the_papers() -> None:
    """A line of words is one type, whatever words; all else is a type of its own."""
    words = (Kind.STRING, Kind.EMAIL, Kind.TELEPHONE, Kind.URL, Kind.PASSWORD)
    assert types_of(sized("x", *words).score.fields) == 1
    assert types_of(sized("x", *Kind).score.fields) == 9


def test_what_nobody_watched_has_no_number(cases: list[Case]) -> None:
    """A desk's attempts, of which neither clicks nor replies are known, are in no table."""
    assert paper_scores([sized("x", Kind.STRING)], {"x": "1"}) is None
    silent = [
        msgspec.structs.replace(
            one,
            score=msgspec.structs.replace(
                one.score,
                fields=tuple(
                    msgspec.structs.replace(f, aimed=None, said=None) for f in one.score.fields
                ),
            ),
        )
        for one in cases
    ]
    older = paper_scores(silent, difficulty_groups(silent))
    assert older is not None
    assert {one.metric for one in older.scores} == {"value", "by_meaning", "accuracy"}
    assert not older.bleu


@given(numbers=st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_smoothing_is_a_mean_of_three(numbers: list[float]) -> None:
    """Each number becomes the mean of itself and its neighbours, as far as there are any."""
    padded = [None, *numbers, None]
    expected = [
        mean(one for one in padded[at : at + 3] if one is not None) for at in range(len(numbers))
    ]

    assert smoothed(numbers) == pytest.approx(expected)
