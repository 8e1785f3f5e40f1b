"""
Pages are shown, posted, judged and turned, and what was entered arrives as it was entered.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from surefoot.core.canonical import digest
from surefoot.forms.instance import FileValue
from surefoot.forms.rendering import PageState, Renderer, Rendering
from surefoot.forms.server.application import application
from surefoot.forms.server.runs import open_run
from surefoot.forms.server.store import Store
from surefoot.forms.server.uploads import uploaded_path
from surefoot.forms.specification import Form
from surefoot.loopback.policy import STYLE_NONCE

PDF = b"%PDF-1.4 a small file"
SHA = hashlib.sha256(PDF).hexdigest()


def test_a_form_goes_from_page_to_page(visit: Callable[..., Any]) -> None:
    """Three pages are answered in order; values, files and both checkboxes arrive."""
    run = visit()
    assert 'data-page="0"' in run.get().text
    first = run.post(0, "next", name="Ada  Byron", email="", colours=["red", "blue"])
    assert (first.status_code, first.headers["location"]) == (303, f"/r/{run.token}/")
    assert 'data-page="1"' in run.get().text
    assert run.post(1, "next", start="2026-03-01", end="2026-03-02").status_code == 303
    last = run.post(2, "submit", note="one\r\ntwo", cv=("../my cv.PDF", PDF), terms="yes")
    assert last.status_code == 303
    assert 'data-state="done"' in run.get().text

    (sent,) = run.record().submissions
    assert sent.values == {
        "name": "Ada Byron",
        "colours": ("blue", "red"),
        "news": False,
        "start": "2026-03-01",
        "end": "2026-03-02",
        "note": "one\ntwo",
        "cv": FileValue("my cv.PDF", SHA),
        "terms": True,
    }
    assert sent.raw["name"] == ("Ada  Byron",)
    assert sent.raw["colours"] == ("red", "blue")
    assert "email" not in sent.raw
    assert sent.digest == digest({"raw": sent.raw, "values": sent.values})
    assert uploaded_path(run.folder, SHA).read_bytes() == PDF


def test_refused_values_are_shown_and_recorded(visit: Callable[..., Any]) -> None:
    """A page with wrong values comes back with status 422, messages and what was entered."""
    run = visit()
    reply = run.post(0, "next", name="", email="not <an> address", colours=["green"])
    assert reply.status_code == 422
    assert 'data-error="name"' in reply.text
    assert 'data-error="email"' in reply.text
    assert 'data-error="colours"' not in reply.text
    assert 'value="not &lt;an&gt; address"' in reply.text
    assert run.post(0, "next", name="x" * 41, colours=["green"]).status_code == 422

    seen = [(item.number, item.field, item.reason) for item in run.record().refused]
    assert seen == [(1, "name", "missing"), (1, "email", "malformed"), (2, "name", "too-long")]
    assert run.record().refused[1].value == "not <an> address"
    assert run.record().submissions == ()
    assert 'data-page="0"' in run.get().text


def test_pages_come_in_order(visit: Callable[..., Any]) -> None:
    """No page is reached but through those before it, and none is submitted from but the last."""
    run = visit()
    assert run.post(1, "next").status_code == 409
    assert run.post(2, "submit", terms="yes").status_code == 409
    assert run.post(0, "submit", name="Ada", colours=["red"]).status_code == 400
    assert run.post(3, "next").status_code == 404
    assert run.post(0, "jump", name="Ada").status_code == 400
    assert 'data-page="0"' in run.get().text
    assert run.record().drafts == {}


@pytest.mark.parametrize("page", ["9" * 5000, "-1", "00", "0x0", "\u0660", "+0", "%30%00"])
def test_a_page_is_a_number_of_the_form(visit: Callable[..., Any], page: str) -> None:
    """A page number of any length or spelling but our own is no page, and breaks nothing."""
    run = visit()
    reply = run.client.post(f"{run.root}page/{page}", files={"action": (None, "next")})
    assert (reply.status_code, reply.text) == (404, "Not Found.\n")
    assert run.get().status_code == 200


def test_going_back_keeps_what_was_entered(visit: Callable[..., Any]) -> None:
    """Back judges nothing and keeps all, and the form cannot be sent with what it kept wrong."""
    run = visit()
    run.post(0, "next", name="Ada", colours=["red"])
    assert run.post(1, "back", start="2026-03-02", end="2026-03-01").status_code == 303
    page = run.get().text
    assert 'data-page="0"' in page
    assert 'value="Ada"' in page
    assert run.post(0, "next", name="Ada", colours=[], news="yes").status_code == 422
    assert run.post(0, "next", name="Bea", colours=["green"], news="yes").status_code == 303
    assert 'value="2026-03-02"' in run.get().text
    assert run.post(1, "next", start="2026-03-02", end="2026-03-01").status_code == 422
    run.post(1, "next", start="2026-03-02", end="")
    assert run.post(1, "next", start="2026-03-02").status_code == 303
    assert run.post(2, "submit", cv=("cv.pdf", PDF), terms="yes").status_code == 303

    values = run.record().submissions[0].values
    assert (values["name"], values["colours"], values["news"]) == ("Bea", ("green",), True)
    assert "end" not in values


def test_a_wrong_page_far_back_is_shown_at_the_end(visit: Callable[..., Any]) -> None:
    """A form whose first page was spoiled on the way back is refused there at submission."""
    run = visit()
    run.post(0, "next", name="Ada", colours=["red"])
    run.post(1, "next")
    run.post(0, "back", name="", colours=["red"])
    reply = run.post(2, "submit", cv=("cv.pdf", PDF), terms="yes")
    assert reply.status_code == 422
    assert 'data-error="name"' in reply.text
    assert 'data-page="0"' in reply.text
    run.post(0, "next", name="Ada", colours=["red"])
    run.post(1, "next")
    assert run.post(2, "submit", terms="yes").status_code == 303
    assert run.record().submissions[0].values["cv"] == FileValue("cv.pdf", SHA)


def test_a_file_of_another_kind_is_refused(visit: Callable[..., Any]) -> None:
    """A file's suffix is held against the field, and again until another file is chosen."""
    run = visit()
    run.post(0, "next", name="Ada", colours=["red"])
    run.post(1, "next")
    strange = b"MZ a program"
    reply = run.post(2, "submit", cv=("cv.pdf.exe", strange), terms="yes")
    assert reply.status_code == 422
    assert 'data-error="cv"' in reply.text
    assert run.post(2, "submit", terms="yes").status_code == 422
    assert [(item.field, item.reason) for item in run.record().refused] == [
        ("cv", "wrong-type")
    ] * 2
    assert run.post(2, "submit", cv=("cv.pdf", PDF), terms="yes").status_code == 303


def test_a_file_control_left_alone_keeps_the_file(visit: Callable[..., Any]) -> None:
    """The empty part that a browser sends for an empty control is no file and takes none."""
    run = visit()
    run.post(0, "next", name="Ada", colours=["red"])
    run.post(1, "next")
    lines = [
        '--x\r\nContent-Disposition: form-data; name="action"\r\n\r\nsubmit',
        '--x\r\nContent-Disposition: form-data; name="terms"\r\n\r\nyes',
        '--x\r\nContent-Disposition: form-data; name="cv"; filename=""\r\n\r\n',
        "--x--\r\n",
    ]
    body = {
        "content": "\r\n".join(lines),
        "headers": {"content-type": "multipart/form-data; boundary=x"},
    }
    assert run.client.post(f"{run.root}page/2", **body).status_code == 422
    run.post(2, "back", cv=("cv.pdf", PDF))
    run.post(1, "next")
    assert run.client.post(f"{run.root}page/2", **body).status_code == 303
    assert run.record().submissions[0].values["cv"] == FileValue("cv.pdf", SHA)


def test_a_second_submission_leaves_the_first(visit: Callable[..., Any]) -> None:
    """A form sent twice is two submissions, and the first is what it was."""
    run = visit()
    run.post(0, "next", name="Ada", colours=["red"])
    run.post(1, "next")
    run.post(2, "submit", note="first", cv=("cv.pdf", PDF), terms="yes")
    before = run.record().submissions
    run.post(2, "submit", note="second", terms="yes")
    after = run.record().submissions
    assert after[:1] == before
    assert [(item.number, item.values["note"]) for item in after] == [(1, "first"), (2, "second")]


@pytest.mark.parametrize(
    "answers",
    [
        {"intruder": "x"},
        {"cv": ("cv.pdf", PDF)},
        {"name": ("name.pdf", PDF)},
        {"terms": "yes"},
        {"colours": ["red"] * 101},
        {"name": "x" * 4_001},
        {"action": "next"},
    ],
)
def test_foreign_parts_are_refused_whole(
    visit: Callable[..., Any], answers: dict[str, object]
) -> None:
    """A page with another field, a file for a text or too much of it changes nothing."""
    run = visit()
    assert run.post(0, "back", **answers).status_code == 400
    assert run.record().drafts == {}


def test_drafts_are_values_where_they_mean_one(visit: Callable[..., Any]) -> None:
    """What stands in an unsent form is told as values, and as text where it means none."""
    run = visit()
    run.post(0, "back", name=" Ada ", email="nonsense", colours=["blue", "red"])
    assert run.record().drafts == {
        "name": "Ada",
        "email": "nonsense",
        "colours": ("blue", "red"),
    }


def test_messages_speak_the_language_of_the_run(visit: Callable[..., Any]) -> None:
    """A French run is drawn in French and refuses in French."""
    english, french = visit(), visit(Rendering(language="fr"))
    assert 'lang="fr"' in french.get().text
    replies = [run.post(0, "next", colours=["red"]).text for run in (english, french)]
    messages = [text.split('data-error="name">')[1].split("<")[0] for text in replies]
    assert messages[0] != messages[1]


def test_a_renderers_styles_get_a_fresh_nonce(tmp_path: Path, form: Form) -> None:
    """Each page with the mark gets its own nonce, in the page and in the policy."""

    def draw(form: Form, rendering: Rendering, state: PageState) -> str:
        del form, rendering, state
        return f'<style nonce="{STYLE_NONCE}"></style>'

    drawn = Renderer("drawn", 1, (), (), draw)
    absent = msgspec.structs.replace(drawn, name="absent", missing=lambda: "npm ci")

    async def fetch(store: Store, name: str) -> httpx.Response:
        token = open_run(tmp_path, form, Rendering(name), instance=0, seed=0)
        app = application(
            store, renderers={renderer.name: renderer for renderer in (drawn, absent)}
        )
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get(f"http://127.0.0.1:81/r/{token}/")

    with Store(tmp_path) as store:
        first, second = (asyncio.run(fetch(store, "drawn")) for _ in range(2))
        gone = asyncio.run(fetch(store, "absent"))
        unknown = asyncio.run(fetch(store, "unknown"))
    nonce = first.text.split('"')[1]
    assert f"style-src 'self' 'nonce-{nonce}'" in first.headers["content-security-policy"]
    assert first.text != second.text
    assert (gone.status_code, unknown.status_code) == (503, 503)
    lacking = "Expected what the renderer 'absent' needs, found nothing. Build it: npm ci.\n"
    assert gone.text == lacking
    assert unknown.text == "Expected the renderer 'unknown', found none.\n"
