"""
One page of the benchmark: what is kept holds in every variant, and what fell is counted.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.benchmarks.benchmark import BENCHMARKS, BuildOptions, Fall, PageResult
from surefoot.benchmarks.perturbed import PERTURBED
from surefoot.capture.captured import Capture
from surefoot.capture.sources import Address
from surefoot.core.edit import Edit
from surefoot.core.errors import InvalidInputError, UnknownNameError, UserError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore

ADDRESS = Address("folder:site#a.html", "site/a.html", "site")
ROWS = (("title", "heading", "Account", 20, 40), ("save", "button", "Save", 220, 40))
MORE = (("send", "button", "Send", 20, 180), ("twin", "button", "Send", 20, 240))
Change = Callable[[Screen], Screen]


def element(name: str, role: str, words: str, left: float, top: float) -> Element:
    """Return an element that is whole, hit, and spelled in its box."""
    box = Box.from_xywh(left, top, 120, 32)
    return Element(
        name,
        role,
        box,
        name=words,
        name_from="content",
        name_boxes=(box,),
        text=words,
        text_boxes=(box,),
        font_px=20.0,
        visible_fraction=1.0,
        hits=(True,) * 5,
        attributes={"tag": role},
    )


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    """Return an empty store."""
    return ObjectStore(tmp_path)


@pytest.fixture
def page(store: ObjectStore) -> Screen:
    """Draw a page with a heading, a button, and two buttons of one name."""
    elements = tuple(element(*row) for row in (*ROWS, *MORE))
    image = Image.new("RGB", (400, 300), "#ffffff")
    pen = ImageDraw.Draw(image)
    for item in elements:
        pen.rectangle(item.box.as_tuple(), outline="#000000", width=2)
        corner = (item.box.left + 10, item.box.top + 4)
        pen.text(corner, item.name, fill="#000000", font=ImageFont.load_default(20))
    file = io.BytesIO()
    image.save(file, "PNG")
    return Screen(
        id="site/a.html original",
        page=ADDRESS.page,
        source=ADDRESS.spec,
        image=store.put(file.getvalue()),
        width=400,
        height=300,
        scale=1.0,
        platform="web",
        locale="en-US",
        elements=elements,
    )


@pytest.fixture
def build(page: Screen, store: ObjectStore) -> Callable[..., PageResult]:
    """
    Build a page whose variants need no browser.

    They are the original with a change, all of them or the one that is named.
    """

    def run(
        change: Change,
        on: str = "",
        **options: Any,  # noqa: ANN401 - any option
    ) -> PageResult:
        class Changing:
            def render(self, screen: Screen, variant: str, edits: Sequence[Edit]) -> Capture:
                assert screen == page
                changed = change(page) if on in {"", variant} else page
                shown = msgspec.structs.replace(
                    changed, id=variant, variant=variant, edits=tuple(edits)
                )
                return Capture(shown, store.get(page.image))

            def render_all(
                self, screen: Screen, variants: Mapping[str, Sequence[Edit]]
            ) -> dict[str, Capture]:
                return {name: self.render(screen, name, it) for name, it in variants.items()}

        chosen = BuildOptions(variants=("original", "zoom:1.5"))
        return PERTURBED.page(page, Changing(), store, msgspec.structs.replace(chosen, **options))

    return run


def without(name: str) -> Change:
    """Return a change that covers one element, so that no click reaches it."""

    def change(screen: Screen) -> Screen:
        elements = tuple(
            msgspec.structs.replace(item, hits=(False,) * 5) if item.id == name else item
            for item in screen.elements
        )
        return msgspec.structs.replace(screen, elements=elements)

    return change


def test_what_holds_everywhere_is_kept(build: Callable[..., PageResult]) -> None:
    """The button of its own name is asked for directly; the twins only by their place."""
    result = build(lambda screen: screen)
    found = {candidate.target: candidate for candidate in result.candidates}

    assert [item.variant for item in result.screens] == ["original", "zoom:1.5"]
    assert found["save"].direct is not None
    assert "Save" in found["save"].direct.text
    assert all(item.direct is None for name, item in found.items() if name != "save")
    assert found["save"].relational
    for way, instruction in found["save"].relational.items():
        assert instruction.expression.direction == way
        assert "Save" not in instruction.text


def test_instructions_are_in_the_language_asked_for(build: Callable[..., PageResult]) -> None:
    """Names stay the page's own, and the same targets are asked for in each language."""
    english, russian = build(lambda screen: screen), build(lambda screen: screen, language="ru")
    own = build(lambda screen: screen, language="own")
    foreign = build(lambda screen: screen, language="de")
    found = {candidate.target: candidate for candidate in russian.candidates}

    assert [item.target for item in english.candidates] == list(found)
    assert found["save"].direct is not None
    assert found["save"].direct.language == "ru"
    assert found["save"].direct.text == "Нажмите на кнопку «Save»"
    assert own.candidates == english.candidates
    assert not foreign.candidates
    assert {fall.reason for fall in foreign.falls} >= {"no-language"}


def test_every_candidate_is_accounted_for(build: Callable[..., PageResult]) -> None:
    """Each control was considered, and each without a direct instruction fell for a reason."""
    result = build(lambda screen: screen)

    assert Fall("candidates", "considered", 3) in result.falls
    direct = sum(candidate.direct is not None for candidate in result.candidates)
    fell = sum(fall.count for fall in result.falls if fall.stage.startswith("direct on"))
    assert direct + fell == 3


def test_what_a_variant_hides_is_lost_there(build: Callable[..., PageResult]) -> None:
    """A target that one variant covers is no target, and the funnel names that variant."""
    result = build(without("save"))

    assert "save" not in {candidate.target for candidate in result.candidates}
    stages = {fall.stage for fall in result.falls}
    assert {"direct on zoom:1.5", "relational on zoom:1.5"} <= stages


def test_a_landmark_counts_where_it_lies_as_it_did(build: Callable[..., PageResult]) -> None:
    """What one of several variants moves is asked for by its landmark in the others alone."""
    variants = ("original", "zoom:1.5", "zoom:0.7")
    whole = build(lambda screen: screen, variants=variants, kinds=("relational",))
    moved = build(without("save"), on="zoom:1.5", variants=variants, kinds=("relational",))
    (save,) = (item for item in moved.candidates if item.target == "save")

    assert all(not item.held for item in whole.candidates)
    assert set(save.held.values()) == {("original", "zoom:0.7")}
    assert "relational, not asked on zoom:1.5" in {fall.stage for fall in moved.falls}


def test_a_relation_is_drawn_anew_where_a_control_went(
    build: Callable[..., PageResult],
) -> None:
    """What an order moves below its landmark is "below" it there, and "right of" it before."""

    def reorder(screen: Screen) -> Screen:
        swapped = {
            "save": element("save", "button", "Save", 20, 180),
            "send": element("send", "button", "Send", 220, 40),
        }
        left = (item for item in screen.elements if item.id != "twin")
        elements = tuple(swapped.get(item.id, item) for item in left)
        return msgspec.structs.replace(screen, elements=elements)

    kinds = {"kinds": ("relational",)}
    kept = build(reorder, **kinds)
    made = build(reorder, **kinds, parameters={"relation": "anew"})
    (save,) = (item for item in made.candidates if item.target == "save")
    (anew,) = save.instructions.values()

    assert "save" not in {item.target for item in kept.candidates}
    assert set(save.relational) == {"right of"}
    assert "below" in {one.expression.direction for one in anew}
    assert all("Account" in one.text for one in anew if one.expression.direction == "below")
    whole = build(reorder, **kinds, parameters={"relation": "all"})
    assert "save" in {item.target for item in whole.candidates}
    assert all(len(item.instructions) == 1 for item in whole.candidates)
    assert len(whole.candidates) < len(made.candidates) or whole.candidates == made.candidates
    with pytest.raises(UserError, match="relation"):
        PERTURBED.identity(BuildOptions(parameters={"relation": "new"}))


def test_what_a_control_does_is_a_kind_of_its_own(page: Screen, store: ObjectStore) -> None:
    """A link called by a noun is asked for by where it leads, a button called by a verb is not."""
    link = element("save", "link", "Orders", 220, 40)
    elements = tuple(link if item.id == "save" else item for item in page.elements)
    shown = msgspec.structs.replace(page, elements=elements)
    options = BuildOptions(variants=("original",), kinds=("functional",))
    renderer: Any = None
    result = PERTURBED.page(shown, renderer, store, options)

    (found,) = result.candidates
    assert found.functional is not None
    assert (found.functional.kind, found.functional.expression.function) == ("functional", "go to")
    assert "'Orders'" in found.functional.text
    assert Fall("functional on the original", "no-function", 2) in result.falls


@pytest.mark.parametrize("kind", ["direct", "relational"])
def test_only_the_kinds_asked_for_are_made(build: Callable[..., PageResult], kind: str) -> None:
    """A build of one kind makes and counts nothing of the other."""
    result = build(lambda screen: screen, kinds=(kind,))

    for candidate in result.candidates:
        assert (candidate.direct is not None) is (kind == "direct")
        assert bool(candidate.relational) is (kind == "relational")
    other = "relational" if kind == "direct" else "direct"
    assert not any(fall.stage.startswith(other) for fall in result.falls)


def test_the_same_page_gives_the_same_result(build: Callable[..., PageResult]) -> None:
    """Building a page twice gives equal results, and another seed may not change targets."""
    first, again = build(lambda screen: screen), build(lambda screen: screen)

    assert first == again
    other = build(lambda screen: screen, seed=5)
    assert [candidate.target for candidate in other.candidates] == [
        candidate.target for candidate in first.candidates
    ]


@pytest.mark.parametrize(
    "variants",
    [(), ("style", "original"), ("original", "style", "style"), ("original", "original")],
)
def test_bad_lists_of_variants_are_refused(variants: tuple[str, ...]) -> None:
    """The original comes first and no variant twice; that is said before any page is drawn."""
    with pytest.raises(InvalidInputError, match="variant"):
        PERTURBED.identity(BuildOptions(variants=variants))


@pytest.mark.parametrize("name", ["", " style"])
def test_a_variant_is_written_by_its_name(name: str) -> None:
    """An empty name, which stands for the original, or a padded one would be a second name."""
    with pytest.raises(InvalidInputError, match="by its name"):
        PERTURBED.identity(BuildOptions(variants=("original", name)))


def test_an_unknown_variant_is_told_the_nearest() -> None:
    """A misspelt variant is refused with the name that was meant."""
    with pytest.raises(UnknownNameError, match="'style'"):
        PERTURBED.identity(BuildOptions(variants=("original", "stile")))


@pytest.mark.parametrize("given", [{"kinds": ("region",)}, {"parameters": {"top": 3}}])
def test_options_it_has_not_are_refused(given: dict[str, Any]) -> None:
    """Kinds of another benchmark and parameters are mistakes, not silently nothing."""
    with pytest.raises(UserError):
        PERTURBED.identity(msgspec.structs.replace(BuildOptions(), **given))


def test_versions_are_part_of_the_plan() -> None:
    """What a variant's name stands for, versions included, goes into the plan."""
    found = PERTURBED.identity(BuildOptions(variants=("original", "precision")))
    assert found == {"original": "", "precision": "transform-zoom@1:0.7"}


def test_it_is_found_by_name() -> None:
    """The registry knows the benchmark, and its version."""
    assert BENCHMARKS.get("perturbed@9") is PERTURBED


def test_the_paper_s_style_stands_beside_its_halves() -> None:
    """By default each half of the preset is a variant alone, so that one thing changes."""
    found = PERTURBED.identity(BuildOptions())

    assert found["style"] == f"{found['theme']}+{found['order']}"


def test_two_variants_that_change_the_same_are_refused() -> None:
    """A variant under another name would be compared with itself."""
    with pytest.raises(InvalidInputError, match="changes the same as 'precision'"):
        PERTURBED.identity(BuildOptions(variants=("original", "precision", "transform-zoom:0.7")))
