"""
Events, uploads and submissions of a scripted page: each checked, none changed afterwards.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.forms.instance import FileValue
from surefoot.forms.record import FieldEvent
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.uploads import uploaded_path

PDF: Final = b"%PDF-1.4 another file"
SHA: Final = hashlib.sha256(PDF).hexdigest()
EVENT: Final = {"field": "name", "page": 0, "kind": "input", "value": "A", "at": 12}
WHOLE: Final = {"name": "Ada", "colours": ["red"], "terms": "yes"}


def test_events_are_numbered_as_they_come(visit: Callable[..., Any]) -> None:
    """Two posts of events and a file between them make one stream without a gap."""
    run = visit()
    assert run.send("events", [EVENT, {**EVENT, "value": "Ad\0a", "at": 15}]).status_code == 204
    assert run.upload("cv", "cv.pdf", PDF).json() == {"name": "cv.pdf", "sha256": SHA}
    assert run.send("events", []).status_code == 204
    chosen = {"field": "cv", "page": 2, "kind": "upload", "value": "cv.pdf", "at": 90}
    assert run.send("events", [chosen]).status_code == 204
    file = json.dumps({"name": "cv.pdf", "sha256": SHA}, separators=(",", ":"))
    assert run.record().events == (
        FieldEvent(1, 0, "name", "input", "A", 12),
        FieldEvent(2, 0, "name", "input", "Ad\0a", 15),
        FieldEvent(3, 2, "cv", "upload", file, 0),
        FieldEvent(4, 2, "cv", "change", "cv.pdf", 90),
    )


def test_a_submission_is_accepted_and_kept(visit: Callable[..., Any]) -> None:
    """A whole form in one piece is normalised and kept; the next one gets its own number."""
    run = visit()
    file = run.upload("cv", r"C:\fakepath\cv.PDF", PDF).json()
    assert run.send("submit", {**WHOLE, "cv": file}).json() == {"done": True}
    assert run.send("submit", {**WHOLE, "cv": file, "name": "Bea"}).status_code == 200
    first, second = run.record().submissions
    assert (first.number, second.number) == (1, 2)
    assert (first.values["name"], second.values["name"]) == ("Ada", "Bea")
    assert first.values == {
        "name": "Ada",
        "colours": ("red",),
        "news": False,
        "cv": FileValue("cv.PDF", SHA),
        "terms": True,
    }
    assert 'data-state="done"' in run.get().text


def test_a_page_is_judged_before_it_is_turned(visit: Callable[..., Any]) -> None:
    """What is wrong on a page is refused there, as a page that is posted; the rest may wait."""
    run = visit()
    assert list(run.send("turn/0", {"name": "Ada"}).json()["errors"]) == ["colours"]
    assert run.send("turn/0", {"name": "Ada", "colours": ["red"]}).json() == {"done": False}
    assert run.send("turn/1", {"start": "soon"}).status_code == 422
    assert run.send("turn/3", {}).status_code == 404
    assert [(item.field, item.reason) for item in run.record().refused] == [
        ("colours", "missing"),
        ("start", "malformed"),
    ]
    assert run.record().submissions == ()


def test_a_form_sent_twice_at_once_is_one_submission(visit: Callable[..., Any]) -> None:
    """The second of two alike, as a double click sends them, is answered and not kept."""
    run = visit()
    file = run.upload("cv", "cv.pdf", PDF).json()
    replies = [run.send("submit", {**WHOLE, "cv": file}).json() for _ in range(2)]
    assert replies == [{"done": True}] * 2
    assert [item.number for item in run.record().submissions] == [1]


def test_a_page_opened_anew_holds_what_was_kept(visit: Callable[..., Any]) -> None:
    """Of each field of which something else was told, an event tells what the page now has."""
    scripted = visit(Rendering("surveyjs"))
    told = [EVENT, {**EVENT, "field": "colours", "value": "red"}]
    opened = {"field": "", "page": 0, "kind": "open", "value": "", "at": 3}
    for run in (visit(), scripted):
        run.send("events", told)
        run.send("events", [opened, {**EVENT, "field": "news", "value": "yes"}])
        resets = [(event.field, event.kind, event.value) for event in run.record().events[2:]]
        assert resets == [
            *(("name", "reset", ""), ("colours", "reset", "")),
            ("news", "input", "yes"),
        ]
    scripted.send("turn/0", {"name": "Ada", "colours": ["red"]})
    scripted.send("events", [opened])
    assert [event.value for event in scripted.record().events[5:]] == ["Ada", "red", ""]


def test_a_refused_submission_names_its_fields(visit: Callable[..., Any]) -> None:
    """What is wrong comes back by field, and is recorded with what was sent."""
    run = visit()
    answers = {"name": "Ada", "colours": ["red", "mauve"], "start": "soon", "terms": ""}
    reply = run.send("submit", answers)
    assert reply.status_code == 422
    assert list(reply.json()["errors"]) == ["colours", "start", "cv", "terms"]
    assert all(reply.json()["errors"].values())
    assert [(item.field, item.reason, item.value) for item in run.record().refused] == [
        ("colours", "not-an-option", "red, mauve"),
        ("start", "malformed", "soon"),
        ("cv", "missing", ""),
        ("terms", "missing", ""),
    ]
    assert run.record().submissions == ()
    assert run.record().drafts["name"] == "Ada"


def test_another_runs_file_is_not_taken(visit: Callable[..., Any]) -> None:
    """A file counts in the run and the field that it was uploaded to, and nowhere else."""
    mine, other = visit(), visit()
    file = other.upload("cv", "cv.pdf", PDF).json()
    assert mine.send("submit", {**WHOLE, "cv": file}).status_code == 400
    assert other.send("submit", {**WHOLE, "cv": {**file, "name": "b.pdf"}}).status_code == 400
    assert other.send("submit", {**WHOLE, "cv": file}).status_code == 200
    assert mine.record().submissions == ()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../../etc/cron.d/cv.pdf", "cv.pdf"),
        (r"..\..\windows\cv.pdf", "cv.pdf"),
        ("/absolute/cv.png", "cv.png"),
        ("履歴書.pdf", "履歴書.pdf"),
        ("a" * 300 + ".pdf", "a" * 116 + ".pdf"),
        ("c%00v.pdf", "c%00v.pdf"),
    ],
)
def test_names_of_files_are_never_paths(visit: Callable[..., Any], name: str, kept: str) -> None:
    """Whatever a file is called, its bytes lie under their hash and its name is one word."""
    run = visit()
    before = {path for path in run.folder.rglob("*") if path.suffix in {".pdf", ".png"}}
    assert run.upload("cv", name, PDF).json() == {"name": kept, "sha256": SHA}
    assert uploaded_path(run.folder, SHA).read_bytes() == PDF
    after = {path for path in run.folder.rglob("*") if path.suffix in {".pdf", ".png"}}
    assert after == before == set()


def test_files_of_other_kinds_and_fields_are_refused(visit: Callable[..., Any]) -> None:
    """A program, a file for a text, for no field, or two at once are turned away."""
    run = visit()
    reply = run.upload("cv", "cv.exe", PDF)
    refused = run.send("submit", {**WHOLE, "cv": reply.json()})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["cv"])
    refused = run.send("submit", {**WHOLE, "cv": run.upload("cv", ".pdf", PDF).json()})
    assert refused.status_code == 422
    assert run.upload("name", "cv.pdf", PDF).status_code == 404
    assert run.upload("none", "cv.pdf", PDF).status_code == 404
    two = [("file", ("a.pdf", PDF)), ("file", ("b.pdf", PDF))]
    assert run.client.post(f"{run.root}upload/cv", files=two).status_code == 400
    assert run.client.post(f"{run.root}upload/cv", files={"f": PDF}).status_code == 400
    assert run.client.post(f"{run.root}upload/cv", data={"file": "text"}).status_code == 400
    assert [item.reason for item in run.record().refused] == ["wrong-type", "wrong-type"]


@pytest.mark.parametrize(
    "body",
    [
        [{**EVENT, "field": "other"}],
        [EVENT, {**EVENT, "page": 1}],
        [{**EVENT, "kind": "submit"}],
        [{**EVENT, "page": -1}],
        [{**EVENT, "at": 1.5}],
        [{**EVENT, "at": 2**60}],
        [{**EVENT, "value": 5}],
        [{**EVENT, "value": "x" * 50_001}],
        [{**EVENT, "gold": "x"}],
        [{literal: EVENT[literal] for literal in ("field", "page", "kind", "at")}],
        [EVENT] * 501,
        EVENT,
        "text",
        0,
    ],
)
def test_malformed_events_are_refused_whole(visit: Callable[..., Any], body: object) -> None:
    """Of a post with one wrong event nothing is kept, and the reply says it was wrong."""
    run = visit()
    assert run.send("events", body).status_code == 400
    assert run.record().events == ()


@pytest.mark.parametrize(
    "body",
    [
        {"intruder": "x"},
        {"name": {"name": "a", "sha256": SHA}},
        {"cv": "cv.pdf"},
        {"cv": ["cv.pdf", SHA]},
        {"cv": {"name": "cv.pdf", "sha256": SHA, "path": "/etc/passwd"}},
        {"name": None},
        {"name": ["x"] * 101},
        {"name": "x" * 4_001},
        {"note": "x" * 50_001},
        {"name": [["x"]]},
        ["name"],
    ],
)
def test_malformed_submissions_are_refused(visit: Callable[..., Any], body: object) -> None:
    """A submission of another shape, or with a field that is none, is no submission."""
    run = visit()
    assert run.send("submit", body).status_code == 400
    assert run.record().submissions == ()
    assert run.record().drafts == {}


def test_long_texts_are_judged_in_no_time(visit: Callable[..., Any]) -> None:
    """The longest text that is let in, of the worst signs, keeps the server for no second."""
    run = visit()
    for worst in (" ", "\n", "1,", "a@a.", "-", "9"):
        text = (worst * 4000)[:4000]
        answers = dict.fromkeys(("name", "email", "colours", "news", "start", "terms"), text)
        begun = time.process_time()
        reply = run.send("submit", {**answers, "note": (worst * 50_000)[:50_000]})
        assert reply.status_code == 422
        assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'["\\ud800"]',
        b'{"name": "\\ud800"}',
        b"[" * 500_000,
        b'{"name":' * 100_000,
        b'{"name": 1e999}',
        b"NaN",
    ],
    ids=range(9),
)
def test_broken_json_is_refused(visit: Callable[..., Any], content: bytes) -> None:
    """Bytes that are no JSON, or nested without end, are an error of the sender."""
    run = visit()
    headers = {"content-type": "application/json"}
    for route in ("events", "submit"):
        reply = run.client.post(f"{run.root}{route}", content=content, headers=headers)
        assert reply.status_code == 400
    assert run.record().events == ()


def test_other_content_types_are_refused(visit: Callable[..., Any]) -> None:
    """JSON under another name, as another site could send it, is not read at all."""
    run = visit()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"):
        headers = {"content-type": kind}
        for route in ("events", "submit"):
            reply = run.client.post(f"{run.root}{route}", content=b"[]", headers=headers)
            assert reply.status_code == 415
    for route in ("page/0", "upload/cv"):
        assert run.send(route, {}).status_code == 415
        headers = {"content-type": "multipart/form-data"}
        reply = run.client.post(f"{run.root}{route}", content=b"--", headers=headers)
        assert reply.status_code == 400


ANSWERS = st.dictionaries(
    st.sampled_from(["name", "email", "colours", "news", "start", "end", "note", "cv", "terms"]),
    st.text(max_size=30) | st.lists(st.text(max_size=9), max_size=3) | st.sampled_from(["1e9"]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers=ANSWERS)
def test_any_text_is_judged(visit: Callable[..., Any], answers: dict[str, object]) -> None:
    """Whatever texts a submission holds, it is judged: accepted, refused or malformed."""
    run = visit()
    reply = run.send("submit", answers)
    assert reply.status_code in {400, 422}
    assert run.record().submissions == ()
