"""
`hidden`: an element is masked or hidden; where is it? Asked by words about its context.

After Hidden Forms: a screen's elements are covered by a white, a conspicuous or an
inconspicuous mask, and a model says the box of the one that is asked for. On live pages
elements also vanish from the interface itself, which no picture can show.

Words find an element which cannot be seen: where it is, and nothing of what it is. Kept are
expressions in which every part speaks of other things (a container, a landmark, an order, a
region) or of a label beside the element. Its name, text, colour, shape, size, content, state
and function are never said; nor is its role, save in "the field labelled ...", where
"control" in its place must mean the same element.

The kind "content" asks the other way round, as the paper does: it gives what is hidden, and
asks for the place (``hidden_content``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import (
    AssembledBench,
    Benchmark,
    BuildOptions,
    Fall,
    Funnel,
    ImageStore,
    PageRenderer,
    PageResult,
    reason_of,
    require_names,
)
from surefoot.benchmarks.drawing import REPEAT, asked_elsewhere, shares, site_of, targets_by_site
from surefoot.benchmarks.hidden_content import DECIDED, Content, contents, worded
from surefoot.benchmarks.hidden_labelled import mask_labelled
from surefoot.benchmarks.hidden_parameters import (
    HiddenParameters,
    hidden_parameters_of,
    split_of,
)
from surefoot.benchmarks.hidden_seen import fits_another, place_is_told, seen
from surefoot.benchmarks.hiding import (
    HIDE,
    MASK_KINDS,
    companions_of,
    hide,
    mask_boxes,
)
from surefoot.benchmarks.matching import add_up
from surefoot.core.canonical import digest
from surefoot.core.drawn.marks import drawn_marks
from surefoot.core.errors import CaptureError
from surefoot.core.instruction import Expression, Instruction, InstructionKind, shows_look
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.pictures import Pixels
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import derive_seed, random_source
from surefoot.perturb.cover import cover
from surefoot.perturb.pixels import read_pixels
from surefoot.refer.generate.describe import Description
from surefoot.refer.generate.expressions import expressions
from surefoot.refer.generate.generate import targets
from surefoot.refer.generate.heads import CONTROL
from surefoot.refer.generate.hold import readable
from surefoot.refer.resolve.resolve import fits, prove
from surefoot.refer.say.realise import instruct
from surefoot.refer.scene.geometry import Boxes
from surefoot.refer.scene.scene import Scene
from surefoot.score.scorings.overlap import OVERLAP

_OF_ITSELF: Final = ("name", "text", "function")
_ALL: Final = 1_000  # of an element's expressions: more than there are
# Why an element cannot be hidden on its page, however often one tries.
LASTING: Final = ("page-moved", "not-a-page")
VARIANTS: Final = (ORIGINAL, *MASK_KINDS, HIDE)
KINDS: Final[tuple[InstructionKind, ...]] = (
    "relational", "nearest", "between", "container", "label", "ordinal", "region",
)  # fmt: skip
CONTENT: Final = "content"
ALSO: Final[tuple[InstructionKind, ...]] = (*KINDS, "combined", CONTENT)


def contextual(
    scene: Scene, target: str, *, kinds: Collection[str], seed: int = 0
) -> tuple[Description, ...]:
    """
    Return a target's proven expressions, of the kinds, that say nothing of the target itself.

    The cheapest come first. ``target`` is an element's id; each expression is proven on the
    scene as it is, before anything is hidden.
    """
    place = scene.place[target]
    return tuple(
        expression
        for expression in expressions(scene, target, seed=seed, most=_ALL)
        if expression.kind in kinds
        and says_nothing_of_itself(expression.expression)
        and means_as_control(scene, expression.expression, place)
    )


def says_nothing_of_itself(expression: Expression) -> bool:
    """
    Tell whether no part of an expression is read off the element.

    >>> says_nothing_of_itself(Expression(role="control", landmark=Expression(text="Total"),
    ...                                   direction="below"))
    True
    >>> says_nothing_of_itself(Expression(role="button", name="Save"))
    False
    """
    if shows_look(expression) or any(getattr(expression, part) for part in _OF_ITSELF):
        return False
    return expression.role == CONTROL or bool(expression.label)


def found_when_hidden(
    scene: Scene,
    hidden: Scene,
    expression: Expression,
    target: str,
    companions: Sequence[str],
) -> bool:
    """
    Tell whether an expression's context can still be seen where elements are hidden.

    ``scene`` is the screen before, ``hidden`` as it is shown, the target and its companions
    (ids) covered. All words quoted must be readable there, and nothing that is hidden may be
    among what is counted.
    """
    place = hidden.place[target]
    if readable(hidden, expression, place) is not None:
        return False
    return expression.ordinal is None or not _counts(scene, expression, companions)


def means_as_control(scene: Scene, expression: Expression, place: int) -> bool:
    """Tell whether an expression means the same thing where its role is any control's."""
    if expression.role == CONTROL:
        return True
    return prove(scene, msgspec.structs.replace(expression, role=CONTROL), place) is None


def _counts(scene: Scene, expression: Expression, companions: Sequence[str]) -> bool:
    """Tell whether one of the companions may be among those that an ordinal counts."""
    counted = fits(scene, msgspec.structs.replace(expression, ordinal=None), "lenient")
    return any(bool(counted[scene.place[companion]]) for companion in companions)


def first_of_each(found: Sequence[Description], each_kind: int) -> list[Description]:
    """Return at most so many of each kind, in the order given."""
    taken: Counter[str] = Counter()
    kept = []
    for description in found:
        taken[description.kind] += 1
        if taken[description.kind] <= each_kind:
            kept.append(description)
    return kept


class _Page:
    """Hold what one page's targets share while its questions are made."""

    def __init__(
        self,
        screen: Screen,
        renderer: PageRenderer,
        store: ImageStore,
        options: BuildOptions,
        first: Sequence[Question] = (),
    ) -> None:
        # Over a base nothing is asked but what the original was asked.
        asked = [question.instruction for question in first]
        self.words = {
            (instruction.target, words)
            for instruction in asked
            for words in (instruction.text, instruction.expression)
        }
        self.screen, self.renderer, self.store, self.options = screen, renderer, store, options
        self.parameters: HiddenParameters = hidden_parameters_of(options.parameters)
        self.png = store.get(screen.image)
        self.pixels: Pixels = read_pixels(self.png, (screen.width, screen.height))
        self.scene = Scene(screen, self.pixels)
        self.falls: Counter[tuple[str, str]] = Counter()
        self.reasons: dict[str, str] = {}
        self.screens = [screen]
        self.split = split_of(screen.site or screen.page, options.seed, self.parameters)


def _page(
    screen: Screen, renderer: PageRenderer, store: ImageStore, options: BuildOptions
) -> PageResult:
    return _made(_Page(screen, renderer, store, options))


def _again(
    screen: Screen,
    first: PageResult,
    renderer: PageRenderer,
    store: ImageStore,
    options: BuildOptions,
) -> PageResult:
    return _made(_Page(screen, renderer, store, options, first.questions))


def _made(page: _Page) -> PageResult:
    options, screen = page.options, page.screen
    placed = options.kinds != (CONTENT,)
    questions = [*(_placed(page) if placed else ()), *_stated(page)]
    return PageResult(
        page=screen.page,
        site=screen.site,
        # One mask may hide a target that is asked for by its place and by its content.
        screens=tuple({screen.id: screen for screen in page.screens}.values()),
        candidates=(),
        falls=tuple(Fall(*key, count) for key, count in sorted(page.falls.items()) if count),
        questions=tuple(questions),
        reasons=page.reasons,
    )


def _placed(page: _Page) -> Iterator[Question]:
    """Yield the questions of a page whose words say where a target is."""
    screen, options = page.screen, page.options
    found = targets(page.scene)
    whole = [
        element for element in found if screen.bounds.intersection(element.box) == element.box
    ]
    page.falls["targets", "considered"] = len(found)
    page.falls["targets", "cut by the picture's edge"] = len(found) - len(whole)
    order = [element for element in whole if not asked_elsewhere(element)]
    page.falls["targets", REPEAT] = len(whole) - len(order)
    random_source(options.seed, "hidden", screen.page).shuffle(order)
    taken = 0
    for target in order:
        before = page.falls.copy()
        if taken == options.targets:
            page.falls["targets", f"over {options.targets} a page"] += 1
            asked = []
        else:
            asked = _asked(page, whole, target)
        yield from asked
        taken += bool(asked)
        if not asked:
            page.reasons[target.id] = reason_of(page.falls, before)


def _stated(page: _Page) -> Iterator[Question]:
    """Yield the questions of a page that state what is hidden, in turns by what decides it."""
    options = page.options
    if CONTENT not in options.kinds:
        return
    whole = worded(page.scene)
    seed = derive_seed(options.seed, "value", page.screen.page)
    stated = contents(page.scene, seed)
    found = [
        item
        for item in stated
        if not asked_elsewhere(item.element)
        and (not page.words or (item.element.id, item.text) in page.words)
    ]
    page.falls[CONTENT, "considered"] = len(whole)
    page.falls[CONTENT, "no words of its own alone, or asked elsewhere"] = len(whole) - len(found)
    random_source(options.seed, CONTENT, page.screen.page).shuffle(found)
    turns: Counter[str] = Counter()
    ranked: list[tuple[int, int, Content]] = []
    for item in found:
        turns[item.decided] += 1
        ranked.append((turns[item.decided], DECIDED.index(item.decided), item))
    ranked.sort(key=lambda entry: entry[:2])
    page.falls[CONTENT, f"over {options.targets} a page"] = max(0, len(found) - options.targets)
    for *_, item in ranked[: options.targets]:
        yield from _asked_content(page, whole, item)


def _asked_content(page: _Page, whole: Sequence[Element], item: Content) -> Iterator[Question]:
    """Yield a content's questions; what decides its place stays to be seen."""
    target, options = item.element, page.options
    free = [
        element
        for element in whole
        if element.id == target.id or not any(element.box.intersection(box) for box in item.needs)
    ]
    seed = derive_seed(options.seed, page.screen.page)
    together = companions_of(free, target, seed, page.parameters.share)
    expression = Expression(text=item.words) if item.shown else Expression()
    instruction = Instruction(
        item.text, "en", CONTENT, "high", expression, target.id, item.action,
        "" if item.shown else item.words,
    )  # fmt: skip
    for shown in _shown(page, target, together, options.variants):
        if shown.screen is page.screen and not item.shown:
            page.falls[CONTENT, "of a field, which does not show it without a mask"] += 1
            continue
        page.screens += [shown.screen] * (shown.screen is not page.screen)
        made = _question(page, target, shown.screen, instruction, len(together))
        yield msgspec.structs.replace(made, facts={**made.facts, "decided": item.decided})


def _asked(page: _Page, whole: Sequence[Element], target: Element) -> list[Question]:
    """Return a target's questions in all variants, none where no words find it."""
    options, share = page.options, page.parameters.share
    together = companions_of(whole, target, derive_seed(options.seed, page.screen.page), share)
    found, variants = _found(page, target, together), options.variants
    possible, alone = found, page.parameters.masks == "each"
    # Before a page is drawn again, see what could be left: nothing marks what it hides.
    if HIDE in variants:
        gone = seen(page.screen, page.pixels, target, together, masked=False)
        before = _Shown(page.screen, Scene(gone.screen, page.pixels), marks=page.scene.marks)
        left = [description for description in found if _means(page, target, description, before)]
        possible = found if alone else left
        variants = tuple(name for name in variants if left or name != HIDE)
    shown = list(_shown(page, target, together, variants)) if possible else []
    asked, lost = _proven(page, target, possible, shown)
    lost += len(found) - len(possible)
    page.falls["instructions", "mean another thing, or no place, once hidden"] += lost
    if not any(asked):
        page.falls["targets", "no words that find it when it is hidden"] += 1
        return []
    seed = derive_seed(options.seed, "value", page.screen.page, target.id)
    made = []
    for at, descriptions in zip(shown, asked, strict=True):
        page.screens += [at.screen] * bool(descriptions and at.screen is not page.screen)
        for words in descriptions:
            phrase = instruct(words.expression, target, page.scene, seed=seed)
            made.append(_question(page, target, at.screen, phrase, len(together)))
    return made


def _proven(
    page: _Page, target: Element, possible: Sequence[Description], shown: Sequence[_Shown]
) -> tuple[list[list[Description]], int]:
    """
    Return the words to ask by in each variant, and how many of those possible hold in too few.

    They hold in all variants; or, where masks are asked each for itself, in that one, those
    that hold in the most first, and with nothing hidden those of any mask are asked.
    """
    held = [(words, [_means(page, target, words, at) for at in shown]) for words in possible]
    covered = [place for place, at in enumerate(shown) if at.scene is not None]
    if page.parameters.masks == "all" or not covered:
        kept = [(words, holds) for words, holds in held if all(holds)]
    else:
        kept = [(words, holds) for words, holds in held if any(holds[at] for at in covered)]
        kept.sort(key=lambda item: -sum(item[1]))
    count = page.parameters.per_kind
    asked = {
        place: first_of_each([words for words, holds in kept if holds[place]], count)
        for place in covered
    }
    of_any = [words for words, _ in kept if any(words in under for under in asked.values())]
    plain = of_any if covered else first_of_each([words for words, _ in kept], count)
    return [asked.get(place, plain) for place in range(len(shown))], len(held) - len(kept)


def _found(page: _Page, target: Element, together: Sequence[Element]) -> list[Description]:
    """Return the words for a target whose context is not hidden with it and its companions."""
    options, scene = page.options, page.scene
    described = contextual(scene, target.id, kinds=options.kinds, seed=options.seed)
    if page.words:
        described = tuple(item for item in described if (target.id, item.expression) in page.words)
    if not described:
        return []
    hidden = Scene(cover(page.screen, [element.box for element in together]), page.pixels)
    others = [element.id for element in together if element.id != target.id]
    found = [
        description
        for description in described
        if found_when_hidden(scene, hidden, description.expression, target.id, others)
    ]
    page.falls["instructions", "their context is hidden too"] += len(described) - len(found)
    return found


class _Shown(msgspec.Struct, frozen=True, eq=False):
    """
    Hold a variant's screen, what is seen of it, and all that is drawn on it (n x 4).

    Without ``scene`` nothing is hidden.
    """

    screen: Screen
    scene: Scene | None = None
    marked: bool = False
    marks: Boxes | None = None


def _means(page: _Page, target: Element, words: Description, at: _Shown) -> bool:
    """Tell whether words mean the target alone in a variant, and say where it is."""
    if at.scene is None or at.marks is None:
        return True
    if fits_another(at.scene, words.expression, target.id):
        return False
    return at.marked or place_is_told(page.scene, at.marks, words.expression, target.id)


def _shown(
    page: _Page, target: Element, together: Sequence[Element], variants: Sequence[str]
) -> Iterator[_Shown]:
    """
    Yield the screen of each variant; one that can never be made falls for its reason.

    Raises CaptureError for what may go well another time: to count it as a fall would make
    the benchmark depend on how the machine fared.
    """
    boxes = [element.box for element in together]
    for variant in variants:
        if variant == ORIGINAL:
            yield _Shown(page.screen)
            continue
        if variant == HIDE:
            try:
                shown = hide(page.screen, together, page.renderer, page.store)
            except CaptureError as error:
                if error.reason not in LASTING:
                    raise
                page.falls[HIDE, error.reason] += 1
                continue
        else:
            ring = page.parameters.ring
            shown, png = mask_boxes(page.screen, page.png, boxes, variant, ring=ring)
            page.store.put(png)
        pixels = read_pixels(page.store.get(shown.image), (shown.width, shown.height))
        left = seen(shown, pixels, target, together, masked=variant != HIDE)
        # Targets of one page may be hidden together, so a screen is the target's own.
        shown = msgspec.structs.replace(shown, id=digest([shown.id, target.id])[:16])
        yield _Shown(shown, Scene(left.screen, pixels), left.marked, drawn_marks(pixels))


def _question(
    page: _Page, target: Element, shown: Screen, instruction: Instruction, masked: int
) -> Question:
    pair = f"{page.screen.page}#{target.id}"
    return Question(
        id=digest([pair, shown.variant, instruction.text])[:20],
        pair=pair,
        cluster=page.screen.site or page.screen.page,
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
        page=page.screen.page,
    )


def _assemble(results: Iterable[PageResult], options: BuildOptions) -> AssembledBench:
    pages = list(results)
    asked = [list(dict.fromkeys(question.pair for question in page.questions)) for page in pages]
    ranks = [[(derive_seed(options.seed, "turn", pair),) for pair in item] for item in asked]
    counts = shares([site_of(page) for page in pages], ranks, a_site=options.site_targets)
    kept = {pair for item, count in zip(asked, counts, strict=True) for pair in item[:count]}
    falls = [fall for page in pages for fall in page.falls]
    over = sum(map(len, asked)) - sum(counts)
    falls.append(Fall("targets", f"over {options.site_targets} a site", over))
    questions = (
        question for page in pages for question in page.questions if question.pair in kept
    )
    ordered = tuple(sorted(questions, key=lambda question: question.id))
    return AssembledBench(ordered, Funnel(add_up(falls), {}, targets_by_site(pages, ordered)))


def _identity(options: BuildOptions) -> Mapping[str, object]:
    require_names(options.variants, VARIANTS, "mask")
    require_names(options.kinds, ALSO, "kind of instruction that says where a hidden thing is")
    return {"parameters": msgspec.to_builtins(hidden_parameters_of(options.parameters))}


HIDDEN = Benchmark(
    name="hidden",
    version=10,
    summary="elements masked or hidden, asked for by words about what is around them",
    page=_page,
    assemble=_assemble,
    identity=_identity,
    scoring=OVERLAP,
    needs_pages=lambda options: HIDE in options.variants,
    again=_again,
    defaults=BuildOptions(
        variants=("static", "high-contrast", "low-contrast", HIDE), kinds=KINDS, targets=4
    ),
    labelled=mask_labelled,
)
