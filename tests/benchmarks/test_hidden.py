"""
One page of the benchmark: what is hidden, and the words that still find it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image

from surefoot.benchmarks.benchmark import BENCHMARKS, PageResult
from surefoot.benchmarks.hidden import HIDDEN, KINDS, contextual, says_nothing_of_itself
from surefoot.benchmarks.hidden_parameters import HiddenParameters, split_of
from surefoot.benchmarks.hiding import companions_of
from surefoot.capture.captured import Capture
from surefoot.core.edit import Edit, Hide, Mask
from surefoot.core.errors import CaptureError, UserError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.refer.judge import judge
from surefoot.refer.scene.scene import Scene

Build = Callable[..., PageResult]
MASKS = ("static", "high-contrast", "low-contrast")


class Hiding:
    """Render by leaving hidden elements out; ``shift`` moves all that is left."""

    def __init__(self, png: bytes, shift: float = 0.0, reason: str = "") -> None:
        self.png, self.shift, self.reason = png, shift, reason
        self.hidden: list[tuple[str, ...]] = []

    def render(self, screen: Screen, variant: str, edits: Sequence[Edit]) -> Capture:
        """Return the page without the elements."""
        (edit,) = edits
        assert isinstance(edit, Hide)
        if self.reason:
            raise CaptureError(self.reason, expected="a page", found="none")
        self.hidden.append(edit.elements)
        left = tuple(
            msgspec.structs.replace(element, box=element.box.moved(self.shift, 0))
            for element in screen.elements
            if element.id not in edit.elements
        )
        shown = msgspec.structs.replace(
            screen, id=f"hide {edit.elements}", elements=left, variant=variant
        )
        return Capture(shown, self.png)

    def render_all(
        self, screen: Screen, variants: Mapping[str, Sequence[Edit]]
    ) -> dict[str, Capture]:
        """Return the page under each variant."""
        return {name: self.render(screen, name, edits) for name, edits in variants.items()}


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    """Return a store for the pictures."""
    return ObjectStore(tmp_path_factory.mktemp("masks"))


@pytest.fixture(scope="session")
def build(drawn_page: tuple[Screen, bytes], store: ObjectStore) -> Build:
    """Build the drawn page, with options and a renderer of one's own."""
    screen, png = drawn_page
    store.put(png)

    def run(renderer: Hiding | None = None, **options: Any) -> PageResult:  # noqa: ANN401 - any option
        chosen = msgspec.structs.replace(HIDDEN.defaults, **{"targets": 20, **options})
        return HIDDEN.page(screen, renderer or Hiding(png), store, chosen)

    return run


@pytest.fixture(scope="session")
def result(build: Build) -> PageResult:
    """Return the page with every target and every kind of mask."""
    return build()


def pixels_of(store: ObjectStore, sha: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return a stored picture's pixels."""
    with Image.open(io.BytesIO(store.get(sha))) as image:
        return np.asarray(image.convert("RGB")).astype(np.int64)


def test_it_is_found_by_name() -> None:
    """The registry offers the benchmark, with a mask of each kind to begin with."""
    assert BENCHMARKS.get("hidden") is HIDDEN
    assert HIDDEN.defaults.variants == (*MASKS, "hide")


def test_words_say_where_it_is_and_nothing_of_what(result: PageResult) -> None:
    """No text quotes what the target is called, and both resolvers find it before it hides."""
    original = result.screens[0]
    assert len(result.questions) >= 4 * 2
    for question in result.questions:
        said, target = question.instruction, original.element(question.instruction.target)
        assert target is not None
        assert said.kind in KINDS
        assert says_nothing_of_itself(said.expression)
        if said.kind != "label":
            assert f"'{target.name}'" not in said.text
        assert judge(said.expression, said.target, original).valid, said.text


def test_only_labels_beside_an_element_name_it(drawn_page: tuple[Screen, bytes]) -> None:
    """The field is found by its label; a label inside a box would be hidden with it."""
    screen, png = drawn_page
    with Image.open(io.BytesIO(png)) as image:
        scene = Scene(screen, np.asarray(image.convert("RGB")))
    found = contextual(scene, "field", kinds=("label",))
    assert [description.expression.label for description in found] == ["City"]
    assert contextual(scene, "copy", kinds=("label",)) == ()


def test_masks_cover_the_target_and_its_companions_alone(
    result: PageResult, store: ObjectStore
) -> None:
    """Outside of the masked boxes no pixel changes; inside the target all of them are new."""
    original = pixels_of(store, result.screens[0].image)
    seen = set()
    for question in result.questions:
        shown = next(screen for screen in result.screens if screen.id == question.screen)
        if question.cell.variant == "hide":
            continue
        (edit,) = shown.edits
        assert isinstance(edit, Mask)
        assert question.truth in edit.boxes
        assert len(edit.boxes) == int(question.facts["masked"])
        masked = pixels_of(store, shown.image)
        inside = np.zeros(masked.shape[:2], dtype=bool)
        for box in edit.boxes:
            inside[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = True
        assert (masked[~inside] == original[~inside]).all()
        sides = tuple(int(side) for side in question.truth.as_tuple())
        part = masked[sides[1] : sides[3], sides[0] : sides[2]]
        if question.cell.variant != "low-contrast":
            assert (part == part[0, 0]).all()
        seen.add(question.cell.variant)
    assert seen == set(MASKS)


def test_questions_of_a_pair_differ_in_their_mask_alone(result: PageResult) -> None:
    """Each instruction is asked once under every mask, with the same truth and split."""
    by_words: dict[tuple[str, str], list[Any]] = {}
    for question in result.questions:
        by_words.setdefault((question.pair, question.instruction.text), []).append(question)
    for same in by_words.values():
        assert sorted(item.cell.variant for item in same) == sorted((*MASKS, "hide"))
        assert len({(item.truth, item.split, item.facts["masked"]) for item in same}) == 1
    ids = [question.id for question in result.questions]
    assert len(set(ids)) == len(ids)
    assert len({screen.id for screen in result.screens}) == len(result.screens)


def test_hide_takes_the_same_elements_from_the_page(
    build: Build, drawn_page: tuple[Screen, bytes]
) -> None:
    """What is hidden in the interface is what is masked in the picture."""
    renderer = Hiding(drawn_page[1])
    result = build(renderer, variants=("static", "hide"))
    boxes = {element.id: element.box for element in drawn_page[0].elements}
    hidden = [tuple(boxes[item] for item in ids) for ids in renderer.hidden]
    masked = [
        screen.edits[0].boxes
        for screen in result.screens
        if screen.variant == "static" and isinstance(screen.edits[0], Mask)
    ]
    assert masked
    assert set(masked) <= set(hidden)


@pytest.mark.parametrize(("shift", "reason"), [(3.0, "page-moved"), (0.0, "not-a-page")])
def test_a_page_that_cannot_hide_is_asked_under_masks(
    build: Build, drawn_page: tuple[Screen, bytes], shift: float, reason: str
) -> None:
    """Where the rest of the page moves, or cannot be rendered, only `hide` falls."""
    failing = reason if reason == "not-a-page" else ""
    result = build(Hiding(drawn_page[1], shift, failing))
    assert {question.cell.variant for question in result.questions} == set(MASKS)
    assert any((fall.stage, fall.reason) == ("hide", reason) for fall in result.falls)


@pytest.mark.parametrize("reason", ["browser-error", "timeout", "crash", "unstable-page"])
def test_what_may_go_well_another_time_fails_the_page(
    build: Build, drawn_page: tuple[Screen, bytes], reason: str
) -> None:
    """A browser that died under `hide` takes no variant away: the page is to be tried again."""
    with pytest.raises(CaptureError) as caught:
        build(Hiding(drawn_page[1], 0.0, reason))
    assert caught.value.reason == reason


def test_nothing_hidden_is_counted_or_quoted(result: PageResult) -> None:
    """No landmark of an instruction lies, even in part, under a mask."""
    screens = {screen.id: screen for screen in result.screens}
    original = result.screens[0]
    for question in result.questions:
        landmark = original.element(question.instruction.landmark)
        (edit,) = screens[question.screen].edits or (None,)
        if landmark is not None and isinstance(edit, Mask):
            words = landmark.text_boxes or (landmark.box,)
            assert all(a.intersection(b) is None for a in words for b in edit.boxes)


def test_companions_never_touch_the_target() -> None:
    """A share of the others is drawn, none that overlaps the target or touches it."""
    near = [Element(f"near{n}", "button", Box.from_xywh(40 + 10 * n, 0, 10, 10)) for n in range(9)]
    far = [Element(f"far{n}", "button", Box.from_xywh(300, 20 * n, 10, 10)) for n in range(9)]
    target = near[4]
    for seed in range(20):
        ids = {element.id for element in companions_of([*near, *far], target, seed, 0.5)}
        assert "near4" in ids
        assert not ids & {"near3", "near5"}
        assert len(ids) == 8
    assert [element.id for element in companions_of(near, target, 0, 0.01)] == ["near4"]


def test_a_site_is_in_one_split_whatever_else_there_is() -> None:
    """The split depends on site and seed alone; shares of many sites are those asked for."""
    parameters = HiddenParameters(train=0.5, validation=0.3)
    splits = [split_of(f"site {n}", 3, parameters) for n in range(2000)]
    assert splits.count("train") == pytest.approx(1000, abs=80)
    assert splits.count("validation") == pytest.approx(600, abs=80)
    assert splits != [split_of(f"site {n}", 4, parameters) for n in range(2000)]


@pytest.mark.parametrize(
    "options",
    [
        {"variants": ("statik",)},
        {"variants": ()},
        {"kinds": ("direct",)},
        {"kinds": ("visual",)},
        {"parameters": {"shares": 0.2}},
        {"parameters": {"share": 0}},
        {"parameters": {"train": 0.9, "validation": 0.2}},
        {"parameters": {"ring": "wide"}},
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    """A mask, kind or parameter that is none is named before any page is worked on."""
    with pytest.raises(UserError):
        HIDDEN.identity(msgspec.structs.replace(HIDDEN.defaults, **options))


def test_the_same_seed_gives_the_same_page(build: Build, result: PageResult) -> None:
    """A page built again is the same; another seed hides others."""
    assert build() == result
    assert build(seed=1).questions != result.questions
