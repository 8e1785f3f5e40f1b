"""
What other machines can do at all, and what one of them has to have.
"""

from __future__ import annotations

import json

import pytest

from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.version import __version__
from surefoot.run.building.machine_facts import machine_facts, on_engine
from surefoot.run.engine.processes import Workers

HERE = Workers(factory="no:where")


def test_this_machine_is_the_default() -> None:
    """Without an engine nothing changes, whatever the sources are."""
    assert on_engine(HERE, "", {}, ["http://localhost:1/"]) == HERE


@pytest.mark.parametrize("engine", ["dask", "rays", "ra", " ray"])
def test_an_unknown_engine_is_refused(engine: str) -> None:
    """Nothing but Ray is another engine."""
    with pytest.raises(InvalidInputError, match="the engine ray or ray:ADDRESS"):
        on_engine(HERE, engine, {}, [])


@pytest.mark.parametrize(
    "source", ["http://localhost:1/", "http://127.0.0.1/a", "https://a.localhost/", "folder:/x#a"]
)
def test_what_only_this_machine_has_is_refused(source: str) -> None:
    """Servers of loopback and files without digests are named and refused."""
    with pytest.raises(InvalidInputError, match="other machines can open") as raised:
        on_engine(HERE, "ray", {}, [source])
    assert source in str(raised.value)


def test_live_pages_and_known_files_are_shared() -> None:
    """A public URL goes anywhere, a folder where its files are the same."""
    known = Workers(factory="no:where", arguments={"contents": {"folder:/x": {"a.html": "0"}}})
    sources = ("https://example.org/", "folder:/x#a.html")
    made = on_engine(known, "ray:10.0.0.1:6379", {"renderer": "chromium 1"}, [*sources, *sources])
    assert (made.engine, made.sources) == ("ray:10.0.0.1:6379", sources)
    assert made.renderer == {"renderer": "chromium 1"}


def test_other_files_are_named(site_of_one: str) -> None:
    """Of a folder whose files are the plan's the version is told; another file is an error."""
    body = {"sources": [f"{site_of_one}#a.html"], "renders": False}
    with machine_facts() as work:
        assert json.loads(work(body)) == {"version": __version__, "renderer": {}}
    with (
        machine_facts(contents={site_of_one: {"a.html": "0" * 64}}) as work,
        pytest.raises(CaptureError, match=r"'a\.html' of folder:"),
    ):
        work(body)


@pytest.fixture
def site_of_one(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a page and return its folder as a place."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "a.html").write_text("<!doctype html><p>Here</p>")
    return f"folder:{folder}"
