"""
Imported sets: their own words, boxes and splits, masked as the set's kind asks for.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.benchmarks.hidden import HIDDEN
from surefoot.benchmarks.hidden_labelled import mask_labelled
from surefoot.core.edit import Mask
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore

OPTIONS = msgspec.structs.replace(HIDDEN.defaults, variants=("original", "static", "hide"))
BOXES = (Box(20, 70, 124, 104), Box(140, 70, 244, 104), Box(260, 70, 364, 104))


@pytest.fixture
def store(
    tmp_path_factory: pytest.TempPathFactory, drawn_page: tuple[Screen, bytes]
) -> ObjectStore:
    """Return a store that holds the drawn page's picture."""
    found = ObjectStore(tmp_path_factory.mktemp("set"))
    found.put(drawn_page[1])
    return found


def asked(screen: Screen, number: int, box: Box, **more: object) -> Question:
    """Return a set's question about a box."""
    said = Instruction(f"tool {number}", "en", "given", "high", Expression(), "")
    question = Question(
        f"{number:09}", f"r{number}", screen.page, Cell("original", "given"), screen.id,
        screen.image, screen.width, screen.height, said, box, split="validation",
        platform="mobile", facts={"source": "x"},
    )  # fmt: skip
    return msgspec.structs.replace(question, **more)


@pytest.mark.parametrize(
    ("source", "masked"), [("screenspot:a.png", 1), ("screenqa:a.png", 3), ("uibert:a.png", 2)]
)
def test_each_set_masks_as_the_paper_does(
    drawn_page: tuple[Screen, bytes], store: ObjectStore, source: str, masked: int
) -> None:
    """One box, all answers of the screen, or a share of its boxes are masked together."""
    screen = msgspec.structs.replace(drawn_page[0], source=source)
    questions = [asked(screen, number, box) for number, box in enumerate(BOXES)]
    result = mask_labelled(screen, questions, store, OPTIONS)
    screens = {item.id: item for item in result.screens}
    static = [question for question in result.questions if question.cell.variant == "static"]
    assert len(static) == 3
    for item in static:
        (edit,) = screens[item.screen].edits
        assert isinstance(edit, Mask)
        assert item.truth in edit.boxes
        assert len(edit.boxes) == int(item.facts["masked"])
        assert (len(edit.boxes) if source != "uibert:a.png" else min(len(edit.boxes), 2)) == masked


def test_words_splits_and_pairs_stay(drawn_page: tuple[Screen, bytes], store: ObjectStore) -> None:
    """A masked question differs from the set's in picture, mask and id alone."""
    screen = drawn_page[0]
    question = asked(screen, 1, BOXES[0])
    result = mask_labelled(screen, [question], store, OPTIONS)
    plain, masked = sorted(result.questions, key=lambda item: item.cell.variant)
    assert (plain.image, plain.screen) == (screen.image, screen.id)
    assert masked.image != screen.image
    back = msgspec.structs.replace(
        masked, id=question.id, cell=question.cell, screen=screen.id, image=screen.image,
        facts={"source": "x"},
    )  # fmt: skip
    assert back == question
    assert masked.facts == {"source": "x", "masked": "1", "set": screen.source.partition(":")[0]}


def test_what_no_mask_can_ask_is_counted(
    drawn_page: tuple[Screen, bytes], store: ObjectStore
) -> None:
    """Refusals, words without a box and missing pictures are left out, each by its reason."""
    screen = drawn_page[0]
    questions = [
        asked(screen, 0, BOXES[0]),
        asked(screen, 1, Box(0, 0, 0, 0), answerable=False),
        asked(screen, 2, Box(0, 0, 0, 0), answers=("4",)),
        asked(screen, 3, BOXES[1], image=""),
    ]
    result = mask_labelled(screen, questions, store, OPTIONS)
    assert {question.pair for question in result.questions} == {"r0"}
    falls = {(fall.stage, fall.reason): fall.count for fall in result.falls}
    assert falls == {
        ("questions", "considered"): 4,
        ("questions", "nothing is asked for that the screen shows"): 1,
        ("questions", "no box"): 1,
        ("questions", "no picture"): 1,
        ("hide", "no live interface"): 1,
    }


def test_companions_are_drawn_from_one_description(
    drawn_page: tuple[Screen, bytes], store: ObjectStore
) -> None:
    """Where a set describes a screen twice, what is masked is of the target's description."""
    ways = {"copy": "object", "paste": "object", "delete": "object", "field": "object"}
    elements = tuple(
        msgspec.structs.replace(element, attributes={"described": ways.get(element.id, "view")})
        for element in drawn_page[0].elements
    )
    source = {"source": "uibert:a.png", "elements": elements}
    screen = msgspec.structs.replace(drawn_page[0], **source)
    question = asked(screen, 0, BOXES[0])
    said = msgspec.structs.replace(question.instruction, target="copy")
    question = msgspec.structs.replace(question, instruction=said)
    options = msgspec.structs.replace(OPTIONS, parameters={"share": 1.0}, variants=("static",))
    (shown,) = mask_labelled(screen, [question], store, options).screens[1:]
    (edit,) = shown.edits
    assert isinstance(edit, Mask)
    known = {element.box for element in screen.elements if element.id in ways}
    assert set(edit.boxes) == known


def test_one_picture_shows_all_answers_of_a_screen(
    drawn_page: tuple[Screen, bytes], store: ObjectStore
) -> None:
    """Questions under which the same boxes are masked share one screen and one picture."""
    screen = msgspec.structs.replace(drawn_page[0], source="screenqa:a.png")
    questions = [asked(screen, number, box) for number, box in enumerate(BOXES)]
    options = msgspec.structs.replace(OPTIONS, variants=("low-contrast",))
    made = mask_labelled(screen, questions, store, options)
    assert len({question.screen for question in made.questions}) == 1
    assert len({question.image for question in made.questions}) == 1
    assert len(made.screens) == 2


def test_words_that_are_true_of_what_stays_are_left_out(
    drawn_page: tuple[Screen, bytes], store: ObjectStore
) -> None:
    """A set's words fall where they can be read and name another button that stays."""
    screen = drawn_page[0]
    first = next(
        element for element in screen.elements if element.role == "button" and element.name
    )
    twin = msgspec.structs.replace(first, id="twin", box=Box(500, 300, 600, 330))
    twins = msgspec.structs.replace(screen, elements=(*screen.elements, twin))
    for said in (first.name, f"Click the '{first.name}' button"):
        words = Instruction(said, "en", "given", "high", Expression(), first.id)
        question = asked(screen, 1, first.box, instruction=words)
        assert mask_labelled(screen, [question], store, OPTIONS).questions
        fallen = mask_labelled(twins, [question], store, OPTIONS)
        assert fallen.questions == ()
        assert any("not hidden" in fall.reason for fall in fallen.falls)
