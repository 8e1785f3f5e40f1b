"""
The built-in agents on a real server: what they send is what arrives, or fails to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.web.browser import Browser
from surefoot.core.errors import InvalidInputError
from surefoot.forms.agents.ocr import ScanFiller
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.driver.agent import AGENTS, FormTask, open_agent
from surefoot.forms.driver.episode import Episode, run_episode
from surefoot.forms.instance import Instance
from surefoot.forms.record import RunRecord
from surefoot.forms.renderers.scripted import RJSF
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import corrections
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve
from surefoot.forms.values.making import make_instance
from surefoot.run.forms.workers import prepare_task

DOCUMENTED: Final = Path(__file__).parents[3] / "docs" / "forms.md"
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
            task = prepare_task(
                form, instance, files / Path(code).stem, language=rendering.language
            )
            episode = run_episode(browser, f"{base}/r/{token}/", open_agent(agent, task), task)
            return instance, episode, record(folder, token)

        yield run


@pytest.mark.browser
@pytest.mark.parametrize(
    ("code", "rendering"),
    [
        ("A15", Rendering(language="ja", direction="rtl", layout="table", theme="night")),
        ("H12", Rendering(language="ar", layout="two-columns")),
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
        pytest.param(
            "A15", Rendering("rjsf", "antd", language="en"), marks=pytest.mark.long, id="antd"
        ),
        ("A15", Rendering(language="ar")),
        *(
            pytest.param(
                "A14",
                Rendering(renderer, theme, language="ar"),
                marks=pytest.mark.long,
                id=f"ar-{theme or renderer}",
            )
            for renderer, theme in [("surveyjs", ""), *(("rjsf", theme) for theme in RJSF.themes)]
        ),
    ],
    ids=lambda item: item.theme or item.renderer if isinstance(item, Rendering) else item,
)
def test_the_oracle_is_right_in_other_hands(play: Player, code: str, rendering: Rendering) -> None:
    """Each renderer and library takes every kind of value, in a language of its own and Arabic."""
    instance, episode, kept = play("oracle", code, rendering)

    assert episode.ended == "submitted"
    assert {name: kept.submissions[0].values[name] for name in instance.values} == instance.values
    assert not kept.refused


@pytest.mark.browser
@pytest.mark.parametrize(
    ("renderer", "theme", "seed"),
    [
        ("plain", "", 1),
        ("surveyjs", "", 2),
        ("rjsf", "core", 3),
        *(
            pytest.param("rjsf", theme, 4, marks=pytest.mark.long)
            for theme in ("bootstrap", "mui", "antd")
        ),
    ],
)
def test_options_that_other_fields_bring_are_waited_for(
    play: Player, tmp_path: Path, renderer: str, theme: str, seed: int
) -> None:
    """The form of the documentation, whose seats hang on the room beside them, arrives whole."""
    *_, example = re.findall(r"```toml\n(.*?)```", DOCUMENTED.read_text("utf-8"), re.DOTALL)
    file = tmp_path / "visit.toml"
    file.write_text(example, "utf-8")
    instance, episode, kept = play("oracle", str(file), Rendering(renderer, theme), seed)

    assert episode.ended == "submitted"
    assert kept.submissions[0].values == instance.values
    assert (kept.refused, corrections(kept).total()) == ((), 0)


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize(
    "themes", [("core",), pytest.param(("bootstrap", "mui", "antd"), marks=pytest.mark.long)]
)
def test_counts_do_not_depend_on_the_renderer(play: Player, themes: tuple[str, ...]) -> None:
    """Wrong values are refused as often, and corrected as often, whatever draws the form."""
    looks = [Rendering(), Rendering("surveyjs"), *(Rendering("rjsf", theme) for theme in themes)]
    found = [play("shuffle", "C12", look)[2] for look in looks]
    refused = [[(item.number, item.field, item.reason) for item in kept.refused] for kept in found]
    corrected = [corrections(kept) for kept in found]

    assert (len(refused[0]) > 1, corrected[0].total() > 1) == (True, True)
    assert refused == refused[:1] * len(looks)
    assert corrected == corrected[:1] * len(looks)


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

    ours = {name for name, kind in AGENTS.entries.items() if name != "faulty"}
    assert ours == {"null", "ocr", "oracle", "shuffle", "words"}
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


@pytest.mark.browser
def test_the_bag_of_words_hands_a_form_in(play: Player) -> None:
    """From labelled lines most values arrive, each of the kind that its field is for."""
    instance, episode, kept = play("words", "A15", Rendering(language="en"))

    assert episode.ended == "submitted"
    arrived = kept.submissions[0].values
    right = [name for name, value in instance.values.items() if arrived.get(name) == value]
    assert len(right) > len(instance.values) // 2
