"""
Scoring by language: profiles, FPR-ACC, agreement over languages, each against plain counting.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Choice, Parsed, Question, Refusal, Unparsed
from surefoot.score.outcomes import Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.multilingual import DIMENSIONS, MULTILINGUAL, fpr_acc
from surefoot.score.summary import Summary, summarise

LANGUAGES = ("original", "zh", "th")
SITES = 5


def question(dimension: str, language: str, site: int, number: int) -> Question:
    """Return a question whose right answer is B."""
    pair = f"{dimension}/{site}/{number}"
    words = Instruction("?", language, "given", "high", Expression(), "")
    return Question(
        id=f"{pair}/{language}",
        pair=pair,
        cluster=f"site {site}",
        cell=Cell(language, dimension),
        screen="s",
        image="",
        width=9,
        height=9,
        instruction=words,
        truth=Box(0, 0, 0, 0),
        answers=("B",),
        asks="option",
        options=tuple("ABCD"),
    )


def answered(asked: Question, parsed: Parsed | None, model: str = "m") -> Record:
    """Pair a question with an answer; None for a failure."""
    return model, asked, None if parsed is None else Answer(asked.id, "", parsed)


def drawn(seed: int = 7) -> list[Record]:
    """Return random answers of every sort to every dimension in three languages."""
    random = np.random.default_rng(seed)
    said: list[Parsed | None] = [Choice("B"), Choice("A"), Unparsed("?"), Refusal("no"), None]
    return [
        answered(
            question(dimension, language, site, number),
            said[random.choice(5, p=[0.6, 0.25, 0.05, 0.05, 0.05])],
        )
        for dimension, language, site, number in itertools.product(
            DIMENSIONS, LANGUAGES, range(SITES), range(3)
        )
    ]


def scored(rows: list[Record]) -> Summary:
    """Score answers by language."""
    return summarise(tabulate_for(MULTILINGUAL, by_model(rows)), MULTILINGUAL)


def right(answer: Answer) -> bool:
    """Tell whether an answer is the right label."""
    return answer.parsed == Choice("B")


def test_accuracy_is_the_share_of_right_answers_by_dimension_and_language() -> None:
    """Counted one by one, unreadable replies and refusals are wrong, failures are left out."""
    rows = drawn()
    counts: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for _, asked, answer in rows:
        if answer is not None:
            counts[asked.cell.variant, asked.cell.instruction].append(right(answer))

    profiles = scored(rows).details["languages"]

    assert [profile.language for profile in profiles] == ["original", "th", "zh"]
    for profile in profiles:
        for name in DIMENSIONS:
            told = counts[profile.language, name]
            assert profile.n[name] == len(told)
            assert profile.accuracy[name] == pytest.approx(sum(told) / len(told))


def test_fpr_acc_weighs_sequences_more() -> None:
    """It is the sum of six accuracies, 3/2 of a seventh and twice an eighth, over 19/2."""
    twentieths = (17, 19, 13, 11, 12, 9, 16, 7)
    shares = {name: Fraction(n, 20) for name, n in zip(DIMENSIONS, twentieths, strict=True)}
    six = [shares[name] for name in ("wf", "wi", "au", "ap", "ael", "rel")]
    expected = (sum(six) + Fraction(3, 2) * shares["ri"] + 2 * shares["si"]) / Fraction(19, 2)

    found = fpr_acc({name: float(share) for name, share in shares.items()})

    assert found == pytest.approx(float(expected))
    assert all(
        fpr_acc({other: 1.0 for other in DIMENSIONS if other != name}) is None
        for name in DIMENSIONS
    )


def test_the_interval_of_fpr_acc_leaves_each_application_out() -> None:
    """Recomputed without one site at a time; all right and all wrong have a width as well."""
    rows = drawn()

    def value(kept: list[Record]) -> float:
        (profile,) = (one for one in scored(kept).details["languages"] if one.language == "zh")
        assert profile.fpr_acc is not None
        return float(profile.fpr_acc)

    left_out = [
        value([row for row in rows if row[1].cluster != f"site {site}"]) for site in range(SITES)
    ]
    error = math.sqrt(sum((one - value(rows)) ** 2 for one in left_out))
    (zh,) = (one for one in scored(rows).details["languages"] if one.language == "zh")

    assert zh.interval.standard_error == pytest.approx(error)
    assert zh.interval.clusters == SITES
    assert 0 < zh.interval.low < zh.fpr_acc < zh.interval.high < 1
    perfect: list[Record] = [
        (model, asked, msgspec.structs.replace(answer, parsed=Choice(asked.answers[0])))
        for model, asked, answer in rows
        if answer is not None
    ]
    for profile in scored(perfect).details["languages"]:
        assert profile.fpr_acc == 1.0
        assert profile.interval.low < 1.0 == profile.interval.high


def test_without_all_dimensions_there_is_no_fpr_acc() -> None:
    """Four dimensions have accuracies, and no number that would be taken for the paper's."""
    rows = [row for row in drawn() if row[1].cell.instruction in {"wf", "wi", "ael", "rel"}]
    assert {profile.fpr_acc for profile in scored(rows).details["languages"]} == {None}


def test_agreement_counts_items_over_languages() -> None:
    """Items with an answer in every language, right in all, in none, and flips from English."""
    rows = drawn()
    items: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for _, asked, answer in rows:
        if answer is not None:
            items[asked.pair][asked.cell.variant] = right(answer)
    whole = [told for told in items.values() if len(told) == len(LANGUAGES)]

    (agreement,) = scored(rows).details["agreement"]

    assert agreement.languages == ("original", "th", "zh")
    assert agreement.items == len(whole) < len(items)
    assert agreement.all_right.amount == pytest.approx(
        sum(all(told.values()) for told in whole) / len(whole)
    )
    assert agreement.all_wrong == pytest.approx(
        sum(not any(told.values()) for told in whole) / len(whole)
    )
    for flips in agreement.flips:
        both = [
            (told["original"], told[flips.language])
            for told in items.values()
            if {"original", flips.language} <= told.keys()
        ]
        assert (flips.n, flips.lost, flips.gained) == (
            len(both), both.count((True, False)), both.count((False, True))
        )  # fmt: skip


def test_the_gap_to_english_is_a_matched_pair_over_applications() -> None:
    """Each language is compared with English within a dimension, on the same items."""
    rows = drawn()
    found = {
        (one.variant, one.instruction): one
        for one in scored(rows).comparisons
        if one.contrast == "variant"
    }
    known = {(asked.pair, asked.cell.variant): answer for _, asked, answer in rows}
    changes = [
        float(right(there)) - float(right(here))
        for (pair, language), there in known.items()
        if language == "th" and pair.startswith("rel/") and there is not None
        if (here := known[pair, "original"]) is not None
    ]

    assert set(found) == {(language, name) for language in ("zh", "th") for name in DIMENSIONS}
    assert found["th", "rel"].change == pytest.approx(sum(changes) / len(changes))
    assert found["th", "rel"].clusters == SITES


def test_one_language_agrees_with_nothing() -> None:
    """Without a second language there is a profile and no agreement."""
    rows = [row for row in drawn() if row[1].cell.variant == "original"]
    details = scored(rows).details
    assert len(details["languages"]) == 1
    assert details["agreement"] == ()


def test_models_stand_apart() -> None:
    """A second model changes no number of the first."""
    rows = drawn()
    others = [answered(asked, Choice("B"), "n") for _, asked, _ in rows]
    alone, both = scored(rows).details, scored(rows + others).details
    assert [one for one in both["languages"] if one.model == "m"] == [*alone["languages"]]
    assert [one for one in both["agreement"] if one.model == "m"] == [*alone["agreement"]]
    (perfect,) = (one for one in both["agreement"] if one.model == "n")
    assert (perfect.all_right.amount, perfect.all_wrong) == (1.0, 0.0)


def test_letters_are_scored_by_text_and_by_probabilities() -> None:
    """Both accuracies and their agreement are plain counts, of what has probabilities alone."""
    told: list[tuple[Parsed, dict[str, float]]] = [
        (Choice("B"), {"B": 0.7, "A": 0.2}),  # right by both
        (Choice("A"), {"B": 0.5, "A": 0.4}),  # right by probabilities alone
        (Choice("B"), {"C": 0.9}),  # right by text alone
        (Unparsed("?"), {"B": 0.4, "D": 0.4}),
        (Choice("B"), {}),
    ]
    records: list[Record] = []
    for number, (parsed, probabilities) in enumerate(told):
        asked = question("wf", "original", number, number)
        answer = Answer(asked.id, "", parsed, probabilities=probabilities)
        records.append(("m", asked, answer))
    scores = summarise(tabulate_for(MULTILINGUAL, by_model(records)), MULTILINGUAL).scores
    found = {score.metric: (score.amount, score.n) for score in scores}
    assert found["hit"] == (3 / 5, 5)
    assert found["letter_hit"] == (3 / 4, 4)
    assert found["letter_agreement"] == (1 / 4, 4)


def test_screen_and_words_have_a_language_each() -> None:
    """A model that needs both in one language is right there alone; other tables leave it be."""
    names = {"en": "original", "zh": "zh", "th": "th"}
    rows = []
    for site, number, shown, asked in itertools.product(range(SITES), range(2), names, names):
        variant = names[shown] + (f"+asked-{asked}" if shown != asked else "")
        said = Choice("B" if shown == asked else "A")
        rows.append(answered(question("wf", variant, site, number), said))
    lost = msgspec.structs.replace(rows[0][1], id="lost", pair="lost")
    rows.append(answered(lost, Choice("A")))  # asked in one language alone
    found = scored(rows).details

    crossed = {(one.shown, one.asked): one.score for one in found["crossed"]}
    assert set(crossed) == set(itertools.product(names, names))
    assert {key: score.amount for key, score in crossed.items()} == {
        (shown, asked): float(shown == asked) for shown, asked in crossed
    }
    assert {score.n for score in crossed.values()} == {SITES * 2}
    assert [one.language for one in found["languages"]] == ["original", "th", "zh"]
    assert found["agreement"][0].languages == ("original", "th", "zh")
    assert scored(drawn()).details["crossed"] == ()
