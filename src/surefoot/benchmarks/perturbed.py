"""
`perturbed`: the same target under every variant, by its name, a landmark or what it does.

After GUI-Perturbed: scene and instruction are changed along independent axes, and every
comparison is a matched pair. An instruction is asked only where it holds, for exactly one
visible element under a strict and a lenient reading: one by name or by function in every
variant, one by a landmark on the original and in each variant that leaves the two as they lie.
With ``relation=anew`` a landmark is found anew in every variant, as in the paper's algorithm 1;
with ``relation=all`` only what has one in every variant is asked for, so all cells are as large.
With ``absent=N`` so many questions a page ask for what is not there (``absence/``).
A page that was captured in other languages, too, has each of them as a variant, in which an
element is asked for in that language, by what it is called there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from surefoot.benchmarks.absence.questions import with_absent
from surefoot.benchmarks.benchmark import (
    AssembledBench,
    Benchmark,
    BuildOptions,
    Candidate,
    Fall,
    ImageStore,
    PageRenderer,
    PageResult,
    read_parameters,
    reason_of,
    require_names,
)
from surefoot.benchmarks.drawing import REPEAT, asked_elsewhere
from surefoot.benchmarks.matching import assemble
from surefoot.benchmarks.perturbed_labelled import perturb_labelled, require_pictures
from surefoot.core.edit import AddStyle
from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Direction, Expression, Instruction
from surefoot.core.perturbation import (
    LANGUAGE,
    ORIGINAL,
    is_captured,
    parse_variant,
    variant_title,
)
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import derive_seed
from surefoot.perturb.check import panels_that_appear
from surefoot.refer.generate.generate import (
    candidates,
    check_target,
    direct,
    name_visible,
    relational,
)
from surefoot.refer.generate.heads import heads
from surefoot.refer.generate.hold import holds
from surefoot.refer.generate.speak import OWN, language_for, speak
from surefoot.refer.generate.spoiled import spoiled
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.say.kinds import kind_of
from surefoot.refer.scene.scene import Scene
from surefoot.score.scorings.hits import HITS

Falls = Counter[tuple[str, str]]
Relations = dict[Direction, tuple[Instruction, tuple[str, ...]]]
LANDMARKS_A_DIRECTION: Final = 3
KINDS: Final = ("direct", "relational", "functional")


class _PerturbedParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold the parameters of ``perturbed``.

    ``relation`` says where a landmark comes from: "kept", from the original, and not asked
    where it lies otherwise; "anew", from each variant as it is; "all", the same, and only of
    targets that can be asked for so in every cell, as the paper's 390 steps are. ``absent`` is
    how many questions a page ask for an element that is not there.
    """

    relation: Literal["kept", "anew", "all"] = "kept"
    absent: Annotated[int, Meta(ge=0)] = 0


def _page(
    screen: Screen, renderer: PageRenderer, store: ImageStore, options: BuildOptions
) -> PageResult:
    shots = _render(screen, renderer, store, options)
    drawn = [Scene(item, pixels_of(png)) for item, png in shots]
    others = [scene for scene in drawn if scene.screen.variant.startswith(LANGUAGE)]
    scenes = [scene for scene in drawn if scene not in others]
    falls: Falls = Counter()
    for scene in scenes[1:]:
        if is_captured(scene.screen.variant):  # of which controls alone are known again
            continue
        appeared = panels_that_appear(screen, scene.screen)
        falls[f"second change on {scene.screen.variant}", "floating panel"] += len(appeared)
    kept: list[Candidate] = []
    reasons: dict[str, str] = {}
    for element in candidates(scenes[0]):
        before = falls.copy()
        found = _candidate(scenes, element, falls, options)
        if found is None:
            reasons[element.id] = reason_of(falls, before)
        else:
            words = _translated(others, element, falls, options)
            kept.append(msgspec.structs.replace(found, translated=words))
    return PageResult(
        page=screen.page,
        site=screen.site,
        screens=tuple(item for item, _ in shots),
        candidates=tuple(kept),
        falls=tuple(Fall(*key, count) for key, count in sorted(falls.items()) if count),
        reasons=reasons,
    )


def _assemble(results: Iterable[PageResult], options: BuildOptions) -> AssembledBench:
    pages = tuple(results)
    number = _parameters(options).absent
    return with_absent(assemble(pages, options), pages, number, options.seed)


def _render(
    screen: Screen, renderer: PageRenderer, store: ImageStore, options: BuildOptions
) -> list[tuple[Screen, bytes]]:
    """Return the original and every variant, with their pictures, which are stored."""
    shots = [(screen, store.get(screen.image))]
    # What is captured already needs nothing done to the page.
    variants = {
        name: () if is_captured(name) else parse_variant(name).edits(screen, options.seed)
        for name in options.variants[1:]
    }
    rendered = renderer.render_all(screen, variants) if variants else {}
    for captured in rendered.values():
        store.put(captured.png)
        shots.append((captured.screen, captured.png))
    return shots


def _candidate(
    scenes: Sequence[Scene], element: Element, falls: Falls, options: BuildOptions
) -> Candidate | None:
    falls["candidates", "considered"] += 1
    if asked_elsewhere(element):
        falls["candidates", REPEAT] += 1
        return None
    rejection = check_target(scenes[0], element.id)
    if rejection is not None:
        falls["target on the original", rejection.reason] += 1
        return None
    for scene in filter(_is_styled, scenes[1:]):
        rejection = spoiled(scenes[0], scene, element.id)
        if rejection is not None:
            falls[f"target on {scene.screen.variant}", rejection.reason] += 1
            return None
    kinds = options.kinds
    relational: Relations = {}
    anew: dict[str, tuple[Instruction, ...]] = {}
    names = [scene.screen.variant for scene in scenes]
    relation = _parameters(options).relation
    if "relational" in kinds and relation != "kept":
        relational, anew = _drawn_anew(scenes, element, falls, options)
        names = names[:1]
    elif "relational" in kinds:
        relational = _relational(scenes, element, falls, options)
    found = Candidate(
        target=element.id,
        role=element.role,
        direct=_direct(scenes, element, falls, options) if "direct" in kinds else None,
        relational={way: instruction for way, (instruction, _) in relational.items()},
        held={way: held for way, (_, held) in relational.items() if len(held) < len(names)},
        functional=_functional(scenes, element, falls, options) if "functional" in kinds else None,
        instructions=anew,
    )
    cells = {
        "direct": found.direct,
        "relational": found.relational,
        "functional": found.functional,
    }
    gaps: list[object] = [kind for kind in kinds if not cells[kind]]
    gaps += scenes[1 + len(anew) :] if "relational" in kinds else []
    if relation == "all" and gaps:
        falls["candidates", "not to be asked for in every cell"] += 1
        return None
    return found if any(cells.values()) else None


def _translated(
    scenes: Sequence[Scene], element: Element, falls: Falls, options: BuildOptions
) -> dict[str, tuple[Instruction, ...]]:
    """Return what is asked about an element in other languages, by the ids of the screens."""
    found: dict[str, tuple[Instruction, ...]] = {}
    spoken = msgspec.structs.replace(options, language=OWN)
    for scene in scenes:
        own: Falls = Counter()
        asked: list[Instruction | None] = []
        here = scene.screen.element(element.id)
        if here is None:
            own["no such element", "absent"] += 1
        else:
            if "direct" in options.kinds:
                asked.append(_direct([scene], here, own, spoken))
            if "relational" in options.kinds:
                related = _relational([scene], here, own, spoken)
                asked += [instruction for instruction, _ in related.values()]
            if "functional" in options.kinds:
                asked.append(_functional([scene], here, own, spoken))
        found[scene.screen.id] = tuple(filter(None, asked))
        title = variant_title(scene.screen.variant)
        for (stage, reason), count in own.items():
            falls[f"in {title}, {stage.removesuffix(' on the original')}", reason] += count
    return found


def _is_styled(scene: Scene) -> bool:
    """Tell whether a page was drawn in another style: what that spoils is our own damage."""
    return any(isinstance(edit, AddStyle) for edit in scene.screen.edits)


def _direct(
    scenes: Sequence[Scene], element: Element, falls: Falls, options: BuildOptions
) -> Instruction | None:
    found = direct(scenes[0], element.id, hidden_names=options.hidden_names)
    if isinstance(found, Rejection):
        falls["direct on the original", found.reason] += 1
        return None
    lost = _lost(scenes, element, found, options)
    if lost is not None:
        falls[f"direct on {lost[0]}", lost[1].reason] += 1
        return None
    visible = all(name_visible(scene, element.id) for scene in scenes)
    instruction = _instruction(scenes[0], element, found, options, name_visible=visible)
    if isinstance(instruction, Rejection):
        falls[f"direct in words ({options.language})", instruction.reason] += 1
        return None
    return instruction


def _functional(
    scenes: Sequence[Scene], element: Element, falls: Falls, options: BuildOptions
) -> Instruction | None:
    """Return the instruction that says what the target does, as "Go to 'Orders'"."""
    scene = scenes[0]
    place = scene.place[element.id]
    doing = [
        head
        for head in heads(scene, place, hidden_names=options.hidden_names)
        if kind_of(head) == "functional"
    ]
    reason = ("on the original", "no-function")
    for expression in doing:
        lost = _lost(scenes, element, expression, options)
        if lost is not None:
            reason = (f"on {lost[0]}", lost[1].reason)
            continue
        instruction = _instruction(scene, element, expression, options)
        if not isinstance(instruction, Rejection):
            return instruction
        reason = (f"in words ({options.language})", instruction.reason)
    falls[f"functional {reason[0]}", reason[1]] += 1
    return None


def _drawn_anew(
    scenes: Sequence[Scene], element: Element, falls: Falls, options: BuildOptions
) -> tuple[Relations, dict[str, tuple[Instruction, ...]]]:
    """
    Return the relations found on the original, and on each other screen by its id.

    There are none where the original has none, or no other screen has any.
    """
    here = _relational(scenes[:1], element, falls, options)
    if not here:
        return {}, {}
    there = {}
    for scene in scenes[1:]:
        if found := _relational([scene], element, falls, options):
            there[scene.screen.id] = tuple(instruction for instruction, _ in found.values())
    if len(scenes) > 1 and not there:
        falls["relational", "in no variant but the original"] += 1
        return {}, {}
    return here, there


def _relational(
    scenes: Sequence[Scene], element: Element, falls: Falls, options: BuildOptions
) -> Relations:
    """
    Return an instruction a direction, found on the first scene, with the variants it holds in.

    Of the landmarks of a direction the one counts that holds in the most, the nearest first.
    """
    first = scenes[0].screen.variant
    found = relational(scenes[0], element.id, seed=options.seed, most=LANDMARKS_A_DIRECTION)
    if isinstance(found, Rejection):
        where = "the original" if first == ORIGINAL else first
        falls[f"relational on {where}", found.reason] += 1
        return {}
    kept: Relations = {}
    losses: dict[Direction | None, list[tuple[str, Rejection]]] = {}
    for expression in found:
        direction = expression.direction
        lost = [
            (scene.screen.variant, rejection)
            for scene in scenes
            if (rejection := _rejection(scene, element, expression, options)) is not None
        ]
        gone = {name for name, _ in lost}
        names = (scene.screen.variant for scene in scenes)
        held = tuple(name for name in names if name not in gone)
        instruction = _instruction(scenes[0], element, expression, options)
        if isinstance(instruction, Rejection):
            losses.setdefault(None, []).append((f"in words ({options.language})", instruction))
        elif first in gone or len(held) == 1 < len(scenes):
            losses.setdefault(None, []).append((f"on {lost[0][0]}", lost[0][1]))
        elif direction is not None and (
            direction not in kept or len(held) > len(kept[direction][1])
        ):
            kept[direction] = instruction, held
            losses[direction] = lost
    if not kept:
        where, rejection = losses[None][0]
        falls[f"relational {where}", rejection.reason] += 1
    for direction in kept:
        for name, rejection in losses[direction]:
            falls[f"relational, not asked on {name}", rejection.reason] += 1
    return kept


def _lost(
    scenes: Sequence[Scene], element: Element, expression: Expression, options: BuildOptions
) -> tuple[str, Rejection] | None:
    """Return the first variant in which the expression does not hold, and why."""
    for scene in scenes:
        rejection = _rejection(scene, element, expression, options)
        if rejection is not None:
            return scene.screen.variant, rejection
    return None


def _rejection(
    scene: Scene, element: Element, expression: Expression, options: BuildOptions
) -> Rejection | None:
    return holds(expression, element.id, scene, hidden_names=options.hidden_names)


def _instruction(
    scene: Scene,
    element: Element,
    expression: Expression,
    options: BuildOptions,
    *,
    name_visible: bool = True,
) -> Instruction | Rejection:
    return speak(
        expression,
        element,
        scene,
        language=language_for(scene.screen, options.language),
        seed=derive_seed(options.seed, "value", scene.screen.page, element.id),
        name_visible=name_visible,
    )


def _parameters(options: BuildOptions) -> _PerturbedParameters:
    return read_parameters(options.parameters, _PerturbedParameters, "perturbed")


def _check_labelled(options: BuildOptions) -> None:
    require_pictures(options)
    if (relation := _parameters(options).relation) != "kept":
        raise InvalidInputError(
            f"captured screens for relation={relation}",
            found="a set, whose own words are asked",
            remedy="leave --set relation out",
        )
    if _parameters(options).absent:
        raise InvalidInputError(
            "captured screens for what is absent from them",
            found="a set, of whose screens not all words are known",
            remedy="leave --set absent out",
        )


def _identity(options: BuildOptions) -> Mapping[str, object]:
    if not options.variants or options.variants[0] != ORIGINAL:
        raise InvalidInputError(
            f"variants that begin with '{ORIGINAL}'",
            found=", ".join(options.variants) or "none",
            remedy=f"write --variants {ORIGINAL},...",
        )
    named = [name for name in options.variants if not is_captured(name)]
    for name in named:
        if options.variants.count(name) > 1 or parse_variant(name).name != name:
            raise InvalidInputError(
                "each variant once, by its name",
                found=f"'{name}' in '{','.join(options.variants)}'",
                remedy="leave it out",
            )
    made: dict[str, str] = {}
    for name in named:
        other = made.setdefault(parse_variant(name).identity(), name)
        if other != name:
            raise InvalidInputError(
                "variants that differ",
                found=f"'{name}', which changes the same as '{other}'",
                remedy="leave one of them out",
            )
    require_names(options.kinds, KINDS, "kind of instruction")
    if _parameters(options).absent and "direct" not in options.kinds:
        raise InvalidInputError(
            "direct instructions, in whose words absent elements are asked for",
            found=f"--kinds {','.join(options.kinds)}",
            remedy="add direct, or leave --set absent out",
        )
    return {name: parse_variant(name).identity() for name in named}


def _needs_pages(options: BuildOptions) -> bool:
    named = (name for name in options.variants if not is_captured(name))
    return not all(parse_variant(name).picture for name in named)


PERTURBED = Benchmark(
    name="perturbed",
    version=9,
    summary="one target under several variants, by its name, a landmark or what it does",
    page=_page,
    assemble=_assemble,
    identity=_identity,
    scoring=HITS,
    needs_pages=_needs_pages,
    labelled=perturb_labelled,
    check_labelled=_check_labelled,
    speaks=True,
    composes=True,
)
