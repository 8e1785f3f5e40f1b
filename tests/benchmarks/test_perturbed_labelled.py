"""
Imported sets with changed pictures: boxes, polygons and sizes go along, nothing is guessed.
"""

from __future__ import annotations

import io

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.benchmarks.perturbed_labelled import perturb_labelled, require_pictures
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.perturbation import PERTURBATIONS
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore

SIZE = (160, 120)
SPOTS = [Box(30 + 6 * n, 40 + 5 * n, 34 + 6 * n, 44 + 5 * n) for n in range(10)]
EVERY = tuple(sorted(name for name, entry in PERTURBATIONS.entries.items() if entry.picture))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    """Return a store of pictures."""
    return ObjectStore(tmp_path_factory.mktemp("pictures"))


def shown(store: ObjectStore, *boxes: Box) -> Screen:
    """Return a white screen on which boxes are pure red; its picture is stored."""
    pixels = np.full((SIZE[1], SIZE[0], 3), 255, np.uint8)
    for box in boxes:
        left, top, right, bottom = map(int, box.as_tuple())
        pixels[top:bottom, left:right] = (255, 0, 0)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    sha = store.put(file.getvalue())
    return Screen("s", "p", "screenspot:p", sha, *SIZE, 1.0, "web", "en", (), site="x")


def asked(screen: Screen, truth: Box, **more: object) -> Question:
    """Return a set's question about a box."""
    said = Instruction("press it", "en", "given", "high", Expression(), "")
    question = Question(
        "000000001", "r1", screen.page, Cell("original", "given"), screen.id, screen.image,
        *SIZE, said, truth, split="test",
    )  # fmt: skip
    return msgspec.structs.replace(question, **more)


def test_there_are_seventeen_of_pictures() -> None:
    """Every perturbation of pictures is among those that the tests below run through."""
    assert len(EVERY) == 17


def test_each_variant_carries_the_box_with_its_pixels(store: ObjectStore) -> None:
    """Under all variants the truth is where the red pixels are, and pairs stay whole."""
    screen = shown(store, Box(60, 50, 90, 70))
    # Colours survive where the picture is moved alone.
    names = ("original", "resize:0.5", "stretch:1.25", "letterbox:1x1", "background:1")
    options = BuildOptions(variants=names)
    result = perturb_labelled(screen, [asked(screen, Box(60, 50, 90, 70))], store, options)
    assert [question.cell.variant for question in result.questions] == list(names)
    for question in result.questions:
        with Image.open(io.BytesIO(store.get(question.image))) as image:
            assert image.size == (question.width, question.height)
            pixels = np.asarray(image.convert("RGB")).astype(int)
        red = (pixels[..., 0] > 200) & (pixels[..., 1:] < 90).all(axis=2)
        left, top, right, bottom = (round(side) for side in question.truth.as_tuple())
        assert red[top + 1 : bottom - 1, left + 1 : right - 1].all()
        assert red[top - 2 : bottom + 2, left - 2 : right + 2].sum() == pytest.approx(
            question.truth.area, rel=0.15
        )


@settings(max_examples=10)
@given(places=st.lists(st.sampled_from(SPOTS), min_size=1, max_size=3, unique=True))
def test_polygons_and_further_boxes_go_where_their_boxes_go(
    store: ObjectStore, places: list[Box]
) -> None:
    """Corners keep their place in the box around them; each further box moves as the truth."""
    screen = shown(store)
    truth, *others = places
    corners = (Point(truth.left, truth.top), Point(truth.right, truth.bottom), truth.center)
    question = asked(screen, truth, boxes=tuple(others), polygon=corners)
    options = BuildOptions(variants=("original", "resize:2", "letterbox:21x9"))
    for item in perturb_labelled(screen, [question], store, options).questions:
        across, down = item.truth.width / truth.width, item.truth.height / truth.height
        moved = (item.truth.left - truth.left * across, item.truth.top - truth.top * down)
        for before, after in zip(others, item.boxes, strict=True):
            carried = before.scaled(across, down).moved(*moved)
            assert after.as_tuple() == pytest.approx(carried.as_tuple())
        for corner, at in zip(corners, item.polygon, strict=True):
            wanted = (corner.x * across + moved[0], corner.y * down + moved[1])
            assert (at.x, at.y) == pytest.approx(wanted)


def test_what_a_variant_takes_away_is_left_out_of_all(store: ObjectStore) -> None:
    """A question whose place is cut off falls under every variant, and is counted by name."""
    screen = shown(store)
    corners = [Box(0, 0, 8, 8), Box(150, 0, 160, 8), Box(0, 110, 8, 120), Box(150, 110, 160, 120)]
    questions = [
        asked(screen, box, id=f"{number:09}", pair=f"r{number}")
        for number, box in enumerate([*corners, Box(76, 56, 84, 64)])
    ]
    options = BuildOptions(variants=("original", "cut:0.9"))
    result = perturb_labelled(screen, questions, store, options)
    kept = {question.pair for question in result.questions}
    assert "r4" in kept
    assert len(result.questions) == 2 * len(kept)
    falls = {fall.reason: fall.count for fall in result.falls}
    assert falls["cut or covered under cut:0.9"] == 5 - len(kept) >= 2
    whole = Box(0, 0, 160, 120)
    for question in result.questions:
        assert (
            Box(0, 0, question.width, question.height).intersection(question.truth)
            == question.truth
        )
        assert whole.intersection(question.truth) == question.truth


def test_a_refusal_is_kept_where_nothing_can_go_unseen(store: ObjectStore) -> None:
    """Questions without a place go along with filters and sizes, not with cuts and notices."""
    screen = shown(store)
    question = asked(screen, Box(0, 0, 0, 0), answerable=False)
    options = BuildOptions(variants=("original", "jpeg", "resize"))
    kept = perturb_labelled(screen, [question], store, options).questions
    assert [item.truth for item in kept] == [question.truth] * 3
    for name in ("cut", "banner", "cursor", "background"):
        options = BuildOptions(variants=("original", name))
        result = perturb_labelled(screen, [question], store, options)
        assert not result.questions
        assert [fall.count for fall in result.falls] == [1, 1]


def test_a_sets_own_variants_are_pairs_of_their_own(store: ObjectStore) -> None:
    """Two variants of one step that a set has do not meet in one cell."""
    screen = shown(store)
    box = Box(60, 50, 90, 70)
    questions = [
        asked(screen, box, id="1"), asked(screen, box, id="2", cell=Cell("style", "given")),
    ]  # fmt: skip
    made = perturb_labelled(screen, questions, store, BuildOptions(variants=("original", "grey")))
    cells = [(question.pair, question.cell) for question in made.questions]
    assert len(set(cells)) == len(cells) == 4


@pytest.mark.parametrize("name", EVERY)
def test_every_perturbation_of_pictures_takes_a_set(store: ObjectStore, name: str) -> None:
    """Each makes a picture of the size told, with the target wholly in it, or counts a fall."""
    screen = shown(store, Box(60, 50, 90, 70))
    options = BuildOptions(variants=("original", name))
    result = perturb_labelled(screen, [asked(screen, Box(60, 50, 90, 70))], store, options)
    assert len(result.questions) in (0, 2)
    if name not in ("cut", "popup"):
        assert len(result.questions) == 2
    for question in result.questions:
        with Image.open(io.BytesIO(store.get(question.image))) as image:
            assert image.size == (question.width, question.height)
        assert (
            Box(0, 0, question.width, question.height).intersection(question.truth)
            == question.truth
        )


def test_live_variants_are_refused() -> None:
    """A change of the page itself is named; changes of pictures, sums of them too, pass."""
    require_pictures(BuildOptions(variants=("original", "jpeg:30+blur:2", "popup")))
    with pytest.raises(InvalidInputError, match="text_shrink"):
        require_pictures(BuildOptions(variants=("original", "text_shrink")))


def test_pictures_are_stored_once(store: ObjectStore) -> None:
    """Questions of one screen share its pictures; a screen without questions has none made."""
    screen = shown(store, SPOTS[0])
    questions = [
        asked(screen, box, id=f"{number}", pair=f"{number}") for number, box in enumerate(SPOTS)
    ]
    options = BuildOptions(variants=("original", "grey", "dark"))
    made = perturb_labelled(screen, questions, store, options)
    assert len(made.questions) == 30
    assert len({question.image for question in made.questions}) == 3 == len(made.screens)
    unseen = [msgspec.structs.replace(question, image="") for question in questions]
    assert not perturb_labelled(screen, unseen, store, options).screens
