"""
The built-in agents on a real server: what they send is what arrives, or fails to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from surefoot.capture.web.browser import Browser
from surefoot.core.errors import InvalidInputError
from surefoot.forms.agents.ocr import ScanFiller
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.agent import AGENTS, FormTask, open_agent
from surefoot.forms.driver.episode import Episode, run_episode
from surefoot.forms.instance import Instance
from surefoot.forms.record import RunRecord
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve
from surefoot.forms.values.making import make_instance
from surefoot.run.forms.workers import prepare_task

Player = Callable[..., tuple[Instance, Episode, RunRecord]]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Player]:
    """Lend a server: play an agent on a form and return what arrived."""
    folder = tmp_path_factory.mktemp("runs")
    files = tmp_path_factory.mktemp("files")

    with serve(folder) as base:

        def run(
            agent: str, code: str, rendering: Rendering, seed: int = 1
        ) -> tuple[Instance, Episode, RunRecord]:
            form = find_form(code)
            instance = make_instance(form, seed=seed, index=0)
            token = open_run(folder, form, rendering, instance=0, seed=seed)
            task = prepare_task(form, instance, files / code, language=rendering.language)
            episode = run_episode(browser, f"{base}/r/{token}/", open_agent(agent, task), task)
            return instance, episode, record(folder, token)

        yield run


@pytest.mark.browser
@pytest.mark.parametrize(
    ("code", "rendering"),
    [
        ("A15", Rendering(language="ja", direction="rtl", layout="table", theme="night")),
        ("H12", Rendering(language="fr", layout="two-columns")),
    ],
)
def test_the_oracle_is_right_everywhere(play: Player, code: str, rendering: Rendering) -> None:
    """Every value of every kind arrives on the server, over pages, languages and layouts."""
    instance, episode, kept = play("oracle", code, rendering)

    assert episode.ended == "submitted"
    assert len(kept.submissions) == 1
    arrived = kept.submissions[0].values
    assert {name: arrived[name] for name in instance.values} == instance.values
    assert not kept.refused
    assert all(effect.settled for step in episode.steps for effect in step.effects)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("code", "rendering"),
    [
        ("A14", Rendering("surveyjs", language="zh")),
        pytest.param(
            "A15", Rendering("rjsf", "core", language="th"), marks=pytest.mark.long, id="core"
        ),
        ("G12", Rendering("rjsf", "bootstrap", language="ru", direction="rtl")),
        pytest.param(
            "A14", Rendering("rjsf", "mui", language="fr"), marks=pytest.mark.long, id="mui"
        ),
        ("A15", Rendering("rjsf", "antd", language="en")),
    ],
    ids=lambda item: item.theme or item.renderer if isinstance(item, Rendering) else item,
)
def test_the_oracle_is_right_in_other_hands(play: Player, code: str, rendering: Rendering) -> None:
    """SurveyJS and each library of widgets take every kind of value, each in another language."""
    instance, episode, kept = play("oracle", code, rendering)

    assert episode.ended == "submitted"
    assert {name: kept.submissions[0].values[name] for name in instance.values} == instance.values
    assert not kept.refused


@pytest.mark.browser
def test_the_null_agent_sends_nothing(play: Player) -> None:
    """Nothing is submitted, and every required field is refused."""
    _, episode, kept = play("null", "D11", Rendering())

    assert episode.ended == "refused"
    assert kept.submissions == ()
    assert {value.reason for value in kept.refused} == {"missing"}


@pytest.mark.browser
def test_the_shuffle_agent_says_all_and_is_right_nowhere(play: Player) -> None:
    """Each right value stands in a reply, the form is accepted, and no field is right."""
    instance, episode, kept = play("shuffle", "A15", Rendering())

    said = " ".join(step.reply for step in episode.steps)
    plain = [field.id for field in find_form("A15").fields if not field.options]
    assert [name for name in plain if str(instance.values[name]) not in said] == []
    assert episode.ended == "submitted"
    arrived = kept.submissions[0].values
    assert [name for name, value in instance.values.items() if arrived.get(name) == value] == []


@pytest.mark.browser
def test_the_reader_of_labels_needs_no_boxes(play: Player) -> None:
    """From pixels and labelled lines alone, most values reach their fields."""
    instance, _, kept = play("ocr", "A15", Rendering())

    held = kept.submissions[0].values if kept.submissions else kept.drafts
    right = [name for name, value in instance.values.items() if held.get(name) == value]
    assert len(right) >= len(instance.values) * 3 // 4


def test_only_the_privileged_are_given_the_values() -> None:
    """The oracle cannot be opened without the right values; others never see them."""
    form = find_form("E12")
    task = FormTask("", form=form, instance=make_instance(form, seed=1, index=0))

    assert sorted(AGENTS.entries) == ["null", "ocr", "oracle", "shuffle"]
    assert open_agent("oracle", task).privileged
    reader = open_agent("ocr", task)
    assert isinstance(reader, ScanFiller)
    assert (reader.privileged, reader.task.form, reader.task.instance) == (False, None, None)
    with pytest.raises(InvalidInputError, match="right values"):
        open_agent("oracle", task.bare())


def test_files_are_written_and_lines_are_labelled(tmp_path: Path) -> None:
    """The folder holds each file under its name; the text has one line for each value."""
    form = find_form("C11")
    instance = make_instance(form, seed=1, index=0)

    task = prepare_task(form, instance, tmp_path / "files")

    assert sorted(path.name for path in (tmp_path / "files").iterdir()) == sorted(task.files)
    assert len(task.text.splitlines()) == len(instance.values)
