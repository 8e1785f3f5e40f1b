"""
Tests of bringing a page to rest.
"""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Callable, Iterator

import pytest

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.edit import AddStyle
from surefoot.core.errors import CaptureError

pytestmark = pytest.mark.browser

# A chart's way: an observer hears of a new width, and draws in the page's next frame.
OBSERVER = """
<div id=chart style="width:200px;height:20px"><button>none</button></div>
<script>
const chart = document.getElementById("chart");
new ResizeObserver(([entry]) => {
  const width = Math.round(entry.contentRect.width);
  requestAnimationFrame(() => setTimeout(() => {
    chart.firstElementChild.textContent = `drawn at ${width}`;
  }, 100));
}).observe(chart);
</script>
"""

# Motion of parts that the browser itself puts into controls, which a page can style.
PARTS = """
<style>
  input { display: block; width: 300px; height: 30px; font: 12px sans-serif; }
  ::placeholder { transition: all 9s; }
  .grown::placeholder { animation: grow 9s forwards; }
  ::file-selector-button { transition: all 9s; color: black; }
  input[type=range], ::-webkit-slider-thumb { appearance: none; }
  ::-webkit-slider-thumb { width: 20px; height: 20px; background: black; transition: all 9s; }
  @keyframes grow { to { letter-spacing: 9px; } }
</style>
<input placeholder="Your name"><input class=grown placeholder="Your town">
<input type=file><input type=range>
"""

# An application's way: each answer is dealt with by a timer, which asks for the next thing.
CHAIN = """
<button>step 0</button>
<script>
const button = document.querySelector("button");
const next = (step) => fetch(location).then(() => setTimeout(() => {
  button.textContent = `step ${step}`;
  if (step < 8) next(step + 1);
}, 700));
setTimeout(() => next(1), 4900);
</script>
"""

# An application that is hard at work for longer than the limit, and then asks for more.
BUSY = """
<button>at work</button>
<script>
const button = document.querySelector("button");
let turns = 0;
setTimeout(() => {
  while (turns < 1e9) turns += 1;
  fetch(location).then(() => { button.textContent = "done"; });
}, 1000);
</script>
"""


def _drawn(captured: Capture) -> str:
    return next(element.text for element in captured.screen.elements if element.role == "button")


def test_observers_have_been_heard_before_the_clock_runs(
    shot: Callable[..., Capture],
) -> None:
    """What a page draws because its size changed under an edit is part of the capture."""
    wider = AddStyle("#chart { width: 300px !important; }")

    assert _drawn(shot(OBSERVER)) == "drawn at 200"
    assert [_drawn(shot(OBSERVER, [wider])) for _ in range(3)] == ["drawn at 300"] * 3


def test_parts_of_controls_do_not_move(shot: Callable[..., Capture]) -> None:
    """Motion of a placeholder, a file button and a slider's thumb is at its end at once."""
    larger = AddStyle(
        "input { font-size: 24px !important } ::file-selector-button { color: red !important }"
        " ::-webkit-slider-thumb { background: red !important }"
    )
    still = PARTS.replace("transition: all 9s;", "").replace(
        "animation: grow 9s forwards", "letter-spacing: 9px"
    )

    for edits in ([], [larger]):
        moving, resting = shot(PARTS, edits), shot(still, edits)
        assert moving.png == resting.png
        assert [element.text_boxes for element in moving.screen.elements] == [
            element.text_boxes for element in resting.screen.elements
        ]


def test_what_answers_set_off_is_waited_for(shot: Callable[..., Capture]) -> None:
    """A page that asks for one thing after the other has come to the end of it."""
    assert _drawn(shot(CHAIN)) == "step 8"


def test_what_a_page_does_by_its_clock_is_not_counted(shot: Callable[..., Capture]) -> None:
    """However long a page works when its clock is run, what it then asks for has its time."""
    hasty = Settings(width=400, height=300, limits=Limits(settle_s=1.0))

    assert _drawn(shot(BUSY, settings=hasty)) == "done"


@pytest.mark.parametrize("moves", [True, False])
def test_a_page_that_the_browser_moves_is_no_still_one(
    shot: Callable[..., Capture], moves: bool
) -> None:
    """Words that run, which no script can stop, are refused, and those that stand are captured."""
    page = f"<!doctype html><marquee{'' if moves else ' scrollamount=0'}>words</marquee>"
    hasty = Settings(width=400, height=300, limits=Limits(settle_s=1.0))

    if moves:
        with pytest.raises(CaptureError, match="keeps moving"):
            shot(page, settings=hasty)
    else:
        assert [element.text for element in shot(page, settings=hasty).screen.elements] == [
            "words"
        ]


POLLED = """<!doctype html><meta charset=utf-8><title>c</title><button>drawn</button>%s<script>
const asked = (place) => { %s };
asked("/events?since=0");
</script>"""
# Ways to wait for what may never happen.
POLLS = {
    "fetch": "fetch(place).then(() => asked(place))",
    "request": "const x = new XMLHttpRequest(); x.open('GET', place); x.send()",
    "post": "fetch(place, { method: 'POST', body: 'x' })",
    "several": "fetch(place); fetch('/more')",
    "again and again": "fetch('/now').then(() => fetch(place))",
    "on a timer": "setTimeout(() => fetch(place), 2000)",
    "with a limit": "fetch(place, { signal: AbortSignal.timeout(60000) })",
    "events": "new EventSource(place)",
    "after a change": "document.querySelector('button').textContent = 'drawn'; fetch(place)",
    "in a frame": "const f = document.createElement('iframe');"
    " f.srcdoc = '<script>fetch(\"/events\")' + '</' + 'script>'; document.body.append(f)",
}
# What says that more is to come.
SIGNS = (
    "<div aria-busy=true>Wait</div>",
    "<progress></progress>",
    "<div role=progressbar>x</div>",
    "<div class=spinner>x</div>",
    "<div class='card is-loading'>x</div>",
    "<div class=skeleton-row>x</div>",
)


class _Silent(http.server.BaseHTTPRequestHandler):
    page = ""
    done: threading.Event

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Send the page, answer what is there now, and keep silent on all else."""
        if self.path in ("/", "/now"):
            content = self.page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        else:
            self.done.wait(60)

    do_POST = do_GET  # noqa: N815 - as the library calls it


@contextlib.contextmanager
def _served(page: str) -> Iterator[str]:
    over = threading.Event()
    handler = type("Handler", (_Silent,), {"page": page, "done": over})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        over.set()
        server.shutdown()
        server.server_close()


QUICK = Settings(width=300, height=200, limits=Limits(settle_s=1.0))


@pytest.mark.parametrize("way", POLLS)
def test_a_poll_that_never_ends_does_not_keep_a_page(browser: Browser, way: str) -> None:
    """A page that is drawn is captured, whatever its scripts wait for."""
    with _served(POLLED % ("", POLLS[way])) as url:
        assert _drawn(capture(browser, list_addresses(url)[0], QUICK)) == "drawn"


@pytest.mark.parametrize("sign", SIGNS)
def test_a_page_that_says_it_waits_is_not_settled(browser: Browser, sign: str) -> None:
    """A page that shows that more is to come fails, as one that is not there yet."""
    page = POLLED % (sign, "fetch(place)")
    with _served(page) as url, pytest.raises(CaptureError) as caught:
        capture(browser, list_addresses(url)[0], QUICK)
    assert caught.value.reason == "unsettled"
