"""
The pages of episodes, asked for without a browser: hostile traces, damage, and what is not there.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.live.protocol import Activation
from surefoot.core.canonical import canonical_json
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import Answer
from surefoot.core.store import ObjectStore
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import remember_bench
from surefoot.run.asking.traces import (
    TRACES,
    TracedActivation,
    TracedEnd,
    TracedStep,
    TraceEntry,
    read_traces,
)
from surefoot.run.folders.folder import read_questions, read_screens, run_plan
from surefoot.view.application import view_application
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from tests.view.asking import TOKEN, Asker
from tests.view.conftest import HOSTILE

IDENTITY: Final = {"name": f"agent {HOSTILE}", "episodes": {"wrong": 3}}


@pytest.fixture
def played(drawn: Path, tmp_path: Path) -> Path:
    """Return a run of one question played twice, with no answer yet, all words of it markup."""
    out, screens = tmp_path / "run", read_screens(drawn)
    first = read_questions(drawn)[0]
    with Ledger.open(out, run_plan(drawn, IDENTITY)) as ledger:
        remember_bench(out, drawn)
        image = ObjectStore(out).put(ObjectStore(drawn).get(screens[0].image))
        size = (screens[0].width, screens[0].height)
        clicked = Activation("", "pointer", (9.0, 9.0), f"p {HOSTILE}", 1.0)
        heard = TracedActivation(
            clicked, right=False, place=(9.0, 9.0), window=(float(size[0]), float(size[1]))
        )
        step = TracedStep(f'{{"a": "{HOSTILE}"}}', HOSTILE, image, *size)
        end = TracedEnd("given-up", counts=True, refusal=HOSTILE, trouble=HOSTILE)
        entries = [
            TraceEntry(first.id, "aa", 1, 0.5, step=step),
            TraceEntry(first.id, "aa", 2, 1.0, heard=heard),
            TraceEntry(first.id, "aa", 3, 1.5, step=TracedStep("look")),
            TraceEntry(first.id, "aa", 4, 2.0, end=end),
            TraceEntry(first.id, "bb", 1, 0.5, heard=heard),
        ]
        ledger.record_many([entry.done() for entry in entries])
    return out


@pytest.fixture
def traced(played: Path, drawn: Path) -> Path:
    """Return the same run, finished: each question has an answer."""
    questions = read_questions(drawn)
    with Ledger.open(played, run_plan(drawn, IDENTITY)) as ledger:
        ledger.record_many(
            [
                Done(
                    answer_key(question, IDENTITY),
                    canonical_json(Answer(question.id, "", question.truth.center)),
                )
                for question in questions
            ]
        )
        export_answers(played, questions, IDENTITY, ledger, {TRACES: read_traces(ledger)})
    return played


def asker(run: Path) -> Asker:
    """Return who looks at a run."""
    return Asker(view_application(LookedAt(open_folders([run])), TOKEN))


def test_hostile_traces_are_shown_as_words(traced: Path) -> None:
    """Markup in actions, thoughts, refusals and names is text, on the list and on each step."""
    viewer = asker(traced)
    pages = [
        viewer.get(path) for path in ("/", "/episodes/0", "/episodes/0/0/0", "/episodes/0/1/0")
    ]

    assert [page.status_code for page in pages] == [200] * 4
    for page in pages:
        assert "<script>window" not in page.text
        assert "<img src=x" not in page.text
    shown = html.unescape(pages[2].text)
    assert f'{{"a": "{HOSTILE}"}}' in shown
    assert f"declined after 1 wrong activation: {HOSTILE}" in shown
    assert f"The page was not as its condition says: {HOSTILE}" in shown
    assert "This episode does not count: the question is asked again" in pages[3].text


def test_a_run_without_an_answer_is_played(played: Path) -> None:
    """Episodes can be looked at before any of them counts; nothing is said of hits."""
    viewer = asker(played)
    pages = [viewer.get(path) for path in ("/", "/episodes/0", "/episodes/0/0/0")]

    assert [page.status_code for page in pages] == [200] * 3
    assert "declined after 1 wrong activation" in pages[2].text


def test_every_link_of_an_episode_leads_somewhere(traced: Path) -> None:
    """The question leads to its episodes; steps, pictures and episodes are there, no others."""
    viewer = asker(traced)
    question = next(one.id for one in read_questions(open_folders([traced]).benches[0]))
    paths = ["/episodes/0", f"/question/0/{question}"]
    seen = dict.fromkeys(paths, 200)
    for path in paths:
        text = html.unescape(viewer.get(path).text)
        for link in re.findall(r'href="(/(?:episodes|picture|question)/[^"]+)"', text):
            if link not in seen and "/question/" not in link:
                reply = viewer.get(link)
                seen[link] = reply.status_code
                if "html" in reply.headers["content-type"]:
                    paths.append(link)

    assert set(seen.values()) == {200}
    assert {"/episodes/0/0/0", "/episodes/0/0/1", "/episodes/0/1/0"} <= set(seen)
    assert any(link.startswith("/picture/runs/0/") for link in seen)
    for path in (
        "/episodes/1",
        "/episodes/0/2/0",
        "/episodes/0/0/2",
        "/picture/runs/0/" + "0" * 64,
    ):
        assert viewer.get(path).status_code == 404


def test_a_picture_that_is_gone_is_said_to_be(traced: Path) -> None:
    """Without its object a step is shown all the same, and says what is missing."""
    for path in ObjectStore(traced).folder.glob("*/*.png"):
        path.unlink()
    page = asker(traced).get("/episodes/0/0/0").text

    assert "is missing from the run" in page
    assert "/picture/runs/" not in page


def test_a_run_of_a_model_has_no_episodes(looked_at: LookedAt) -> None:
    """Where nothing was played nothing leads to episodes, and their pages are not there."""
    viewer = Asker(view_application(looked_at, TOKEN))

    assert "Episodes" not in viewer.get("/").text
    assert viewer.get("/episodes/0").status_code == 404
