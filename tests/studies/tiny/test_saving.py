"""
A trained model's folder: what is in it, and that Transformers loads it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.canonical import decode
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.measuring import BEGIN, PlainModel, measured_page, replies
from surefoot_studies.tiny.recipe import DrawnRecipe, recipe_named
from surefoot_studies.tiny.saving import save
from surefoot_studies.tiny.training import CURVE, Learner, train_in


@pytest.fixture(scope="module")
def trained(speck: DrawnRecipe, tmp_path_factory: pytest.TempPathFactory) -> tuple[Learner, Path]:
    """Return a learner after a few steps, and the folder that was saved of it."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    out = tmp_path_factory.mktemp("speck")
    learner, points = train_in(speck, out, point_every=8, held_out=2)
    folder = save(learner, points, out / "model", command="surefoot-studies tiny train --out OUT")
    torch.set_num_threads(before)
    return learner, folder


def test_the_folder_is_whole(trained: tuple[Learner, Path], speck: DrawnRecipe) -> None:
    """Weights in bfloat16, tokenizer, template, processor, recipe, curve and card are there."""
    folder = trained[1]
    names = {path.name for path in folder.iterdir()}
    wanted = "README.md chat_template.jinja config.json curve.jsonl curve.png model.safetensors"
    wanted += " preprocessor_config.json recipe.json tokenizer.json tokenizer_config.json"

    assert names >= {*wanted.split()}
    assert (folder / "model.safetensors").stat().st_size < 2.2 * sum(
        weight.numel() for weight in trained[0].model.parameters()
    ) + 1e5
    assert recipe_named(str(folder / "recipe.json")) == speck
    assert len((folder / CURVE).read_bytes().splitlines()) == 3
    card = (folder / "README.md").read_text()
    assert "surefoot-studies tiny train --out OUT" in card
    assert "| seed | 0 |" in card


def test_transformers_loads_what_was_trained(
    trained: tuple[Learner, Path], tmp_path: Path
) -> None:
    """Loaded weights are those that were trained, in bfloat16, and each question has a reply."""
    import torch

    learner, folder = trained
    model = PlainModel(folder, learner.recipe.speaks)
    for name, weight in learner.model.state_dict().items():
        half = weight.to(torch.bfloat16).float()
        assert torch.equal(half, model.model.state_dict()[name].float()), name
    bench = write_clicks(tmp_path / "click", screens=2)
    found = [*replies(model, bench)]

    assert len(found) == 6


def test_one_and_several_at_once_have_the_same_replies(
    trained: tuple[Learner, Path], tmp_path: Path
) -> None:
    """A batch, filled up on the left, is answered as its questions are one by one."""
    learner, folder = trained
    model = PlainModel(folder, learner.recipe.speaks)
    bench = write_clicks(tmp_path / "click", screens=2)
    together = [one.text for one in replies(model, bench)]
    alone = [one.text for one in replies(model, bench, batch=1)]

    assert together == alone


def test_a_table_replaces_the_one_before() -> None:
    """Between its marks a page has what was measured last, and all else stays."""
    page = measured_page(f"a\n{BEGIN}", "| one |")

    assert measured_page(f"{page}\nb", "| two |") == measured_page(page, "| two |") + "\nb"
    assert "| one |" not in measured_page(page, "| two |")


def test_a_file_names_a_recipe(tmp_path: Path, speck: DrawnRecipe) -> None:
    """A recipe in a JSON file is read back as it is, with a seed of the caller's."""
    from surefoot.core.canonical import readable_json

    file = tmp_path / "speck.json"
    file.write_bytes(readable_json(speck))

    assert recipe_named(str(file)) == speck
    assert recipe_named(str(file), 3).seed == 3
    assert decode(file.read_bytes(), DrawnRecipe, what="the file") == speck
