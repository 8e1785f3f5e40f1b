"""
Capturing a folder of pages, one of which cannot be captured.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.core.ledger import read_plan
from surefoot.core.store import ObjectStore
from surefoot.run.building import capturing
from surefoot.run.building.capturing import capture_screens, named_pages, renderer
from surefoot.run.building.pages import build_benchmark
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import read_questions, read_screens

SMALL = Settings(width=300, height=200)
AWAY = "<meta http-equiv=refresh content='0;url=about:blank'>"


@contextlib.contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback and give its origin."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        """Answer without a log."""

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write two pages, of which the first leaves for elsewhere."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.html").write_text(f"<!doctype html>{AWAY}<p>Gone</p>")
    (folder / "b.html").write_text("<!doctype html><button>Save</button><button>Send</button>")
    return folder


@pytest.fixture
def captured(site: Path, tmp_path: Path) -> Outcome:
    """Capture both pages, named twice over."""
    return capture_screens([str(site), f"{site}/b.html"], tmp_path / "out", SMALL, workers=1)


@pytest.mark.browser
def test_a_bad_page_is_a_failure_and_the_rest_is_kept(
    captured: Outcome, site: Path, tmp_path: Path
) -> None:
    """The page that leaves is recorded; the good one is exported with its picture."""
    (screen,) = read_screens(captured.folder)
    (failure,) = captured.failures

    assert captured.tally.total == 2
    assert captured.lines == ("1 screens with 2 elements that a click reaches",)
    assert "a.html" in failure.message
    assert screen.page == "site/b.html"
    assert ObjectStore(captured.folder).get(screen.image).startswith(b"\x89PNG")
    with pytest.raises(PlanMismatchError, match="pages"):
        capture_screens([f"{site}/b.html"], tmp_path / "out", SMALL)


@pytest.mark.long
@pytest.mark.browser
def test_screens_of_another_renderer_are_captured_again(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What differs is named; it is built where nothing is rendered, or captured again first."""
    page, folder = f"{site}/b.html", tmp_path / "screens"
    with monkeypatch.context() as before:
        before.setattr(capturing, "renderer", lambda *_: {"fonts-lato": "old", "renderer": "one"})
        capture_screens([page], folder, SMALL, workers=1)
    plain = BuildOptions(variants=("original", "theme"))
    pictures = BuildOptions(variants=("original", "grey"))

    with pytest.raises(InvalidInputError, match=r"fonts-lato 'old'.*--recapture"):
        build_benchmark("perturbed", folder, tmp_path / "refused", plain, workers=1)
    still = build_benchmark("perturbed", folder, tmp_path / "grey", pictures, workers=1)
    made = build_benchmark(
        "perturbed", folder, tmp_path / "bench", plain, recapture=True, workers=1
    )
    again = build_benchmark(
        "perturbed", folder, tmp_path / "bench", plain, recapture=True, workers=1
    )

    assert not still.failures
    assert read_plan(tmp_path / "bench" / "screens")["renderer"] == renderer(list_addresses(page))
    assert {one.cell.variant for one in read_questions(made.folder)} == {"original", "theme"}
    assert (again.tally.done, again.tally.kept) == (0, 1)
    assert not (tmp_path / "refused").exists()


ROUTED = """<!doctype html><button></button><script>
  const {hash} = location;
  document.querySelector('button').textContent = hash;
  if (hash === '#/gone') history.replaceState(null, '', '#/away');
  if (hash === '#/left') history.pushState(null, '', '/other');
</script>"""


@pytest.mark.browser
def test_a_view_that_a_fragment_names_is_a_page(site: Path, tmp_path: Path) -> None:
    """Each fragment is a page; what calls itself otherwise is kept, and both are named."""
    (site / "app.html").write_text(ROUTED)
    views = ("#/one", "#/two", "#/gone", "#/left", "")
    with serve_folder(site) as origin:
        specs = [f"{origin}/app.html{view}" for view in views]
        captured = capture_screens(specs, tmp_path / "out", SMALL, workers=1)

    screens = {screen.source: screen for screen in read_screens(captured.folder)}
    buttons = {
        spec: next(item.name for item in screen.elements if item.role == "button")
        for spec, screen in screens.items()
    }
    assert buttons == dict(zip(specs, views, strict=True))
    assert {spec: screen.shown_at for spec, screen in screens.items() if screen.shown_at} == {
        specs[2]: f"{origin}/app.html#/away",
        specs[3]: f"{origin}/other",
    }
    warnings = [line for line in captured.lines if line.startswith("warning")]
    assert len(warnings) == 2
    assert all(specs[at] in warnings[at - 2] for at in (2, 3))


@pytest.mark.browser
def test_a_mended_page_is_tried_again_when_asked(site: Path, tmp_path: Path) -> None:
    """Going on keeps the failure; only --retry-failed captures the page once it is mended."""
    with serve_folder(site) as origin:
        specs = [f"{origin}/a.html", f"{origin}/b.html"]
        captured = capture_screens(specs, tmp_path / "out", SMALL, workers=1)
        (site / "a.html").write_text("<!doctype html><button>Back</button>")
        kept = capture_screens(specs, tmp_path / "out", SMALL, workers=1)
        again = capture_screens(specs, tmp_path / "out", SMALL, workers=1, retry_failed=True)

    assert len(captured.failures) == 1
    assert kept.failures == captured.failures
    assert again.failures == ()
    assert {screen.source for screen in read_screens(again.folder)} == set(specs)


def test_an_edited_file_is_another_plan(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that was edited is refused by the file's name; one that only grew goes on."""
    monkeypatch.setattr(capturing, "renderer", lambda *_: {})
    monkeypatch.setattr(capturing, "run_units", lambda *_, **__: None)
    page = f"{site}/b.html"
    capture_screens([page], tmp_path / "out", SMALL)
    (site / "notes.txt").write_text("new")
    capture_screens([page], tmp_path / "out", SMALL)
    (site / "a.html").write_text("edited")
    with pytest.raises(PlanMismatchError, match=r"a\.html"):
        capture_screens([page], tmp_path / "out", SMALL)


def test_a_limit_takes_the_pages_of_all_sites_in_turns(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page of each site comes before any second; bad sources need no browser."""
    monkeypatch.setattr(capturing, "renderer", lambda *_: {})
    seen: list[list[str]] = []
    monkeypatch.setattr(
        capturing,
        "run_units",
        lambda units, *_, **__: seen.append([unit.body["address"]["page"] for unit in units]),
    )
    other = tmp_path / "other site"
    shutil.copytree(site, other)
    for limit in (0, 1, 3, 9):
        capture_screens([str(site), str(other)], tmp_path / f"out{limit}", SMALL, limit=limit)

    all_pages = ["site/a.html", "site/b.html", "other site/a.html", "other site/b.html"]
    in_turns = ["site/a.html", "other site/a.html", "site/b.html", "other site/b.html"]
    assert seen == [all_pages, in_turns[:1], in_turns[:3], in_turns]
    with pytest.raises(InvalidInputError, match="nothing-there"):
        capture_screens(["nothing-there"], tmp_path / "other", SMALL)
    assert not (tmp_path / "other").exists()


def test_two_pages_of_one_name_are_refused(site: Path, tmp_path: Path) -> None:
    """Two folders of one name have pages of one name, which would be taken for one page."""
    other = tmp_path / "elsewhere" / "site"
    shutil.copytree(site, other)
    with pytest.raises(InvalidInputError, match=r"one page named 'site/a\.html'"):
        capture_screens([str(site), str(other)], tmp_path / "out", SMALL)
    assert not (tmp_path / "out").exists()


def test_two_folders_of_one_name_are_refused(site: Path, tmp_path: Path) -> None:
    """Two folders of one name would be one site, whatever their pages are called."""
    other = tmp_path / "elsewhere" / "site"
    other.mkdir(parents=True)
    shutil.copy(site / "a.html", other / "z.html")
    with pytest.raises(InvalidInputError, match="one folder named 'site'"):
        capture_screens([str(site), str(other)], tmp_path / "out", SMALL)
    assert not (tmp_path / "out").exists()


def test_parts_of_an_application_are_no_folders() -> None:
    """Addresses of one application that name parts of different pages are one site."""
    listed = named_pages(["app:trac/wiki#top", "app:trac/report#end"], 0)

    assert [address.site for address in listed] == ["app-trac", "app-trac"]


@pytest.mark.browser
def test_the_renderer_is_the_same_twice(site: Path) -> None:
    """What determines pixels is told, and told alike each time; nothing for no page."""
    (page,) = list_addresses(f"{site}/b.html")
    assert renderer([page]) == renderer([page]) != {}
    assert renderer([]) == {}
