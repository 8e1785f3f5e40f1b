"""
Data: what sources give, what a run's own replies become, and what may not be learned.
"""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Parsed, Question
from surefoot.core.store import ObjectStore
from surefoot.models.opening import FORMATS
from surefoot.run.folders.folder import (
    CLASSES,
    export,
    read_questions,
    read_screens,
)
from surefoot.run.selecting import select_targets
from surefoot.train.data import build_data
from surefoot.train.examples import TrainingExample, read_examples
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Draw, Mixture
from surefoot_studies.tiny.bench import write_clicks

FORM = FORMATS.get("qwen3-vl")


def learned(
    sources: list[Path], out: Path, *, draws: tuple[Draw, ...] = (Draw(),), **options: object
) -> tuple[TrainingExample, ...]:
    """Build a DATA and return its examples."""
    build_data(
        sources,
        out,
        form=FORM,
        mixture=Mixture(draws),
        layout=LAYOUTS.get("trl"),
        **options,  # type: ignore[arg-type]
    )
    return read_examples(out)


def jpeg(image: Image.Image) -> bytes:
    """Return a picture that was recompressed, as PNG, as benchmarks hold them."""
    lossy, out = io.BytesIO(), io.BytesIO()
    image.convert("RGB").save(lossy, "JPEG", quality=60)
    Image.open(lossy).save(out, "PNG")
    return out.getvalue()


def smaller(image: Image.Image) -> bytes:
    """Return a picture at three quarters of its size."""
    out = io.BytesIO()
    image.resize((image.width * 3 // 4, image.height * 3 // 4)).save(out, "PNG")
    return out.getvalue()


def copied(
    bench: Path, out: Path, change: Callable[[Image.Image], bytes], sites: str = ""
) -> Path:
    """Write a BENCH like another, its pictures changed and its sites renamed."""
    old, new = ObjectStore(bench), ObjectStore(out)
    with Ledger.open(out, {"kind": "bench", "copied": sites}):
        images = {
            screen.image: new.put(change(Image.open(io.BytesIO(old.get(screen.image)))))
            for screen in read_screens(bench)
        }
        questions = [
            msgspec.structs.replace(
                question, image=images[question.image], cluster=sites + question.cluster
            )
            for question in read_questions(bench)
        ]
        tables = {"questions.jsonl": questions, "screens.jsonl": read_screens(bench)}
        export(out, "bench", tables)
    return out


@pytest.mark.parametrize("change", [jpeg, smaller])
def test_a_planted_duplicate_is_refused(
    change: Callable[[Image.Image], bytes], drawn_bench: Path, tmp_path: Path
) -> None:
    """A benchmark of the sources' eight pictures, recompressed or rescaled, is an error."""
    planted = copied(drawn_bench, tmp_path / "planted", change)
    with pytest.raises(InvalidInputError, match="is nearly") as raised:
        learned([drawn_bench], tmp_path / "data", against=[planted])
    assert str(planted) in str(raised.value)
    assert "found 8:" in str(raised.value)


def test_what_training_stops_by_is_not_scored(drawn_bench: Path, tmp_path: Path) -> None:
    """A benchmark of those pictures alone that are kept for validation is an error as well."""
    kept = {
        one.question.id
        for one in learned([drawn_bench], tmp_path / "split", validation=0.3, seed=2)
        if one.split == "validation"
    }
    scored = tmp_path / "scored"
    shutil.copytree(drawn_bench, scored)
    questions = [one for one in read_questions(scored) if one.id in kept]
    export(scored, "bench", {"questions.jsonl": questions, "screens.jsonl": read_screens(scored)})
    assert 0 < len(questions) < 16
    with pytest.raises(InvalidInputError, match="which will be scored"):
        learned([drawn_bench], tmp_path / "data", validation=0.3, seed=2, against=[scored])


def test_other_screens_are_not_refused(drawn_bench: Path, tmp_path: Path) -> None:
    """Screens of another seed are none of those that are learned from."""
    other = write_clicks(
        tmp_path / "other", seed=9, screens=6, variants=("original", "dark-ground")
    )
    assert len(learned([drawn_bench], tmp_path / "data", against=[other])) == 16


@pytest.mark.parametrize("seed", range(6))
def test_sites_with_one_picture_are_on_one_side(
    seed: int, drawn_bench: Path, tmp_path: Path
) -> None:
    """Whichever side a site is drawn to, the site with smaller copies of it goes there, too."""
    twin = copied(drawn_bench, tmp_path / "twin", smaller, sites="twin of ")
    examples = learned([drawn_bench, twin], tmp_path / "data", validation=0.5, seed=seed)
    sides: dict[str, set[str]] = {}
    for example in examples:
        site = example.question.cluster.removeprefix("twin of ")
        sides.setdefault(site, set()).add(example.split)
    assert len(examples) == 32
    assert all(len(found) == 1 for found in sides.values())


def test_folders_of_one_name_keep_their_pictures(drawn_bench: Path, tmp_path: Path) -> None:
    """Two benchmarks named "bench" are two sources, whose pictures are both copied."""
    other = write_clicks(tmp_path / "other" / "bench", seed=9, screens=2, clicked=1)
    examples = learned([drawn_bench, other], tmp_path / "data")
    assert {example.source for example in examples} == {"bench", "bench~2"}
    store = ObjectStore(tmp_path / "data")
    assert all(store.get(image) for example in examples for image in example.question.images)


def test_a_run_gives_its_hits_as_the_model_wrote_them(
    drawn_bench: Path, tmp_path: Path, write_run: Callable[..., Path]
) -> None:
    """Of eight questions on each ground the dark ones are missed; the others' replies are kept."""

    def reply(question: Question) -> Point:
        return question.truth.center if question.cell.variant == "original" else Point(-1, -1)

    run = write_run(drawn_bench, tmp_path / "run", reply, raw="There: (1, 2)")
    examples = learned([run], tmp_path / "data")
    assert [example.completion for example in examples] == ["There: (1, 2)"] * 8
    assert {example.question.cell.variant for example in examples} == {"original"}


def test_what_a_teacher_selected_is_a_source(
    drawn_bench: Path, tmp_path: Path, write_run: Callable[..., Path]
) -> None:
    """A selected benchmark gives every variant of what its teacher hits on the original."""
    first = read_questions(drawn_bench)[0].pair

    def reply(question: Question) -> Point:
        return question.truth.center if question.pair == first else Point(-1, -1)

    run = write_run(drawn_bench, tmp_path / "teacher", reply)
    select_targets(drawn_bench, tmp_path / "selected", teachers=[run])
    examples = learned([tmp_path / "selected"], tmp_path / "data")
    assert {example.question.pair for example in examples} == {first}
    assert sorted(e.question.cell.variant for e in examples) == ["dark-ground", "original"]


def test_a_diagnosis_gives_its_classes(drawn_bench: Path, tmp_path: Path) -> None:
    """Its benchmark of classes is learned from; without one the error says what to do."""
    folder = tmp_path / "diagnosis"
    with Ledger.open(folder, {"kind": "diagnosis"}):
        export(folder, "diagnosis", {"answers.jsonl": []})
    with pytest.raises(InvalidInputError, match="fresh questions confirmed"):
        learned([folder], tmp_path / "none")
    shutil.copytree(drawn_bench, folder / CLASSES)
    examples = learned([folder], tmp_path / "data")
    assert {example.source for example in examples} == {"diagnosis"}
    assert len(examples) == 16


def test_forms_are_refused_by_the_command_that_wrote_them(tmp_path: Path) -> None:
    """A FORM-BENCH asks nothing of a picture: the error names its writer, and what will do."""
    folder = tmp_path / "forms"
    with Ledger.open(folder, {"kind": "form-bench"}):
        export(folder, "form-bench", {})
    with pytest.raises(InvalidInputError, match=r"`surefoot forms build` wrote.*`surefoot build`"):
        learned([folder], tmp_path / "data")


def build(sources: list[Path], out: Path, **chosen: object) -> Path:
    """Build data in the toy model's format."""
    given = {"mixture": Mixture(), "layout": LAYOUTS.get("trl"), **chosen}
    build_data(sources, out, form=FORMATS.get("tiny"), **given)  # type: ignore[arg-type]
    return out


def test_a_model_keeps_its_own_words(
    clicks: Path, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """A reply that hits on light ground is learned on dark ground too, and once; else ours."""

    def reply(question: Question) -> Parsed:
        light = question.cell.variant == "original" and "colour" in question.cell.instruction
        return question.truth.center if light else Point(0, 0)

    run = write_run(clicks, tmp_path / "run", reply, raw="mine (1, 2)")
    data = build([clicks, run], tmp_path / "data")
    asked = read_questions(clicks)
    hits = sum(one.cell == asked[0].cell.__class__("original", "colour") for one in asked)
    by_source: dict[str, list[str]] = {}
    for example in read_examples(data):
        key = f"{example.source} {example.question.cell.instruction}"
        by_source.setdefault(key, []).append(example.completion)
    assert by_source["bench colour"] == ["mine (1, 2)"] * 2 * hits
    assert "run colour" not in by_source
    assert all(one.startswith("<tool_call>") for one in by_source["bench both"])


def test_twice_written_data_are_the_same_bytes(clicks: Path, tmp_path: Path) -> None:
    """The same plan gives the same examples and the same parquet."""
    names = ("examples.jsonl", "trl/train.parquet")
    first, second = (build([clicks], tmp_path / name) for name in "ab")
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_a_picture_that_will_be_scored_is_refused(clicks: Path, tmp_path: Path) -> None:
    """The benchmark's own pictures are named as leaks."""
    with pytest.raises(InvalidInputError, match="which will be scored") as caught:
        build([clicks], tmp_path / "data", against=[clicks])
    assert "drawn/click-0000" in str(caught.value)


def test_a_mixture_is_exact_or_an_error(clicks: Path, tmp_path: Path) -> None:
    """Counts are met by condition; a draw that finds too few says how many there are."""
    mixture = Mixture((Draw(count=7, variants=("dark-*",)), Draw(count=5, variants=("original",))))
    examples = read_examples(build([clicks], tmp_path / "data", mixture=mixture))
    variants = [one.question.cell.variant for one in examples]
    assert (variants.count("dark-ground"), variants.count("original")) == (7, 5)
    assert len({one.id for one in examples}) == 12
    many = Mixture((Draw(count=1000, variants=("dark-ground",)),))
    with pytest.raises(InvalidInputError, match="1,000 examples for draw 1"):
        build([clicks], tmp_path / "more", mixture=many)
