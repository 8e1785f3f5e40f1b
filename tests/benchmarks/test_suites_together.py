"""
A suite over real folders: the same elements in every pillar, each pillar a benchmark as any other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import surefoot
from surefoot.capture.settings import Settings
from surefoot.core.errors import InvalidInputError, NothingKeptError, PlanMismatchError
from surefoot.core.ledger import Ledger
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import MANIFEST, export, noted_command

SUITE = """
name = "small"
extends = "quick"
[targets]
site = 4
[pillars.perturbed]
variants = ["original"]
[pillars.hidden]
variants = ["original", "static"]
"""


@pytest.fixture
def screens(drawn_page: tuple[Screen, bytes], tmp_path: Path) -> Path:
    """Return a finished SCREENS with one page."""
    return _write_screens(tmp_path / "screens", *drawn_page)


def _write_screens(folder: Path, screen: Screen, png: bytes) -> Path:
    plan: dict[str, Any] = {"settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(folder, plan):
        ObjectStore(folder).put(png)
        export(folder, "screens", {"screens.jsonl": [screen]})
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a suite's file that no browser is needed for."""
    (tmp_path / "small.toml").write_text(SUITE)
    return tmp_path / "small.toml"


def test_every_pillar_asks_for_the_elements_that_were_chosen(
    screens: Path, file: Path, tmp_path: Path
) -> None:
    """Each pillar has questions about each chosen element that it can ask for, and no others."""
    suite = surefoot.build("suite", screens=screens, out=tmp_path / "suite", suite=str(file))
    assert isinstance(suite, surefoot.Suite)
    chosen = [target for target in suite.targets if target.chosen]

    assert set(suite.benches) == {"perturbed", "sensitivity", "hidden"}
    assert 0 < len(chosen) <= 4
    assert sum(len(target.pillars) == 3 for target in chosen) >= 0.8 * len(chosen)
    for pillar, bench in suite.benches.items():
        asked = {question.pair for question in bench}
        assert asked == {target.pair for target in chosen if pillar in target.pillars}
        assert asked, pillar
    for target in suite.targets:
        assert {*target.pillars, *target.reasons} == set(suite.benches)
        assert all(target.reasons.values())
    assert len(suite) == sum(map(len, suite.benches.values()))
    assert {question.id for question in suite} == {
        question.id for bench in suite.benches.values() for question in bench
    }
    kinds = {question.cell.instruction for question in suite.benches["sensitivity"]}
    assert len(kinds) > 1


def test_a_suite_is_the_same_bytes_elsewhere_and_when_it_is_built_again(
    screens: Path, file: Path, tmp_path: Path
) -> None:
    """Two folders have equal manifests, a second build adds nothing, another seed is refused."""
    for name in ("one", "two", "one"):
        suite = surefoot.build("suite", screens=screens, out=tmp_path / name, suite=str(file))
    assert isinstance(suite, surefoot.Suite)
    manifests = [
        [(tmp_path / name / place / MANIFEST).read_bytes() for place in ("", *suite.benches)]
        for name in ("one", "two")
    ]

    assert manifests[0] == manifests[1]
    assert suite.outcome.tally.done == 0
    assert all(check.damaged == () for check in surefoot.verify(tmp_path / "one"))
    with pytest.raises(PlanMismatchError):
        surefoot.build("suite", screens=screens, out=tmp_path / "one", suite=str(file), seed=5)


def test_a_suite_is_crossed(screens: Path, file: Path, tmp_path: Path) -> None:
    """Over a filter the same elements are asked in the same words, shown and hidden."""
    file.write_text(SUITE + 'over = ["jpeg:60"]\n')
    suite = surefoot.build("suite", screens=screens, out=tmp_path / "suite", suite=str(file))
    assert isinstance(suite, surefoot.Suite)
    chosen = {target.pair for target in suite.targets if target.chosen}
    asked: dict[str, set[tuple[str, str]]] = {}
    for question in suite.benches["hidden"]:
        asked.setdefault(question.cell.variant, set()).add(
            (question.pair, question.instruction.text)
        )

    assert set(asked) == {"original", "static", "jpeg:60", "jpeg:60+static"}
    assert asked["jpeg:60"] <= asked["original"]
    assert asked["jpeg:60+static"] <= asked["static"]
    assert {pair for pair, _ in asked["jpeg:60+static"]} <= chosen
    overs = {question.facts.get("over", "") for question in suite.benches["hidden"]}
    assert "jpeg:60" in overs


def test_a_suite_is_opened_and_its_pillars_are_held_to_what_was_built(
    screens: Path, file: Path, tmp_path: Path
) -> None:
    """A pillar that another build replaced is refused, and so is a folder that is no suite."""
    out = tmp_path / "suite"
    surefoot.build("suite", screens=screens, out=out, suite=str(file))
    opened = surefoot.open(out)
    assert isinstance(opened, surefoot.Suite)
    assert opened.screen(next(iter(opened)).screen) is not None

    manifest = out / "hidden" / MANIFEST
    manifest.write_bytes(manifest.read_bytes() + b" ")
    with pytest.raises(InvalidInputError, match="pillar hidden"):
        len(surefoot.Suite(out))
    with pytest.raises(InvalidInputError):
        surefoot.Suite(screens)


def test_what_a_file_decides_is_no_option(screens: Path, file: Path, tmp_path: Path) -> None:
    """Options of single benchmarks are refused by name; targets a site and the seed are taken."""
    out = tmp_path / "suite"
    with pytest.raises(InvalidInputError, match="--variants, --hidden-names"):
        surefoot.build("suite", screens=screens, out=out, variants="original", hidden_names=True)
    suite = surefoot.build(
        "suite", screens=screens, out=out, suite=str(file), site_targets=1, seed=4
    )
    assert isinstance(suite, surefoot.Suite)
    assert sum(target.chosen for target in suite.targets) == 1


def test_a_suite_of_nothing_is_refused(
    drawn_page: tuple[Screen, bytes], file: Path, tmp_path: Path
) -> None:
    """A page without elements ends with why nothing is left, and no folder says it is finished."""
    bare = msgspec.structs.replace(drawn_page[0], elements=())
    with Ledger.open(
        tmp_path / "bare", {"settings": msgspec.to_builtins(Settings()), "renderer": {}}
    ):
        ObjectStore(tmp_path / "bare").put(drawn_page[1])
        export(tmp_path / "bare", "screens", {"screens.jsonl": [bare]})
    with pytest.raises(NothingKeptError, match="every pillar"):
        surefoot.build("suite", screens=tmp_path / "bare", out=tmp_path / "s", suite=str(file))
    assert not (tmp_path / "s" / MANIFEST).exists()
    assert noted_command(tmp_path / "s") == ""


def test_a_budget_leaves_elements_out_and_no_pillar_of_those_that_stay(
    screens: Path, file: Path, tmp_path: Path
) -> None:
    """Elements are asked whole or not at all, and their questions are no more than the budget."""
    whole = surefoot.build("suite", screens=screens, out=tmp_path / "whole", suite=str(file))
    assert isinstance(whole, surefoot.Suite)
    budget = len(whole) // 2
    file.write_text(f"budget = {budget}\n" + SUITE)
    part = surefoot.build("suite", screens=screens, out=tmp_path / "part", suite=str(file))
    assert isinstance(part, surefoot.Suite)

    absent = sum(not question.answerable for question in part)
    assert 0 < len(part) - absent <= budget
    kept = {target.pair for target in part.targets if target.chosen}
    assert kept < {target.pair for target in whole.targets if target.chosen}
    for pillar, bench in part.benches.items():
        own = {question.id for question in whole.benches[pillar] if question.pair in kept}
        assert own == {question.id for question in bench if question.pair in kept}, pillar
