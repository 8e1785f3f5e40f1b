"""
An application that moves, recorded signed in, and asked again offline: the same bytes each time.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import surefoot
from surefoot.capture.access.access import Access
from surefoot.capture.access.secrets import Secrets
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.sources.recorded import read_recording
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.edit import AddStyle, Edit, ScaleText, Zoom
from surefoot.run.folders.folder import read_screens
from surefoot.run.folders.lines import table_file
from tests.product import Product
from tests.run.building.test_entering_together import found_in

VARIANTS: Final = "original,style,order,zoom:1.5"
SMALL: Final[dict[str, Any]] = {"width": 500, "height": 400, "unconfined": True}
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def product() -> Iterator[Product]:
    """Lend a product whose poll is answered."""
    with Product() as running:
        running.polls = False
        yield running


def signed_in(product: Product, folder: Path) -> dict[str, Any]:
    """Return the options of one who is signed in."""
    state = folder / "state.json"
    state.write_text(json.dumps(product.state()))
    return {"storage_state": state, "signed_in": "#leave", **SMALL}


def captured(recording: Path, out: Path) -> list[bytes]:
    """Capture a recording, and return what was written of its screens and their pictures."""
    made = surefoot.capture(f"recorded:{recording}", out=out, workers=1, **SMALL)
    assert made.outcome.failures == ()
    pictures = sorted((out / "objects").rglob("*.png"))
    return [
        table_file(out / "screens.jsonl").read_bytes(),
        *(file.read_bytes() for file in pictures),
    ]


def test_a_page_is_captured_without_its_server_and_no_secret_is_in_it(tmp_path: Path) -> None:
    """What a socket and a stream brought comes back as recorded, and neither host nor token."""
    out = tmp_path / "out"
    with Product() as product:
        product.polls = False
        told = signed_in(product, tmp_path)
        pages = [f"{product.origin}{way}" for way in ("/#/orders", "/plain")]
        made = surefoot.record(pages, out=out / "app.rec", **told)
        tokens = product.tokens
    captured(out / "app.rec", out / "quiet")
    screens = {screen.page: screen for screen in read_screens(out / "quiet")}
    texts = {page: {item.text for item in screen.elements} for page, screen in screens.items()}

    # What a page says of a secret is taken out of it, which it need not look like any more.
    assert {failure.key for failure in made.failures} <= {pages[1]}
    assert "secrets taken out of 3 texts" in made.lines[1]
    assert {"Order 17, rope", "3 ships at sea", "the tide is high"} <= texts["app/#/orders"]
    assert found_in(out, tokens) == []
    files = [file.read_bytes() for file in out.rglob("*") if file.is_file()]
    assert not [data for data in files if b"127.0.0.1" in data]


def test_what_is_hard_to_freeze_comes_back(product: Product, tmp_path: Path) -> None:
    """Shadow roots, state, listeners, canvases, frames, sheets of scripts: elements and pixels."""
    page, out = f"{product.origin}/sampler/index.html", tmp_path / "app.rec"
    settings = Settings(700, 1000, access=Access(public=True))

    made = surefoot.record(
        [page, f"{page}#asked"], out=out, width=700, height=1000, public=True, unconfined=True
    )
    (kept,) = list_addresses(f"recorded:{out}#/sampler/index.html")
    with Browser() as browser:
        first = capture(browser, list_addresses(page)[0], settings)
        second = capture(browser, kept, Settings(700, 1000))

    assert made.failures == ()
    assert first.png == second.png
    assert first.screen.elements == second.screen.elements
    assert first.screen.unrecorded == second.screen.unrecorded
    named = {(item.role, item.name) for item in second.screen.elements}
    wanted = ("Open details", "Card one", "Shadow button", "Closed button", "Mine", "Framed")
    assert {("button", name) for name in wanted} <= named
    assert found_in(out, ["typed-secret-4711", "hidden-token-4711"]) == []


@pytest.mark.long
@pytest.mark.parametrize("device", ["desktop", "phone", "tablet"])
def test_states_behind_clicks_come_back_on_each_device(
    product: Product, tmp_path: Path, device: str
) -> None:
    """A state is what the live page showed, with the ids that it had, and so is its page."""
    how = signed_in(product, tmp_path) | {"width": None, "height": None, "device": device}
    entry = f"{product.origin}/#/orders"
    (seen,) = surefoot.capture(entry, out=tmp_path / "seen", workers=1, **how)
    link = next(one.id for one in seen.elements if one.name == "Settings")
    pages = [entry, f"{entry} >> click {link}"]
    live = list(surefoot.capture(pages, out=tmp_path / "live", workers=1, **how))

    made = surefoot.record(pages, out=tmp_path / "app.rec", **how)
    offline: dict[str, Any] = {"unconfined": True, "device": device, "width": None, "height": None}
    again = list(
        surefoot.capture(
            f"recorded:{tmp_path / 'app.rec'}", out=tmp_path / "again", workers=1, **offline
        )
    )

    assert made.failures == ()
    names = [
        sorted([(one.id, one.role, one.name or one.text) for one in screen.elements])
        for screen in (*live, *again)
    ]
    assert sorted(names[:2]) == sorted(names[2:])
    assert any("~2" in one for one, *_ in names[2] + names[3])


@pytest.mark.long
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes the certificate")
def test_a_page_over_tls_is_recorded(tmp_path: Path) -> None:
    """Pages, sockets and streams come by a certificate of one's own, and back without it."""
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=quay"]
    made += ["-keyout", "own.pem", "-out", "own.crt", "-days", "2"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    key, certificate = tmp_path / "own.pem", tmp_path / "own.crt"
    key.write_text(key.read_text() + certificate.read_text())
    with Product(certificate=str(key)) as product:
        product.polls = False
        told = signed_in(product, tmp_path) | {"ca": certificate}
        kept = surefoot.record(f"{product.origin}/#/orders", out=tmp_path / "app.rec", **told)

    captured(tmp_path / "app.rec", tmp_path / "again")
    (screen,) = read_screens(tmp_path / "again")
    assert kept.failures == ()
    assert {"3 ships at sea", "the tide is high"} <= {one.text for one in screen.elements}


@pytest.mark.long
def test_three_captures_are_the_same_bytes_also_on_a_busy_machine(tmp_path: Path) -> None:
    """Screens and pictures of a page that moves, once its server is gone."""
    out = tmp_path / "app.rec"
    with Product() as product:
        product.polls = False
        pages = [f"{product.origin}{way}" for way in ("/h/moving", "/sampler/index.html")]
        told = signed_in(product, tmp_path) | {"public": True, "signed_in": ""}
        made = surefoot.record(pages, out=out, ignore=["ul li:nth-child(2)"], **told)

    found = [captured(out, tmp_path / "first"), captured(out, tmp_path / "second")]
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as load:
        found.append(captured(out, tmp_path / "busy"))
        load.kill()

    assert made.failures == ()
    assert ["two loads differ" in line for line in made.lines] == [True, False]
    assert found[0] == found[1] == found[2]
    screens = {screen.page: screen for screen in read_screens(tmp_path / "busy")}
    rows = [item for item in screens["app/h/moving"].elements if item.text.startswith("Order ")]
    assert [bool(row.hits) for row in rows if row.role == "listitem"] == [True, False, True]


@pytest.mark.long
@pytest.mark.parametrize("way", ["/#/settings", "/sampler/index.html"])
def test_a_change_gives_the_picture_that_the_live_page_gives(
    product: Product, tmp_path: Path, way: str
) -> None:
    """Colours, larger text, an order and a zoom: the same elements, and the same pixels."""
    told = signed_in(product, tmp_path) | {"public": True, "signed_in": ""}
    page, out = f"{product.origin}{way}", tmp_path / "app.rec"
    surefoot.record(page, out=out, **told)
    access = Access(state="state.json", public=True, clock=read_recording(out).pages[0].moment)
    live = list_addresses(page)[0], Settings(500, 400, access=access)
    kept = list_addresses(f"recorded:{out}")[0], Settings(500, 400)
    changes: tuple[tuple[Edit, ...], ...] = (
        (AddStyle("body{background:#123;color:#eee} a{padding:6px}"),),
        (ScaleText(1.4),),
        # The picture for a finer screen, which the sampler would show then, was never asked for.
        *([(Zoom(1.5),)] if way == "/#/settings" else []),
    )

    with Browser(secrets=Secrets(state=product.state())) as browser:
        shown = [
            [capture(browser, *one, edits=edits, variant="changed") for one in (live, kept)]
            for edits in changes
        ]

    assert [first.png == second.png for first, second in shown] == [True] * len(changes)
    assert [first.screen.elements == second.screen.elements for first, second in shown] == [
        True
    ] * len(changes)


@pytest.mark.long
def test_benchmarks_are_built_on_a_recording(product: Product, tmp_path: Path) -> None:
    """A style, an order and a zoom are asked for, once the server is gone."""
    out, screens, bench = tmp_path / "app.rec", tmp_path / "screens", tmp_path / "bench"
    surefoot.record(f"{product.origin}/#/settings", out=out, **signed_in(product, tmp_path))
    product.__exit__()

    captured(out, screens)
    built = surefoot.build("perturbed", screens=screens, out=bench, variants=VARIANTS, workers=1)

    assert built.outcome.failures == ()
    assert {screen.variant for screen in read_screens(bench)} == set(VARIANTS.split(","))


@pytest.mark.long
def test_what_is_no_page_is_not_recorded(product: Product, tmp_path: Path) -> None:
    """A page that only loads, an error, and one for which nobody is signed in are refused."""
    out = tmp_path / "app.rec"
    found = {}
    for way in ("loading", "oops", "302"):
        product.way = way
        made = surefoot.record(f"{product.origin}/h/orders", out=out, **SMALL)
        found[way] = made.failures[0].reason

    assert found == {"loading": "not-asked", "oops": "not-asked", "302": "signed-out"}
    assert not out.exists()
