"""
The page on which a person clicks takes that person's answers alone, and tells no target.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from surefoot.view.click_pages import click_application
from surefoot.view.clicking import HumanAnswers
from tests.view.asking import TOKEN, Asker

FIRST: Final = {"number": 0, "seconds": 1.25, "said": ["point", 12.5, 30]}


@pytest.fixture
def asked(opened: Path, tmp_path: Path) -> Iterator[HumanAnswers]:
    """Ask Ada the questions of the hostile benchmark."""
    with HumanAnswers(opened / "bench", "Ada <b>", tmp_path / "run") as answers:
        yield answers


@pytest.fixture
def asker(asked: HumanAnswers) -> Asker:
    """Return who asks her application."""
    return Asker(click_application(asked, TOKEN))


def test_a_question_tells_what_a_model_is_told(asker: Asker, asked: HumanAnswers) -> None:
    """What is sent has the instruction and the picture, and nothing of the target."""
    shown = asker.get("/question").json()
    one = asked.questions[0]

    assert shown["words"] == one.instruction.text
    assert set(shown) == {
        "number", "total", "words", "language", "picture", "further", "width", "height", "asks",
        "options", "refusable",
    }  # fmt: skip
    assert asker.get(shown["picture"]).headers["content-type"] == "image/png"
    page = asker.get("/")
    assert "human Ada &lt;b&gt;" in page.text
    assert "unsafe" not in page.headers["content-security-policy"]


def test_an_answer_is_acknowledged_with_the_next_question(
    asker: Asker, asked: HumanAnswers
) -> None:
    """A kept answer leads on, sent again it does too; another to the same question is told so."""
    replies = [
        asker.ask("POST", "/answer", json=FIRST),
        asker.ask("POST", "/answer", json=FIRST),
        asker.ask("POST", "/answer", json={**FIRST, "said": ["point", 1, 1]}),
    ]

    assert [reply.status_code for reply in replies] == [200, 200, 409]
    assert [reply.json()["number"] for reply in replies] == [1, 1, 1]
    assert asked.at == 1


@pytest.mark.parametrize(
    ("change", "headers", "status"),
    [
        ({"number": -1}, {}, 400),
        ({"number": 9999}, {}, 409),
        ({"seconds": -1}, {}, 400),
        ({"seconds": 1e9}, {}, 400),
        ({"said": ["point", -1, 5]}, {}, 400),
        ({"said": ["point", 1e300, 5]}, {}, 400),
        ({"said": ["box", 1, 1, 2, 2]}, {}, 400),
        ({"said": ["unparsed", "?"]}, {}, 400),
        ({"said": ["refusal", "none"]}, {}, 400),
        ({"person": "Bob"}, {}, 400),
        ({"said": ["text", "x" * 40_000]}, {}, 413),
        ({}, {"cookie": ""}, 403),
        ({}, {"origin": "http://evil.example"}, 403),
        ({}, {"sec-fetch-site": "cross-site"}, 403),
        ({}, {"host": "evil.example"}, 421),
        ({}, {"content-type": "text/plain"}, 415),
    ],
)
def test_nothing_else_is_taken(
    asker: Asker,
    asked: HumanAnswers,
    change: dict[str, object],
    headers: dict[str, str],
    status: int,
) -> None:
    """A wrong number, time, place, kind, length, site or type is refused, and nothing is kept."""
    told = {"content-type": "application/json", **headers}
    reply = asker.ask("POST", "/answer", content=json.dumps({**FIRST, **change}), headers=told)

    assert reply.status_code == status
    assert asked.at == 0


@pytest.mark.parametrize(
    "path", ["/questions", "/question/0/x", "/picture/" + "0" * 64, "/picture/..%2fplan.json"]
)
def test_there_is_no_way_to_the_targets(asker: Asker, path: str) -> None:
    """The pages on which targets are marked are not served to who clicks."""
    assert asker.get(path).status_code == 404
