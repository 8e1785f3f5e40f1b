"""
What a build says and refuses before and after any page is rendered.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.benchmarks.benchmark import AssembledBench, BuildOptions, Fall, Funnel
from surefoot.capture.settings import Settings
from surefoot.core.errors import InvalidInputError, NothingKeptError, UnknownNameError
from surefoot.core.ledger import Ledger, read_plan
from surefoot.models import open_chat
from surefoot.run.asking.writer import Writer
from surefoot.run.building import pages as building
from surefoot.run.building.pages import build_benchmark, funnel_lines
from surefoot.run.building.writers import WordsWriter
from surefoot.run.folders.folder import export, read_questions

HERE = {"browser": "one"}


@pytest.fixture
def screens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a finished SCREENS without pages, drawn by the browser that is here."""
    monkeypatch.setattr(building, "renderer", lambda _addresses: HERE)
    return _folder(tmp_path / "screens", HERE)


def _folder(folder: Path, renderer: dict[str, str]) -> Path:
    plan: dict[str, Any] = {"settings": msgspec.to_builtins(Settings()), "renderer": renderer}
    with Ledger.open(folder, plan):
        export(folder, "screens", {"screens.jsonl": ()})
    return folder


def test_the_funnel_in_words(drawn: Path, guessed: Path) -> None:
    """Falls come first with their counts, then directions, then what was kept, in one line."""
    funnel = Funnel((Fall("target", "not-hit", 12),), {"kept": {"above": 2, "left of": 1}})
    lines = funnel_lines(AssembledBench(read_questions(drawn), funnel))

    assert lines == [
        "     12  target: not-hit",
        "directions kept: above 2, left of 1",
        "36 questions about 6 targets on 3 pages",
    ]
    sites = msgspec.structs.replace(funnel, sites={"shop": 4, "bank": 2})
    told = (
        "24 of 36 questions rest on elements that were recorded with the picture, "
        "10 on elements guessed by pixels@1, 2 on a data set's own words, which nothing proves"
    )
    questions = read_questions(guessed)
    assert funnel_lines(AssembledBench(questions, Funnel((), {}))) == [told, lines[-1]]
    said = msgspec.structs.replace(questions[-1].instruction, proof="judge x")
    last = msgspec.structs.replace(questions[-1], instruction=said)
    first, *_ = funnel_lines(AssembledBench((*questions[:-1], last), Funnel((), {})))
    assert first.endswith("1 on the word of the judge x, which no resolver proves")
    assert funnel_lines(AssembledBench(read_questions(drawn), sites)) == [
        *lines[:-1],
        f"{lines[-1]} of 2 sites, 2 to 4 targets each",
    ]


def test_another_renderer_is_refused(
    screens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Screens of another browser or other fonts are refused before the folder is made."""
    monkeypatch.setattr(building, "renderer", lambda _addresses: {"browser": "two"})
    with pytest.raises(InvalidInputError, match="captured again"):
        build_benchmark("perturbed", screens, tmp_path / "bench", BuildOptions())
    assert not (tmp_path / "bench").exists()


def test_programs_captured_one_by_one_are_built_together(tmp_path: Path) -> None:
    """Folders whose renderers differ in parts of their own alone are joined, as two programs."""
    common = {"desktop Xvfb": "21"}
    parts = [{**common, f"desktop {name}": "1"} for name in ("kcalc", "mousepad")]
    folders = [_folder(tmp_path / str(number), part) for number, part in enumerate(parts)]

    options = BuildOptions(variants=("original", "jpeg:30"))
    with pytest.raises(NothingKeptError):
        build_benchmark("perturbed", folders, tmp_path / "bench", options)

    assert read_plan(tmp_path / "bench")["renderer"] == parts[0] | parts[1]


@pytest.mark.parametrize("part", ["desktop Xvfb", "desktop kcalc", "desktop recipe a", "renderer"])
def test_a_part_that_two_folders_have_otherwise_is_refused(tmp_path: Path, part: str) -> None:
    """A program, a recipe or a browser of another version in the second folder is named."""
    folders = [
        _folder(tmp_path / version, {part: version, "platform": "linux"}) for version in "12"
    ]

    with pytest.raises(InvalidInputError, match=rf"{part} '1'.*{part} '2' in"):
        build_benchmark("sensitivity", folders, tmp_path / "bench", BuildOptions())


def test_pictures_alone_need_no_renderer(
    screens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variants that change pictures alone are built without asking for a browser."""
    monkeypatch.setattr(building, "renderer", lambda _addresses: pytest.fail("a browser"))
    options = BuildOptions(variants=("original", "jpeg:30", "blur:2+grey"))
    with pytest.raises(NothingKeptError):
        build_benchmark("perturbed", screens, tmp_path / "bench", options)


def test_bad_variants_are_refused_before_the_folder(screens: Path, tmp_path: Path) -> None:
    """A list of variants that cannot be built leaves no folder behind."""
    options = BuildOptions(variants=("original", "style", "style"))
    with pytest.raises(InvalidInputError, match="each variant once"):
        build_benchmark("perturbed", screens, tmp_path / "bench", options)
    assert not (tmp_path / "bench").exists()


def test_an_unknown_benchmark_is_refused_first(tmp_path: Path) -> None:
    """A misspelt benchmark is refused before the screens are looked for."""
    with pytest.raises(UnknownNameError, match="perturbed"):
        build_benchmark("pertubed", tmp_path / "none", tmp_path / "bench", BuildOptions())


def test_no_screens_give_no_benchmark(screens: Path, tmp_path: Path) -> None:
    """A build of no pages starts no worker, says that it kept nothing, and finishes no folder."""
    with pytest.raises(NothingKeptError, match="screens with elements"):
        build_benchmark("perturbed", screens, tmp_path / "bench", BuildOptions())

    assert not (tmp_path / "bench" / "manifest.json").exists()


def test_a_benchmark_may_take_no_writer(screens: Path, tmp_path: Path) -> None:
    """A writer for a benchmark that has no use for one is refused before the folder."""
    writer = WordsWriter(Writer(open_chat("openai:m@http://127.0.0.1:9/v1")))
    options = BuildOptions(variants=("original", "jpeg:30"))

    with pytest.raises(InvalidInputError, match="takes a writer"):
        build_benchmark("perturbed", screens, tmp_path / "out", options, writer=writer)
    assert not (tmp_path / "out").exists()
