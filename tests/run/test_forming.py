"""
Live forms, filled in by agents under a real server in a real browser.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import PlanMismatchError, UnknownNameError
from surefoot.core.store import ObjectStore
from surefoot.forms.catalogue.reading import find_form
from surefoot.run.form_units import FormChoices, FormResult, renderings_of
from surefoot.run.forming import fill_in_forms, read_results


def chosen(*agents: str) -> FormChoices:
    """Return one form, for some agents."""
    return FormChoices(
        forms=(find_form("A15"),), agents=agents, renderings=renderings_of(["plain"], ["en"])
    )


@pytest.mark.browser
def test_the_oracle_is_right_and_nothing_is_had_for_nothing(tmp_path: Path) -> None:
    """The oracle's values all arrive, the null agent's none; a second command asks nothing."""
    first = fill_in_forms(chosen("oracle", "null"), tmp_path / "run", workers=1)
    assert (first.tally.done, first.tally.failed) == (2, 0)
    results = {each.score.agent: each for each in read_results(tmp_path / "run")}
    oracle, null = results["oracle"].score, results["null"].score
    assert oracle.right
    assert all(each.submitted and each.clicked for each in oracle.fields if each.asked)
    assert not any(each.mentioned or each.collateral for each in null.fields)
    assert not null.accepted
    check_pictures(tmp_path / "run", results["oracle"])

    kept = (tmp_path / "run" / "episodes.jsonl").read_bytes()
    again = fill_in_forms(chosen("oracle", "null"), tmp_path / "run", workers=1)
    assert (again.tally.done, again.tally.kept) == (0, 2)
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == kept
    with pytest.raises(PlanMismatchError):
        fill_in_forms(chosen("oracle"), tmp_path / "run", workers=1)


def check_pictures(folder: Path, result: FormResult) -> None:
    """Every picture lies in the run's store: what was shown, and each page as it was left."""
    store = ObjectStore(folder)
    assert result.turns
    assert [each.page for each in result.filled] == [0]
    for image in [each.image for each in result.turns] + [each.image for each in result.filled]:
        assert store.get(image).startswith(b"\x89PNG")
    held = {each.id: each.value for each in result.filled[0].fields}
    words = {each.field: each for each in result.words}
    assert held["email"] == (words["email"].expected,) == (words["email"].found,)
    assert words["program"].expected == words["program"].found != held["program"][0]


def test_an_unknown_agent_is_refused_before_anything_starts(tmp_path: Path) -> None:
    """A misspelt agent is named, and no folder is made."""
    with pytest.raises(UnknownNameError):
        fill_in_forms(chosen("oracel"), tmp_path / "run")
    assert not (tmp_path / "run").exists()
