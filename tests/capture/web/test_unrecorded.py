"""
What is painted and cannot be walked: closed roots are, words of all else are known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.refer.judge.verdict import judge
from surefoot.refer.resolve.resolve import prove
from surefoot.refer.scene.scene import scene_of

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser
TWIN: Final = "<button>Save draft</button>"
ASKED: Final = Expression(role="button", name="Save draft")
CLOSED: Final = """<my-c></my-c><script>
customElements.define("my-c", class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: "closed" }).innerHTML = `%s`; }
});</script>"""

# Each paints a second "Save draft" where a page's own scripts cannot look.
TWINS: Final = {
    "closed": CLOSED % TWIN,
    "closed in markup": f"<div><template shadowrootmode=closed>{TWIN}</template></div>",
    "closed in open": f"<div><template shadowrootmode=open><p><template shadowrootmode=closed>"
    f"{TWIN}</template></p></template></div>",
    "closed in closed": f"<div><template shadowrootmode=closed><p><template shadowrootmode=closed>"
    f"{TWIN}</template></p></template></div>",
    "slotted": f"<div><template shadowrootmode=closed><b><slot></slot></b></template>{TWIN}</div>",
    "late": "<div id=h></div><script>setTimeout(() => h.attachShadow({mode: 'closed'})"
    f".innerHTML = '{TWIN}', 900)</script>",
    "sandbox": f"<iframe sandbox srcdoc='{TWIN}'></iframe>",
    "data": f"<iframe src='data:text/html,{TWIN}'></iframe>",
    "frame in a frame": f"<iframe sandbox srcdoc='&lt;iframe "
    f"src=\"data:text/html,{TWIN}\">'></iframe>",
    "closed in a frame": f"<iframe srcdoc='<div><template "
    f"shadowrootmode=closed>{TWIN}</template></div>'>"
    "</iframe>",
    "object": f"<object data='data:text/html,{TWIN}' width=200 height=60></object>",
    "embed": f"<embed src='data:text/html,{TWIN}' width=200 height=60>",
    "drawing": "<svg width=200 height=40><symbol id=s><text y=20>Save draft</text></symbol>"
    "<use href='#s'/></svg>",
    "style": "<style>p::before{content:'Save draft'}</style><p></p>",
    "canvas": "<canvas id=c width=200 height=40></canvas><script>"
    "c.getContext('2d').fillText('Save draft', 9, 20)</script>",
}  # fmt: skip


@pytest.mark.parametrize("twin", TWINS)
def test_no_name_is_said_that_is_painted_twice(shot: Shooter, twin: str) -> None:
    """Both resolvers refuse a name whose twin stands where no script can look."""
    found = shot(f"{TWIN}<p>{TWINS[twin]}", settings=Settings(width=400, height=300))
    scene = scene_of(found.screen)
    target = found.screen.elements[0]

    assert prove(scene, ASKED, scene.place[target.id]) is not None
    assert not judge(ASKED, target.id, found.screen).valid


# Nothing of these is a second "Save draft" to a person.
APART: Final = {
    "own words of the button": "<style>b::after{content:'Save draft'}</style>",
    "hidden frame": f"<iframe sandbox hidden srcdoc='{TWIN}'></iframe>",
    "far away": f"<iframe sandbox style='position:absolute;left:-999px' srcdoc='{TWIN}'></iframe>",
    "covered": f"<div style='position:relative'><iframe sandbox srcdoc='{TWIN}'></iframe>"
    "<i style='position:absolute;inset:0;background:#eee'></i></div>",
    "other words": "<iframe sandbox srcdoc='<button>Open draft</button>'></iframe>",
    "wiped canvas": "<canvas id=c width=200 height=40></canvas><script>const d = "
    "c.getContext('2d');"
    "d.fillText('Save draft', 9, 20); d.clearRect(0, 0, 200, 40)</script>",
    "icon": "<style>p::before{content:'\\\\f0c7'}</style><p></p>",
    "name in a picture": "<style>.s::before{content:'draft'}</style><b class=s "
    "aria-label=draft role=img></b>",
}  # fmt: skip


@pytest.mark.parametrize("other", APART)
def test_what_nobody_sees_forbids_nothing(shot: Shooter, other: str) -> None:
    """A name stays good beside what is hidden, covered, wiped or called otherwise."""
    found = shot(f"{TWIN}<p>{APART[other]}", settings=Settings(width=400, height=300))
    scene = scene_of(found.screen)

    assert prove(scene, ASKED, 0) is None
    assert judge(ASKED, found.screen.elements[0].id, found.screen).valid


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_words_in_a_frame_lie_where_they_are_painted(shot: Shooter, scale: float) -> None:
    """Border, padding and both frames' places are counted, in pixels of the image."""
    inner = "<body style=margin:0><b style=display:block;width:60px>deep</b>"
    page = (
        "<body style=margin:0><iframe style='position:absolute;left:20px;top:30px;"
        "border:5px solid;padding:7px;width:200px;height:90px'"
        f" src='data:text/html,{inner}'></iframe>"
    )
    found = shot(page, settings=Settings(width=400, height=300, scale=scale)).screen.unrecorded

    assert [item.text for item in found] == ["deep"]
    box = found[0].box.scaled(1 / scale)
    assert (box.left, box.top) == (32.0, 42.0)
    assert Box(32, 42, 92, 62).contains(box.center)
