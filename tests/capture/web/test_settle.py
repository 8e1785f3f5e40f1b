"""
Tests of bringing a page to rest.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Limits, Settings
from surefoot.core.edit import AddStyle

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
  while (turns < 3e9) turns += 1;
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
