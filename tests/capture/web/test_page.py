"""
Whole captures: one state, the same bytes, whole pages in tiles, and pages that will not rest.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import pytest
from PIL import Image

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.capture.web.shoot import png_size
from surefoot.core.canonical import sha256
from surefoot.core.edit import AddStyle, ScaleText, Zoom
from surefoot.core.errors import CaptureError

Shooter = Callable[..., Capture]
Pages = Callable[..., Address]
pytestmark = pytest.mark.browser
SMALL = Settings(width=400, height=300)
REAL = (
    "django-admin:/admin/auth/user/",
    "npm:startbootstrap-sb-admin@7.0.7/index.html",
)
MORE_REAL = (
    "django-admin:/admin/",
    "django-admin:/admin/flatpages/flatpage/add/",
    "npm:startbootstrap-sb-admin@7.0.7/tables.html",
    "npm:startbootstrap-sb-admin@7.0.7/register.html",
)


def pixels(found: Capture) -> Image.Image:
    """Return the picture of a capture."""
    return Image.open(io.BytesIO(found.png)).convert("RGB")


def colored(found: Capture, color: tuple[int, int, int]) -> list[int]:
    """Return the rows in which a colour occurs."""
    image = pixels(found)
    data = image.load()
    assert data is not None
    return [
        row
        for row in range(image.height)
        if any(data[column, row] == color for column in range(0, image.width, 10))
    ]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    "pages", [REAL, pytest.param(MORE_REAL, marks=pytest.mark.long)], ids=["two", "more"]
)
def test_two_browsers_give_the_same_bytes(pages: tuple[str, ...]) -> None:
    """Two browser processes give the same screens and pixels, also after edits."""
    rounds = []
    for _ in range(2):
        with Browser() as browser:
            found = []
            for spec in pages:
                (address,) = list_addresses(spec)[:1]
                original = capture(browser, address, Settings())
                changed = capture(
                    browser,
                    address,
                    Settings(),
                    variant="large",
                    edits=(ScaleText(1.3),),
                    original=original.screen,
                )
                assert {element.id for element in original.screen.elements} & {
                    element.id for element in changed.screen.elements
                }
                found += [original, changed]
        rounds.append(found)
    assert rounds[0] == rounds[1]
    assert len({sha256(item.png) for item in rounds[0]}) == len(rounds[0])


def test_what_moves_is_brought_to_rest(shot: Shooter) -> None:
    """Motion without an end stands at its beginning, motion with one at its end."""
    page = (
        "<style>@keyframes go{to{transform:translateX(100px)}}body{margin:0}"
        "button{position:absolute;left:0;width:50px}</style>"
        "<button style='top:0;animation:go 1s infinite'>endless</button>"
        "<button style='top:40px;animation:go 9s forwards'>once</button>"
        "<button id=t style='top:80px;transition:left 9s'>moved</button><script>"
        "setTimeout(()=>t.style.left='30px',500);document.write('<input autofocus>')</script>"
    )
    found = shot(page)
    places = {element.name: element.box.left for element in found.screen.elements}
    assert (places["endless"], places["once"], places["moved"]) == (0, 100, 30)
    assert shot(page) == found


def test_moving_pictures_stand_still(shot: Shooter) -> None:
    """An animated picture shows its first frame in every capture."""
    frames = [Image.new("RGB", (40, 40), color) for color in ("#ff0000", "#00ff00")]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=20, loop=0)
    source = base64.b64encode(file.getvalue()).decode()
    page = f"<body style='margin:0'><img alt=a src='data:image/gif;base64,{source}'>"
    for _ in range(3):
        assert pixels(shot(page)).getpixel((5, 5)) == (255, 0, 0)


def test_a_page_that_never_rests_fails(shot: Shooter) -> None:
    """A page whose layout keeps changing is a failure with that reason."""
    hurry = Settings(width=400, height=300, limits=Limits(settle_s=0.5))
    page = "<p id=p>0</p><script>setInterval(()=>p.textContent=Math.random(),1)</script>"
    with pytest.raises(CaptureError) as caught:
        shot(page, settings=hurry)
    assert caught.value.reason == "unstable-layout"


def test_a_page_that_differs_between_loads_fails(browser: Browser, address: Pages) -> None:
    """A variant of another tree than the original's is refused, after a second try."""
    first = capture(browser, address("<button>One</button>"), SMALL)
    changed = address("<button>Two</button>")
    with pytest.raises(CaptureError) as caught:
        capture(browser, changed, SMALL, original=first.screen)
    assert caught.value.reason == "unstable-page"
    again = address("<button>One</button>")
    edits = (AddStyle("button{color:red}"),)
    found = capture(browser, again, SMALL, edits=edits, original=first.screen)
    assert found.screen.elements[0].id == first.screen.elements[0].id


def test_timers_that_throw_do_no_harm(shot: Shooter) -> None:
    """An error in a page's own timer is the page's affair."""
    found = shot("<button>a</button><script>setTimeout(()=>{throw Error('no')},10)</script>")
    assert found.screen.elements[0].name == "a"


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_the_image_is_the_viewport_times_the_scale(shot: Shooter, scale: float) -> None:
    """Screen, header and viewport agree on the size, and the hash is the image's."""
    found = shot("<p>a", settings=Settings(width=400, height=300, scale=scale))
    size = (round(400 * scale), round(300 * scale))
    assert png_size(found.png) == (found.screen.width, found.screen.height) == size
    assert found.screen.image == sha256(found.png)


TALL = (
    "<body style='margin:0'><div style='position:fixed;top:0;left:0;right:0;height:20px;"
    "background:rgb(255,0,0)'></div><div style='height:350px'></div>"
    "<div style='position:sticky;top:0;height:10px;background:rgb(0,255,0)'></div>"
    "<div style='height:340px'></div><button style='display:block;height:40px;width:100px;"
    "border:0;background:rgb(0,0,255)' aria-label=low></button><div style='height:60px'></div>"
)


def test_whole_pages(shot: Shooter) -> None:
    """A whole page shows each thing once, with boxes and hits in the tall image."""
    whole = Settings(width=400, height=300, full_page=True)
    found = shot(TALL, settings=whole)
    assert png_size(found.png) == (400, 800)
    assert (found.screen.width, found.screen.height) == (400, 800)
    assert colored(found, (255, 0, 0)) == list(range(20))
    assert colored(found, (0, 255, 0)) == list(range(350, 360))
    assert colored(found, (0, 0, 255)) == list(range(700, 740))
    (button,) = found.screen.elements
    assert button.box.as_tuple() == (0, 700, 100, 740)
    assert (button.visible_fraction, button.hits) == (1, (True,) * 5)
    assert shot(TALL, settings=whole) == found


def test_whole_pages_under_zoom(shot: Shooter) -> None:
    """A zoomed whole page keeps the image's width and the places of its boxes."""
    whole = Settings(width=400, height=300, full_page=True)
    found = shot(TALL, [Zoom(0.8)], whole)
    (button,) = found.screen.elements
    assert found.screen.width == 400
    assert button.box.as_tuple() == pytest.approx((0, 560, 80, 592), abs=0.01)
    rows = colored(found, (0, 0, 255))
    assert (rows[0], rows[-1]) == (560, 591)
    assert button.hit


def test_lazy_pictures_of_a_whole_page(shot: Shooter) -> None:
    """What loads only when it comes near is loaded in a whole page."""
    picture = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>"
        "<rect width='40' height='40' fill='rgb(0,0,255)'/></svg>"
    )
    found = shot(
        "<body style='margin:0'><div style='height:9000px'></div>"
        "<img loading=lazy src=a.svg width=40 height=40 style='display:block'>",
        settings=Settings(width=400, height=300, full_page=True),
        a__svg=picture,
    )
    assert colored(found, (0, 0, 255)) == list(range(9000, 9040))


def test_a_whole_page_has_limits(shot: Shooter) -> None:
    """A page beyond the pixel limit is a failure, not an image."""
    small = Limits(pixels=200_000)
    with pytest.raises(CaptureError) as caught:
        shot(TALL, settings=Settings(width=400, height=300, full_page=True, limits=small))
    assert caught.value.reason == "too-large"
