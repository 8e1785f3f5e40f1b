"""
Actions do to a live page what they say, and an episode keeps all of it and ends in time.
"""

from __future__ import annotations

import contextlib
import http.server
import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil
import pytest

from surefoot.capture.routes import Folder
from surefoot.capture.settings import Settings
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.processes import NETWORK
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.forms.driver.actions import (
    Action,
    Click,
    Drag,
    Finish,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    NextPage,
    Press,
    Scroll,
    Submit,
    Type,
    Upload,
    Wait,
)
from surefoot.forms.driver.agent import AgentReply, FormTask, Policy
from surefoot.forms.driver.episode import Episode, place_of, run_episode
from surefoot.forms.driver.executor import ExecutedAction, FieldChange
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView, Observation
from surefoot.forms.driver.window import FormWindow

if TYPE_CHECKING:
    from tests.forms.driver.conftest import Player

pytestmark = pytest.mark.browser
NAME, NOTE, DAY, AGREE = Click(320, 35), Click(320, 85), Click(320, 135), Click(400, 185)


class Mumbling:
    """Be given up on the second look, as an agent whose replies cannot be read."""

    name = "mumbling"
    privileged = False

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.said = 0

    def act(self, observation: Observation) -> AgentReply:  # noqa: ARG002
        """Say nothing that can be read."""
        self.said += 1
        return AgentReply((), "hm", given_up="2 replies" if self.said > 1 else "")


class Scripted:
    """Give prepared replies, and keep what was shown."""

    name = "scripted"

    def __init__(
        self, *replies: tuple[Action, ...], policy: Policy = "step", privileged: bool = False
    ) -> None:
        self.replies = list(replies)
        self.policy = policy
        self.privileged = privileged
        self.seen: list[Observation] = []

    def act(self, observation: Observation) -> AgentReply:
        """Return the next reply, an empty one after the last."""
        self.seen.append(observation)
        return AgentReply(self.replies.pop(0) if self.replies else ())


def effects(episode: Episode) -> list[ExecutedAction]:
    """Return all effects in order."""
    return [effect for step in episode.steps for effect in step.effects]


def last_values(episode: Episode) -> dict[str, tuple[str, ...]]:
    """Return what each field held after its last change."""
    return {change.field: change.after for effect in effects(episode) for change in effect.changes}


def test_actions_change_the_fields_they_are_meant_for(play: Player) -> None:
    """Text, lines, a date by its segments and a tick arrive; each change has its field."""
    long = "A longer text, beyond what is typed key by key.\nIts second line.\n"
    actions: tuple[Action, ...] = (
        *(NAME, Type("Ann"), Press("Control+a"), Type("Zoë 中")),
        *(NOTE, Type(long)),
        *(DAY, Press("ArrowLeft"), Press("ArrowLeft"), Type("03142026")),
        AGREE,
    )
    episode = play(Scripted((*actions, Finish("enough"))))

    assert (episode.ended, episode.message) == ("finished", "enough")
    assert last_values(episode) == {
        "name": ("Zoë 中",),
        "note": (long,),
        "day": ("2026-03-14",),
        "agree": ("yes",),
    }
    typed = effects(episode)[1]
    assert (typed.field, typed.changes) == ("name", (FieldChange("name", (), ("Ann",)),))


@pytest.mark.parametrize(
    ("said", "chosen"), [("Осень поздняя", "late"), ("Весна", "spring"), ("Осень", "early")]
)
def test_letters_of_any_script_come_to_an_open_list(play: Player, said: str, chosen: str) -> None:
    """Typed at an open list, they choose there; the field before keeps what was typed in it."""
    actions = (NAME, Type("+16175550184"), Click(320, 695), Type(said), Press("Enter"))
    episode = play(Scripted((*actions, NOTE, Type("Щи"), Finish())))

    assert last_values(episode) == {
        "name": ("+16175550184",),
        "term": (chosen,),
        "note": ("Щи",),
    }


def test_a_click_is_known_by_what_it_hit(play: Player) -> None:
    """Field, control, distance in pixels, option in a far popup, button, and outside."""
    label, pet, dog = Click(120, 30), Click(320, 230), Click(760, 345)
    nothing, outside = Click(640, 30), Click(5000, 10)
    episode = play(Scripted((label, pet, dog, nothing, outside, NextPage(), Submit())))
    found = effects(episode)

    assert [effect.field for effect in found[:5]] == ["name", "pet", "pet", "", ""]
    assert [effect.control for effect in found[:2]] == [False, True]
    assert [effect.distance for effect in found[:2]] == [180.0, 0.0]
    assert (found[2].option, found[2].changes) == ("dog", (FieldChange("pet", (), ("dog",)),))
    assert [effect.refused for effect in found] == ["", "", "", "", "outside", "", ""]
    assert [effect.page_after for effect in found[5:]] == [1, -1]
    assert episode.ended == "submitted"


def test_coordinates_are_pixels_of_the_picture(play: Player) -> None:
    """At two picture pixels to a CSS pixel, points, boxes and sizes are doubled alike."""
    agent = Scripted((Click(640, 70), Type("x"), Finish()), privileged=True)
    episode = play(agent, view=FormView(scale=2.0))

    assert last_values(episode) == {"name": ("x",)}
    assert (agent.seen[0].width, agent.seen[0].height) == (2560, 1600)
    assert agent.seen[0].fields[0].box.left == 600.0


def test_the_window_follows_a_tall_page(play: Player) -> None:
    """A page taller than the window is shown whole, or by scrolling where that is asked."""
    point = Click(320, 1215)
    whole = Scripted((NextPage(),), (point, Type("x"), Submit()))
    part = Scripted((NextPage(), Scroll(0, 700, 300, 300)), (Click(320, 675), Type("x")))

    assert play(whole).ended == "submitted"
    assert [observation.height for observation in whole.seen] == [800, 1340]
    scrolled = play(part, view=FormView(follow="window"), limits=EpisodeLimits(replies=2))
    assert last_values(scrolled) == {"last": ("x",)}
    assert [observation.height for observation in part.seen] == [800, 800]


def test_a_picture_does_not_tell_when_it_was_taken(browser: Browser, site: Folder) -> None:
    """While a field has the focus, its blinking caret makes no two pictures of one page."""
    with browser.lend(site, Settings()) as context:
        window = FormWindow(context, site.origin, EpisodeLimits())
        window.open(f"{site.origin}/index.html")
        window.page.locator("input").first.click()
        pictures = set()
        for _ in range(6):
            pictures.add(window.picture())
            window.page.wait_for_timeout(250)
    assert len(pictures) == 1


def test_only_the_privileged_are_told_where_things_lie(play: Player) -> None:
    """The record keeps the boxes either way; an agent sees them only with the privilege."""
    bare, told = Scripted((Finish(),)), Scripted((Finish(),), privileged=True)

    episode = play(bare)
    play(told)

    assert (bare.seen[0].fields, bare.seen[0].buttons) == ((), {})
    assert [field.id for field in told.seen[0].fields] == [
        "name",
        "note",
        "day",
        "agree",
        "pet",
        "cv",
        "term",
    ]
    assert told.seen[0].buttons == {"next": Box(100, 570, 250, 610)}
    assert episode.steps[0].fields == told.seen[0].fields


def test_an_action_waits_until_the_page_is_at_rest(play: Player) -> None:
    """A button that slides for 300 ms has arrived before the next action is carried out."""
    episode = play(Scripted((Click(150, 490), Click(430, 490), Finish())))

    assert [effect.settled for effect in effects(episode)] == [True, True]
    assert (effects(episode)[0].seconds or 0.0) > 0.25


def test_a_page_that_is_still_busy_is_not_looked_at(play: Player) -> None:
    """A page that its script draws a second after it has loaded is shown once it is drawn."""
    episode = play(Scripted((Click(150, 630),), (Finish(),)))

    assert [list(step.buttons) for step in episode.steps] == [["next"], ["submit"]]


def test_a_page_reaches_nobody(play: Player) -> None:
    """Dialogs are dismissed, foreign requests and windows refused, all of it recorded."""
    episode = play(Scripted((Click(150, 330), Click(150, 380), NAME, Type("on"), Finish())))

    assert episode.dialogs == ("alert: hello",)
    assert any("http://evil.example/x" in item for item in episode.refused)
    assert any(item.startswith("window") for item in episode.refused)
    assert last_values(episode) == {"name": ("on",)}


def test_a_page_that_leaves_ends_the_episode(play: Player) -> None:
    """A link to another origin is refused and ends the episode."""
    episode = play(Scripted((Click(150, 530), NAME)))

    assert episode.ended == "left-site"
    assert any("GET http://evil.example/" in item for item in episode.refused)


def test_uploads_come_from_the_runs_folder_only(play: Player, tmp_path: Path) -> None:
    """A file of the folder arrives through the chooser; all other ways are refused."""
    folder = tmp_path / "files"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "cv.pdf").write_bytes(b"x" * 7)
    (folder / "big.pdf").write_bytes(b"x" * 11)
    (tmp_path / "secret.pdf").write_bytes(b"x")
    (folder / "link.pdf").symlink_to(tmp_path / "secret.pdf")
    (folder / "up").symlink_to(tmp_path)
    names = ["inner/cv.pdf", "link.pdf", "up/secret.pdf", "../secret.pdf", "no.pdf", "big.pdf"]
    names += [str(tmp_path / "secret.pdf"), "inner", ""]
    uploads = [Upload(320, 285, name) for name in names]
    amiss = Upload(640, 30, "inner/cv.pdf")

    episode = play(
        Scripted((*uploads, amiss, Finish())), limits=EpisodeLimits(upload_bytes=10), folder=folder
    )

    reasons = [effect.refused for effect in effects(episode)]
    assert reasons[:6] == ["", "outside", "outside", "outside", "no-file", "too-large"]
    assert reasons[6:] == ["outside", "no-file", "outside", "no-file-chooser"]
    assert last_values(episode) == {"cv": ("cv.pdf",)}


def test_buttons_and_keys_are_held_and_let_go(play: Player) -> None:
    """A press and a release tick a box, Shift held selects, a drag over text selects it all."""
    held = (
        *(MouseDown(400, 185), Move(401, 186), MouseUp(400, 185)),
        *(NOTE, Type("ab"), KeyDown("Shift"), Press("ArrowLeft"), KeyUp("Shift"), Type("c")),
        *(NAME, Type("Ann"), Drag(302, 36, 490, 36), Type("Bo"), Wait(0.2)),
    )

    episode = play(Scripted((*held, Finish())))

    assert last_values(episode) == {"agree": ("yes",), "note": ("ac",), "name": ("Bo",)}
    assert not any(effect.refused for effect in effects(episode))
    assert (effects(episode)[-1].seconds or 0.0) >= 0.2


def test_what_is_held_at_the_end_is_let_go(play: Player) -> None:
    """A key and a button that an agent forgets do not fail the episode, nor the next."""
    forgotten = play(Scripted((KeyDown("Shift"), MouseDown(400, 185), Finish())))
    after = play(Scripted((NAME, Type("ann"), Finish())))

    assert forgotten.ended == "finished"
    assert last_values(after) == {"name": ("ann",)}


@pytest.mark.parametrize(
    ("limits", "ended", "count"),
    [
        (EpisodeLimits(actions=2), "actions", 2),
        (EpisodeLimits(replies=1), "replies", 4),
        (EpisodeLimits(typed=3), "typed", 4),
        (EpisodeLimits(seconds=1e-6), "seconds", 0),
    ],
)
def test_limits_end_an_episode(
    play: Player, limits: EpisodeLimits, ended: str, count: int
) -> None:
    """Each limit of the agent ends the episode by its name, after what was within it."""
    episode = play(Scripted((NAME, Type("abc"), NAME, Type("d"))), limits=limits)

    assert episode.ended == ended
    assert len(effects(episode)) == count
    assert [page.page for page in episode.left] == [0]


@pytest.mark.parametrize("policy", ["step", "page"])
def test_an_agent_that_is_given_up_did_not_finish(play: Player, policy: Policy) -> None:
    """Its end bears a name of its own, with the reason, and no page is turned for it any more."""
    episode = play(Mumbling(policy))

    assert (episode.ended, episode.message) == ("unreadable", "2 replies")
    turned = sum(len(step.effects) for step in episode.steps)
    assert turned == (1 if policy == "page" else 0)


def test_the_time_limit_ends_an_agent_that_does_nothing(play: Player) -> None:
    """Time is looked at after each reply, also one without an action."""
    episode = play(Scripted(), limits=EpisodeLimits(seconds=1e-6))

    assert (episode.ended, len(episode.steps)) == ("seconds", 1)


def test_the_driver_turns_pages_for_an_agent_that_fills_them_at_once(play: Player) -> None:
    """With one reply a page, the driver presses next and submit, and says that it did."""
    agent = Scripted((NAME, Type("x")), (), policy="page")
    episode = play(agent)

    assert episode.ended == "submitted"
    assert [type(effect.action) for effect in effects(episode) if not effect.own] == [
        NextPage,
        Submit,
    ]
    assert [observation.page for observation in agent.seen] == [0, 1]


def test_a_page_that_is_not_turned_is_refused(play: Player) -> None:
    """An agent with one reply a page that asks for a button the page lacks has ended."""
    episode = play(Scripted((Submit(),), policy="page"))

    assert episode.ended == "refused"
    assert [effect.refused for effect in effects(episode)] == ["no-button"]


def test_the_ruler_is_drawn_into_what_the_agent_sees(play: Player) -> None:
    """With a ruler the picture is another one of the same size, and the record knows which."""
    plain, ruled = Scripted((Finish(),)), Scripted((Finish(),))

    first, second = play(plain), play(ruled, view=FormView(ruler=100))

    assert plain.seen[0].image != ruled.seen[0].image
    assert first.steps[0].image != second.steps[0].image
    assert plain.seen[0].width == ruled.seen[0].width


class Killer(Scripted):
    """Kill the browser while it is the agent's turn."""

    browser: Browser | None = None

    def act(self, observation: Observation) -> AgentReply:
        """Kill it, then click."""
        assert self.browser is not None
        os.kill(self.browser.pid, signal.SIGKILL)
        return super().act(observation)


class Cutter(Scripted):
    """Kill the browser's network process while it is the agent's turn."""

    browser: Browser | None = None

    def act(self, observation: Observation) -> AgentReply:
        """Kill it, then click."""
        assert self.browser is not None
        children = psutil.Process(self.browser.pid).children(recursive=True)
        (network,) = (child for child in children if NETWORK in child.cmdline())
        network.kill()
        network.wait()
        return super().act(observation)


@pytest.mark.parametrize("left", [Click(150, 590), NAME])
def test_a_dead_network_process_fails_the_episode(
    play: Player, browser: Browser, left: Action
) -> None:
    """Chromium starts another and tells nobody: what the page lacks by then is not known."""
    cutter = Cutter((left,), (Finish(),))
    cutter.browser = browser

    with pytest.raises(CaptureError) as died:
        play(cutter)

    assert died.value.reason == "browser-error"
    assert len(cutter.seen) == 1  # nothing that was loaded meanwhile is shown to an agent
    assert play(Scripted((Finish(),))).ended == "finished"


PARTS: Final = {
    "text/css": "<link rel=stylesheet href=part>",
    "text/javascript": "<script src=part></script>",
    "image/png": "<img src=part>",
}


@pytest.mark.parametrize("kind", PARTS)
@pytest.mark.parametrize("way", ["whole", "broken", "busy"])
def test_a_page_whose_look_did_not_come_whole_fails(browser: Browser, kind: str, way: str) -> None:
    """A part that broke off, or that a busy server does not send, leaves no page to show."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            part = self.path.endswith("part")
            body = b" " if part else f"<!doctype html><body data-page=0>{PARTS[kind]}".encode()
            self.send_response(503 if part and way == "busy" else 200)
            self.send_header("content-type", kind if part else "text/html")
            missing = 90 if part and way == "broken" else 0
            self.send_header("content-length", str(len(body) + missing))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class)
            """Say nothing."""

    agent = Scripted((Finish(),))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = place_of(f"http://127.0.0.1:{server.server_port}/")
        with contextlib.ExitStack() as stack:
            if way != "whole":
                stack.enter_context(
                    pytest.raises(CaptureError, match=r"part failed: status 50[23]")
                )
            run_episode(browser, place, agent, FormTask(""))
        server.shutdown()
    assert len(agent.seen) == (way == "whole")


def test_a_hang_or_a_crash_fails_one_episode(play: Player, browser: Browser) -> None:
    """A page that never answers and a browser that dies are one failure each, then all is well."""
    with pytest.raises(CaptureError) as hung:
        play(Scripted((Click(150, 430),)), limits=EpisodeLimits(step_s=2.0))
    killer = Killer((NAME,))
    killer.browser = browser
    with pytest.raises(CaptureError) as killed:
        play(killer)

    assert (hung.value.reason, killed.value.reason) == ("timeout", "browser-error")
    assert play(Scripted((Finish(),))).ended == "finished"
