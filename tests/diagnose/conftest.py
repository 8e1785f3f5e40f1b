"""
A benchmark of small drawn pages on which each weakness can show, and ways to diagnose it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageDraw

from surefoot.core.geometry import Box
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.refer.generate.expressions import expressions
from surefoot.refer.say.realise import instruct
from surefoot.refer.scene.scene import Scene
from surefoot.run.folders.folder import export

PAGES: Final = 12
WORDS: Final = ("Rent", "Food", "Fuel")
LINKS: Final = ("Home", "News", "Team", "Help", "Jobs")
SIZE: Final = (640, 400)


def _shown(id_: str, role: str, box: Box, name: str = "") -> Element:
    inner = Box(box.left + 2, box.top + 1, box.right - 2, box.bottom - 1)
    boxes = (inner,) if name else ()
    return Element(
        id_,
        role,
        box,
        name=name,
        name_from="content" if name else "",
        name_boxes=boxes,
        text=name,
        text_boxes=boxes,
        font_px=16.0,
        visible_fraction=1.0,
        hits=(True,) * 5,
    )


def _elements(page: int) -> Iterator[Element]:
    """Yield words between two icons in rows, links in a row, and one large button."""
    draw = random_source(0, "page", str(page))
    for row, word in enumerate(WORDS):
        x, y = 220 + draw.randrange(60), 40 + 70 * row + draw.randrange(10)
        yield _shown(f"w{row}", "text", Box.from_xywh(x, y, 44, 20), word)
        yield _shown(f"l{row}", "button", Box.from_xywh(x - 40, y - 2, 24, 24))
        yield _shown(f"r{row}", "button", Box.from_xywh(x + 60, y - 2, 24, 24))
    for at, link in enumerate(LINKS):
        yield _shown(f"a{at}", "link", Box.from_xywh(30 + 64 * at, 350, 44, 20), link)
    big = Box.from_xywh(430 + draw.randrange(20), 300 + draw.randrange(20), 150, 60)
    yield _shown("big", "button", big, "Send")


def draw_screen(page: int, store: ObjectStore) -> Screen:
    """Return one page as a screen, its picture in the store."""
    elements = tuple(_elements(page))
    image = Image.new("RGB", SIZE, "#ffffff")
    pen = ImageDraw.Draw(image)
    for element in elements:
        if element.role == "button":
            pen.rectangle(element.box.as_tuple(), fill="#204080")
        if element.name:
            fill = "#ffffff" if element.role == "button" else "#000000"
            pen.text(
                (element.box.left + 3, element.box.top + 2), element.name, fill=fill, font_size=16
            )
    file = io.BytesIO()
    image.save(file, "PNG")
    name = f"site/{page:02d}.html"
    image_sha = store.put(file.getvalue())
    return Screen(name, name, f"folder:{name}", image_sha, *SIZE, 1.0, "web", "en-US", elements)


def question_about(screen: Screen, target: str) -> Question:
    """Return the cheapest question about an element."""
    element = screen.element(target)
    assert element is not None
    described = expressions(Scene(screen), target, most=4)
    assert described, target
    instruction = instruct(described[0].expression, element, screen)
    return Question(
        id=f"{screen.id} {target}",
        pair=f"{screen.page}#{target}",
        cluster=screen.page,
        cell=Cell("original", instruction.kind),
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        instruction=instruction,
        truth=element.box,
        role=element.role,
    )


@pytest.fixture(scope="session")
def write_bench() -> Callable[..., Path]:
    """Write a BENCH of drawn pages with one question an element."""

    def write(folder: Path, pages: int, targets: tuple[str, ...]) -> Path:
        with Ledger.open(folder, {"kind": "bench", "pages": pages, "targets": list(targets)}):
            store = ObjectStore(folder)
            screens = [draw_screen(page, store) for page in range(pages)]
            questions = [
                question_about(screen, target) for screen in screens for target in targets
            ]
            export(folder, "bench", {"screens.jsonl": screens, "questions.jsonl": questions})
        return folder

    return write


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory, write_bench: Callable[..., Path]) -> Path:
    """Return a BENCH of twelve pages: icons beside words, and links in a row."""
    folder = tmp_path_factory.mktemp("diagnosed") / "bench"
    return write_bench(folder, PAGES, ("r1", "a2"))
