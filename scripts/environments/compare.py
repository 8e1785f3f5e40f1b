"""
Play the same steps in every environment, and compare the scores that one desk gives them.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

import surefoot
from surefoot.environments.desk import DeskClient
from surefoot.environments.gymnasium import FormEnv
from surefoot.forms.desk.protocol import EpisodeRequest
from surefoot.forms.driver.actions import Click, Press, Type, Upload
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.phrasing.tables import table_lines
from surefoot.report.forms.page import open_forms
from tests.environments.plays import TALL, recorded_play, spoiled, told_apart

FORM = "startup_funding"  # four pages, a date, a list and a file
SEED = 7
HERE = Path(__file__).parent
REST_MS = 500  # what BrowserGym gives a page, too; a picture of an opening list never comes
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""


def by_gymnasium(desk: str, steps: list[str], agent: str) -> list[float]:
    """Play in Surefoot's own environment; return the seconds of each step."""
    env = FormEnv(FORM, desk=desk, height=TALL, level="lines", agent=agent)
    with contextlib.closing(env):
        env.reset(seed=SEED)
        return [timed(lambda step=step: env.step(step)) for step in steps]  # type: ignore[misc]


def by_playwright(desk: str, steps: list[str], agent: str) -> list[float]:
    """Play with Playwright alone, as any script would; return the seconds of each step."""
    with (
        DeskClient(desk) as client,
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        asked = EpisodeRequest(form=FORM, instance=0, seed=SEED, level="lines", agent=agent)
        episode = client.open(asked)
        client.fetch(episode, Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM or None)
        page = browser.new_page(viewport={"width": 1280, "height": TALL})
        # With no other listener, one that begins with the click may be too late for it.
        page.on("filechooser", lambda _: None)
        page.goto(episode.url)

        def carry_out(step: str) -> None:
            for action in ACTION_LANGUAGES.get("browsergym").read(step):
                match action:
                    case Click(x=x, y=y):
                        page.mouse.click(x, y)
                    case Type(text=text):
                        page.keyboard.type(text)
                    case Press(keys=keys):
                        page.keyboard.press(keys)
                    case Upload(x=x, y=y, file=file):
                        with page.expect_file_chooser() as chooser:
                            page.mouse.click(x, y)
                        chooser.value.set_files(Path(folder, file))
                    case _:
                        raise ValueError(f"Expected calls of this play, found {action}.")
            page.wait_for_timeout(REST_MS)
            page.screenshot()

        seconds = [timed(lambda step=step: carry_out(step)) for step in steps]  # type: ignore[misc]
        browser.close()
        return seconds


def elsewhere(toolkit: str, work: Path) -> Callable[[str, list[str], str], list[float]]:
    """Return what plays in the environment of Python of another toolkit."""

    def play(desk: str, steps: list[str], agent: str) -> list[float]:
        told = {"desk": desk, "steps": steps, "agent": agent, "form": FORM, "seed": SEED}
        told |= {"height": TALL, "chromium": CHROMIUM}
        command = [str(work / toolkit / "bin" / "python"), str(HERE / f"by_{toolkit}.py")]
        environ = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(work / "browsers")}
        ended = subprocess.run(
            command,
            check=False,
            input=json.dumps(told),
            env=environ,
            capture_output=True,
            text=True,
        )
        if ended.returncode:
            sys.exit(f"{toolkit} failed:\n{ended.stdout}{ended.stderr}")
        seconds: list[float] = json.loads(ended.stdout.splitlines()[-1])
        return seconds

    return play


def by_browser_use(desk: str, work: Path) -> None:
    """Run the documentation's example of browser-use in an environment of its own."""
    page = (HERE.parents[1] / "docs" / "forms.md").read_text("utf-8")
    (example,) = (
        code
        for code in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        if "browser_use" in code
    )
    command = [str(work / "browser-use" / "bin" / "python"), str(HERE / "by_browser_use.py")]
    ended = subprocess.run(
        command,
        check=False,
        input=example.replace("http://127.0.0.1:8421", desk),
        cwd=work,
        capture_output=True,
        text=True,
    )
    if ended.returncode:
        sys.exit(f"browser-use failed:\n{ended.stdout}{ended.stderr}")


def timed(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(work: Path) -> bool:
    """
    Play everywhere, print a table, and tell whether all scores of a play are one.

    browser-use has actions of its own, so that it plays another form, and rightly.
    """
    players = {
        "gymnasium": by_gymnasium,
        "playwright": by_playwright,
        "openenv": elsewhere("openenv", work),
        "browsergym": elsewhere("browsergym", work),
    }
    took: dict[tuple[str, str], float] = {}
    with surefoot.serve_forms(out=work / "desk") as pages:
        with DeskClient(pages.address) as desk:
            asked = EpisodeRequest(form=FORM, instance=0, seed=SEED, level="lines", agent="driver")
            right, score = recorded_play(desk, asked)
        plays = {"right": right, "spoiled": spoiled(right)}
        for (name, steps), (toolkit, play) in itertools.product(plays.items(), players.items()):
            seconds = play(pages.address, steps, f"{name} by {toolkit}")
            took[name, toolkit] = statistics.median(seconds)
        by_browser_use(pages.address, work)
    (run,) = open_forms([work / "desk"])
    scores = {result.score.agent: result.score for result in run.results}
    rows = [("right", "the oracle itself", *_told(score), "")]
    for (name, toolkit), median in took.items():
        by = "our driver (gymnasium)" if toolkit == "gymnasium" else toolkit
        rows.append((name, by, *_told(scores[f"{name} by {toolkit}"]), f"{median:.2f}"))
    by_labels = scores["browser-use"]
    rows.append(("another form", "browser-use", *_told(by_labels), ""))
    head = ("play", "by", "values that arrived", "wholly right", "seconds a step (median)")
    print("\n".join(table_lines(head, tuple(rows))))
    right_by_all = all(
        told_apart(scores[f"right by {toolkit}"]) == told_apart(score) for toolkit in players
    )
    spoiled_by_all = [told_apart(scores[f"spoiled by {toolkit}"]) for toolkit in players]
    spoiled_alike = all(other == spoiled_by_all[0] for other in spoiled_by_all)
    return right_by_all and spoiled_alike and by_labels.right


def _told(score: EpisodeScore) -> tuple[str, str]:
    asked = [field for field in score.fields if field.asked]
    arrived = sum(field.submitted for field in asked)
    return f"{arrived} of {len(asked)}", "yes" if score.right else "no"


if __name__ == "__main__":
    if not compare(Path(sys.argv[1])):
        sys.exit("The same play has different scores, or browser-use was not right.")
