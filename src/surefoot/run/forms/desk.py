"""
What came of the episodes of a desk, as the results of a run over forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from surefoot.core.ledger import Ledger
from surefoot.forms.desk.cases import Cases
from surefoot.forms.desk.keys import EpisodeKeys, episodes_of
from surefoot.forms.desk.standing import attempt_of_record
from surefoot.forms.server.runs import record
from surefoot.forms.specification import said
from surefoot.run.folders.folder import export
from surefoot.run.forms.running import FAILURES, FORMS_VERSION, RESULTS
from surefoot.run.forms.units import FormResult
from surefoot.run.forms.words import words_of


def is_desk(folder: Path) -> bool:
    """Tell whether programs or persons opened episodes in a folder."""
    return bool(episodes_of(folder))


def write_episodes(folder: Path) -> int:
    """
    Write what came so far of a desk's episodes for agents, and return how many there are.

    Those of a person are left out. Of several episodes of one agent with the same form,
    instance, seed, look and paper the last counts. Raises FolderBusyError where the folder
    has another writer, and PlanMismatchError for a folder that another command wrote.
    """
    cases = Cases(folder, 0)
    with Ledger.open(folder, {"kind": "forms", "forms": FORMS_VERSION, "played": "at a desk"}):
        results = list(_results(cases))
        export(folder, "forms", {RESULTS: results, FAILURES: ()})
    return len(results)


def _results(cases: Cases) -> Iterator[FormResult]:
    last: dict[tuple[object, ...], EpisodeKeys] = {}
    for keys in episodes_of(cases.folder):
        if keys.agent:
            run = cases.case(keys).run
            played = (run.form.id, run.instance, run.seed, run.rendering, keys.handed, keys.agent)
            last[played] = keys
    for keys in last.values():
        yield _result(cases, keys)


def _result(cases: Cases, keys: EpisodeKeys) -> FormResult:
    case = cases.case(keys)
    form, kept = case.run.form, record(cases.folder, keys.token)
    score = cases.stand(case).score
    return FormResult(
        keys.id,
        score,
        turns=(),
        level=keys.handed,
        title=said(form.title, "en"),
        seed=case.run.seed,
        words=words_of(form, case.instance, attempt_of_record(form, kept)),
    )
