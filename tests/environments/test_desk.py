"""
The client of a desk: what it opens, saves and reads, and what it says where it cannot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

import surefoot
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.environments.desk import DeskClient
from surefoot.environments.goals import reward_of
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.desk.protocol import EpisodeFile, EpisodeRequest
from surefoot.forms.instance import FileValue
from surefoot.forms.values.making import make_instance


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskClient]:
    """Ask a desk that is served."""
    with (
        surefoot.serve_forms(out=tmp_path_factory.mktemp("desk")) as pages,
        DeskClient(pages.address) as desk,
    ):
        yield desk


def test_files_come_whole(desk: DeskClient, tmp_path: Path) -> None:
    """The files of an episode are saved under their names, with the bytes that are right."""
    form = catalogue()["startup_funding"]
    episode = desk.open(EpisodeRequest(form=form.id, instance=1, seed=2))
    saved = desk.fetch(episode, tmp_path)

    values = make_instance(form, seed=2, index=1).values.values()
    wanted = {value.name: value.sha256 for value in values if isinstance(value, FileValue)}
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in saved} == wanted
    assert wanted


def test_a_file_stays_in_its_folder(desk: DeskClient, tmp_path: Path) -> None:
    """A desk that is not to be trusted cannot have a file written elsewhere."""
    episode = desk.open(EpisodeRequest(form="startup_funding"))
    (file,) = episode.files
    hostile = msgspec.structs.replace(episode, files=(EpisodeFile("../../escaped.pdf", file.url),))
    (tmp_path / "in").mkdir()
    (saved,) = desk.fetch(hostile, tmp_path / "in")

    assert saved == tmp_path / "in" / "escaped.pdf"
    assert [path.name for path in tmp_path.rglob("*.pdf")] == ["escaped.pdf"]


def test_an_untouched_form_is_worth_nothing(desk: DeskClient) -> None:
    """The score of an episode that nobody played has no value that arrived."""
    episode = desk.open(EpisodeRequest(form="bug_report", seed=1))
    told = desk.score(episode, told=True)

    assert told.values == make_instance(catalogue()["bug_report"], seed=1, index=0).values
    assert [reward_of(told.score, name) for name in ("values", "form")] == [0.0, 0.0]
    assert {field.mentioned for field in told.score.fields if field.asked} == {None}


def test_refusals_come_in_the_desk_s_words(desk: DeskClient) -> None:
    """What the desk does not take is an error that names the status and the reason."""
    with pytest.raises(InvalidInputError, match=r"400: .*a form of this desk"):
        desk.open(EpisodeRequest(form="none"))
    episode = desk.open(EpisodeRequest(form="bug_report"))
    with pytest.raises(InvalidInputError, match="401"):
        desk.score(msgspec.structs.replace(episode, secret=episode.id))


@pytest.mark.parametrize(
    "reply",
    [
        lambda request: httpx.Response(200, text="<html>", request=request),
        lambda request: httpx.Response(200, json={"id": "1"}, request=request),
        lambda request: httpx.Response(200, content=b"\xff\x00", request=request),
    ],
)
def test_another_server_is_no_desk(
    reply: Callable[[httpx.Request], httpx.Response], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that answers with something else is named as what it is not."""
    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", lambda _, request: reply(request))
    with DeskClient("http://127.0.0.1:9") as desk, pytest.raises(SurefootError, match="of a desk"):
        desk.open(EpisodeRequest(form="bug_report"))


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "no address", "http://[", "ftp://a"])
def test_nobody_there_is_told(address: str) -> None:
    """Without a desk the error says how to start one."""
    with pytest.raises(SurefootError, match="surefoot forms serve"), DeskClient(address) as desk:
        desk.open(EpisodeRequest(form="bug_report"))
