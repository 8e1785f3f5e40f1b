"""
Parallel items, and which of them share a screen.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.intervene.items import (
    UsedScreens,
    draw_items,
    parallel_items,
    turn_of,
    unused,
)
from surefoot.models import worded
from surefoot.models.wording import WORDINGS
from surefoot.run.imports.labelled import import_labelled


def test_an_item_is_one_question_in_each_language(benches: dict[str, Path]) -> None:
    """Each item has English and the other language, its dimension and one group."""
    items = parallel_items(benches["test"])

    assert items
    assert {frozenset(item.questions) for item in items} == {frozenset({"en", "fr"})}
    assert {item.dimension for item in items} == {"shape", "ael"}
    pages = {page for item in items for page in item.pages}
    assert len({item.group for item in items}) == len(pages)


def test_a_language_that_is_not_there_is_refused(benches: dict[str, Path]) -> None:
    """A language without questions is an error that names those there are."""
    with pytest.raises(InvalidInputError, match="those in en"):
        parallel_items(benches["test"], ["th"])


def test_what_shares_a_picture_is_of_one_group(benches: dict[str, Path]) -> None:
    """Drawn shares have no page and no picture in common, whatever the share."""
    items = parallel_items(benches["memory"])
    for share in (0.1, 0.5, 0.9):
        drawn = draw_items(items, share, seed=3)
        used = UsedScreens().with_items(drawn)
        rest = unused(items, used)
        assert {item.group for item in drawn}.isdisjoint(item.group for item in rest)
        assert len(drawn) + len(rest) == len(items)
        assert not any(used.meets(item) for item in rest)


@pytest.mark.parametrize("share", [0.0, 1.2, -1.0])
def test_a_share_is_one(benches: dict[str, Path], share: float) -> None:
    """A share of nothing, or of more than all, is refused."""
    with pytest.raises(InvalidInputError, match="a share"):
        draw_items(parallel_items(benches["test"]), share, 0)


def test_nothing_is_drawn_from_nothing() -> None:
    """Where no screen is left over, the error says what to do."""
    with pytest.raises(InvalidInputError, match="lower --share"):
        draw_items([], 0.5, 0)


def test_a_question_is_put_as_runs_put_it(benches: dict[str, Path]) -> None:
    """A prompt is that of a run; a chain stands behind it, a wording in its place."""
    question = parallel_items(benches["test"])[0].questions["fr"]

    plain = turn_of(question, lambda sha: sha.encode())
    chained = turn_of(question, lambda sha: sha.encode(), chain="First, red.")

    assert plain.messages == worded.messages(question)
    assert plain.images == (question.image.encode(),)
    assert chained.messages.user == f"{plain.messages.user}\n\nFirst, red."
    for wording in WORDINGS.entries.values():
        said = turn_of(question, lambda sha: sha.encode(), messages=wording.messages(question))
        assert question.instruction.text in said.messages.user
        assert "French" in said.messages.user
        assert "{language}" not in said.messages.user


@pytest.mark.parametrize("shown", [True, False])
def test_the_published_layout_is_read(tmp_path: Path, shown: bool) -> None:
    """MPR-GUI-Bench as it is published has parallel items; without its pictures it is refused."""
    asked = "Where? A: left B: right C: top D: bottom"
    rows = {
        f"{kind}_{language}": {
            "question": asked,
            "answer": "B",
            "image_path": "" if steps else f"../images/6/{language}/camera_{language}_8.png",
            "image_folder_path": f"../images/rich/{language}/order_episode_1" if steps else "",
        }
        for language in ("en", "zh")
        for kind, steps in (("abs_el", False), ("knowledge_rich", True))
    }
    (tmp_path / "set" / "qas").mkdir(parents=True)
    for name, row in rows.items():
        (tmp_path / "set" / "qas" / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    for language in ("en", "zh") if shown else ():
        steps = [f"rich/{language}/order_episode_1/{step}.png" for step in (1, 2)]
        for at, name in enumerate([f"6/{language}/camera_{language}_8.png", *steps]):
            path = tmp_path / "set" / "images" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (32, 32), (at * 80, len(language), 9)).save(path)
    import_labelled("mpr-gui-bench", tmp_path / "set", tmp_path / "bench")

    if not shown:
        with pytest.raises(InvalidInputError, match="a picture for each"):
            parallel_items(tmp_path / "bench")
        return
    items = parallel_items(tmp_path / "bench")
    assert [(item.dimension, len(item.questions)) for item in items] == [("ael", 2), ("ri", 2)]
    assert {len(question.images) for question in items[1].questions.values()} == {2}
    assert items[0].group != items[1].group
