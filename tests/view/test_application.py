"""
The pages show what was asked and answered, to who has the token, and write nothing.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from surefoot.run.folders.folder import read_questions
from surefoot.view.application import view_application
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from tests.view.asking import TOKEN, Asker


@pytest.fixture(scope="module")
def viewer(looked_at: LookedAt) -> Asker:
    """Return who looks at the hostile benchmark."""
    return Asker(view_application(looked_at, TOKEN))


def paths_of(page: str) -> list[str]:
    """Return what a page links to and loads, each once."""
    found = re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
    return list(dict.fromkeys(html.unescape(path) for path in found))


def test_every_link_leads_somewhere(viewer: Asker) -> None:
    """From the overview each kind of page is reached, and whatever any of them names is there."""
    seen: dict[str, int] = {}
    waiting, kinds = ["/"], set()
    while waiting:
        path = waiting.pop()
        kind = re.sub(r"[0-9a-f]{64}|\d+|=[^&]*|(?<=/question/0/).*|(?<=/screen/0/).*", "*", path)
        if path in seen or kind in kinds:
            continue
        reply = viewer.get(path)
        kinds.add(kind)
        seen[path] = reply.status_code
        if "html" in reply.headers["content-type"]:
            waiting += paths_of(reply.text)

    assert set(seen.values()) == {200}
    reached = " ".join(seen)
    for kind in ("/questions?", "/question/", "/compare", "/screen/", "/crop/", "/picture/bench/"):
        assert kind in reached
    for kind in ("/export.csv", "/export.jsonl", "/thumbnail/", "/assets/view.css"):
        assert kind in reached


def test_a_question_shows_all_there_is(viewer: Asker, looked_at: LookedAt) -> None:
    """Its page has verdicts, thought, tokens, seconds, the proof, all variants and the reply."""
    table = looked_at.table
    question = table.question(0)
    page = html.unescape(viewer.get(f"/question/0/{question.id}").text)

    for shown in (
        question.instruction.text,
        "steady: hit",
        "the button is",
        "900 tokens in, 12 out",
        "$0.0020",
        "1.25 s",
        "Why the words mean this target",
        "The same target under every variant",
        f"click({question.truth.center.x}, {question.truth.center.y})",
    ):
        assert shown in page
    assert page.count("data-variant") == 3


def test_steps_follow_the_selection(viewer: Asker, looked_at: LookedAt) -> None:
    """Going on from question to question visits the selection in its order, and then ends."""
    selection = f"model={looked_at.table.models[1][:5]}"
    assert "Nothing fits" in viewer.get(f"/questions?{selection}").text
    tiles = re.findall(r'class="tile" href="([^"]+)"', viewer.get("/questions?flip=lost").text)
    visited = [html.unescape(tiles[0])]
    while True:
        page = viewer.get(visited[-1]).text
        onward = re.search(r'rel="next" href="([^"]+)"', page)
        if onward is None:
            break
        visited.append(html.unescape(onward[1]))

    assert visited == [html.unescape(tile) for tile in tiles]
    assert len(visited) > 5


def test_hostile_words_are_text(viewer: Asker) -> None:
    """Markup in words, names, sites and replies is no markup on any page."""
    for path in ("/", "/questions", "/compare", "/screens/0", "/question/0/" + first(viewer)):
        reply = viewer.get(path)
        assert reply.status_code == 200
        assert "window.ran = 1" in reply.text
        assert len(re.findall("<script", reply.text)) == 1
        assert "<img src=x" not in reply.text
        assert not re.search(r"<[^>]+\s(on\w+|style)=", re.sub(r'"[^"]*"', '""', reply.text))
        policy = reply.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy


def first(viewer: Asker) -> str:
    """Return the first question's id as it stands in an address."""
    found = re.search(r'href="/question/0/([^"?]+)', viewer.get("/questions").text)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/question/0/none", 404),
        ("/question/7/none", 404),
        ("/question/0/..%2f..%2fplan.json", 404),
        ("/assets/..%2f..%2ftable.py", 404),
        ("/assets/%2e%2e/application.py", 404),
        ("/picture/bench/0/..%2f..%2fplan.json", 404),
        ("/picture/bench/0/" + "0" * 64, 404),
        ("/picture/bench/9/" + "0" * 64, 404),
        ("/picture/none/0/" + "0" * 64, 404),
        ("/thumbnail/0/..%2f..%2f..%2fetc%2fpasswd", 404),
        ("/screens/99", 404),
        ("/screen/0/..%2fplan.json", 404),
        ("/crop/99999/0/0/10/10", 404),
        ("/crop/0/0/0/99999/10", 404),
        ("/crop/0/9/9/3/3", 404),
        ("/diagnosis/0", 404),
        ("/forms/0", 404),
        ("/forms/0/0", 404),
        ("/questions?outcome=lucky", 400),
        ("/questions?page=0", 400),
        ("/questions?page=%F0%9D%9F%8F", 400),
        ("/plan.json", 404),
    ],
)
def test_what_is_not_there_is_not_found(viewer: Asker, path: str, status: int) -> None:
    """Paths beside the folders, numbers beyond the last and unknown states end in an error."""
    assert viewer.get(path).status_code == status


def test_nobody_else_looks_and_nothing_is_written(viewer: Asker, opened: Path) -> None:
    """No token is 403, another host is refused, no method writes, the folders stay the same."""
    before = {file: file.read_bytes() for file in opened.rglob("*.json*")}

    assert viewer.get("/", headers={"cookie": ""}).status_code == 403
    assert viewer.get("/assets/view.js", headers={"cookie": ""}).status_code == 403
    assert viewer.get("/", headers={"host": "evil.example"}).status_code == 421
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert viewer.ask(method, "/questions").status_code == 405
    assert {file: file.read_bytes() for file in opened.rglob("*.json*")} == before


def test_a_diagnosis_and_its_questions(diagnosed: Path) -> None:
    """A diagnosis lists what it found, and a failure leads to its question."""
    viewer = Asker(view_application(LookedAt(open_folders([diagnosed])), TOKEN))
    page = viewer.get("/diagnosis/0").text
    links = [path for path in paths_of(page) if path.startswith("/question/")]

    assert "Few &lt;pages&gt;." in page
    assert "raw &lt;b&gt;" in page
    assert [viewer.get(link).status_code for link in links] == [200]


def test_a_diagnosis_shows_how_it_went(diagnosed: Path) -> None:
    """Each round of an element with its reason, what came of each question, and the sentences."""
    viewer = Asker(view_application(LookedAt(open_folders([diagnosed])), TOKEN))
    page = viewer.get("/diagnosis/0").text
    element = page[page.index('<details class="element">') : page.rindex("</details>")]
    shown = " ".join(re.sub("<[^>]+>", " ", element).split())

    assert html.unescape(shown) == (
        "button 'Save <all>' site/a.html: 1 of 9 questions failed It shares <its> role. "
        "Before any plan Drawn at random. Click <hit> hit "
        "Round 1: spatial phrasing trap Where <it> is. Click <failed> failed "
        "Round 2 Nothing is left. Nothing was asked. "
        "Besides, 7 questions drawn among those of what few have, of which none failed."
    )
    assert page.count(paths_of(page)[-1]) == 2


def test_attempts_at_forms(filled_in: Path) -> None:
    """A run over forms shows each attempt with its fields, its pages and the agent's replies."""
    viewer = Asker(view_application(LookedAt(open_folders([filled_in])), TOKEN))

    assert "0 of 1" in viewer.get("/forms/0").text
    page = viewer.get("/forms/0/0").text
    for shown in ("Title &lt;b&gt;", "Crash", "Crush", "type(&#39;&lt;b&gt;&#39;)"):
        assert shown in page
    assert viewer.get("/forms/0/1").status_code == 404


def test_guessed_elements_are_told(guessed: Path) -> None:
    """How many questions rest on what is counted, filtered by, and said beside their proof."""
    at = LookedAt(open_folders([guessed]))
    app = Asker(view_application(at, TOKEN))
    overview = html.unescape(app.get("/").text)
    ids = [question.id for question in read_questions(guessed)]
    few = "/questions?proof=elements guessed by pixels@1"

    assert re.search(r"36 questions, .*>10</a> on elements guessed by pixels@1", overview)
    assert "<h1>10 of 36 questions</h1>" in app.get(few).text
    assert "pixels@1 guessed them, and they cover 83%" in app.get(f"/question/0/{ids[0]}").text
    assert "guessed" not in app.get(f"/question/0/{ids[-1]}").text
