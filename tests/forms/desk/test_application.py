"""
The desk shows the forms, hands out papers and files, and keeps what is right to itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.desk.keys import keep_episode
from surefoot.forms.instance import FileValue
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.store import Store
from surefoot.forms.specification import Field, Form, Kind, Page
from surefoot.forms.values.making import make_instance
from tests.forms.desk.site import Site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Serve a folder of its own."""
    with Store(tmp_path / "tried") as store:
        yield Site(tmp_path / "tried", store)


def test_the_index_offers_every_form_once(site: Site) -> None:
    """All forms stand under their domains, with the looks of the renderer that was chosen."""
    page = site.desk.get("/").text

    assert re.findall(r'<button name="form" value="(\w+)"', page) == list(catalogue())
    assert len(re.findall("<h2>", page)) == len({form.domain for form in catalogue().values()})
    for name, renderer in RENDERERS.entries.items():
        shown = site.desk.get("/", params={"renderer": name}).text
        themes = re.search(r'<select name="theme">(.*?)</select>', shown)
        assert themes is not None
        assert re.findall(r"<option[^>]*>([^<]+)<", themes[1]) == list(renderer.themes)


def test_opening_a_form_hands_out_what_it_takes(site: Site) -> None:
    """A run is opened as chosen; its papers name every file, and the files are the right ones."""
    secret = site.open("scholarship_application", language="fr", theme="night", direction="rtl")
    kept = record(site.folder, site.token(secret))
    assert (kept.form, kept.instance, kept.seed) == ("scholarship_application", 0, 5)
    look = kept.rendering
    assert (look.language, look.theme, look.direction) == ("fr", "night", "rtl")

    values = make_instance(catalogue()[kept.form], seed=5, index=0).values
    papers = site.desk.get(f"/run/{secret}/").text
    assert f"http://127.0.0.1:8001/r/{site.token(secret)}/" in papers
    files = {name: value for name, value in values.items() if isinstance(value, FileValue)}
    assert files
    for name, file in files.items():
        reply = site.desk.get(f"/run/{secret}/files/{name}")
        assert hashlib.sha256(reply.content).hexdigest() == file.sha256
        assert file.name in reply.headers["content-disposition"]
        assert file.name in papers
    assert site.forms.get(f"/r/{site.token(secret)}/").status_code == 200


def test_machine_made_words_are_told(site: Site) -> None:
    """Whoever chooses a language, or fills a form in, reads that its words are machine-made."""
    index = site.desk.get("/").text
    papers = [
        site.desk.get(f"/run/{site.open('bug_report', language=language)}/").text
        for language in ("ar", "th")
    ]

    assert "العربية (machine-made)" in index
    assert index.count("machine-made") == 1
    assert ["machine-made" in paper for paper in papers] == [True, False]


def test_papers_differ_by_level_and_kind(site: Site) -> None:
    """The same values are handed out in other words, the same ones each time."""
    secret = site.open("bug_report")
    asked = ["", "?level=paraphrased", "?level=derived&kind=thread", "?level=derived&kind=notes"]
    first, usual, thread, notes = (site.desk.get(f"/run/{secret}/{item}").text for item in asked)

    assert first == usual == site.desk.get(f"/run/{secret}/").text
    assert len({first, thread, notes}) == 3


def test_each_opening_takes_the_next_instance(site: Site) -> None:
    """Two runs of one form have different values, and those of another form begin anew."""
    opened = [site.open(literal) for literal in ("bug_report", "bug_report", "paper_submission")]

    kept = [record(site.folder, site.token(secret)) for secret in opened]
    assert [item.instance for item in kept] == [0, 1, 0]
    index = site.desk.get("/").text
    assert all(f"/run/{secret}/score" in index for secret in opened)


def test_a_run_of_a_foreign_form_does_not_hide_the_others(site: Site) -> None:
    """A kept form that no maker can fill is left out of the list, and has no papers."""
    secret = site.open("bug_report")
    odd = Field("odd", Kind.STRING, {"en": "Odd"}, "none.such")
    form = Form("foreign", "Z9", "tests", {"en": "Foreign"}, (Page({"en": "One"}, (odd,)),))
    token = open_run(site.folder, form, Rendering(), instance=0, seed=0)
    foreign = keep_episode(site.folder, token, handed="labelled", agent="").secret

    index = site.desk.get("/")
    assert (index.status_code, secret in index.text, foreign in index.text) == (200, True, False)
    assert site.desk.get(f"/run/{foreign}/").status_code == 404


def test_the_score_follows_the_form(site: Site) -> None:
    """What the form's page tells the server is on the score at once, and so is a refusal."""
    secret = site.open("bug_report")
    values = make_instance(catalogue()["bug_report"], seed=5, index=0).values
    now = f"/run/{secret}/score/now"
    assert "Nothing entered yet" in site.desk.get(now).text

    event = {"field": "title", "page": 0, "kind": "input", "value": values["title"], "at": 1}
    assert site.forms.post(f"/r/{site.token(secret)}/events", json=[event]).status_code == 204
    shown = site.desk.get(now).text
    assert re.search(r'data-row="title">.*?Right, not sent yet', shown, re.DOTALL)
    assert str(values["environment"]) not in shown
    assert str(values["environment"]) in site.desk.get(f"{now}?told").text

    posted = {"title": (None, ""), "action": (None, "next")}
    assert site.forms.post(f"/r/{site.token(secret)}/page/0", files=posted).status_code == 422
    whole = site.desk.get(f"/run/{secret}/score").text
    refusals = r"Refusals</dt><dd>(\d+)"
    assert re.findall(refusals, whole) == re.findall(refusals, site.desk.get(now).text) != ["0"]


def test_what_is_right_stays_on_the_desk(site: Site) -> None:
    """After all pages of the desk were read, no right value is in the run's page or folder."""
    secret = site.open("association_membership")
    pages = [
        site.desk.get(f"/run/{secret}/{literal}").text
        for literal in ("", "?level=derived", "score?told", "score/now?told", "score")
    ]
    values = make_instance(catalogue()["association_membership"], seed=5, index=0).values
    telling = [value for value in values.values() if isinstance(value, str) and len(value) > 9]
    secrets = [item for item in telling if not re.fullmatch("[a-z-]+", item)]
    assert len(secrets) > 5
    assert any(item in pages[2] for item in secrets)

    held = [file.read_bytes() for file in site.folder.rglob("*") if file.is_file()]
    held.append(site.forms.get(f"/r/{site.token(secret)}/").content)
    for secret in secrets:
        assert not any(secret.encode() in item for item in held)
    assert site.forms.get(f"/run/{secret}/score?told").status_code == 404


def test_the_address_of_a_form_opens_nothing_on_the_desk(site: Site) -> None:
    """Who fills in a form knows its token, and gets neither paper, score nor values by it."""
    token = site.token(site.open("association_membership"))
    for path in ("", "score", "score?told", "score/now", "score/now?told", "files/photo"):
        assert site.desk.get(f"/run/{token}/{path}").status_code == 404


def test_pages_need_no_inline_script_or_style(site: Site) -> None:
    """Every page has the strict policy, loads its own files alone and would not break by it."""
    secret = site.open("bug_report")
    for path in ("/", f"/run/{secret}/", f"/run/{secret}/score?told"):
        reply = site.desk.get(path)
        assert "default-src 'self'" in reply.headers["content-security-policy"]
        assert "unsafe" not in reply.headers["content-security-policy"]
        assert not re.search(r"<[^>]+\s(on\w+|style)=", reply.text)
        loaded = re.findall(
            r'<(?:script[^>]* src|link rel="stylesheet" href)="([^"]+)"', reply.text
        )
        assert len(re.findall("<script|<style|rel=.stylesheet", reply.text)) == len(loaded)
        assert all(site.desk.get(item).status_code == 200 for item in loaded)


def test_what_is_typed_is_shown_as_text(site: Site) -> None:
    """Markup that somebody typed into a form is no markup on the desk."""
    secret = site.open("bug_report")
    hostile = "<img src=x onerror=alert(1)>\"'&"
    event = {"field": "title", "page": 0, "kind": "input", "value": hostile, "at": 1}
    site.forms.post(f"/r/{site.token(secret)}/events", json=[event])

    shown = site.desk.get(f"/run/{secret}/score").text
    assert "<img" not in shown
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown


@pytest.mark.parametrize(
    ("posted", "status"),
    [
        ({"form": "none"}, 400),
        ({}, 415),
        ({"renderer": "plain"}, 400),
        ({"form": "bug_report", "renderer": "none"}, 404),
        ({"form": "bug_report", "theme": "none"}, 400),
        ({"form": "bug_report", "layout": "<b>"}, 400),
        ({"form": "bug_report", "language": "xx"}, 400),
        ({"form": "bug_report", "direction": "up"}, 400),
        ({"form": "bug_report", "seed": "7"}, 400),
        ({"form": "bug_report" * 3000}, 413),
    ],
)
def test_nothing_is_opened_by_mistake(site: Site, posted: dict[str, str], status: int) -> None:
    """A form, a look or a length that there is not is refused, and no run begins."""
    assert site.desk.post("/open", data=posted).status_code == status
    assert "Opened so far" not in site.desk.get("/").text


def test_only_this_machine_may_ask(site: Site) -> None:
    """Another name of the host sees nothing, and another site's page can open nothing."""
    secret = site.open("bug_report")
    told = site.desk.get(f"/run/{secret}/score?told", headers={"host": "evil.example"})
    assert (told.status_code, "Bug" in told.text) == (421, False)

    from_form = {"origin": "http://127.0.0.1:8001", "sec-fetch-site": "same-site"}
    refused = site.desk.post("/open", data={"form": "bug_report"}, headers=from_form)
    assert refused.status_code == 403


def test_what_is_not_there_is_not_found(site: Site) -> None:
    """Tokens of nobody, fields without a file and papers of no kind end in an error."""
    secret = site.open("bug_report")
    missing = [
        f"/run/{'0' * 32}/",
        f"/run/{'0' * 32}/score",
        f"/run/{secret[:-1]}/score/now",
        f"/run/{secret}/files/title",
        f"/run/{secret}/files/none",
        "/assets/../application.py",
        "/assets/%2e%2e/application.py",
    ]
    assert [site.desk.get(item).status_code for item in missing] == [404] * len(missing)
    for wrong in ("?level=none", "?kind=poem"):
        assert site.desk.get(f"/run/{secret}/{wrong}").status_code == 400
