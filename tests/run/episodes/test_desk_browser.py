"""
Episodes on real pages: whatever way something is activated in, that is the answer.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

import surefoot
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.store import ObjectStore
from surefoot.environments.desk import DeskClient
from surefoot.run.asking.traces import TRACES, TracedStep, TraceEntry, read_traces
from tests.run.episodes.conftest import Play

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("limit", [1, pytest.param(6, marks=pytest.mark.long)])
def test_a_perfect_agent_is_right_under_every_condition(
    play: Play, office: Path, limit: int
) -> None:
    """A click where the picture has the target activates it; the run scores it as any model's."""
    pictures = ObjectStore(office)
    with play("perfect", limit=limit) as played:
        asked = [one for one in played.answers.questions if one.id not in played.answers.refused]
        moved: list[float | None] = []
        differs: dict[str, list[float]] = {}
        for one in asked:
            with played.page(one.instruction.expression.name, one.cell.variant) as (episode, page):
                shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                recorded = Image.open(io.BytesIO(pictures.get(one.image))).convert("RGB")
                other = np.mean(np.asarray(shot) != np.asarray(recorded))
                differs.setdefault(one.cell.variant, []).append(other)
                place, scale = one.truth.center, episode.browser.scale
                page.mouse.click(place.x / scale, place.y / scale)
                moved.append(played.desk.stands(episode).moved)
        assert played.answers.all_answered.is_set()
        assert len(asked) == 4 * limit
    run = surefoot.open_run(played.answers.out)

    assert {one.cell.variant for one in asked} == {"original", "theme", "order", "zoom:1.5"}
    assert all(
        exchange.hit for exchange in run if exchange.question.id not in played.answers.refused
    )
    assert max(1.0 if far is None else far for far in moved) < 1
    # Letters may lie a fraction of a pixel elsewhere: a browser's window has whole CSS pixels.
    assert {variant for variant, shares in differs.items() if max(shares)} <= {"zoom:1.5"}
    assert max(differs["zoom:1.5"]) < 0.01
    assert surefoot.score(run).summary is not None


WAYS: dict[str, tuple[str, str, Callable[[Page], object]]] = {
    "a click": ("Open", "pointer", lambda page: page.get_by_text("Open").click()),
    "a press that leaves": ("Drafts", "pointer", lambda page: page.locator("#leaves").click()),
    "a label": ("Urgent", "pointer", lambda page: page.get_by_text("Urgent").click()),
    "a box": ("Urgent", "pointer", lambda page: page.locator("#tick").click()),
    "the space bar": ("Urgent", "key", lambda page: page.locator("#tick").press("Space")),
    "Enter": ("Open", "key", lambda page: page.get_by_text("Open").press("Enter")),
    "Enter on what is no button": (
        "Stamp",
        "key",
        lambda page: page.locator("#own").press("Enter"),
    ),
    "a script's click": (
        "Open",
        "call",
        lambda page: page.get_by_text("Open").evaluate("node => node.click()"),
    ),
    "a script's event": (
        "Open",
        "call",
        lambda page: page.get_by_text("Open").dispatch_event("click"),
    ),
    "typing": ("Recipient", "input", lambda page: typed(page, "#who")),
    "a fill": ("Recipient", "input", lambda page: page.locator("#who").fill("Ada")),
    "a choice": ("Size", "call", lambda page: page.locator("#size").select_option("Large")),
    "a shadow": ("Shade", "pointer", lambda page: page.get_by_text("Shade").click()),
    "a closed shadow": ("Vault", "pointer", lambda page: middle(page, "#closed")),
    "a frame": (
        "Annex",
        "pointer",
        lambda page: page.frame_locator("iframe").get_by_text("Annex").click(),
    ),
    "a link elsewhere": ("Partner", "pointer", lambda page: page.locator("#far").click()),
}


FIRST = {"a press that leaves", "a label", "Enter", "a script's click", "a frame"}


def typed(page: Page, selector: str) -> None:
    """Give a field the focus by Tab, and type."""
    page.locator("#tick").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(
        "document.activeElement.matches(arguments0)".replace("arguments0", repr(selector))
    )
    page.keyboard.type("A")


def middle(page: Page, selector: str) -> None:
    """Click the middle of an element's box by the mouse alone."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 30, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("all_ways", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_way_of_activating_counts(play: Play, *, all_ways: bool) -> None:
    """By mouse, keys, label or script, in frames and shadows, the target is what was activated."""
    found = {}
    ways = {way: WAYS[way] for way in WAYS if all_ways or way in FIRST}
    for way, (name, _, act) in ways.items():
        with play(way) as played, played.page(name) as (episode, page):
            act(page)
            page.wait_for_timeout(30)
            score = played.desk.stands(episode)
            found[way] = (score.right, [one.by for one in score.activations])

    assert found == {way: (True, [by]) for way, (_, by, _) in ways.items()}


def test_what_else_was_activated_first_is_counted(play: Play) -> None:
    """A wrong click is counted, once, and the episode goes on; a page's own click is nobody's."""
    with play() as played, played.page("Open") as (episode, page):
        page.get_by_text("Reply").click()  # whose script clicks on Archive
        page.mouse.click(900, 700)
        between = played.desk.stands(episode)
        page.get_by_text("Open").click()
        score = played.desk.stands(episode)

    names = {
        one.id: one.name for one in played.answers.screens[played.question("Open").screen].elements
    }
    assert [names.get(one.element, "") for one in score.activations] == ["Reply", "", "Open"]
    assert (between.ended, between.wrong) == ("", 2)
    assert (score.right, score.ended, score.wrong) == (True, "right", 2)


def test_too_much_else_ends_an_episode(play: Play) -> None:
    """Where none is borne, the first click is the answer; what comes later counts no more."""
    with play(wrong=0) as played, played.page("Open") as (episode, page):
        page.get_by_text("Archive").click()
        page.get_by_text("Open").click()
        score = played.desk.stands(episode)

    assert (score.right, score.ended, score.wrong) == (False, "wrong", 1)


def test_the_page_stands_still_until_somebody_acts(play: Play) -> None:
    """A page's timers wait for the first click, an agent's own never do, and its date is ours."""
    with play() as played, played.page("Open") as (_, page):
        before = page.title()
        own = page.evaluate("new Promise((done) => setTimeout(() => done('ran'), 250))")
        still = page.title()
        page.get_by_text("Archive").click()
        page.wait_for_timeout(350)
        after = page.title()

    assert own == "ran"
    assert before == still
    assert before.split(" of ")[1] == "2026"
    assert int(after.split()[0]) > int(before.split()[0])


def test_another_page_of_the_site_has_no_targets(play: Play) -> None:
    """What lies on a page that a wrong click led to is nothing of the question's page."""
    with play() as played, played.page("Open") as (episode, page):
        page.locator("#leaves").click()
        page.wait_for_url("**/other.html")
        page.wait_for_timeout(600)
        page.get_by_text("Open").click()
        score = played.desk.stands(episode)

    assert not score.right
    assert [one.what.split()[0] for one in score.activations] == ["a", "button"]
    assert score.activations[1].element == ""


@pytest.mark.long
def test_a_window_of_another_width_is_zoomed_by_the_page(play: Play) -> None:
    """A browser that keeps its own window has the zoom by the page's own, and its click counts."""
    with play() as played, played.page("Open", "zoom:1.5", width=1280) as (episode, page):
        height = page.get_by_text("Open").bounding_box()
        page.get_by_text("Open").click()
        score = played.desk.stands(episode)
    with play("other") as played, played.page("Open") as (_, page):
        usual = page.get_by_text("Open").bounding_box()

    assert score.right
    assert height is not None
    assert usual is not None
    assert height["height"] == pytest.approx(1.5 * usual["height"], rel=0.02)


def test_what_no_page_can_ask_is_refused(play: Play) -> None:
    """A condition of the picture is refused with its reason; an answered question, and a name."""
    with play() as played:
        dark = played.question("Open", "dark").id
        with pytest.raises(InvalidInputError, match=r"its picture is changed \(filter\)"):
            played.desk.ask(dark)
        with pytest.raises(InvalidInputError, match="none that is called 'nothing'"):
            played.desk.ask("nothing")
        episode = played.desk.ask()
        assert played.desk.end(episode, "it is not there").refusal == "it is not there"
        with pytest.raises(InvalidInputError, match="none that is called"):
            played.desk.ask(episode.question)


def test_the_secret_opens_the_score_alone(play: Play) -> None:
    """Neither the page's origin nor who lacks the secret reads a score or ends an episode."""
    with play() as played:
        episode = played.desk.ask()
        address = str(played.desk._client.base_url)  # noqa: SLF001 - asked without its client
        path = f"{address}/episodes/{episode.id}"
        host, origin = httpx.URL(episode.url).netloc.decode(), {"origin": "http://x.localhost:1"}
        codes = [
            httpx.get(f"{path}/score").status_code,
            httpx.get(f"{path}/score", headers={"authorization": "Bearer x"}).status_code,
            httpx.post(f"{path}/end", json={}).status_code,
            httpx.post(f"{address}/episodes", json={}, headers=origin).status_code,
            httpx.get(f"{address}/episodes/nobody").status_code,
            httpx.get(f"{address}/episodes", headers={"host": host}).status_code,
        ]
        steps, given = f"{path}/steps", bearer(episode.secret)
        codes += [
            httpx.post(steps, json={"action": "a"}).status_code,
            httpx.post(steps, json={"action": "a"}, headers=bearer("x")).status_code,
            httpx.post(steps, json={"action": "a"}, headers=origin | given).status_code,
            httpx.post(f"{address}/episodes/nobody/steps", json={}, headers=given).status_code,
        ]
        told = httpx.get(path).json()

    assert codes == [401, 401, 401, 403, 404, 421, 401, 401, 403, 404]
    assert "secret" not in told
    target = played.answers.find(episode.id).question.instruction.target
    assert target not in httpx.Response(200, json=told).text


def bearer(secret: str) -> dict[str, str]:
    """Return the header that names a secret."""
    return {"authorization": f"Bearer {secret}"}


HOSTILE: dict[str, tuple[int, bytes]] = {
    "no JSON": (400, b"click(1, 2)"),
    "no object": (400, b'["click"]'),
    "nothing": (400, b"{}"),
    "an unknown key": (400, b'{"action": "a", "number": 1}'),
    "no base64": (400, b'{"screenshot": "%%%"}'),
    "a data address": (400, b'{"screenshot": "data:image/png;base64,iVBORw0KGgo="}'),
    "no picture": (400, b'{"screenshot": "aGVsbG8="}'),
    "a picture that is a number": (400, b'{"screenshot": 5}'),
    "half a letter": (400, b'{"action": "\\ud83d"}'),
    "no UTF-8": (400, b'{"action": "\xff"}'),
    "a number without end": (201, b'{"action": ' + b"9" * 60_000 + b"}"),
    "deep brackets": (400, b'{"action": ' + b"[" * 60_000 + b"]" * 60_000 + b"}"),
    "a long action": (400, b'{"action": "' + b"a" * 70_000 + b'"}'),
    "a long thought": (400, b'{"thought": "' + b"a" * 70_000 + b'"}'),
    "a large picture": (400, b'{"screenshot": "' + b"AAAA" * (3 << 20) + b'"}'),
    "a large body": (413, b'{"screenshot": "' + b"AAAA" * (5 << 20) + b'"}'),
    "what is shown": (201, b'{"action": "<script>1</script>\\u0000"}'),
}


def test_a_hostile_step_is_refused_and_costs_nothing(play: Play) -> None:
    """Whatever is posted as a step, the reply is no error of ours, and the episode goes on."""
    codes, kinds = {}, {"content-type": "application/json"}
    with play() as played:
        episode = played.desk.ask()
        address = str(played.desk._client.base_url)  # noqa: SLF001 - asked without its client
        path, headers = f"{address}/episodes/{episode.id}/steps", bearer(episode.secret)
        for name, (_, body) in HOSTILE.items():
            codes[name] = httpx.post(path, content=body, headers=headers | kinds).status_code
        form = httpx.post(path, data={"action": "a"}, headers=headers).status_code
        score = played.desk.end(episode)
        late = httpx.post(path, json={"action": "late"}, headers=headers)

    assert codes == {name: code for name, (code, _) in HOSTILE.items()}
    assert (form, score.steps, score.ended) == (415, 2, "given-up")
    assert (late.status_code, late.json()) == (201, {"number": 4, "image": ""})


def test_an_agent_posts_what_it_sees_and_does(play: Play) -> None:
    """Its picture is kept by its hash, byte for byte, before what the click on it activated."""
    with play() as played, played.page("Open") as (episode, page):
        shot = page.screenshot()
        kept = played.desk.note(episode, {"click": "Reply"}, shot, "it answers")
        page.get_by_text("Reply").click()
        played.desk.note(episode, "click('Open')")
        page.get_by_text("Open").click()
        score = played.desk.stands(episode)
        out = played.answers.out
        with Ledger.read(out) as ledger:
            traced = read_traces(ledger)

    assert ObjectStore(out).get(kept.image) == shot
    assert [
        (bool(entry.step), bool(entry.heard), entry.end.ended if entry.end else "")
        for entry in traced
    ] == [
        (True, False, ""),
        (False, True, ""),
        (True, False, ""),
        (False, True, ""),
        (False, False, "right"),
    ]
    assert traced[0].step == TracedStep('{"click":"Reply"}', "it answers", kept.image, 1280, 800)
    assert [entry.heard.right for entry in traced if entry.heard] == [False, True]
    assert [entry.heard.window for entry in traced if entry.heard] == [(1280, 800)] * 2
    assert score.steps == 2


@pytest.mark.slow
def test_a_killed_server_has_what_it_acknowledged(office: Path, tmp_path: Path) -> None:
    """A step whose reply has come outlives a kill, and the same command goes on after it."""
    out = tmp_path / "run"
    command = [sys.executable, "-m", "surefoot", "episodes", str(office), "--out", str(out)]
    shot = next(ObjectStore(office).folder.glob("*/*.png")).read_bytes()
    kept = []
    for at in range(3):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                served = (re.search(r"serving (http\S+):", line) for line in server.stdout)
                address = next(found[1] for found in served if found)
                with DeskClient(address) as desk:
                    opened = desk.ask()
                    desk.note(opened, f"first of {at}")
                    kept.append((opened.id, desk.note(opened, f"second of {at}", shot)))
            finally:
                server.kill()
        with Ledger.read(out) as ledger:
            traced = read_traces(ledger)

        assert {(one.episode, one.step.action) for one in traced if one.step} == {
            (episode, f"{word} of {number}")
            for number, (episode, _) in enumerate(kept)
            for word in ("first", "second")
        }
        assert [one.number for one in traced] == [1, 2] * (at + 1)
        assert ObjectStore(out).get(kept[-1][1].image) == shot


@pytest.mark.slow
def test_who_plays_is_told_that_all_is_answered(office: Path, tmp_path: Path) -> None:
    """After the last answer its score, a late step and a word that nothing is open still come."""
    out = tmp_path / "run"
    command = [sys.executable, "-m", "surefoot", "episodes", str(office), "--out", str(out)]
    with subprocess.Popen([*command, "--limit", "1"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        served = (re.search(r"serving (http\S+):", line) for line in server.stdout)
        address = next(found[1] for found in served if found)
        with httpx.Client(base_url=address) as desk:
            while (asked := desk.post("/episodes", json={})).is_success:
                path, given = f"/episodes/{asked.json()['id']}", bearer(asked.json()["secret"])
                desk.post(f"{path}/end", json={}, headers=given)
                score = desk.get(f"{path}/score", headers=given).json()
                late = desk.post(f"{path}/steps", json={"action": "stop"}, headers=given)
        printed = server.stdout.read()
    with Ledger.read(out) as ledger:
        traced = read_traces(ledger)
    table = [
        msgspec.json.decode(line, type=TraceEntry)
        for line in (out / TRACES).read_bytes().splitlines()
    ]

    assert (asked.status_code, "all are answered" in asked.text) == (400, True)
    assert (score["ended"], late.status_code, server.returncode) == ("given-up", 201, 0)
    assert "all questions are answered" in printed
    assert traced == table
    assert len([one for one in traced if one.step]) == 4
