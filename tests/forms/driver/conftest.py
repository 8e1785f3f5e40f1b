"""
A small site with everything that a form page may do, good and bad.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.routes import Folder
from surefoot.capture.web.browser import Browser
from surefoot.forms.driver.agent import Agent, FormTask
from surefoot.forms.driver.episode import Episode, FormAddress, run_episode
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView

ORIGIN: Final = "http://forms.localhost"
STYLE: Final = """<style>
body { margin: 0; font: 16px sans-serif; }
[data-field], button, a { position: absolute; left: 100px; width: 400px; height: 40px; }
[data-field] label { position: absolute; left: 0; width: 190px; }
input, textarea, .box { position: absolute; left: 200px; width: 200px; height: 30px; }
button, a { width: 150px; left: 100px; }
</style>"""
ONE: Final = """<div data-page=0>
<div data-field=name style="top:20px"><label>Name</label><input data-control=name></div>
<div data-field=note style="top:70px"><label>Note</label>
 <textarea data-control=note></textarea></div>
<div data-field=day style="top:120px"><label>Day</label><input type=date data-control=day></div>
<div data-field=agree style="top:170px"><label>Agree</label>
 <input type=checkbox data-control=agree></div>
<div data-field=pet style="top:220px"><label>Pet</label>
 <span class=box role=combobox aria-controls=list data-control=pet
  onclick="list.hidden = !list.hidden">Pet</span></div>
<div data-field=cv style="top:270px"><label>CV</label>
 <label class=box data-control=cv>Choose<input type=file style="opacity:0"
  onchange="this.files[0].text().then((text) => (told.textContent = text.length))"></label></div>
<ul id=list hidden style="position:absolute;left:700px;top:300px;width:200px">
 <li data-option=cat onclick="pick(this)">Cat</li><li data-option=dog onclick="pick(this)">Dog</li>
</ul>
<button style="top:320px" onclick="alert('hello')">dialog</button>
<button style="top:370px" onclick="fetch('http://evil.example/x').catch(() => 0);
 window.open('http://evil.example/w')">reach</button>
<button style="top:420px" onclick="for (;;);">hang</button>
<button style="top:470px;transition:left .3s" onclick="this.style.left = '300px'">slide</button>
<a style="top:520px" href="http://evil.example/">leave</a>
<a style="top:620px" href="late.html">late</a>
<a style="top:570px" data-action=next href="two.html">next</a>
<div data-field=term style="top:680px"><label>Term</label><select class=box data-control=term>
 <option value="">Please choose</option><option value=spring>Весна</option>
 <option value=early>Осень ранняя</option><option value=late>Осень поздняя</option></select></div>
<output id=told style="position:absolute;top:640px"></output>
</div>
<script>function pick(node) { list.hidden = true;
 node.setAttribute('aria-selected', 'true');
 document.querySelector('[data-field=pet]').dataset.value = node.dataset.option; }</script>"""
TWO: Final = """<div data-page=1>
<div data-field=last style="top:1200px"><label>Last</label><input data-control=last></div>
<a style="top:1300px" data-action=submit href="done.html">submit</a></div>"""
# As pages that their scripts draw are before the scripts have come.
LATE: Final = """<div aria-busy=true></div>
<script>addEventListener("load", () => setTimeout(() => {
 const form = document.querySelector("div");
 form.innerHTML = '<a style="top:20px" data-action=submit href="done.html">submit</a>';
 form.removeAttribute("aria-busy"); }, 1200));</script>"""


Player = Callable[..., Episode]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Write the site's pages."""
    folder = tmp_path_factory.mktemp("site")
    pages = {"index": ONE, "two": TWO, "late": LATE, "done": "<p>Thanks"}
    for name, html in pages.items():
        body = "<body data-state=done>" if name == "done" else "<body>"
        text = f"<!doctype html><meta charset=utf-8>{STYLE}{body}{html}"
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return Folder(ORIGIN, folder)


@pytest.fixture
def play(browser: Browser, site: Folder) -> Player:
    """Play one episode on the site."""

    def run(
        agent: Agent,
        *,
        view: FormView = FormView(),  # noqa: B008
        limits: EpisodeLimits = EpisodeLimits(replies=3),  # noqa: B008
        folder: Path | None = None,
    ) -> Episode:
        task = FormTask("", folder=folder)
        return run_episode(
            browser,
            FormAddress(f"{ORIGIN}/index.html", site),
            agent,
            task,
            view=view,
            limits=limits,
        )

    return run
