"""
Simulated models: each is right but for its planted weakness.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, ModelError, UnknownNameError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction, Ordinal
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.models import open_model


def shown(id_: str, role: str, box: Box, name: str = "") -> Element:
    """Return an element that is whole, hit, and spelled in its box."""
    words = (box,) if name else ()
    return Element(
        id_, role, box, name=name, text=name, name_boxes=words, text_boxes=words,
        visible_fraction=1.0, hits=(True,) * 5,
    )  # fmt: skip


ELEMENTS = (
    shown("total", "text", Box(200, 100, 260, 120), "Total"),
    shown("left", "button", Box(150, 98, 174, 122)),
    shown("right", "button", Box(280, 98, 304, 122)),
    shown("lone", "text", Box(200, 30, 260, 50), "Lone"),
    shown("beside", "checkbox", Box(150, 30, 170, 50)),
    shown("wide", "button", Box(20, 200, 420, 260), "Continue"),
    *(shown(f"a{at}", "link", Box(20 + 60 * at, 300, 60 + 60 * at, 316)) for at in range(4)),
)
SCREEN = Screen("s", "p", "x", "0" * 64, 640, 400, 1.0, "web", "en", ELEMENTS)
TOTAL, LONE = Expression(text="Total"), Expression(text="Lone")
LEFT = Expression(role="button", direction="left of", landmark=TOTAL)
ALONE = Expression(role="checkbox", direction="left of", landmark=LONE)
THIRD = Expression(role="link", ordinal=Ordinal(3, "row"))
MIDDLES: Mapping[str, Point] = {item.id: item.box.center for item in ELEMENTS}


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Return a folder with the screens of a benchmark."""
    (tmp_path / "screens.jsonl").write_bytes(canonical_json(SCREEN) + b"\n")
    return tmp_path


def clicked(bench: Path, weakness: str, expression: Expression, target: str) -> object:
    """Return where a simulated model clicks."""
    element = SCREEN.element(target)
    assert element is not None
    file = io.BytesIO()
    Image.new("RGB", (640, 400), "white").save(file, "PNG")
    question = Question(
        "q", "p#t", "p", Cell("original", "x"), "s", SCREEN.image, 640, 400,
        Instruction("x", "en", "direct", "high", expression, target), element.box,
    )  # fmt: skip
    model = open_model(f"simulated:{weakness}@{bench}")
    return asyncio.run(model.answer(question, file.getvalue())).parsed


@pytest.mark.parametrize(
    ("weakness", "expression", "target", "hit"),
    [
        ("none", LEFT, "left", "left"),
        ("none", THIRD, "a2", "a2"),
        ("left-right", LEFT, "left", "right"),
        ("left-right", THIRD, "a2", "a2"),
        ("ordinals", THIRD, "a2", "a0"),
        ("ordinals", LEFT, "left", "left"),
        ("larger", LEFT, "left", "wide"),
        ("larger", Expression(role="button", name="Continue"), "wide", "wide"),
        ("larger", THIRD, "a2", "a2"),
    ],
)
def test_each_weakness_is_as_planted(
    bench: Path, weakness: str, expression: Expression, target: str, hit: str
) -> None:
    """A model hits the target but where its weakness leads elsewhere."""
    assert clicked(bench, weakness, expression, target) == MIDDLES[hit]


def test_the_empty_side_is_clicked(bench: Path) -> None:
    """Where nothing stands on the other side, the click is mirrored across the landmark."""
    assert clicked(bench, "left-right", ALONE, "beside") == Point(300.0, 40.0)


def test_unknown_screens_have_no_reply(bench: Path) -> None:
    """A question about another benchmark's screen is no reply, not a guess."""
    (bench / "screens.jsonl").write_bytes(b"")

    with pytest.raises(ModelError, match="known screens"):
        clicked(bench, "none", LEFT, "left")


def test_views_made_on_the_way_are_answered(bench: Path) -> None:
    """On a view of a known page that the benchmark does not have, it is right."""
    other = msgspec.structs.replace(SCREEN, id="another")
    (bench / "screens.jsonl").write_bytes(canonical_json(other) + b"\n")

    assert clicked(bench, "larger", LEFT, "left") == MIDDLES["left"]


def test_a_fault_is_told_the_pixels_of_the_screen(bench: Path, tmp_path: Path) -> None:
    """A class that looks at the scene's pixels is missed where these are as it says."""
    file = tmp_path / "looks.py"
    file.write_text(
        "from surefoot_studies.planted import Fault\n"
        "white = lambda told: bool((told.scene.pixels == 255).all())\n"
        "FAULTS = {'white': Fault('white', frozenset(), white, None, 1.0, 0.0)}\n",
        "utf-8",
    )

    assert clicked(bench, f"{file}#white", LEFT, "left") != MIDDLES["left"]


@pytest.mark.parametrize("spec", ["simulated", "simulated:", "simulated:up-down@x"])
def test_unknown_weaknesses_are_refused(spec: str) -> None:
    """A weakness that is not known is named, with those that are."""
    with pytest.raises(UnknownNameError, match="left-right"):
        open_model(spec)


def test_a_benchmark_is_needed(tmp_path: Path) -> None:
    """Without a benchmark, or with a folder that is none, there is nothing to know."""
    with pytest.raises(InvalidInputError, match="WEAKNESS@BENCH"):
        open_model("simulated:none")
    with pytest.raises(InvalidInputError, match=r"screens\.jsonl"):
        open_model(f"simulated:none@{tmp_path}")
    (tmp_path / "screens.jsonl").write_bytes(b"{}\n")
    with pytest.raises(InvalidInputError, match="line 1"):
        open_model(f"simulated:none@{tmp_path}")


def test_the_screens_are_part_of_the_identity(bench: Path, tmp_path: Path) -> None:
    """Two models of one weakness on different screens are two models."""
    one = open_model(f"simulated:none@{bench}").identity()
    other = tmp_path / "other"
    other.mkdir()
    (other / "screens.jsonl").write_bytes(b"")

    assert open_model(f"simulated:none@{other}").identity() != one
