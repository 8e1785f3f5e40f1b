"""
A small office of our own as a benchmark, whose questions are asked on live pages.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import httpx
import pytest
from playwright.sync_api import Page

import surefoot
from surefoot.capture.live.protocol import OpenedQuestion
from surefoot.capture.routes import Upstream
from surefoot.capture.settings import Settings
from surefoot.capture.web.browser import Browser
from surefoot.core.question import Question
from surefoot.environments.desk import DeskClient
from surefoot.run.episodes.desk import serve_episodes
from surefoot.run.episodes.playing import EpisodeAnswers

OFFICE = """<!doctype html><html lang=en><head><title>Office</title><style>
  button, a, label, select { font: 15px sans-serif; margin: 6px; padding: 6px }
</style></head><body><h1>Letters</h1>
<div id=row><button>Open</button><button>Reply</button><button>Archive</button></div>
<p><a id=leaves href=other.html>Drafts</a> <a id=far href=http://elsewhere.example/>Partner</a></p>
<p><label><input type=checkbox id=tick> Urgent</label>
<label for=who>Recipient</label><input id=who></p>
<p><label for=size>Size</label><select id=size><option>Small<option>Large</select></p>
<div role=button tabindex=0 id=own style="display:inline-block;border:1px solid">Stamp</div>
<div id=host></div><div id=closed></div>
<iframe src=inner.html width=300 height=70></iframe>
<script>
  const at = (id) => document.getElementById(id);
  at("leaves").addEventListener("mousedown", () => location.assign("other.html"));
  at("own").addEventListener("click", () => { at("own").title = "stamped"; });
  let ticks = 0;
  const year = () => new Date().getUTCFullYear();
  setInterval(() => { ticks += 1; document.title = `${ticks} of ${year()}`; }, 100);
  at("host").attachShadow({ mode: "open" }).innerHTML = "<button>Shade</button>";
  at("closed").attachShadow({ mode: "closed" }).innerHTML = "<button>Vault</button>";
  const [open, reply, archive] = document.querySelectorAll("#row button");
  reply.addEventListener("click", () => archive.click());
  window.addEventListener("click", (event) => event.stopImmediatePropagation(), true);
</script></body></html>"""
INNER = "<!doctype html><title>Inner</title><button style='font:15px sans-serif'>Annex</button>"
OTHER = "<!doctype html><title>Other</title><button>Open</button><p>Somewhere else"
VARIANTS = "original,theme,order,zoom:1.5,dark"


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the benchmark, with a condition of the picture that no page can be served under."""
    folder = tmp_path_factory.mktemp("live")
    pages = folder / "office"
    pages.mkdir()
    for name, text in (("index", OFFICE), ("inner", INNER), ("other", OTHER)):
        (pages / f"{name}.html").write_text(text, "utf-8")
    surefoot.capture([str(pages / "index.html")], out=folder / "screens", workers=1)
    surefoot.build(
        "perturbed",
        screens=folder / "screens",
        out=folder / "bench",
        variants=VARIANTS,
        kinds="direct",
        workers=1,
    )
    return folder / "bench"


class Played:
    """Hold what is played: the desk's client, the answers, and a page for each episode."""

    def __init__(self, answers: EpisodeAnswers, desk: DeskClient, browser: Browser) -> None:
        self.answers, self.desk, self.browser = answers, desk, browser

    def question(self, name: str, variant: str = "original") -> Question:
        """Return the question for the element of a name under a condition."""
        return next(
            one
            for one in self.answers.questions
            if one.cell.variant == variant and one.instruction.expression.name == name
        )

    @contextlib.contextmanager
    def page(
        self, name: str, variant: str = "original", *, width: int = 0
    ) -> Iterator[tuple[OpenedQuestion, Page]]:
        """Open an episode, and its page in a window as it is told, or of another ``width``."""
        episode = self.desk.ask(self.question(name, variant).id)
        shown, url = episode.browser, httpx.URL(episode.url)
        route = Upstream(f"http://{url.netloc.decode()}", "127.0.0.1", url.port or 80)
        settings = Settings(width or shown.width, shown.height, shown.scale)
        with self.browser.lend(route, settings) as context:
            page = context.new_page()
            page.goto(episode.url)
            self.desk.await_ready(episode)
            yield episode, page


Play: TypeAlias = Callable[..., contextlib.AbstractContextManager[Played]]


@pytest.fixture
def play(office: Path, tmp_path: Path, browser: Browser) -> Play:
    """Return what serves the office's questions for an agent."""

    @contextlib.contextmanager
    def serve(name: str = "agent", *, wrong: int = 3, limit: int = 0) -> Iterator[Played]:
        answers = EpisodeAnswers(office, name, tmp_path / name, wrong=wrong, limit=limit)
        with answers, serve_episodes(answers) as address, DeskClient(address) as desk:
            yield Played(answers, desk, browser)

    return serve
