"""
From memory to results, on a model whose states are planted: what is true is known.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.intervene.application import apply_settings, read_results
from surefoot.intervene.items import parallel_items
from surefoot.intervene.looks import read_looks
from surefoot.intervene.memory import build_memory, read_memory
from surefoot.intervene.search import read_search, search_settings
from surefoot.run.asking.runs import open_run
from surefoot.run.folders.folder import read_document, read_questions
from surefoot.run.verifying import verify_folders
from surefoot_studies.tiny.bench import write_choices
from tests.intervene.conftest import PlantedModel

ALPHAS = (0.2, 0.8, 1.6)


def searched(
    benches: dict[str, Path], model: PlantedModel, out: Path, first_alpha: float = 0.8
) -> tuple[Path, Path]:
    """Build a memory and choose, all screens of a folder each; return both folders."""
    build_memory(benches["memory"], model, out / "memory", share=1)
    search_settings(
        out / "memory",
        benches["validation"],
        model,
        out / "search",
        alphas=ALPHAS,
        first_alpha=first_alpha,
        share=1,
    )
    return out / "memory", out / "search"


def test_a_planted_shift_is_found_and_controls_do_not_find_it(
    benches: dict[str, Path], tmp_path: Path
) -> None:
    """The right layer is chosen, the whole gap comes back, and no control brings it."""
    model = PlantedModel(*benches.values())
    memory, search = searched(benches, model, tmp_path)

    (chosen,) = read_search(search).chosen
    assert (chosen.language, chosen.layer, chosen.right) == ("fr", 2, chosen.n)
    assert chosen.before < 0.5 * chosen.n
    apply_settings(memory, search, benches["test"], model, tmp_path / "out")

    results = read_results(tmp_path / "out")
    assert [verdict.gain for verdict in results.verdicts] == [True]
    shares = {one.condition: one.share for one in results.shares}
    assert shares["xli"] == 1.0
    assert max(shares["random"] or 0, shares["shuffled"] or 0) < 0.5
    assert {one.condition for one in results.sizes} == {"xli", "random", "shuffled"}


def test_a_gain_that_a_control_shares_is_called_none(
    benches: dict[str, Path], tmp_path: Path
) -> None:
    """Where one shift serves all items, shuffled pairs do as well, and there is no gain."""
    model = PlantedModel(*benches.values(), shared=True, base=0.5)
    memory, search = searched(benches, model, tmp_path)

    apply_settings(memory, search, benches["test"], model, tmp_path / "out")

    results = read_results(tmp_path / "out")
    (verdict,) = results.verdicts
    assert not verdict.gain
    assert "shuffled" in verdict.why
    (change,) = [
        one
        for one in results.changes
        if (one.condition, one.against, one.dimension) == ("xli", "before", "")
    ]
    assert change.change > 0.5
    page = (tmp_path / "out" / "results.md").read_text("utf-8")
    assert page.count("Layer and strength: chosen on other screens than those scored.") == 8
    assert "| fr | none | no better than the shuffled vectors" in page


def test_what_is_finished_is_not_asked_again(benches: dict[str, Path], tmp_path: Path) -> None:
    """A second command asks nothing, and writes the same bytes."""
    model = PlantedModel(*benches.values())
    memory, search = searched(benches, model, tmp_path)
    apply_settings(memory, search, benches["test"], model, tmp_path / "out")
    asked, first = model.asked, (tmp_path / "out" / "manifest.json").read_bytes()

    memory, search = searched(benches, model, tmp_path)
    apply_settings(memory, search, benches["test"], model, tmp_path / "out")

    assert model.asked == asked
    assert (tmp_path / "out" / "manifest.json").read_bytes() == first


def test_a_second_look_under_another_choice_is_refused(
    benches: dict[str, Path], tmp_path: Path
) -> None:
    """What was tested on under one choice is not tested on under another, in any folder."""
    model = PlantedModel(*benches.values())
    memory, search = searched(benches, model, tmp_path)
    apply_settings(memory, search, benches["test"], model, tmp_path / "out")
    search_settings(
        memory, benches["validation"], model, tmp_path / "other", alphas=(0.1,), share=1
    )

    with pytest.raises(PlanMismatchError, match="looked at under another one"):
        apply_settings(memory, tmp_path / "other", benches["test"], model, tmp_path / "out-2")
    assert len(read_looks(memory)) == 1
    assert not (tmp_path / "out-2").exists()


def test_the_papers_protocol_is_labelled_and_spoils_the_test(
    benches: dict[str, Path], tmp_path: Path
) -> None:
    """Chosen on the scored items, every table says so, and a held-out look is refused after."""
    model = PlantedModel(*benches.values())
    memory, search = searched(benches, model, tmp_path)
    search_settings(
        memory, benches["test"], model, tmp_path / "paper", alphas=ALPHAS, protocol="paper"
    )
    apply_settings(memory, tmp_path / "paper", benches["test"], model, tmp_path / "out")

    page = (tmp_path / "out" / "results.md").read_text("utf-8")
    assert page.count("chosen on the scored items (the paper's protocol)") == page.count("\n## ")
    assert read_results(tmp_path / "out").protocol == "paper"
    with pytest.raises(PlanMismatchError, match="second look"):
        apply_settings(memory, search, benches["test"], model, tmp_path / "late")


def test_one_benchmark_is_parted_by_screens(benches: dict[str, Path], tmp_path: Path) -> None:
    """Of one folder, memory, choice and test have no screen in common, and all are used."""
    bench = benches["memory"]
    model = PlantedModel(bench)
    build_memory(bench, model, tmp_path / "memory", share=0.4)
    search_settings(tmp_path / "memory", bench, model, tmp_path / "search", alphas=(0.8,))
    apply_settings(tmp_path / "memory", tmp_path / "search", bench, model, tmp_path / "out")

    remembered = read_memory(tmp_path / "memory").facts.used
    used = read_search(tmp_path / "search").used
    tested = read_questions(tmp_path / "out" / "test")
    assert remembered.pages < used.pages
    assert {question.page for question in tested}.isdisjoint(used.pages)
    assert {question.image for question in tested}.isdisjoint(used.images)
    every = {page for item in parallel_items(bench) for page in item.pages}
    assert {question.page for question in tested} | used.pages == every


def test_each_condition_is_an_ordinary_run(benches: dict[str, Path], tmp_path: Path) -> None:
    """The answers of each condition, baselines too, are runs that are opened like any other."""
    model = PlantedModel(*benches.values())
    memory, search = searched(benches, model, tmp_path)

    apply_settings(
        memory, search, benches["test"], model, tmp_path / "out", baselines=["translate-first"]
    )

    names = ("before", "xli", "random", "shuffled", "translate-first")
    told = read_document(tmp_path / "out" / "test", "funnel.json", Funnel, kind="bench")
    assert told == Funnel((), {})
    runs = {name: open_run(tmp_path / "out" / name) for name in names}
    assert {len(run.answers) for run in runs.values()} == {len(runs["xli"].questions)}
    seconds = json.loads((tmp_path / "out" / "seconds.json").read_text("utf-8"))
    assert set(seconds) == {*names, "english"}


def test_another_models_memory_is_refused(benches: dict[str, Path], tmp_path: Path) -> None:
    """A memory of one model does not serve another."""
    build_memory(benches["memory"], PlantedModel(benches["memory"]), tmp_path / "memory", share=1)
    other = PlantedModel(*benches.values(), base=2.0)

    with pytest.raises(InvalidInputError, match="the model that"):
        search_settings(tmp_path / "memory", benches["validation"], other, tmp_path / "search")


def test_what_was_never_remembered_is_refused_before_the_look(
    benches: dict[str, Path], tmp_path: Path
) -> None:
    """A test that asks of another language or dimension costs no look."""
    model = PlantedModel(*benches.values())
    memory, search = searched(benches, model, tmp_path)
    other = write_choices(tmp_path / "bench", "other", screens=3, languages=("en", "zh"))

    with pytest.raises(InvalidInputError, match="questions in 'fr'"):
        apply_settings(memory, search, other, model, tmp_path / "out")
    assert read_looks(memory) == []


def test_its_folders_pass_the_check_of_folders(benches: dict[str, Path], tmp_path: Path) -> None:
    """What is written is found sound, and a changed byte is found."""
    model = PlantedModel(*benches.values())
    memory, search = searched(benches, model, tmp_path)
    apply_settings(memory, search, benches["test"], model, tmp_path / "out")

    checks = verify_folders(tmp_path)
    assert len(checks) == 8
    assert [(check.damaged, check.unfinished) for check in checks] == [((), False)] * 8
    data = bytearray((memory / "states.safetensors").read_bytes())
    data[-1] ^= 1
    (memory / "states.safetensors").write_bytes(data)
    with pytest.raises(InvalidInputError, match="other bytes"):
        read_memory(memory)
