"""
One page of the benchmark: every question is proven in its own view, by two resolvers.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.benchmarks.benchmark import BENCHMARKS, PageResult
from surefoot.benchmarks.hardest import assemble
from surefoot.benchmarks.sensitivity import SENSITIVITY, VIEWS
from surefoot.benchmarks.sensitivity_page import distance_of, misnames, rewordings
from surefoot.core.edit import Crop, Paste
from surefoot.core.errors import InvalidInputError, UserError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.perturb.views import moved_point
from surefoot.perturb.wording import WORDINGS
from surefoot.refer.generate.hold import holds
from surefoot.refer.judge import judge
from surefoot.refer.scene.scene import Scene

Build = Callable[..., PageResult]
letters = st.text("abc", max_size=7)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    """Return a store for the pictures."""
    return ObjectStore(tmp_path_factory.mktemp("views"))


@pytest.fixture(scope="session")
def build(drawn_page: tuple[Screen, bytes], store: ObjectStore) -> Build:
    """Build the drawn page, with options of one's own; it is never rendered again."""
    screen, png = drawn_page
    store.put(png)

    def run(**options: Any) -> PageResult:  # noqa: ANN401 - any option
        class Nothing:
            def render(self, *_: object) -> Any:  # noqa: ANN401 - never returns
                raise AssertionError

            render_all = render

        chosen = msgspec.structs.replace(SENSITIVITY.defaults, **options)
        return SENSITIVITY.page(screen, Nothing(), store, chosen)

    return run


@pytest.fixture(scope="session")
def result(build: Build) -> PageResult:
    """Return the page as users get it who choose nothing."""
    return build()


@pytest.fixture(scope="session")
def questions(result: PageResult) -> tuple[Question, ...]:
    """Return the page's questions."""
    return assemble([result], SENSITIVITY.defaults).questions


def test_each_view_is_a_screen_of_its_own(result: PageResult, store: ObjectStore) -> None:
    """The original comes first, then views with their edits; all pictures are stored."""
    first, *others = result.screens
    assert (first.variant, first.edits) == ("original", ())
    assert {other.variant for other in others} == {"crop", "background"}
    assert len({screen.id for screen in result.screens}) == len(result.screens)
    for other in others:
        (edit,) = other.edits
        assert isinstance(edit, Crop if other.variant == "crop" else Paste)
        with Image.open(io.BytesIO(store.get(other.image))) as image:
            assert image.size == (other.width, other.height)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_question_holds_where_it_is_asked(
    result: PageResult, questions: tuple[Question, ...], store: ObjectStore, step: int
) -> None:
    """On its own view's pixels each expression means the target alone, say both resolvers."""
    screens = {screen.id: screen for screen in result.screens}
    pixels = {}
    for view in result.screens:
        with Image.open(io.BytesIO(store.get(view.image))) as image:
            pixels[view.id] = np.asarray(image.convert("RGB"))
    assert len(questions) > 150
    assert {question.cell.variant for question in questions} == set(VIEWS)
    for question in questions[::step]:
        asked = question.instruction
        shown, picture = screens[question.screen], pixels[question.screen]
        assert holds(asked.expression, asked.target, shown, picture) is None, asked.text
        verdict = judge(asked.expression, asked.target, shown, picture)
        assert verdict.valid, (asked.text, question.cell.variant, verdict.why)


def test_truth_moves_with_the_picture(result: PageResult, questions: tuple[Question, ...]) -> None:
    """The target's centre on the original lies, moved, at the centre of each truth."""
    original = result.screens[0]
    screens = {screen.id: screen for screen in result.screens}
    for question in questions:
        element = original.element(question.instruction.target)
        assert element is not None
        center = element.box.center
        for edit in screens[question.screen].edits:
            assert isinstance(edit, Crop | Paste)
            center = moved_point(center, original, edit)
        assert question.truth.center.distance(center) < 1e-6
        picture = Box(0, 0, question.width, question.height)
        assert picture.intersection(question.truth) == question.truth


def test_questions_differ_in_view_or_words(questions: tuple[Question, ...]) -> None:
    """No question is asked twice, and a pair's questions share their element."""
    keys = {
        (question.pair, question.cell.variant, question.instruction.text) for question in questions
    }
    assert len(keys) == len(questions) == len({question.id for question in questions})
    for question in questions:
        assert question.pair == f"site/form.html#{question.instruction.target}"


def test_another_language_has_no_rewordings(build: Build) -> None:
    """Every kind is said in the language; spelling errors and synonyms are left out, and told."""
    result = build(language="ja", variants=("original",))
    said = [one for candidate in result.candidates for one in candidate.instructions.values()]

    assert {item.language for items in said for item in items} == {"ja"}
    assert not [item for items in said for item in items if item.wording]
    told = {fall.stage for fall in result.falls if fall.reason == "only of en"}
    assert told == {f"wording {name}" for name in WORDINGS}


def test_rewordings_are_of_the_most_direct_instruction(
    questions: tuple[Question, ...],
) -> None:
    """Only the original shows them, each with its wording in the cell, of one expression."""
    reworded = [question for question in questions if question.instruction.wording]
    assert len({item.instruction.wording for item in reworded}) == 8
    by_pair: dict[str, set[str]] = {}
    for item in reworded:
        asked = item.instruction
        assert item.cell.variant == "original"
        assert item.cell.instruction == f"{asked.kind}+{asked.wording}"
        assert asked.specificity == "high"
        by_pair.setdefault(item.pair, set()).add(str(asked.expression))
    assert all(len(item) == 1 for item in by_pair.values())


def test_the_hardest_come_first(build: Build, result: PageResult) -> None:
    """With two targets a page the two of the highest difficulty are kept, others counted."""
    few = build(targets=2)
    ranked = sorted(result.candidates, key=lambda candidate: -candidate.measures["difficulty"])
    assert [candidate.target for candidate in few.candidates] == [
        item.target for item in ranked[:2]
    ]
    over = sum(fall.count for fall in few.falls if "over" in fall.reason)
    assert over == len(result.candidates) - 2


def test_every_candidate_is_accounted_for(result: PageResult) -> None:
    """Considered are all controls: those kept, and those that fell for a reason."""
    counts = {fall.reason: fall.count for fall in result.falls if fall.stage == "targets"}
    considered = counts.pop("considered")
    assert considered == 9
    assert len(result.candidates) + sum(counts.values()) == considered


def test_instructions_lost_in_a_view_are_counted(result: PageResult) -> None:
    """For each view what is asked there and what fell there are all instructions."""
    original = result.screens[0].id
    views = {item.id: item.variant for item in result.screens}
    for view in ("crop", "background"):
        fell = sum(fall.count for fall in result.falls if fall.stage == f"instructions on {view}")
        kept = sum(
            len(asked)
            for candidate in result.candidates
            for screen, asked in candidate.instructions.items()
            if views[screen] == view
        )
        said = sum(
            not asked.wording
            for candidate in result.candidates
            for asked in candidate.instructions[original]
        )
        assert kept + fell == said


@pytest.mark.parametrize(
    ("options", "variants"),
    [
        ({"variants": ("original",)}, {"original"}),
        ({"variants": ("original", "crop")}, {"original", "crop"}),
    ],
)
def test_only_the_views_asked_for_are_made(
    build: Build, options: dict[str, Any], variants: set[str]
) -> None:
    """Leaving a view out leaves its screens out."""
    assert {screen.variant for screen in build(**options).screens} == variants


def test_only_the_kinds_asked_for_are_said(build: Build) -> None:
    """A build of regions alone says no other kind, and no rewording without a name."""
    found = build(kinds=("region",), variants=("original",))
    asked = [
        i for candidate in found.candidates for i in next(iter(candidate.instructions.values()))
    ]
    assert asked
    assert {instruction.kind for instruction in asked} == {"region"}


def test_parameters_reach_the_views(build: Build) -> None:
    """The desktop by name, the scale and the crop's least size are those asked for."""
    found = build(
        parameters={"desktop": "paper", "scale_least": 0.9, "scale_most": 0.9,
                    "crop_width": 500, "crop_height": 400}
    )  # fmt: skip
    for screen in found.screens[1:]:
        (edit,) = screen.edits
        if isinstance(edit, Paste):
            assert (edit.background, edit.scale) == ("paper", 0.9)
        else:
            assert screen.width >= 500


def test_the_same_page_gives_the_same_result(build: Build, result: PageResult) -> None:
    """Twice the same options are the same screens, instructions and measures."""
    assert build() == result
    assert build(seed=1) != result


@pytest.mark.parametrize(
    "options",
    [
        {"variants": ()},
        {"variants": ("crop", "original")},
        {"variants": ("original", "crop", "crop")},
        {"variants": ("original", "style")},
        {"kinds": ("direkt",)},
        {"kinds": ("direct", "direct")},
        {"parameters": {"tip": 1}},
        {"parameters": {"wordings": "synonyms"}},
        {"parameters": {"desktop": "office"}},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    """Unknown and repeated views, kinds, parameters, wordings and desktops are told at once."""
    with pytest.raises(UserError):
        SENSITIVITY.identity(msgspec.structs.replace(SENSITIVITY.defaults, **options))


def test_the_original_comes_first() -> None:
    """Views that do not begin with the original are refused with the way to write them."""
    options = msgspec.structs.replace(SENSITIVITY.defaults, variants=("crop", "original"))
    with pytest.raises(InvalidInputError, match="--variants original"):
        SENSITIVITY.identity(options)


def test_it_is_found_by_name_and_needs_no_browser() -> None:
    """The registry knows the benchmark; it never renders; its plan has every parameter."""
    assert BENCHMARKS.get("sensitivity@10") is SENSITIVITY
    assert not SENSITIVITY.renders
    plan = SENSITIVITY.identity(SENSITIVITY.defaults)
    parameters = plan["parameters"]
    assert isinstance(parameters, dict)
    assert parameters["crop_distance"] == 80.0


def test_a_damaged_picture_is_told(build: Build, tmp_path: Path) -> None:
    """A store without the screen's picture is an error of the input."""
    assert build is not None
    screen = Screen("s", "a", "x", "0" * 64, 9, 9, 1.0, "web", "en", ())
    with pytest.raises(InvalidInputError, match="0000"):
        SENSITIVITY.page(screen, None, ObjectStore(tmp_path), SENSITIVITY.defaults)  # type: ignore[arg-type]


def scene(*names: str) -> Scene:
    """Return a scene with a button of each name."""
    elements = tuple(Element(name, "button", Box(0, 0, 9, 9), name=name) for name in names)
    return Scene(Screen("s", "a", "x", "", 90, 90, 1.0, "web", "en", elements))


def click(name: str, wording: str = "") -> Instruction:
    """Return an instruction to click a button by its name."""
    expression = Expression(role="button", name="Files")
    return Instruction(
        f"Click the '{name}' button", "en", "direct", "high", expression, "a", wording=wording
    )


@given(one=letters, other=letters)
def test_distance_is_the_textbook_one(one: str, other: str) -> None:
    """The table's distance is that of the recursive definition."""

    @functools.cache
    def slow(a: str, b: str) -> int:
        if not a or not b:
            return len(a) + len(b)
        return min(slow(a[1:], b) + 1, slow(a, b[1:]) + 1, slow(a[1:], b[1:]) + (a[0] != b[0]))

    assert distance_of(one, other) == slow(one, other)


@pytest.mark.parametrize(
    ("wrong", "others", "lost"),
    [
        ("Filws", ("Files", "Users"), False),
        ("Fiels", ("Files", "Fields"), True),
        ("Miles", ("Files", "miles"), True),
        ("Filed", ("Files", "Fired"), True),
        ("Filed", ("Files",), False),
    ],
)
def test_a_name_nearer_to_others_is_lost(wrong: str, others: tuple[str, ...], lost: bool) -> None:
    """A misspelling is refused where another name is as near to it as the right one."""
    changed = click(wrong, "spelling-swap-in-names")
    assert misnames(click("Files"), changed, scene(*others)) is lost


def test_words_outside_names_need_no_check() -> None:
    """What is not about names is left alone."""
    changed = Instruction(
        "Clikc the 'Files' button", "en", "direct", "high",
        Expression(role="button", name="Files"), "a", wording="spelling-swap",
    )  # fmt: skip
    assert not misnames(click("Files"), changed, scene("Files", "Filed"))


def test_every_wording_is_accounted_for() -> None:
    """Each name asked for comes back once, with the instruction or with nothing."""
    found = dict(rewordings(click("Files"), scene("Files"), tuple(WORDINGS), errors=1, seed=3))
    assert list(found) == list(WORDINGS)
    assert all(
        instruction is None or instruction.wording == name for name, instruction in found.items()
    )
    assert sum(instruction is not None for instruction in found.values()) >= 7
