"""
A program opens episodes for an agent, and alone can read what they came to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import FileValue
from surefoot.forms.server.runs import record
from surefoot.forms.values.making import make_instance
from tests.forms.desk.site import DESK_AT, Site, served_site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Serve a folder of its own."""
    with served_site(tmp_path / "tried") as site:
        yield site


def _opened(site: Site, **asked: object) -> dict[str, Any]:
    reply = site.desk.post("/episodes", json={"form": "bug_report", **asked})
    assert reply.status_code == 201, reply.text
    opened: dict[str, Any] = reply.json()
    return opened


def _path(address: str) -> str:
    assert address.startswith(DESK_AT)
    return address.removeprefix(DESK_AT)


def _score(site: Site, episode: dict[str, Any], *, secret: str, told: str = "") -> Any:  # noqa: ANN401
    how = {"headers": {"authorization": f"Bearer {secret}"}}
    return site.desk.get(f"/episodes/{episode['id']}/score{told}", **how)


def test_an_episode_is_what_was_asked_for(site: Site) -> None:
    """Form, values, look, paper and files are those of the request, and its files are right."""
    form = catalogue()["scholarship_application"]
    asked = {"form": form.code, "instance": 4, "seed": 9, "language": "fr", "theme": "night"}
    episode = _opened(site, **asked, level="lines")

    token = episode["url"].rstrip("/").rpartition("/")[2]
    kept = record(site.folder, token)
    assert (kept.form, kept.instance, kept.seed) == (form.id, 4, 9)
    assert (kept.rendering.language, kept.rendering.theme) == ("fr", "night")
    values = make_instance(form, seed=9, index=4).values
    assert all(
        value in episode["paper"]
        for value in values.values()
        if isinstance(value, str) and " " in value
    )
    files = {item.name: item.sha256 for item in values.values() if isinstance(item, FileValue)}
    fetched = {
        item["name"]: site.desk.get(_path(item["url"])).content for item in episode["files"]
    }
    assert {name: hashlib.sha256(kept).hexdigest() for name, kept in fetched.items()} == files


def test_equal_requests_differ_in_keys_alone(site: Site) -> None:
    """Who asks again for an instance gets the same task in a run of its own."""
    one, two = (_opened(site, instance=2, seed=3) for _ in range(2))

    assert one["paper"] == two["paper"]
    keys = [{item["id"], item["secret"], item["url"]} for item in (one, two)]
    assert not keys[0] & keys[1]
    assert [len(item) for item in keys] == [3, 3]


def test_without_an_instance_each_episode_is_the_next(site: Site) -> None:
    """A program that names none goes through the instances of the desk's own seed."""
    opened = [_opened(site) for _ in range(3)]

    assert [(item["instance"], item["seed"]) for item in opened] == [(0, 5), (1, 5), (2, 5)]


def test_only_the_secret_opens_score_and_values(site: Site) -> None:
    """Neither the form's token, nor the id, nor another episode's secret shows anything."""
    episode, other = _opened(site), _opened(site)
    token = episode["url"].rstrip("/").rpartition("/")[2]
    for wrong in ("", token, episode["id"], other["secret"], episode["secret"][:-1]):
        for told in ("", "?told"):
            reply = _score(site, episode, secret=wrong, told=told)
            assert (reply.status_code, len(reply.content) < 40) == (401, True)
    assert site.desk.get(f"/episodes/{token}").status_code == 404
    assert site.desk.get(f"/run/{episode['id']}/score").status_code == 404

    seen = [site.desk.get(f"/episodes/{episode['id']}").text, site.desk.get("/").text]
    seen.append(site.forms.get(_form(episode)).text)
    assert not any(episode["secret"] in text for text in seen)
    assert _score(site, episode, secret=episode["secret"]).status_code == 200


def test_an_id_goes_on_with_an_episode(site: Site) -> None:
    """What was handed over can be asked for again, without the secret."""
    episode = _opened(site, level="derived")
    secret = episode.pop("secret")

    again = site.desk.get(f"/episodes/{episode['id']}").json()
    assert (again, len(secret)) == (episode, 32)


def test_a_score_says_what_stands_in_each_field(site: Site) -> None:
    """A value typed is in its field, and neither sent nor right; values come if asked for."""
    episode = _opened(site, agent="mine")
    values = make_instance(catalogue()["bug_report"], seed=5, index=0).values
    typed = {"field": "title", "page": 0, "kind": "input", "value": values["title"], "at": 1}
    assert site.forms.post(f"{_form(episode)}events", json=[typed]).status_code == 204

    bare, told = (
        _score(site, episode, secret=episode["secret"], told=item).json() for item in ("", "?told")
    )
    score = bare["score"]
    fields = {item["field"]: item for item in score["fields"]}
    assert (score["agent"], score["accepted"], score["right"]) == ("mine", False, False)
    assert [name for name, item in fields.items() if item["in_field"]] == ["title"]
    assert not any(item["submitted"] for item in fields.values())
    assert "values" not in bare
    assert told["values"]["title"] == values["title"]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b'{"form": "none"}', 400),
        (b"{}", 400),
        (b"[]", 400),
        (b"\xff", 400),
        (b'{"form": "bug_report", "instance": -1}', 400),
        (b'{"form": "bug_report", "seed": 1e30}', 400),
        (b'{"form": "bug_report", "level": "easy"}', 400),
        (b'{"form": "bug_report", "levels": "lines"}', 400),
        (b'{"form": "bug_report", "renderer": "none"}', 404),
        (b'{"form": "bug_report", "language": "xx"}', 400),
        (b'{"form": "bug_report", "agent": ""}', 400),
        (b'{"form": "' + b"a" * 20_000 + b'"}', 413),
    ],
)
def test_what_cannot_be_is_refused(site: Site, asked: bytes, status: int) -> None:
    """A request for what there is not opens nothing, and says what is wrong with it."""
    kind = {"content-type": "application/json"}
    reply = site.desk.post("/episodes", content=asked, headers=kind)
    assert reply.status_code == status
    assert site.desk.post("/episodes", content=b"{}").status_code == 415
    assert _opened(site)["instance"] == 0


def test_a_page_of_another_site_opens_no_episode(site: Site) -> None:
    """A form's page cannot ask for episodes: it would hand itself a secret."""
    foreign = {"origin": "http://127.0.0.1:8001", "sec-fetch-site": "same-site"}
    reply = site.desk.post("/episodes", json={"form": "bug_report"}, headers=foreign)
    assert (reply.status_code, "secret" in reply.text) == (403, False)


def _form(episode: dict[str, Any]) -> str:
    token = episode["url"].rstrip("/").rpartition("/")[2]
    return f"/r/{token}/"
