"""
The same questions over several changes of a page: bases, crossed with what a benchmark does.

A base is a variant of the screen (a theme, a zoom, a filter) below the variants, views or masks
of the benchmark itself. What is asked on the original is asked again over each base, of the
same elements, in those of the same words that are proven there once more.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from surefoot.benchmarks.benchmark import (
    AssembledBench,
    Benchmark,
    BuildOptions,
    Candidate,
    Fall,
    ImageStore,
    PageRenderer,
    PageResult,
)
from surefoot.benchmarks.crossing.design import ScreenCell, read_design
from surefoot.benchmarks.drawing import only_those
from surefoot.capture.captured import Capture
from surefoot.core.edit import AddStyle, Edit
from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Instruction
from surefoot.core.perturbation import (
    DEALT,
    ORIGINAL,
    OVER,
    is_captured,
    parse_variant,
    variant_over,
)
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Screen
from surefoot.refer.generate.spoiled import spoiled
from surefoot.refer.scene.scene import Scene


def check_bases(benchmark: Benchmark, options: BuildOptions, *, written: bool = False) -> None:
    """
    Refuse bases that a benchmark cannot be crossed with, or that are no variants.

    Where a model has ``written`` instructions, there are neither bases nor a budget. Raises
    InvalidInputError and UnknownNameError.
    """
    read_design(options.design)
    if written and (options.over or options.budget):
        raise InvalidInputError(
            "instructions that Surefoot says itself, for --over and --budget",
            found="a --writer",
            remedy="leave --writer out, or build without them",
        )
    if benchmark.parallel and options.budget:
        raise InvalidInputError(
            "a benchmark whose questions are about elements, for --budget",
            found=f"'{benchmark.name}'",
            remedy="choose fewer --targets",
        )
    if not options.over:
        return
    if benchmark.again is None and not benchmark.composes:
        raise InvalidInputError(
            "a benchmark that asks again over changed screens (perturbed, sensitivity, hidden)",
            found=f"'{benchmark.name}' --over {','.join(options.over)}",
            remedy="leave --over out",
        )
    made: dict[str, str] = {}
    for name in (ORIGINAL, *options.over):
        other = made.setdefault(parse_variant(name).identity(), name)
        if other != name or options.over.count(name) > 1:
            raise InvalidInputError(
                "bases that differ from the original and from each other",
                found=f"'{name}' and '{other}'",
                remedy="leave one of them out",
            )
    edited = [name for name in options.variants if not is_captured(name)]
    cells = list(itertools.product((ORIGINAL, *options.over), edited))
    names = Counter(variant_over(*cell) for cell in cells)
    for name in names if benchmark.composes else ():
        parse_variant(name)
    twice = next((name for name, count in names.items() if count > 1), "")
    if twice:
        raise InvalidInputError(
            "variants and bases of which no two together are one condition",
            found=f"'{twice}' from several of them",
            remedy="name each change among the variants, or among the bases",
        )


def opens_pages(benchmark: Benchmark, options: BuildOptions) -> bool:
    """Tell whether a build renders pages again, for the benchmark's own work or for a base."""
    own = benchmark.renders and benchmark.needs_pages(options)
    return own or not all(parse_variant(name).picture for name in options.over)


def page_over(
    benchmark: Benchmark,
    screen: Screen,
    renderer: PageRenderer,
    store: ImageStore,
    options: BuildOptions,
    cells: Sequence[ScreenCell],
) -> PageResult:
    """Make a page's result in the conditions of its screen that it is asked in."""
    if benchmark.composes:
        names = tuple(variant_over(*cell) for cell in cells)
        chosen = msgspec.structs.replace(options, variants=names)
        return benchmark.page(screen, renderer, store, chosen)
    over: dict[str, list[str]] = {}
    for base, own in cells:
        over.setdefault(base, []).append(own)
    plain = msgspec.structs.replace(options, variants=tuple(over.pop(ORIGINAL)))
    found = first = benchmark.page(screen, renderer, store, plain)
    for base, variants in over.items():
        chosen = msgspec.structs.replace(options, variants=tuple(variants))
        again = _again(benchmark, first, base, renderer, store, chosen)
        found = _joined(found, again, base)
    return found


def with_bases(assembled: AssembledBench, options: BuildOptions) -> AssembledBench:
    """Say in the facts of each question the base of its screen, and whether that was dealt."""
    longest = sorted(options.over, key=len, reverse=True)
    design, cells = read_design(options.design), (1 + len(longest)) * len(options.variants)
    dealt = {DEALT: options.design} if design.kind == "fraction" and design.cells < cells else {}

    def base_of(variant: str) -> dict[str, str]:
        return next(({OVER: base} for base in longest if f"{variant}+".startswith(f"{base}+")), {})

    questions = tuple(
        msgspec.structs.replace(question, facts={**question.facts, **dealt, **base})
        if (base := base_of(question.cell.variant)) or dealt
        else question
        for question in assembled.questions
    )
    return msgspec.structs.replace(assembled, questions=questions)


class _Over(msgspec.Struct, frozen=True):
    """Render the page of a screen with further edits, after those of its base."""

    renderer: PageRenderer
    original: Screen
    edits: tuple[Edit, ...]

    def render(self, _screen: Screen, variant: str, edits: Sequence[Edit]) -> Capture:
        """Return the page with all edits; raises CaptureError."""
        return self.renderer.render(self.original, variant, (*self.edits, *edits))

    def render_all(
        self, _screen: Screen, variants: Mapping[str, Sequence[Edit]]
    ) -> dict[str, Capture]:
        """Return the page under each variant with all edits; raises CaptureError."""
        over = {name: (*self.edits, *edits) for name, edits in variants.items()}
        return self.renderer.render_all(self.original, over)


def _again(
    benchmark: Benchmark,
    first: PageResult,
    base: str,
    renderer: PageRenderer,
    store: ImageStore,
    options: BuildOptions,
) -> PageResult:
    original = first.screens[0]
    over = _Over(renderer, original, parse_variant(base).edits(original, options.seed))
    captured = over.render(original, base, ())
    store.put(captured.png)
    asked = _targets(first)
    if any(isinstance(edit, AddStyle) for edit in over.edits):
        before, after = (
            Scene(screen, pixels_of(store.get(screen.image)))
            for screen in (original, captured.screen)
        )
        asked = {target for target in asked if spoiled(before, after, target) is None}
    (screen,) = only_those([captured.screen], {f"{original.page}#{target}" for target in asked})
    if benchmark.again is None:
        raise InvalidInputError("a benchmark that asks again", found=benchmark.name)
    return benchmark.again(screen, first, over, store, options)


def _targets(result: PageResult) -> set[str]:
    asked = {question.instruction.target for question in result.questions}
    return asked | {candidate.target for candidate in result.candidates}


def _joined(found: PageResult, again: PageResult, base: str) -> PageResult:
    """Add what is asked over a base; of the targets that are not, their number is told."""
    more = {candidate.target: candidate.instructions for candidate in again.candidates}
    lost = len(_targets(found) - _targets(again))
    falls = [fall for fall in again.falls if fall.stage not in ("targets", "content")]
    return msgspec.structs.replace(
        found,
        screens=(*found.screens, *again.screens),
        candidates=tuple(_asked_in(item, more.get(item.target, {})) for item in found.candidates),
        questions=(*found.questions, *again.questions),
        falls=(
            *found.falls,
            *(Fall(f"{fall.stage}, over {base}", fall.reason, fall.count) for fall in falls),
            Fall(f"targets over {base}", "not to be asked for there", lost),
        ),
    )


def _asked_in(candidate: Candidate, more: dict[str, tuple[Instruction, ...]]) -> Candidate:
    instructions = {**candidate.instructions, **more}
    return msgspec.structs.replace(candidate, instructions=instructions)
