"""
One page's targets, and every instruction that means one of them, in all its views.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from surefoot.benchmarks.benchmark import BuildOptions, Candidate, ImageStore
from surefoot.benchmarks.difficulty import Difficulty
from surefoot.benchmarks.drawing import asked_elsewhere
from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters, parameters_of
from surefoot.core.canonical import digest
from surefoot.core.edit import Crop
from surefoot.core.instruction import Instruction
from surefoot.core.perturbation import ORIGINAL, variant_over
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import derive_seed
from surefoot.perturb.framing import crop_around, place_on_desktop
from surefoot.perturb.views import background, crop
from surefoot.perturb.wording import WORDED, WORDINGS, wordings
from surefoot.perturb.wording.quotes import quoted_spans
from surefoot.refer.generate.expressions import expressions
from surefoot.refer.generate.generate import check_target, name_visible
from surefoot.refer.generate.hold import holds
from surefoot.refer.generate.speak import language_for, speak
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.scene.scene import Scene

Falls = Counter[tuple[str, str]]


def rewordings(
    instruction: Instruction, scene: Scene, names: tuple[str, ...], *, errors: int, seed: int
) -> Iterator[tuple[str, Instruction | None]]:
    """
    Yield each wording's name with the reworded instruction, None where there is none.

    A misspelt name is kept only where it is nearer to the name than to any other words on
    the screen.
    """
    known = wordings(errors)
    for name in names:
        own = derive_seed(seed, "wording", name, digest(instruction))
        changed = known[name](instruction, own)
        if changed is not None and misnames(instruction, changed, scene):
            changed = None
        yield name, changed


def misnames(instruction: Instruction, changed: Instruction, scene: Scene) -> bool:
    """Tell whether a misspelt name comes as near to other words on the screen as to its own."""
    labels = {label.casefold() for known in scene.labels for label in known}
    for name, wrong in _renamed(instruction, changed):
        slips = distance_of(name, wrong)
        others = labels - {name}
        if any(
            abs(len(other) - len(wrong)) <= slips and distance_of(other, wrong) <= slips
            for other in others
        ):
            return True
    return False


def distance_of(one: str, other: str) -> int:
    """
    Return the least number of letters to insert, delete or replace (Levenshtein 1966).

    >>> distance_of("kitten", "sitting")
    3
    """
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, wanted in enumerate(other, 1):
            cost = before if letter == wanted else 1 + min(before, row[place], row[place - 1])
            before, row[place] = row[place], cost
    return row[-1]


def _renamed(instruction: Instruction, changed: Instruction) -> Iterator[tuple[str, str]]:
    """Yield each quoted name, and what it was misspelt as, in lower case."""
    if not changed.wording.endswith("in-names"):
        return
    text, pattern, end = instruction.text, "", 0
    spans = quoted_spans(instruction)
    for span in spans:
        pattern += re.escape(text[end : span.start]) + "(.*)"
        end = span.end
    match = re.fullmatch(pattern + re.escape(text[end:]), changed.text, re.DOTALL)
    if match is None:
        return
    for span, wrong in zip(spans, match.groups(), strict=True):
        name = text[span.start : span.end]
        if name != wrong:
            yield name.casefold(), wrong.casefold()


class SpokenPage:
    """Hold what one page's targets share while its result is made."""

    def __init__(self, screen: Screen, store: ImageStore, options: BuildOptions) -> None:
        self.parameters = parameters_of(options.parameters)
        self.options = options
        self.store = store
        self.png = store.get(screen.image)
        self.scene = Scene(screen, pixels_of(self.png))
        self.falls: Falls = Counter()
        self.reasons: dict[str, str] = {}  # why an element is not asked for, by its id
        self.scenes = {screen.id: self.scene}
        self.desktop = self._desktop(screen) if "background" in options.variants else None

    def keep(self, shown: tuple[Screen, bytes]) -> Scene:
        """Store a view's picture and return its scene; targets may share one."""
        screen, png = shown
        if screen.id not in self.scenes:
            self.store.put(png)
            self.scenes[screen.id] = Scene(screen, pixels_of(png))
        return self.scenes[screen.id]

    def _desktop(self, screen: Screen) -> Scene:
        scales = (self.parameters.scale_least, self.parameters.scale_most)
        edit = place_on_desktop(
            screen, self.options.seed, desktop=self.parameters.desktop, scales=scales
        )
        variant = variant_over(screen.variant, "background")
        return self.keep(background(screen, self.png, edit, variant=variant))


def candidate_of(page: SpokenPage, element: Element, found: Difficulty) -> Candidate | None:
    """
    Return a target with its instructions in every view, None where it has none.

    On guessed elements, the measures get "seen": the share of what is drawn that was found.
    """
    instructions = _said(page, element)
    if not instructions:
        page.falls["targets", "no instruction of the kinds asked for"] += 1
        return None
    asked = {page.scene.screen.id: (*instructions, *_reworded(page, instructions))}
    for scene in _views(page, element):
        asked[scene.screen.id] = tuple(_held(page, scene, element, instructions))
    measures = found.measures
    if page.scene.screen.guessed_by:
        measures = {**measures, "seen": round(page.scene.recall, 4)}
    return Candidate(
        target=element.id,
        role=element.role,
        instructions=asked,
        measures=measures,
        confusing=found.why,
    )


def asked_again(page: SpokenPage, first: Candidate, original: str) -> Candidate:
    """
    Return a target's instructions on a changed screen, of those on its original (by its id).

    A rewording is asked where what it rewords is, and where it names nothing else there.
    """
    first_instructions = first.instructions[original]
    plain = [
        instruction for instruction in first_instructions if instruction.wording not in WORDINGS
    ]
    element = page.scene.screen.element(first.target)
    if element is None or asked_elsewhere(element):
        return msgspec.structs.replace(first, instructions={})
    rejection = check_target(page.scene, element.id)
    if rejection is not None:
        page.falls["targets", rejection.reason] += 1
        return msgspec.structs.replace(first, instructions={})
    asked: dict[str, tuple[Instruction, ...]] = {}
    if ORIGINAL in page.options.variants:
        here = list(_held(page, page.scene, element, first_instructions))
        origin = {instruction.expression: instruction for instruction in plain}
        asked[page.scene.screen.id] = tuple(
            instruction
            for instruction in here
            if instruction.wording not in WORDINGS
            or not misnames(origin[instruction.expression], instruction, page.scene)
        )
    for scene in _views(page, element):
        asked[scene.screen.id] = tuple(_held(page, scene, element, plain))
    return msgspec.structs.replace(
        first, instructions={screen: held for screen, held in asked.items() if held}
    )


def _said(page: SpokenPage, element: Element) -> list[Instruction]:
    """Return the target's instructions on its screen, the cheapest first, each text once."""
    options = page.options
    described = expressions(
        page.scene,
        element.id,
        seed=options.seed,
        most=page.parameters.most,
        hidden_names=options.hidden_names,
    )
    seed = derive_seed(options.seed, "value", page.scene.screen.page, element.id)
    language = language_for(page.scene.screen, options.language)
    found: dict[str, Instruction] = {}
    for description in described:
        if description.kind in options.kinds:
            made = speak(
                description.expression,
                element,
                page.scene,
                language=language,
                seed=seed,
                name_visible=name_visible(page.scene, element.id),
            )
            if isinstance(made, Rejection):
                page.falls[f"{description.kind} in words ({language})", made.reason] += 1
                continue
            found.setdefault(made.text, made)
    return list(found.values())


def _reworded(page: SpokenPage, instructions: Sequence[Instruction]) -> Iterator[Instruction]:
    """Yield the language views of the most direct instruction: the first that names it."""
    names = page.parameters.wording_names
    if instructions[0].language != WORDED:
        for name in names:
            page.falls[f"wording {name}", f"only of {WORDED}"] += 1
        return
    plain = next(
        (instruction for instruction in instructions if instruction.specificity == "high"), None
    )
    if plain is None:
        page.falls["wordings", "no instruction of high specificity"] += len(names)
        return
    for name, changed in rewordings(
        plain,
        page.scene,
        names,
        errors=page.parameters.spelling_errors,
        seed=page.options.seed,
    ):
        if changed is None:
            page.falls[f"wording {name}", "no words to change, or not surely meant"] += 1
        else:
            yield changed


def _views(page: SpokenPage, element: Element) -> Iterator[Scene]:
    if "crop" in page.options.variants:
        yield page.keep(_crop(page, element, page.parameters))
    if page.desktop is not None:
        yield page.desktop


def _crop(
    page: SpokenPage, element: Element, parameters: SensitivityParameters
) -> tuple[Screen, bytes]:
    edit = crop_of(page.scene.screen, element.id, parameters)
    variant = variant_over(page.scene.screen.variant, "crop")
    return crop(page.scene.screen, page.png, edit, variant=variant)


def crop_of(screen: Screen, target: str, parameters: SensitivityParameters) -> Crop:
    """Return the part of a screen around a target (by its id) that the parameters choose."""
    return crop_around(
        screen,
        target,
        distance=parameters.crop_distance,
        margin=parameters.crop_margin,
        least=(parameters.crop_width, parameters.crop_height),
        ground=parameters.crop_ground,
    )


def _held(
    page: SpokenPage, scene: Scene, element: Element, instructions: Sequence[Instruction]
) -> Iterator[Instruction]:
    """Yield the instructions that hold in a view; the others fall for their reasons."""
    hidden = page.options.hidden_names
    whole = page.scene.screen.bounds.intersection(element.box) == element.box
    if scene is page.desktop and not whole:  # its box reaches from the window to the wallpaper
        page.falls[f"instructions on {scene.screen.variant}", "cut by the window"] += len(
            instructions
        )
        return
    for instruction in instructions:
        rejection = holds(instruction.expression, element.id, scene, hidden_names=hidden)
        if rejection is None:
            visible = name_visible(scene, element.id)
            yield msgspec.structs.replace(instruction, name_visible=visible)
        else:
            page.falls[f"instructions on {scene.screen.variant}", rejection.reason] += 1
