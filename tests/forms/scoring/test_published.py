"""
Published values that no form takes: left out of every number, and counted.
"""

from __future__ import annotations

from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.instance import Instance
from surefoot.forms.record import RunRecord, Submission
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.attempt import Attempt
from surefoot.forms.scoring.cases import Case, check_distinct
from surefoot.forms.scoring.episodes import EpisodeScore, judge_episode
from surefoot.forms.scoring.fields import score_fields
from surefoot.forms.scoring.published import PublishedValues, count_published, published_sentence
from surefoot.forms.scoring.summary import summarise_forms
from surefoot.forms.specification import Form
from surefoot.forms.values.formfactory import as_published
from surefoot.report.forms.sections import forms_lines, forms_sections

FORM: Form = as_published(find_form("E12"))
LEFT = {"account_type": "not-an-option", "id_type": "no-value", "Odd": "no-field"}


def score(sent: dict[str, str], left: dict[str, str] | None = None) -> EpisodeScore:
    """Judge what was sent where two fields have no right value."""
    right = Instance(FORM.id, 1, 0, 1, {"full_name": "Ana Lee", "id_number": "77"})
    raw: dict[str, tuple[str, ...]] = {name: (text,) for name, text in sent.items()}
    attempt = Attempt(held=raw, submitted=raw)
    kept = RunRecord("t", FORM.id, Rendering(), 1, 0, submissions=(Submission(1, raw, {}, "0"),))
    fields = score_fields(FORM, right, attempt)
    return judge_episode(FORM, right, kept, fields, agent="a", left_out=left)


def test_what_stands_where_nothing_is_known_counts_nowhere() -> None:
    """A form is right whatever its unknown fields hold, and not where a known one is touched."""
    sent = {"full_name": "Ana Lee", "id_number": "77", "account_type": "savings"}

    assert score(sent, LEFT | {"date_of_birth": "no-value"}).right
    assert not score(sent).right
    assert not score({**sent, "date_of_birth": "1990-01-01"}, LEFT).right


def test_both_counts_are_in_the_summary_and_the_report() -> None:
    """Values asked for and left out are told by reason, in the lines and in a section."""
    one = score({"full_name": "Ana Lee"}, LEFT | {"date_of_birth": "no-value"})
    summary = summarise_forms([Case(one, source="formfactory")])

    found = summary.details["published"]["a"]
    assert found == PublishedValues(2, 0, {"not-an-option": 1, "no-field": 1}, 2)
    told = published_sentence(found)
    assert told.startswith("Of 4 published values 2 are asked for")
    assert told in forms_lines(summary)
    section = next(one for one in forms_sections(summary) if one.id == "published")
    assert ("a", "2", "0", "1", "1", "2") in section.figures[0].table.rows
    submitted = next(item for item in summary.scores if item.metric == "submitted")
    assert (submitted.n, submitted.total) == (2, 1)
    assert not [item for item in summary.scores if item.metric == "collateral" and item.n]


def test_made_values_are_no_published_ones() -> None:
    """Without a source nothing is told, and the same number of a form is another attempt."""
    one = score({"full_name": "Ana Lee"}, LEFT)

    assert summarise_forms([Case(one)]).details["published"] == {}
    check_distinct([Case(one), Case(one, source="formfactory")])
    assert count_published([]) == PublishedValues(0, 0, {}, 0)
