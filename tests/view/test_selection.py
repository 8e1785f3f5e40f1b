"""
A selection holds what a person who reads every record would pick out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.failures.modes import MODES
from surefoot.failures.shares import NOT_JUDGED
from surefoot.view.looking import LookedAt
from surefoot.view.modes import tell_modes
from surefoot.view.selection import (
    FLIPS,
    NOT_TOLD,
    ORDERS,
    OUTCOMES,
    WRONG,
    Selection,
    query_of,
    read_selection,
    select,
)
from surefoot.view.table import AnswerOutcome, Flip, QuestionTable

TEXT: Final = st.text(max_size=12)


def fits(table: QuestionTable, row: int, chosen: Selection) -> bool:
    """Tell whether a question fits a selection, by looking at it alone."""
    question = table.question(row)
    cell = question.cell
    columns = {"variant": cell.variant, "kind": cell.instruction, "site": question.cluster}
    if any(getattr(chosen, name) not in ("", value) for name, value in columns.items()):
        return False
    texts = [question.instruction.text, question.pair, question.id]
    answers = [table.answer(number, row) for number in range(len(table.models))]
    texts += [answer.raw for answer in answers if answer]
    if not all(
        any(word.casefold() in text.casefold() for text in texts) for word in chosen.words.split()
    ):
        return False
    return any(
        chosen.model in ("", model) and _answered(table, number, row, chosen)
        for number, model in enumerate(table.models)
    )


def _answered(table: QuestionTable, number: int, row: int, chosen: Selection) -> bool:
    outcome = AnswerOutcome(int(table.outcome[number, row]))
    mode, flip = int(table.mode[number, row]), int(table.flip[number, row])
    results = [outcome.name.lower(), *(["wrong"] if outcome in WRONG else [])]
    name = NOT_TOLD if mode == NOT_JUDGED else tuple(MODES)[mode]
    flips = {Flip.LOST: "lost", Flip.GAINED: "gained"}
    return (
        chosen.outcome in ("", *results)
        and (not chosen.mode or (name == chosen.mode and outcome in WRONG))
        and chosen.flip in ("", flips.get(Flip(flip)))
    )


@pytest.fixture(scope="module")
def told(looked_at: LookedAt, tmp_path_factory: pytest.TempPathFactory) -> QuestionTable:
    """Return the table with the modes of its failures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUREFOOT_CACHE", str(tmp_path_factory.mktemp("cache")))
        looked_at.table.mode = tell_modes(looked_at.table)
    return looked_at.table


@given(data=st.data())
def test_a_selection_is_what_fits_it(told: QuestionTable, data: st.DataObject) -> None:
    """Any filters together hold the questions that fit them one by one, and no others."""

    def one_of(*values: str) -> str:
        return data.draw(st.sampled_from(["", "", *values]))

    chosen = read_selection(
        {
            "variant": one_of("original", "style", "none"),
            "kind": one_of("direct", "relational"),
            "site": one_of(*told.labels["site"].names),
            "model": one_of(*told.models, "nobody"),
            "outcome": one_of(*OUTCOMES),
            "mode": one_of(*MODES, NOT_TOLD),
            "flip": one_of(*FLIPS),
            "words": one_of("save", "ZEBRA", "zebra title", "site/a.html", "unheard"),
            "order": one_of(*ORDERS),
        }
    )
    expected = [row for row in range(len(told)) if fits(told, row, chosen)]

    assert sorted(select(told, chosen).tolist()) == expected


def test_one_model_against_another(told: QuestionTable) -> None:
    """What one model hits while another's reply is no hit is held, whoever else was asked."""
    steady, wavering = told.models
    found = select(
        told, Selection(model=steady, outcome="hit", against=wavering, other="wrong")
    ).tolist()

    assert found == np.isin(told.outcome[1], WRONG).nonzero()[0].tolist()
    assert found


def test_orders_are_kept(told: QuestionTable) -> None:
    """Questions come by the size of their target, by the farthest click, by who missed them."""
    boxes = [told.question(row).truth for row in range(len(told))]
    small = [boxes[row].area for row in select(told, Selection(order="small")).tolist()]
    far = select(told, Selection(model=told.models[1], order="far")).tolist()
    missed = np.isin(told.outcome, WRONG).sum(axis=0)
    hard = [int(missed[row]) for row in select(told, Selection(order="hard")).tolist()]

    assert small == sorted(small)
    away = [-1.0 if told.miss[1, row] != told.miss[1, row] else told.miss[1, row] for row in far]
    assert away == sorted(away, reverse=True)
    assert hard == sorted(hard, reverse=True)


@given(st.builds(Selection, role=TEXT, site=TEXT, words=TEXT, model=TEXT))
def test_every_selection_has_a_link(chosen: Selection) -> None:
    """The query of a selection leads back to it, whatever is in its names."""
    query = query_of(chosen, page=3)
    from urllib.parse import parse_qsl  # the reader is not ours

    assert read_selection(dict(parse_qsl(query[1:]))) == chosen


@pytest.mark.parametrize("query", [{"outcome": "lucky"}, {"flip": "both"}, {"order": "random"}])
def test_what_there_is_not_is_refused(query: dict[str, str]) -> None:
    """An outcome, a flip or an order of another name is a mistake, not an empty page."""
    with pytest.raises(InvalidInputError):
        read_selection(query)
