"""
`hidden`: an element is masked or hidden; where is it? Asked by words about its context.

After Hidden Forms: a screen's elements are covered by a white, a conspicuous or an
inconspicuous mask, and a model says the box of the one that is asked for. On live pages
elements also vanish from the interface itself, which no picture can show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import (
    Assembled,
    Benchmark,
    BuildOptions,
    Fall,
    Funnel,
    ImageStore,
    PageResult,
    Renderer,
    require_names,
)
from surefoot.benchmarks.hidden_labelled import mask_labelled
from surefoot.benchmarks.hidden_parameters import (
    HiddenParameters,
    hidden_parameters_of,
    split_of,
)
from surefoot.benchmarks.hidden_words import contextual, first_of_each, found_when_hidden
from surefoot.benchmarks.hiding import (
    HIDE,
    MASK_KINDS,
    ORIGINAL,
    companions_of,
    hide,
    mask_boxes,
)
from surefoot.benchmarks.matching import add_up
from surefoot.core.canonical import digest
from surefoot.core.errors import CaptureError
from surefoot.core.instruction import Instruction, InstructionKind
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import derive_seed, random_source
from surefoot.perturb.cover import cover
from surefoot.perturb.pixels import Pixels, read_pixels
from surefoot.refer.generate.generate import targets
from surefoot.refer.say.realise import instruct
from surefoot.refer.scene.scene import Scene

__all__ = ["HIDDEN", "KINDS", "VARIANTS"]

VARIANTS: Final = (ORIGINAL, *MASK_KINDS, HIDE)
KINDS: Final[tuple[InstructionKind, ...]] = (
    "relational", "nearest", "between", "container", "label", "ordinal", "region",
)  # fmt: skip
ALSO: Final[tuple[InstructionKind, ...]] = (*KINDS, "combined")


class _Page:
    """Hold what one page's targets share while its questions are made."""

    def __init__(
        self, screen: Screen, renderer: Renderer, store: ImageStore, options: BuildOptions
    ) -> None:
        self.screen, self.renderer, self.store, self.options = screen, renderer, store, options
        self.parameters: HiddenParameters = hidden_parameters_of(options.parameters)
        self.png = store.get(screen.image)
        self.pixels: Pixels = read_pixels(self.png, (screen.width, screen.height))
        self.scene = Scene(screen, self.pixels)
        self.falls: Counter[tuple[str, str]] = Counter()
        self.screens = [screen]
        self.split = split_of(screen.site or screen.page, options.seed, self.parameters)


def _page(
    screen: Screen, renderer: Renderer, store: ImageStore, options: BuildOptions
) -> PageResult:
    page = _Page(screen, renderer, store, options)
    found = targets(page.scene)
    whole = [each for each in found if screen.bounds.intersection(each.box) == each.box]
    page.falls["targets", "considered"] = len(found)
    page.falls["targets", "cut by the picture's edge"] = len(found) - len(whole)
    order = list(whole)
    random_source(options.seed, "hidden", screen.page).shuffle(order)
    questions: list[Question] = []
    taken = 0
    for target in order:
        if taken == options.targets:
            page.falls["targets", f"over {options.targets} a page"] += 1
            continue
        asked = _asked(page, whole, target)
        questions += asked
        taken += bool(asked)
    return PageResult(
        page=screen.page,
        site=screen.site,
        screens=tuple(page.screens),
        candidates=(),
        falls=tuple(Fall(*key, count) for key, count in sorted(page.falls.items()) if count),
        questions=tuple(questions),
    )


def _asked(page: _Page, whole: Sequence[Element], target: Element) -> list[Question]:
    """Return a target's questions in all variants, none where no words find it."""
    share, seed = page.parameters.share, derive_seed(page.options.seed, page.screen.page)
    together = companions_of(whole, target, seed, share)
    said = _said(page, target, together)
    if not said:
        page.falls["targets", "no words that find it when it is hidden"] += 1
        return []
    return [
        _question(page, target, shown, instruction, len(together))
        for shown in _shown(page, target, together)
        for instruction in said
    ]


def _said(page: _Page, target: Element, together: Sequence[Element]) -> list[Instruction]:
    """Return the instructions that find a target where it and its companions are hidden."""
    options, scene = page.options, page.scene
    found = contextual(scene, target.id, kinds=options.kinds, seed=options.seed)
    if not found:
        return []
    covered = cover(page.screen, [each.box for each in together])
    hidden = Scene(covered, page.pixels)
    others = [each.id for each in together if each.id != target.id]
    held = []
    for each in found:
        if found_when_hidden(scene, hidden, each.expression, target.id, others):
            held.append(each)
        else:
            page.falls["instructions", "their context is hidden too"] += 1
    seed = derive_seed(options.seed, "value", page.screen.page, target.id)
    return [
        instruct(each.expression, target, scene, seed=seed)
        for each in first_of_each(held, page.parameters.each)
    ]


def _shown(page: _Page, target: Element, together: Sequence[Element]) -> Iterator[Screen]:
    """Yield the screen of each variant; one that cannot be made falls for its reason."""
    boxes = [each.box for each in together]
    for variant in page.options.variants:
        if variant == ORIGINAL:
            yield page.screen
            continue
        if variant == HIDE:
            try:
                shown = hide(page.screen, together, page.renderer, page.store)
            except CaptureError as error:
                page.falls[HIDE, error.reason] += 1
                continue
        else:
            ring = page.parameters.ring
            shown, png = mask_boxes(page.screen, page.png, boxes, variant, ring=ring)
            page.store.put(png)
        # Targets of one page may be hidden together, so a screen is the target's own.
        shown = msgspec.structs.replace(shown, id=digest([shown.id, target.id])[:16])
        page.screens.append(shown)
        yield shown


def _question(
    page: _Page, target: Element, shown: Screen, instruction: Instruction, masked: int
) -> Question:
    pair = f"{page.screen.page}#{target.id}"
    return Question(
        id=digest([pair, shown.variant, instruction.text])[:20],
        pair=pair,
        cluster=page.screen.page,
        cell=Cell(shown.variant, instruction.kind),
        screen=shown.id,
        image=shown.image,
        width=shown.width,
        height=shown.height,
        instruction=instruction,
        truth=target.box,
        role=target.role,
        split=page.split,
        platform=page.screen.platform,
        facts={"masked": str(masked)},
    )


def _assemble(results: Iterable[PageResult], _options: BuildOptions) -> Assembled:
    questions: list[Question] = []
    falls: list[Fall] = []
    for result in results:
        questions += result.questions
        falls += result.falls
    return Assembled(tuple(sorted(questions, key=lambda each: each.id)), Funnel(add_up(falls), {}))


def _identity(options: BuildOptions) -> Mapping[str, object]:
    require_names(options.variants, VARIANTS, "mask")
    require_names(options.kinds, ALSO, "kind of instruction that says where a hidden thing is")
    return {"parameters": msgspec.to_builtins(hidden_parameters_of(options.parameters))}


HIDDEN = Benchmark(
    name="hidden",
    version=1,
    summary="elements masked or hidden, asked for by words about what is around them",
    page=_page,
    assemble=_assemble,
    identity=_identity,
    needs_pages=lambda options: HIDE in options.variants,
    defaults=BuildOptions(
        variants=("static", "high-contrast", "low-contrast", HIDE), kinds=KINDS, targets=4
    ),
    labelled=mask_labelled,
)
