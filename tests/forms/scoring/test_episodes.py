"""
A form judged whole, and its texts compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import pytest

from surefoot.forms.instance import Instance
from surefoot.forms.record import FieldEvent, RefusedValue, RunRecord, Submission
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.descriptions import overlap
from surefoot.forms.scoring.episodes import judge_episode
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Field, Form, Kind, Page

FORM = Form(
    "small",
    "Z1",
    "tests",
    {"en": "Small"},
    (
        Page(
            {"en": "One"},
            (
                Field("name", Kind.STRING, {"en": "Name"}, "person.full_name"),
                Field("why", Kind.DESCRIPTION, {"en": "Why"}, "text.essay"),
            ),
        ),
    ),
)
INSTANCE = Instance("small", 1, 0, 3, {"name": "Ada", "why": "Because it is there."})


def field(
    *, submitted: bool, collateral: bool = False, found_in: tuple[str, ...] = ()
) -> FieldScore:
    """Return the score of one field."""
    return FieldScore(
        "name",
        Kind.STRING,
        0,
        asked=True,
        mentioned=True,
        submitted=submitted,
        collateral=collateral,
        found_in=found_in,
    )


def record(*, submitted: bool = True, events: Sequence[FieldEvent] = ()) -> RunRecord:
    """Return what the server kept of a run."""
    raw: dict[str, tuple[str, ...]] = {"name": ("Ada",), "why": ("Because.",)}
    sent = Submission(1, raw, {"name": "Ada", "why": "Because."}, "00")
    return RunRecord(
        "t",
        "small",
        Rendering(),
        3,
        0,
        tuple(events),
        refused=(RefusedValue(1, "name", "missing", ""),),
        submissions=(sent,) if submitted else (),
    )


def test_right_means_accepted_complete_and_nothing_else() -> None:
    """One wrong field, one change too many or no submission makes an episode wrong."""
    cases = [
        (record(), [field(submitted=True)], True),
        (record(), [field(submitted=True), field(submitted=False)], False),
        (record(), [field(submitted=True, collateral=True)], False),
        (record(submitted=False), [field(submitted=True)], False),
    ]
    for kept, fields, right in cases:
        assert judge_episode(FORM, INSTANCE, kept, fields, agent="a").right is right


def test_an_episode_counts_refusals_and_corrections() -> None:
    """Coming back to a field and leaving it as it was is no correction."""
    events = [
        FieldEvent(number, 0, name, "input", value, number)
        for number, (name, value) in enumerate(
            [("name", "A"), ("name", "Ad"), ("why", "x"), ("name", "Ada"), ("why", "x")], 1
        )
    ]
    score = judge_episode(FORM, INSTANCE, record(events=events), [], agent="a")
    assert (score.refusals, score.corrections) == (1, 1)
    assert score.descriptions == (("Because.", "Because it is there."),)


def test_what_was_said_stands_beside_what_was_right() -> None:
    """Each description that was asked for has its pair, and none has where nobody watched."""
    told = FieldScore("why", Kind.DESCRIPTION, 0, asked=True, said="Since it is there.")
    unknown = msgspec.structs.replace(told, said=None)

    found, none = (
        judge_episode(FORM, INSTANCE, record(), [field(submitted=True), one], agent="a").spoken
        for one in (told, unknown)
    )

    assert found == {"why": ("Since it is there.", "Because it is there.")}
    assert none == {}


def test_what_a_field_passes_through_is_no_correction() -> None:
    """A date that is typed again, and told of at each of its parts, ends as it was."""
    told = [("name", "0006-09-05"), ("name", "2006-09-05"), ("why", "x"), ("name", "0006-09-05")]
    for last, count in (("2006-09-05", 0), ("2007-09-05", 1)):
        events = [
            FieldEvent(number, 0, name, "change", value, number)
            for number, (name, value) in enumerate([*told, ("name", last)], 1)
        ]
        score = judge_episode(FORM, INSTANCE, record(events=events), [], agent="a")
        assert score.corrections == count


def test_what_a_page_takes_away_is_no_correction() -> None:
    """Neither a page opened anew nor an option withdrawn is the hand of who fills in."""
    told: list[tuple[str, Literal["input", "clear", "reset"], str]] = [
        *(("name", "input", "Ada"), ("why", "input", "x")),
        *(("name", "reset", ""), ("why", "reset", "")),
        *(("name", "input", "Ada"), ("why", "input", "y"), ("name", "clear", "")),
        *(("why", "input", "y"), ("name", "input", "Bea")),
    ]
    events = [
        FieldEvent(number, 0, name, kind, value, number)
        for number, (name, kind, value) in enumerate(told, 1)
    ]
    score = judge_episode(FORM, INSTANCE, record(events=events), [], agent="a")
    assert score.corrections == 2  # "why", typed otherwise, and "name", emptied


def test_a_file_that_arrives_is_no_correction() -> None:
    """The server's word that a file came, after other fields, changes nothing but its hash."""
    held = [("cv", "cv.pdf"), ("name", "A"), ("cv", '{"name":"cv.pdf"}'), ("name", "Ada")]
    other = [*held, ("cv", "other.pdf"), ("cv", '{"name":"other.pdf"}')]
    for changes, count in ((held, 0), (other, 1)):
        events = [
            FieldEvent(number, 0, name, "upload" if "{" in value else "change", value, number)
            for number, (name, value) in enumerate(changes, 1)
        ]
        score = judge_episode(FORM, INSTANCE, record(events=events), [], agent="a")
        assert score.corrections == count


def test_overlap_is_that_of_sacrebleu() -> None:
    """BLEU and chrF are the library's own, named by their signatures; nothing gives nothing."""
    import sacrebleu

    pairs = [("the cat sat on a mat today", "the cat sat on the mat today"), ("a b c d e", "x y")]
    found = overlap(pairs)
    assert found is not None
    sent, right = [a for a, _ in pairs], [b for _, b in pairs]
    assert found.bleu == pytest.approx(sacrebleu.corpus_bleu(sent, [right]).score)
    assert found.chrf == pytest.approx(sacrebleu.corpus_chrf(sent, [right]).score)
    assert "tok:13a" in found.bleu_signature
    assert overlap([]) is None
